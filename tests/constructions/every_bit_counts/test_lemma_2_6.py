"""Lemma 2.6: what its proof says depends on Table 6, entry by entry; our witnesses depend on theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from constructions.every_bit_counts.mathematics.weights import mlp_looks_for
from lowerbounds import one_column
from tests.constructions.every_bit_counts.changed_table import changed, judged
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.enumerate import enumerate_pairs
from verifier.errata.smallest_failures import failure_without
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution
from verifier.networks.instantiate import instantiate

A4 = read_semantics("a4")
STATEMENT, PRINTED, REPAIRED = Edition

SHIFT = "2**(h - 1) - 1"

CHANGES = [
    # step, place in Table 6, as repaired, as changed, what the counterexample then shows
    ("numerator-after-step-2", "row.1.zero.2", "-(h - 2)", "-(h - 1)", "-127/2"),
    ("range-after-step-2", "row.2.one.3", "2**min(6, h - 2)", "2**7", "inf"),
    ("numerator-after-step-8", "row.8.one.3", 1, 0, "-127"),
    ("range-after-step-8", "row.3.one.3", "2**min(6, h - 2)", "2**7", "65/32"),
    ("numerator-step-9", "row.9.zero.3", 0, 1, "inf"),
    ("range-after-step-10", "row.10.one.3", "-2**min(6, h - 2)", "-2**7", "-inf"),
    ("overflow-after-step-10", "row.10.one.3", "-2**min(6, h - 2)", 0, "-127"),
    ("numerator-steps-11-17", "row.12.one.3", "-2**min(6, h - 2)", "-2**5", "95"),
    ("numerator-steps-10-18", "row.11.zero.2", "-(h - 2)", "-(h - 1)", "127/2"),
    ("numerator-step-18", "row.18.one.3", 0, 1, "64"),
    ("numerator-step-19", "row.19.zero.3", 1, 2, "2"),
    ("numerator-yes", "row.19.zero.2", "-(h - 2)", "-(h - 1)", "1/2"),
    ("numerator-no", "row.19.zero.3", 1, SHIFT, "126"),
    ("denominator-step-1", "row.1.zero.2", "-(h - 2)", "-(h - 1)", "1/128"),
    ("denominator-after-step-8", "row.2.zero.2", "-min(6, h - 2)", -5, "13/64"),
    ("denominator-residue-after-step-9", "row.18.one.2", "m + 2*h - i + 1", "m + 2*h - i", "127"),
    ("denominator-steps-10-17", "row.17.zero.2", "-(i - m - 4)", "-(i - m - 5)", "7/32"),
    ("denominator-step-18", "row.18.zero.2", "-N", 0, "7"),
    ("denominator-yes", "row.9.zero.2", "2*h - i - 1", "2*h - i", "inf"),
    ("denominator-no", "row.9.zero.2", "2*h - i - 1", "-N", "87/64"),
    ("output-yes", "row.19.zero.3", 1, 0, "0"),
    ("output-no", "row.19.zero.3", 1, SHIFT, "127/128"),  # 126/127, rounded
]


def step(name: str) -> Claim:
    return find_claim(f"every-bit-counts/lemma-2.6:{name}")


@pytest.mark.parametrize(("name", "at", "before", "after", "found"), CHANGES, ids=[c[0] for c in CHANGES])
def test_what_the_proof_says_depends_on_the_table(name: str, at: str, before: str | int, after: str | int, found: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED, made.reason
    assert made.counterexample is not None
    assert made.counterexample["found"] == found


def test_what_the_mlp_answers_depends_on_its_weights() -> None:
    made = judged(changed(step("mlp"), "mlp.hidden.1.bias", "1/2**(h - 2)", "1/2**(h - 3)"), p=8)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert (made.counterexample["input"], made.counterexample["output"]) == ("1/128", "0")


def test_what_an_mlp_looks_for_is_read_in_its_table() -> None:
    """The biases of Table 5 as printed, 1/2 and -1/2, single out 1/2 at every p."""
    assert {mlp_looks_for(Fraction(5), Fraction(p)) for p in range(2, 9)} == {Fraction(1, 2)}
    assert mlp_looks_for(Fraction(6), Fraction(4)) == Fraction(1, 8)


@pytest.mark.campaign
def test_no_erratum_can_be_left_out() -> None:
    claim = step("table-6")
    assert claim.table is not None
    assert claim.table.source.errata is not None
    for entry in claim.table.source.errata.erratum:
        assert (failure_without(claim, entry.name) or "").startswith("p = "), entry.name


WITNESSES = [("denominator-first", 3), ("without-padding", 4)]


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(("witness", "first"), WITNESSES)
def test_our_witnesses_verify_with_representable_entries(witness: str, first: int, semantics: str) -> None:
    table = step(witness).table
    assert table is not None
    for p in range(first, 8):
        execution = Execution(instantiate(table.source.file, {"p": p}), read_semantics(semantics))
        assert execution.unrepresentable == ()
        found = enumerate_pairs(execution)
        assert (found.failures, found.nans) == (0, 0)
        assert found.cases == 2 ** (execution.instance.m - 1) * (2**execution.instance.m + 1)


@pytest.mark.parametrize(
    ("witness", "p", "at", "before", "after"),
    [
        ("denominator-first", 5, "row.4.one.3", 1, 0),
        ("denominator-first", 5, "row.9.one.3", -1, -2),
        ("denominator-first", 5, "row.6.one.2", "p - 3", "p - 2"),
        ("denominator-first", 5, "row.3.zero.2", "p - 1 - i", "p - i"),
        ("without-padding", 5, "row.3.one.2", "-(p - 1)", "-(p - 2)"),
        ("without-padding-at-3", 3, "row.4.one.3", "-1/2", 0),
        ("without-padding-at-3", 3, "row.6.zero.2", 1, 0),
        ("without-padding-at-3", 3, "row.11.zero.3", "3/2", 1),
    ],
)
def test_a_neighbour_of_each_witness_fails(witness: str, p: int, at: str, before: str | int, after: str | int) -> None:
    assert judged(step(witness), STATEMENT, p=p).verdict is Verdict.VERIFIED
    assert judged(changed(step(witness), at, before, after), STATEMENT, p=p).verdict is Verdict.REFUTED


def test_without_padding_the_residue_is_too_large_at_p_3() -> None:
    claim = changed(step("without-padding"), "parameters.p.where", "p >= 4", "p >= 3")
    assert judged(claim, STATEMENT, p=3).verdict is Verdict.DECLINED
    free = replace(claim, parameters=tuple(replace(p, where="1 == 1") for p in claim.parameters))
    assert judged(free, STATEMENT, p=3).verdict is Verdict.REFUTED


def test_the_definition_agrees_on_a_witness() -> None:
    table = step("denominator-first").table
    assert table is not None
    execution = Execution(instantiate(table.source.file, {"p": 4}), A4)
    assert all(evaluate(execution, y, z).correct for y in range(0, 128, 3) for z in range(y, 128, 5))


@pytest.mark.campaign
def test_one_value_column_is_searched_where_no_witness_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_one_product(semantics: object, p: int, representation: str, m: int, n: int) -> list[tuple[Fraction, one_column.Outcome]]:
        return [(Fraction(1), one_column.Outcome(False, 1, 1, {}, frozenset()))]

    claim = step("one-value-column")
    assert judged(claim, STATEMENT, p=3).witness == judged(step("denominator-first"), STATEMENT, p=3).witness
    searched = judged(claim, STATEMENT, p=2)
    assert "SAT" in (searched.scope.method or "")
    monkeypatch.setattr(one_column, "search", with_one_product)
    assert judged(claim, STATEMENT, p=2).verdict is Verdict.REFUTED
