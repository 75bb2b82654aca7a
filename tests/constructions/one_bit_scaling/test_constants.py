"""Constants that are exhibited, and jumps of patterns: closed forms against slow definitions and simulation."""

from __future__ import annotations

from ast import literal_eval
from itertools import product
from math import sqrt

import flint
import pytest

from constructions.one_bit_scaling.judges.patterns import Unfit, _cover, _dual
from constructions.one_bit_scaling.judges.sampling import jump, one_jump
from constructions.one_bit_scaling.mathematics.training import second_term_share
from constructions.one_bit_scaling.mathematics.width_limit import densest, jump_of_patterns, most_flips, tail_of_densities
from tests.outcomes import outcome
from verifier.arithmetic.confidence import mean_interval
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import Real, root
from verifier.claims.verdicts import Edition

FOUR = [(2, 1, -3), (1, 1, -2), (3, -1, -2), (2, -1, -1)]


@pytest.mark.parametrize("d", [3, 5])
def test_simulated_steps_have_the_jumps_of_the_closed_form(d: int) -> None:
    interval = mean_interval([second_term_share(20_000, d, seed, 1 / 100) for seed in range(8)], Fraction(999, 1000))
    low, high = jump(d)
    assert interval.low <= low <= high <= interval.high


def test_two_dimensions_have_no_jumps_and_one_jump_does_not_depend_on_the_step() -> None:
    assert jump_of_patterns(2) == 0
    assert {one_jump(d, Fraction(1, k)) for d, k in product((3, 4), (10, 1000))} == {Real.of(Fraction(1, 6))}


def test_flips_are_at_least_as_probable_as_in_two_dimensions() -> None:
    for radius in (0.001, 0.1, 1.0):
        assert most_flips(2) * radius > (flint.arb(radius) / flint.arb(2).sqrt()).erf()


def test_the_largest_density_of_chi_is_that_at_its_mode() -> None:
    for k in (2, 3, 6):
        x = flint.arb(k - 1).sqrt()
        there = x ** (k - 1) * (-x * x / 2).exp() / (flint.arb(2) ** (flint.arb(k) / 2 - 1) * (flint.arb(k) / 2).gamma())
        assert densest(k).overlaps(there)
        assert densest(k) < tail_of_densities(k)


def test_weights_that_keep_two_patterns_move_by_what_the_dual_norm_says() -> None:
    found = Unfit(FOUR, [(1, -1, 1), (-1, 1, -1)], [], Real(), "")
    relation = [1, -1, -1, 1]
    assert _cover(found, relation) == [(0, 1), (2, 3)]
    # Of all E₁, E₂ with E₁‖x₁‖ − E₂‖x₂‖ = 1, none makes ‖E₁x₁ + E₂x₂‖ smaller, x of length 1; this one attains it.
    least = 1 / _dual(found, relation, (0, 1))
    lengths = [root(14), root(6)]
    for tried in (Fraction(k, 1000) for k in range(-400, 401, 5)):
        other = (tried * lengths[0] - 1) / lengths[1]
        square = Real.of(tried * tried) + other * other + other * (2 * tried * 9) / (lengths[0] * lengths[1])
        assert square >= least


def test_the_check_by_hand_in_the_letter_is_right() -> None:
    """The finding's example says it in words: over all vectors of signs, two sums of ReLUs agree, and the targets are no such outputs."""
    found = outcome("one-bit-scaling", "theorem-i.1", Edition.PRINTED, d=3).counterexample or {}
    first, second, third, fourth = literal_eval(found["x, to be divided by their lengths"])
    targets = literal_eval(found["y"])

    def active(q: tuple[int, ...], v: tuple[int, ...]) -> int:
        return max(0, sum(a * b for a, b in zip(q, v, strict=True)))

    for q in product((-1, 1), repeat=3):
        assert active(q, first) + active(q, fourth) == active(q, second) + active(q, third)
    assert [sum(x * x for x in v) for v in (first, second, third, fourth)] == [14, 6, 14, 6]
    sides = sqrt(14) * targets[0] + sqrt(6) * targets[3], sqrt(6) * targets[1] + sqrt(14) * targets[2]
    assert sides[0] > 0 > sides[1]
    assert found["L(t) is at least"] == "1 + 1/5*sqrt(21)"
    assert round(1 + sqrt(21) / 5, 2) == 1.92
    assert found["L(t) at F = 0"] == "2"
