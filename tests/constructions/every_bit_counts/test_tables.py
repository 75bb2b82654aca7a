"""Tables 5 and 6: what the machine finds, and that the smallest counterexample is the smallest."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.chapter import TABLE_5, TABLE_6
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.construction.instantiate import instantiate
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.report.errata import failure_without
from verifier.semantics import NAMED, readings
from verifier.verdicts import Edition, Finding, Verdict

A4 = NAMED["a4"]


def judged(claim: str, edition: Edition, p: int) -> Finding:
    return Session().finding(find_claim(claim), edition, {"p": p}, A4)[0]


@pytest.mark.parametrize("p", range(2, 12))
def test_table_5_as_printed_is_ill_formed(p: int) -> None:
    found = judged("lemma-2.3:table-5", Edition.PRINTED, p)
    assert found.verdict is Verdict.REFUTED
    assert found.reason is not None
    assert found.reason.startswith("ill-formed")
    last = 4 * p + 2
    defects = {(d.kind, d.message) for d in instantiate(TABLE_5.source.file, {"p": p}).defects}
    assert {("gap", f"no row for token {last - 1}"), ("gap", f"no row for token {last}")} <= defects


@pytest.mark.parametrize("p", range(1, 6))
def test_table_6_as_printed_is_ill_formed_below_6_bits(p: int) -> None:
    assert instantiate(TABLE_6.source.file, {"p": p}).defects
    assert judged("lemma-2.6:table-6", Edition.PRINTED, p).verdict is Verdict.REFUTED


@pytest.mark.parametrize("p", [6, 7, 8, 9])
def test_table_6_as_printed_fails_from_6_bits_on(p: int) -> None:
    found = judged("lemma-2.6:table-6", Edition.PRINTED, p)
    assert not instantiate(TABLE_6.source.file, {"p": p}).defects
    assert found.verdict is Verdict.REFUTED
    assert found.failures is not None
    assert found.failures > 0


@pytest.mark.parametrize("table", [TABLE_5, TABLE_6], ids=["table-5", "table-6"])
@pytest.mark.parametrize("p", [8, 9, 10, 11])
def test_repaired_tables_compute_equality(table: object, p: int) -> None:
    claim = "lemma-2.3:table-5" if table is TABLE_5 else "lemma-2.6:table-6"
    found = judged(claim, Edition.REPAIRED, p)
    m = 2 * p - 3 if table is TABLE_5 else 2 * p - 1
    assert found.verdict is Verdict.VERIFIED
    assert found.scope.cases == 2 ** (m - 1) * (2**m + 1)


def test_smallest_counterexample_is_the_smallest() -> None:
    reading = Reading(instantiate(TABLE_6.source.file, {"p": 6}), A4)
    found = decide(reading).smallest
    by_definition = next((y, z) for y in range(2**11) for z in range(y, 2**11) if _fails(reading, y, z))
    assert found == by_definition == enumerate_pairs(reading).smallest


def _fails(reading: Reading, y: int, z: int) -> bool:
    return not evaluate(reading, y, z).correct


@pytest.mark.parametrize("name", ["lemma-2.3:table-5", "lemma-2.6:table-6"])
def test_no_erratum_can_be_left_out(name: str) -> None:
    claim = find_claim(name)
    assert claim.table is not None
    assert claim.table.source.errata is not None
    for entry in claim.table.source.errata.erratum:
        assert (failure_without(claim, entry.name) or "").startswith("p = ")


def test_a_harmless_erratum_would_be_found_out() -> None:
    """A neighbour of the minimality test: leaving out nothing makes nothing fail."""
    assert failure_without(find_claim("lemma-2.6:table-6"), "no-such-erratum") is None


def test_the_three_keys_make_table_6_compute() -> None:
    """Keys −(h−2) in steps 1, 11 and 19 make the table compute EQ_15 at 8 bits, its MLP's weights taken exactly."""
    raw = TABLE_6.source.raw
    import copy

    from verifier.construction.schema import CONSTRUCTION, ConstructionFile, shaped

    changed = copy.deepcopy(dict(raw))
    for row in changed["row"]:
        if row["step"] in (1, 11, 19):
            row["zero"][1] = "-(h - 2)"
    reading = Reading(instantiate(shaped(changed, ConstructionFile, CONSTRUCTION, "three keys"), {"p": 8}), A4)
    assert decide(reading).failures == 0
    assert reading.assumptions == ("exact-entries",)


def test_engines_agree_under_every_reading() -> None:
    file = TABLE_6.source.repaired()
    for semantics in readings():
        reading = Reading(instantiate(file, {"p": 8}), semantics)
        by_sets, by_pairs = decide(reading, "reachable"), enumerate_pairs(reading)
        assert (by_sets.cases, by_sets.failures, by_sets.nans, by_sets.smallest) == (
            by_pairs.cases,
            by_pairs.failures,
            by_pairs.nans,
            by_pairs.smallest,
        ), semantics.label
