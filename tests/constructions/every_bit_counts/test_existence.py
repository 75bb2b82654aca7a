"""Witnesses of ours: they verify, their neighbours do not, and what follows for the lemmas."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.existence import WITNESS_SIMPLE, WITNESS_T0, WITNESS_T0_P3, WITNESS_T1, no_one
from constructions.every_bit_counts.tradeoff import tradeoff_table
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.construction.errata import apply
from verifier.construction.instantiate import instantiate
from verifier.construction.schema import ErratumEntry
from verifier.engines.enumerate import enumerate_pairs
from verifier.semantics import read_semantics
from verifier.verdicts import Edition, Verdict

A4 = read_semantics("a4")


def finding(name, edition=Edition.STATEMENT, semantics="a4", **parameters):
    return Session().finding(find_claim(name), edition, parameters, read_semantics(semantics))[0]


def census(table, p, changes=(), semantics="a4"):
    file = apply(table.source.raw, changes, table.name)
    return enumerate_pairs(Reading(instantiate(file, {"p": p}), read_semantics(semantics)))


def change(at, printed, repaired):
    return ErratumEntry(name="neighbour", at=at, printed=printed, repaired=repaired, why="a test")


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(("table", "first"), [(WITNESS_T1, 3), (WITNESS_T0, 4), (WITNESS_SIMPLE, 3)])
def test_witnesses_verify_with_representable_entries(table, first, semantics):
    for p in range(first, 9):
        reading = Reading(instantiate(table.source.file, {"p": p}), read_semantics(semantics))
        assert reading.unrepresentable == ()
        found = enumerate_pairs(reading)
        assert (found.failures, found.nans) == (0, 0)
        assert found.cases == 2 ** (reading.instance.m - 1) * (2**reading.instance.m + 1)


def test_the_definition_agrees_at_p_4():
    reading = Reading(instantiate(WITNESS_T1.source.file, {"p": 4}), A4)
    assert all(evaluate(reading, y, z).correct for y in range(0, 128, 3) for z in range(y, 128, 5))


@pytest.mark.parametrize(
    ("table", "at", "printed", "repaired"),
    [
        (WITNESS_T1, "row.4.one.3", 1, 0),
        (WITNESS_T1, "row.9.one.3", -1, -2),
        (WITNESS_T1, "row.6.one.2", "p - 3", "p - 2"),
        (WITNESS_T1, "row.3.zero.2", "p - 1 - i", "p - i"),
        (WITNESS_T0, "row.3.one.2", "-(p - 1)", "-(p - 2)"),
        (WITNESS_SIMPLE, "row.7.zero.2", "p - 2", "p - 3"),
    ],
)
def test_a_neighbour_of_each_witness_fails(table, at, printed, repaired):
    assert census(table, 5, [change(at, printed, repaired)]).failures > 0


def test_three_bits_need_no_padding_either():
    assert census(WITNESS_T0_P3, 3).failures == 0
    for at, printed, repaired in (("row.4.one.3", "-1/2", 0), ("row.6.zero.2", 1, 0), ("row.11.zero.3", "3/2", 1)):
        assert census(WITNESS_T0_P3, 3, [change(at, printed, repaired)]).failures > 0


def test_at_p_3_the_numerator_residue_is_too_large():
    found = census(WITNESS_T0, 3, [change("parameters.p.where", "p >= 4", "p >= 3")])
    assert found.failures > 0
    assert finding("lemma-2.6:without-padding", p=3).verdict is Verdict.DECLINED


@pytest.mark.parametrize("p", range(2, 8))
def test_existence_holds_where_the_printed_table_fails(p):
    assert finding("lemma-2.6", p=p).verdict is Verdict.VERIFIED
    assert finding("lemma-2.6", Edition.PRINTED, p=p).verdict is Verdict.REFUTED
    assert finding("lemma-2.3", p=p).verdict is Verdict.VERIFIED


def test_one_bit_has_no_one():
    assert [no_one(A4, bits) for bits in range(4)] == [True, True, False, False]
    assert finding("lemma-2.6", p=1).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("claim", "first"), [("lemma-2.2", 4), ("lemma-2.5", 3)])
def test_two_bits_refute_the_lower_bounds_where_columns_come_first(claim, first):
    for p in range(2, 13):
        made = finding(claim, p=p)
        assert made.verdict is (Verdict.REFUTED if p >= first else Verdict.VERIFIED)
        assert finding(f"{claim}:two-bits", p=p).verdict is Verdict.VERIFIED
    assert made.replay[:3] == (f"every-bit-counts/{claim}:two-bits", "--p", "12")


def test_one_running_sum_is_not_refuted():
    assert finding("lemma-2.5:two-bits", semantics="narrative", p=4).verdict is Verdict.REFUTED
    assert [finding("lemma-2.5", semantics="narrative", p=p).verdict for p in (2, 3, 4)] == [
        Verdict.VERIFIED,
        Verdict.VERIFIED,
        Verdict.CONDITIONAL,
    ]
    assert all(finding("lemma-2.5", semantics="a4+point=grid+order=values", p=p).verdict is Verdict.VERIFIED for p in range(2, 13))


def test_on_a_grid_the_two_bits_overflow():
    made = finding("lemma-2.5:two-bits", semantics="point=grid", p=4)
    assert made.verdict is Verdict.VERIFIED
    assert "NaN" in made.reason


@pytest.mark.parametrize("p", range(1, 6))
def test_one_reading_for_both_halves(p):
    made = finding("theorem-2.4:one-reading", p=p)
    assert made.verdict is {1: Verdict.REFUTED, 2: Verdict.VERIFIED, 3: Verdict.VERIFIED}.get(p, Verdict.OPEN)
    assert p != 3 or made.witness == "narrative, a4+order=values"


def test_the_tradeoff_table():
    rows = list(tradeoff_table(Session(), [3, 8], ["a4", "narrative", "a4+point=grid+order=values"]))
    assert [(r.p, r.semantics, r.counted, r.one_sum) for r in rows] == [
        (3, "a4", 3, False),
        (3, "narrative", 3, True),
        (3, "a4+point=grid+order=values", 3, True),
        (8, "a4", 7, False),
        (8, "narrative", 7, True),
        (8, "a4+point=grid+order=values", 8, True),
    ]
    assert [r.both_halves for r in rows] == [False, True, False, False, False, False]
    assert rows[3].repaired is rows[3].upper is Verdict.VERIFIED
    assert rows[3].lower is Verdict.REFUTED


def test_two_numbers_do_not_determine_the_answer_where_columns_come_first():
    made = finding("lemma-2.5:two-numbers", p=2)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample["answers"] in ("0 and 1", "1 and 0")
    assert finding("lemma-2.5:two-numbers", Edition.REPAIRED, p=2).verdict is Verdict.VERIFIED
    assert finding("lemma-2.5:two-numbers", semantics="narrative", p=2).verdict is Verdict.VERIFIED
