"""Judging printed rows by measured runs: intervals, outcomes, verdicts."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.mathematics import measured
from constructions.every_bit_counts.mathematics.measured import Sample, difference, outcome
from tests.constructions.every_bit_counts.changed_table import judged
from tests.constructions.every_bit_counts.test_examples import with_fields
from verifier.arithmetic.confidence import Interval, mean_interval
from verifier.arithmetic.rationals import Fraction
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict

LEVEL = Fraction(95, 100)


def test_against_a_known_mean_it_is_students_interval() -> None:
    right = [90, 95, 80, 99, 91]
    found = difference(Sample.of(right, 100), Sample(Fraction(50), Fraction(0), 5), LEVEL)
    expected = mean_interval(right, LEVEL)
    assert abs(found.low - (expected.low - 50)) < Fraction(1, 10**6)
    assert abs(found.high - (expected.high - 50)) < Fraction(1, 10**6)


def test_what_rounding_leaves_open_makes_the_interval_wider() -> None:
    ours, exact = Sample.of([90, 95, 80], 100), Sample(Fraction(90), Fraction(4), 10)
    wide, narrow = difference(ours, Sample.printed("90.0", "2.0", 10), LEVEL), difference(ours, exact, LEVEL)
    assert wide.low < narrow.low - Fraction(1, 20)
    assert narrow.high + Fraction(1, 20) < wide.high


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-1, 1, "consistent"),
        (-5, 5, "consistent"),
        (-6, 1, "undecided"),
        (4, 9, "undecided"),
        (6, 9, "not consistent"),
        (-9, -6, "not consistent"),
    ],
)
def test_outcomes(low: int, high: int, expected: str) -> None:
    assert outcome(Interval(Fraction(low), Fraction(high)), Fraction(5)) == expected


def test_a_row_moves_with_the_printed_cells_and_the_margin() -> None:
    claim = find_claim("every-bit-counts/section-3:measured-15")
    assert judged(claim, Edition.STATEMENT).verdict is Verdict.CONDITIONAL
    far = with_fields(claim, instead={"float32": ("60.00", "1.00")})
    assert judged(far, Edition.STATEMENT).verdict is Verdict.OPEN
    assert judged(with_fields(far, every_choice=True), Edition.STATEMENT).verdict is Verdict.REFUTED
    assert judged(with_fields(claim, instead={"float32": ("99.96", "30.00")}), Edition.STATEMENT).verdict is Verdict.OPEN
    assert judged(with_fields(claim, margin="1/100"), Edition.STATEMENT).verdict is Verdict.OPEN
    assert judged(with_fields(claim, m="17"), Edition.STATEMENT).verdict is Verdict.DECLINED


def test_committed_runs_are_of_the_networks_that_they_say() -> None:
    """Each has all accuracies of as many seeds as it names, no two the same choices."""
    paths = sorted(measured.FOLDER.glob("m*.json"))
    listed = [document for m in (15, 30, 50, 100) for document in measured.runs(m).values()]
    assert len(listed) == len(paths) > 0
    for document in listed:
        cells = [document["float32"], *document["after training"].values(), *document.get("after fine-tuning", {}).values()]
        assert {len(cell[sort]) for cell in cells for sort in cell} == {len(document["seeds"])}
        assert document["steps"] == document["choices"]["training"]["steps"]
