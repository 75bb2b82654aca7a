"""Claims that are verified, each with one thing changed: the neighbour is refused, for the right reason."""

from fractions import Fraction

import pytest

from constructions.fixed_point_networks.claims import count
from constructions.fixed_point_networks.claims.naive import ones, quantized, weights
from constructions.fixed_point_networks.claims.small_sum import small_sums
from constructions.fixed_point_networks.claims.step import SLOPES, Slope, by_mean_value
from constructions.fixed_point_networks.mathematics.activations import NAMED, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import REPAIRED, Signs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference, representator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.samples import targets
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.trials import decide
from verifier.arithmetic.preimages import spread
from verifier.claims.catalogue import find_claim
from verifier.claims.model import DEFAULT_SEMANTICS, Question
from verifier.claims.session import Session
from verifier.verdicts import Edition, Verdict


def question(name: str, **parameters: int) -> Question:
    return Question(find_claim(f"fixed-point-networks/{name}"), Edition.STATEMENT, parameters, DEFAULT_SEMANTICS, Session())


def test_hardtanh_times_1_reaches_everything_times_5_does_not() -> None:
    grid = FixedPoint(3, 1)
    assert reach("N", rounded(NAMED["hardtanh"], grid)).full_bias() == 0
    assert reach("N", rounded(scaled_hardtanh(5), grid)).full_bias() is None


def test_lemma_23_with_one_step_less_is_false() -> None:
    intervals = preimages(FixedPoint(2, 1))
    assert spread(intervals[0], intervals[2]).can_be_below(2)
    assert not spread(intervals[0], intervals[2]).can_be_below(1)


@pytest.mark.parametrize(
    ("case", "slope", "reason"),
    [
        ("a4", Slope(0, 2, Fraction(1, 3), Fraction(1), "a1"), "least difference"),
        ("a4", Slope(0, 2, Fraction(1, 2), Fraction(2), "a1"), "least difference"),
        ("a6", Slope(3, 5, Fraction(1), Fraction(2), "a3"), "difference below"),
        ("a6", Slope(6, 8, Fraction(1), Fraction(3, 2), "a3"), "q1"),
    ],
)
def test_weaker_slopes_are_refused(case: str, slope: Slope, reason: str) -> None:
    asked = question(f"condition-{case}", p=3, s=2)
    assert by_mean_value(asked, SLOPES[case]).verdict is Verdict.VERIFIED
    found = by_mean_value(asked, slope)
    assert found.verdict is Verdict.REFUTED
    assert reason in (found.counterexample or {})


def test_lemma_19_with_sums_up_to_q_max_only_is_false() -> None:
    grid = FixedPoint(3, 1)
    sets = Reach(grid, 1)
    assert small_sums(grid, sets, 7) is None
    assert small_sums(grid, sets, 7, ends=1) == -7


def test_a_constant_too_small_for_lemma_20_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("lemma-20", p=3, s=2, d=1)
    assert count.lemma_20(asked).verdict is Verdict.VERIFIED
    monkeypatch.setattr(count, "CONSTANT", 100)
    found = count.lemma_20(asked)
    assert found.verdict is Verdict.REFUTED
    assert "2 n delta" in (found.counterexample or {})


def test_section_4_1_needs_ties_away() -> None:
    grid = FixedPoint(4, 2)
    assert quantized(grid, ones(2, -1), "away") == 1
    assert quantized(grid, ones(2, -1), "even") == -4
    assert [len(w) for w in weights(2)] == [5, 9, 5, 3]


@pytest.mark.parametrize("signs", [Signs((-1, -1), REPAIRED.amplified), Signs((1, -1), REPAIRED.amplified)], ids=str)
def test_other_signs_do_not_represent(signs: Signs) -> None:
    grid = FixedPoint(2, 1)
    target = targets(grid, 1)["x1"]
    assert first_difference(representator(rounded(NAMED["relu"], grid), target, 1, signs), target) is not None


def test_outputs_with_a_common_divisor_miss_a_value_and_coprime_ones_do_not() -> None:
    grid = FixedPoint(2, 1)
    assert reach("S", Table(grid, (0, 0, 0, 2, 2, 2, 2))).missing(0) == -1
    assert reach("S", Table(grid, (0, 0, 0, 2, 2, 2, 3))).missing(0) is None


def test_a_search_over_nothing_is_declined_and_never_verified() -> None:
    assert decide("nothing", []).verdict is Verdict.DECLINED
    assert decide("one case", [None]).verdict is Verdict.VERIFIED
    assert decide("two cases", [None, {"x": 1}]).counterexample == {"x": "1"}
