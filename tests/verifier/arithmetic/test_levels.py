"""Rounding in whole numbers against the machine, exhaustively for p ≤ 4 digits and every scale 1/s."""

import numpy as np
import pytest

from verifier.arithmetic.formats import Format, fixed_grid
from verifier.arithmetic.levels import LARGEST_NUMERATOR, SATURATING, half_away, nearest_level, nearest_levels, numerators_of
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.rationals import Fraction

GRIDS = [fixed_grid(p + 1, Fraction(1, s)) for p in (1, 2, 3, 4) for s in range(1, 2 ** (p + 1))]


def numerators(grid: Format) -> range:
    """Every a with |a/s| up to twice the largest level and two more, so that both ends saturate."""
    reach = 2 * (grid.top + 1) * grid.unit.denominator
    return range(-reach, reach + 1)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_one_at_a_time_all_at_once_and_backwards(grid: Format) -> None:
    machine, s = Machine(grid, SATURATING), grid.unit.denominator
    every = numerators(grid)
    expected = [machine.round(grid.unit * a / s) for a in every]
    levels = [nearest_level(a, s, grid.top) for a in every]
    assert [k * grid.unit for k in levels] == expected
    assert nearest_levels(np.array(every), s, grid.top).tolist() == levels
    for q in range(-grid.top, grid.top + 1):
        low, high = numerators_of(q, s, grid.top)
        there = [a for a, k in zip(every, levels, strict=True) if k == q]
        assert (low, high) == (None if q == -grid.top else there[0], None if q == grid.top else there[-1])


@pytest.mark.parametrize(
    ("title", "rule"),
    [
        ("ties towards zero", RoundingRule("nearest", "zero", "saturate")),
        ("ties to even", RoundingRule("nearest", "even", "saturate")),
        ("truncation", RoundingRule("truncate", "away", "saturate")),
        ("overflow to infinity", RoundingRule("nearest", "away", "after")),
    ],
)
def test_any_other_rule_differs_somewhere(title: str, rule: RoundingRule) -> None:
    grid = fixed_grid(3, Fraction(1, 2))
    machine = Machine(grid, rule)
    assert any(machine.round(Fraction(a, 4)) != nearest_level(a, 2, grid.top) * grid.unit for a in numerators(grid)), title


def test_ties() -> None:
    assert [half_away(a, 2) for a in (-3, -1, 1, 3)] == [-2, -1, 1, 2]


@pytest.mark.parametrize("b", [1, 3, (1 << 62) - 1])
def test_arrays_to_the_last_numerator_that_they_admit(b: int) -> None:
    top = (1 << 62) - 1
    numerators = [sign * (LARGEST_NUMERATOR - k) for sign in (1, -1) for k in range(3)]
    assert nearest_levels(np.array(numerators), b, top).tolist() == [nearest_level(a, b, top) for a in numerators]


def test_one_numerator_more_overflows() -> None:
    a, b = LARGEST_NUMERATOR + 1, (1 << 62) - 1
    assert int(nearest_levels(np.array([a]), b, 7)[0]) != nearest_level(a, b, 7)
