"""Lemma 2.3: what its proof says depends on Table 5, entry by entry; its witnesses do, too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.constructions.every_bit_counts.changed_table import changed, judged
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.errata.smallest_failures import failure_without
from verifier.networks.execution import Execution
from verifier.networks.instantiate import instantiate

LEMMA = find_claim("every-bit-counts/lemma-2.3")
A4 = read_semantics("a4")

CHANGES = [
    # step, place in Table 5, as repaired, as changed, what the counterexample then shows
    ("numerator-after-step-2", "row.2.one.3", -1, -2, "-2"),
    ("range-after-step-2", "row.1.one.3", "-2**(7 - i)", "-2**(8 - i)", "-inf"),
    ("numerator-step-3", "row.3.zero.3", 0, 1, "inf"),
    ("numerator-steps-4-5", "row.5.one.3", 1, 2, "2"),
    ("numerator-step-6", "row.6.one.3", 0, 1, "64"),
    ("numerator-step-7", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "63"),
    ("numerator-yes", "row.5.one.3", 1, 0, "126"),
    ("numerator-no", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "64"),
    ("denominator-after-step-2", "row.2.zero.2", "-(i - 1)", "-(i - 2)", "1/8"),
    ("denominator-residue-after-step-3", "row.3.zero.2", "2*h - i - 1", "2*h - i", "126"),
    ("denominator-steps-4-5", "row.5.zero.2", "-(i - m - 1)", "-(i - m - 2)", "1/8"),
    ("denominator-step-6", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i + 1", "4"),
    ("denominator-step-7", "row.7.zero.2", -1, 0, "1"),
    ("denominator-yes", "row.7.zero.2", -1, 0, "64"),
    ("denominator-no", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i - 2", "127/2"),
    ("denominator-larger", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i - 2", "127/2"),
    ("output-yes", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "127/128"),  # 63/(127/2), rounded
    ("output-no", "row.6.one.2", "m + 2*h - i - 1", "-N", "2"),
]


def step(name: str) -> Claim:
    return find_claim(f"{LEMMA.id}:{name}")


@pytest.mark.parametrize(("name", "at", "before", "after", "found"), CHANGES, ids=[c[0] for c in CHANGES])
def test_what_the_proof_says_depends_on_the_table(name: str, at: str, before: str | int, after: str | int, found: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED, made.reason
    assert made.counterexample is not None
    assert made.counterexample["found"] == found


@pytest.mark.parametrize(
    ("name", "at", "before", "after", "x", "answer"),
    [("mlp", "mlp.hidden.1.bias", 2, 3, "2", "0"), ("mlp-infinite", "mlp.hidden.2.weights.1", 1, -1, "inf", "1")],
)
def test_what_the_mlp_answers_depends_on_its_weights(name: str, at: str, before: int, after: int, x: str, answer: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert (made.counterexample["input"], made.counterexample["output"]) == (x, answer)


@pytest.mark.campaign
def test_no_erratum_can_be_left_out() -> None:
    claim = step("table-5")
    assert claim.table is not None
    assert claim.table.source.errata is not None
    for entry in claim.table.source.errata.erratum:
        assert (failure_without(claim, entry.name) or "").startswith("p = "), entry.name


def test_engines_agree_on_the_repaired_table() -> None:
    assert LEMMA.table is not None
    execution = Execution(instantiate(LEMMA.table.source.repaired(), {"p": 8}), A4)
    by_sets, by_pairs = decide(execution, "reachable"), enumerate_pairs(execution)
    assert (by_sets.cases, by_sets.failures, by_sets.smallest) == (by_pairs.cases, by_pairs.failures, by_pairs.smallest)
    assert by_pairs.cases == 2 ** (13 - 1) * (2**13 + 1)


def with_others(*names: str) -> Claim:
    assert isinstance(LEMMA.judge, NamedJudge)
    return replace(LEMMA, judge=replace(LEMMA.judge, fields={"others": list(names)}))


def test_existence_needs_evidence() -> None:
    without, beside = with_others(), with_others("lemma-2.3:denominator-first")
    assert [judged(without, Edition.STATEMENT, p=p).verdict for p in (5, 8)] == [Verdict.OPEN, Verdict.VERIFIED]
    assert judged(beside, Edition.STATEMENT, p=5).witness == "witness-t0-simple.toml as printed"
    assert judged(beside, Edition.PRINTED, p=5).verdict is Verdict.REFUTED


def test_no_transformer_where_no_number_is_1() -> None:
    """Table 6 at p = 1 has numbers of one bit: 0 alone."""
    assert LEMMA.table is not None
    free = replace(LEMMA, parameters=tuple(replace(p, where="1 == 1") for p in LEMMA.parameters))
    made = judged(
        replace(free, table=Table(LEMMA.table.folder, "table-6", claim=LEMMA.table.claim)), Edition.STATEMENT, "narrative", p=1, n=6
    )
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample == {"p": "1", "n": "6", "y": "0", "z": "0", "expected": "1"}


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
def test_our_witness_verifies_with_representable_entries(semantics: str) -> None:
    table = step("denominator-first").table
    assert table is not None
    for p in range(3, 9):
        execution = Execution(instantiate(table.source.file, {"p": p}), read_semantics(semantics))
        assert execution.unrepresentable == ()
        found = enumerate_pairs(execution)
        assert (found.failures, found.nans) == (0, 0)


def test_a_neighbour_of_our_witness_fails() -> None:
    assert judged(step("denominator-first"), Edition.STATEMENT, p=5).verdict is Verdict.VERIFIED
    assert judged(changed(step("denominator-first"), "row.7.zero.2", "p - 2", "p - 3"), Edition.STATEMENT, p=5).verdict is Verdict.REFUTED
