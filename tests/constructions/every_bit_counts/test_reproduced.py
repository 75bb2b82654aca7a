"""Judging printed rows by measured runs: intervals, outcomes, verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from constructions.every_bit_counts.mathematics import measured
from constructions.every_bit_counts.mathematics.measured import Sample, agreement, difference
from tests.constructions.every_bit_counts.changed_table import judged, with_fields
from verifier.arithmetic.confidence import Interval, mean_interval
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict

LEVEL = Fraction(95, 100)


def steps(statement: str, begins: str) -> list[Claim]:
    """The steps of a statement whose names begin so."""
    return [step for step in find_claim(f"every-bit-counts/{statement}").steps if step.id.partition(":")[2].startswith(begins)]


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
def test_agreements(low: int, high: int, expected: str) -> None:
    assert agreement(Interval(Fraction(low), Fraction(high)), Fraction(5)) == expected


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Puts three choices at m = 15 in place of the committed runs, all ten seeds with so many right answers, about, in every cell."""

    read = measured.runs.__wrapped__

    def put(right: int) -> None:
        document = json.loads((measured.FOLDER / "m15.json").read_text(encoding="utf-8"))
        scores = {measured.AS_DRAWN: [right + k % 3 for k in range(10)]}
        document |= {"float32": scores} | {part: dict.fromkeys(document[part], scores) for part in ("after training", "after fine-tuning")}
        for name, chosen in (("a", {}), ("b", {"activations": "exact"}), ("c", {"attention": "sums", "shift": "none"})):
            quantization = json.loads((measured.FOLDER / "m15.json").read_text(encoding="utf-8"))["choices"]["quantization"] | chosen
            other = {**document, "choices": {**document["choices"], "quantization": quantization}}
            (tmp_path / f"{name}.json").write_text(json.dumps(other), encoding="utf-8")
        given = read(15, tmp_path)
        monkeypatch.setattr(measured, "runs", lambda m: given if m == 15 else {})

    return put


CELLS = [claim for table in ("section-3", "table-1", "table-2", "table-3", "table-4") for claim in steps(table, "measured-15")]
WIDE = {"-int6", "-int4", "-e5m2", "-e4m3"}
"""Endings of the cells at m = 15 whose printed deviation alone is wider than the margin: nothing measured agrees with them."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("claim", CELLS, ids=lambda claim: claim.name)
def test_measured_counts_move_the_verdict_of_a_cell(claim: Claim, counted: Callable[[int], None]) -> None:
    verdicts = []
    printed = rational(measured.printed_cells(claim.judge.fields["of"])[15, claim.judge.fields["heading"]][0])
    for mean in (printed, printed - 48):
        counted(int(mean * 5120 / 100) - 1)
        verdicts.append(judged(claim, Edition.STATEMENT).verdict)
    agreeing = Verdict.DECLINED if any(claim.name.endswith(end) for end in WIDE) else Verdict.CONDITIONAL
    assert verdicts == [agreeing, Verdict.REFUTED]


def test_a_cell_moves_with_the_margin_and_is_declined_where_there_is_none() -> None:
    claim = find_claim("every-bit-counts/section-3:measured-15")
    assert judged(claim, Edition.STATEMENT).verdict is Verdict.CONDITIONAL
    assert judged(with_fields(claim, margin="1/100"), Edition.STATEMENT).verdict is Verdict.DECLINED
    assert judged(with_fields(claim, m="17"), Edition.STATEMENT).verdict is Verdict.DECLINED
    assert judged(with_fields(claim, heading="INT12"), Edition.STATEMENT).verdict is Verdict.DECLINED


def test_the_cells_of_one_row_are_judged_one_by_one() -> None:
    """At m = 15 the wide formats agree, whose printed deviations are small, and the narrow ones need more than ten seeds."""
    found = {claim.name.rpartition("-")[2]: judged(claim, Edition.STATEMENT).verdict for claim in steps("table-1", "measured-15")}
    assert found["int12"] is found["int8"] is Verdict.CONDITIONAL
    assert found["int6"] is found["int4"] is Verdict.DECLINED


def test_committed_runs_are_of_the_networks_that_they_say() -> None:
    """Each has all accuracies of as many seeds as it names, no two the same choices."""
    paths = sorted(measured.FOLDER.glob("m*.json"))
    listed = [document for m in (15, 30, 50, 100) for document in measured.runs(m).values()]
    assert len(listed) == len(paths) > 0
    for document in listed:
        cells = [document["float32"], *document["after training"].values(), *document.get("after fine-tuning", {}).values()]
        assert {len(cell[sort]) for cell in cells for sort in cell} == {len(document["seeds"])}
        assert document["steps"] == document["choices"]["training"]["steps"]


def test_a_cell_is_refuted_only_where_the_listed_choices_are_measured() -> None:
    claim = find_claim("every-bit-counts/table-1:measured-50-int4")
    assert judged(claim, Edition.STATEMENT).verdict is Verdict.DECLINED
    assert judged(with_fields(claim, choices=["shift = none"]), Edition.STATEMENT).verdict is Verdict.OPEN


@pytest.mark.parametrize(("means", "deviation"), [(["91.50"], "5.67"), (["79.00", "70.00"], "5.67"), (["79.00", "91.50"], "16.86")])
def test_the_seeds_that_decide_are_the_fewest(means: list[str], deviation: str) -> None:
    """By the float quantile of another library: one interval lies within the margin, or all lie outside."""
    choices, theirs = [Sample.printed(mean, "3.00", 10) for mean in means], Sample.printed("90.00", deviation, 10)
    found = measured.seeds_to_decide(choices, theirs, Fraction(5), Fraction(95, 100))

    from scipy.stats import t as student_t

    def decided(seeds: int) -> bool:
        far = [student_t.ppf(0.975, seeds - 1) * float((x.variance + theirs.variance) / seeds) ** 0.5 + 0.01 for x in choices]
        off = [abs(float(x.mean - theirs.mean)) for x in choices]
        return any(d + w <= 5 for d, w in zip(off, far, strict=True)) or all(d - w > 5 for d, w in zip(off, far, strict=True))

    assert found is not None
    assert decided(found)
    assert not decided(found - 1)


def test_no_number_of_seeds_decides_a_mean_at_the_margin() -> None:
    ours, theirs = Sample.printed("95.00", "3.00", 10), Sample.printed("90.00", "3.00", 10)
    assert measured.seeds_to_decide([ours], theirs, Fraction(5), Fraction(95, 100)) is None
