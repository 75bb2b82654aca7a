"""Lemmas 2.3 and 2.6: what their proofs say depends on Tables 5 and 6, entry by entry; our witnesses depend on theirs."""

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
from verifier.engines.blocks import of_two_blocks
from verifier.engines.dispatch import decide
from verifier.engines.program import Program
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution

LEMMA = find_claim("every-bit-counts/lemma-2.3")
A4 = read_semantics("a4")
STATEMENT, PRINTED, REPAIRED = Edition
SHIFT = "2**(h - 1) - 1"

CHANGES = [
    # step, place in Table 5 or 6, as repaired, as changed, what the counterexample then shows
    ("lemma-2.3:numerator-after-step-2", "row.2.one.3", -1, -2, "-2"),
    ("lemma-2.3:range-after-step-2", "row.1.one.3", "-2**(7 - i)", "-2**(8 - i)", "-inf"),
    ("lemma-2.3:numerator-step-3", "row.3.zero.3", 0, 1, "inf"),
    ("lemma-2.3:numerator-steps-4-5", "row.5.one.3", 1, 2, "2"),
    ("lemma-2.3:numerator-step-6", "row.6.one.3", 0, 1, "64"),
    ("lemma-2.3:numerator-step-7", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "63"),
    ("lemma-2.3:numerator-yes", "row.5.one.3", 1, 0, "126"),
    ("lemma-2.3:numerator-no", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "64"),
    ("lemma-2.3:denominator-after-step-2", "row.2.zero.2", "-(i - 1)", "-(i - 2)", "1/8"),
    ("lemma-2.3:denominator-residue-after-step-3", "row.3.zero.2", "2*h - i - 1", "2*h - i", "126"),
    ("lemma-2.3:denominator-steps-4-5", "row.5.zero.2", "-(i - m - 1)", "-(i - m - 2)", "1/8"),
    ("lemma-2.3:denominator-step-6", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i + 1", "4"),
    ("lemma-2.3:denominator-step-7", "row.7.zero.2", -1, 0, "1"),
    ("lemma-2.3:denominator-yes", "row.7.zero.2", -1, 0, "64"),
    ("lemma-2.3:denominator-no", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i - 2", "127/2"),
    ("lemma-2.3:denominator-larger", "row.6.one.2", "m + 2*h - i - 1", "m + 2*h - i - 2", "127/2"),
    ("lemma-2.3:output-yes", "row.7.zero.3", "4 - 2**(-(h - 2))", "2 - 2**(-(h - 2))", "127/128"),  # 63/(127/2), rounded
    ("lemma-2.3:output-no", "row.6.one.2", "m + 2*h - i - 1", "-N", "2"),
    ("lemma-2.6:numerator-after-step-2", "row.1.zero.2", "-(h - 2)", "-(h - 1)", "-127/2"),
    ("lemma-2.6:range-after-step-2", "row.2.one.3", "2**min(6, h - 2)", "2**7", "inf"),
    ("lemma-2.6:numerator-after-step-8", "row.8.one.3", 1, 0, "-127"),
    ("lemma-2.6:range-after-step-8", "row.3.one.3", "2**min(6, h - 2)", "2**7", "65/32"),
    ("lemma-2.6:numerator-step-9", "row.9.zero.3", 0, 1, "inf"),
    ("lemma-2.6:range-after-step-10", "row.10.one.3", "-2**min(6, h - 2)", "-2**7", "-inf"),
    ("lemma-2.6:overflow-after-step-10", "row.10.one.3", "-2**min(6, h - 2)", 0, "-127"),
    ("lemma-2.6:numerator-steps-11-17", "row.12.one.3", "-2**min(6, h - 2)", "-2**5", "95"),
    ("lemma-2.6:numerator-steps-10-18", "row.11.zero.2", "-(h - 2)", "-(h - 1)", "127/2"),
    ("lemma-2.6:numerator-step-18", "row.18.one.3", 0, 1, "64"),
    ("lemma-2.6:numerator-step-19", "row.19.zero.3", 1, 2, "2"),
    ("lemma-2.6:numerator-yes", "row.19.zero.2", "-(h - 2)", "-(h - 1)", "1/2"),
    ("lemma-2.6:numerator-no", "row.19.zero.3", 1, SHIFT, "126"),
    ("lemma-2.6:denominator-step-1", "row.1.zero.2", "-(h - 2)", "-(h - 1)", "1/128"),
    ("lemma-2.6:denominator-after-step-8", "row.2.zero.2", "-min(6, h - 2)", -5, "13/64"),
    ("lemma-2.6:denominator-residue-after-step-9", "row.18.one.2", "m + 2*h - i + 1", "m + 2*h - i", "127"),
    ("lemma-2.6:denominator-steps-10-17", "row.17.zero.2", "-(i - m - 4)", "-(i - m - 5)", "7/32"),
    ("lemma-2.6:denominator-step-18", "row.18.zero.2", "-N", 0, "7"),
    ("lemma-2.6:denominator-yes", "row.9.zero.2", "2*h - i - 1", "2*h - i", "inf"),
    ("lemma-2.6:denominator-no", "row.9.zero.2", "2*h - i - 1", "-N", "87/64"),
    ("lemma-2.6:output-yes", "row.19.zero.3", 1, 0, "0"),
    ("lemma-2.6:output-no", "row.19.zero.3", 1, SHIFT, "127/128"),  # 126/127, rounded
]


def step(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "at", "before", "after", "found"), CHANGES, ids=[c[0] for c in CHANGES])
def test_what_the_proof_says_depends_on_the_table(name: str, at: str, before: str | int, after: str | int, found: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED, made.reason
    assert made.counterexample is not None
    assert made.counterexample["found"] == found


MLP = [
    ("lemma-2.3:mlp", "mlp.hidden.1.bias", 2, 3, "2", "0"),
    ("lemma-2.3:mlp-infinite", "mlp.hidden.2.weights.1", 1, -1, "inf", "1"),
    ("lemma-2.6:mlp", "mlp.hidden.1.bias", "1/2**(h - 1)", "1/2**(h - 2)", "1/128", "1/2"),
]


@pytest.mark.parametrize(("name", "at", "before", "after", "x", "answer"), MLP, ids=[row[0] for row in MLP])
def test_what_the_mlp_answers_depends_on_its_weights(name: str, at: str, before: str | int, after: str | int, x: str, answer: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert (made.counterexample["input"], made.counterexample["output"]) == (x, answer)


def test_engines_agree_on_the_repaired_table() -> None:
    assert LEMMA.table is not None
    execution = Execution(instantiate(LEMMA.table.source.repaired(), {"p": 8}), A4)
    by_sets, by_pairs = decide(execution), of_two_blocks(Program(execution), 1 << 40, criterion=Program.faults)
    assert (by_sets.cases, by_sets.failures, by_sets.smallest) == (by_pairs.cases, by_pairs.failures, by_pairs.smallest)
    assert by_pairs.cases == 2 ** (13 - 1) * (2**13 + 1)


def with_others(*names: str) -> Claim:
    assert isinstance(LEMMA.judge, NamedJudge)
    return replace(LEMMA, judge=replace(LEMMA.judge, fields={"others": list(names)}), proofs=())


def test_existence_needs_evidence() -> None:
    without, beside = with_others(), with_others("lemma-2.3:denominator-first")
    assert [judged(without, Edition.STATEMENT, p=p).verdict for p in (5, 8)] == [Verdict.OPEN, Verdict.VERIFIED]
    assert judged(beside, Edition.STATEMENT, p=5).witness == "witness-t0-simple.toml"
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


@pytest.mark.parametrize(
    ("witness", "p", "at", "before", "after"),
    [
        ("lemma-2.3:denominator-first", 5, "row.7.zero.2", "p - 2", "p - 3"),
        ("lemma-2.6:denominator-first", 5, "row.4.one.3", 1, 0),
        ("lemma-2.6:denominator-first", 5, "row.9.one.3", -1, -2),
        ("lemma-2.6:denominator-first", 5, "row.6.one.2", "p - 3", "p - 2"),
        ("lemma-2.6:denominator-first", 5, "row.3.zero.2", "p - 1 - i", "p - i"),
        ("lemma-2.6:without-padding", 5, "row.3.one.2", "-(p - 1)", "-(p - 2)"),
        ("lemma-2.6:without-padding-at-3", 3, "row.4.one.3", "-1/2", 0),
        ("lemma-2.6:without-padding-at-3", 3, "row.6.zero.2", 1, 0),
        ("lemma-2.6:without-padding-at-3", 3, "row.11.zero.3", "3/2", 1),
    ],
)
def test_a_neighbour_of_each_witness_fails(witness: str, p: int, at: str, before: str | int, after: str | int) -> None:
    assert judged(step(witness), STATEMENT, p=p).verdict is Verdict.VERIFIED
    assert judged(changed(step(witness), at, before, after), STATEMENT, p=p).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("p", "counted"), [(9, True), (16, False)])
def test_errors_of_an_ill_formed_table_are_counted_where_that_is_quick(p: int, counted: bool) -> None:
    """At p = 16 the two halves have 2^30 pairs, and the verdict is known already."""
    found = judged(find_claim("every-bit-counts/lemma-2.3:table-5"), PRINTED, p=p, n=4 * p + 1)
    assert found.verdict is Verdict.REFUTED
    assert found.reason is not None
    assert (bool(found.values), "counted only where that takes at most 4,194,304 states" in found.reason) == (counted, not counted)
