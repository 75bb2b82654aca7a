"""Q_{p,s} and ⌈·⌉ against literal transcriptions of Eqs. (4) and (5), with 1 in Q_{p,s} and without."""

from math import inf

import pytest

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.slope_conditions import Reals, rounding_to
from verifier.arithmetic.rationals import Fraction

GRIDS = [FixedPoint(p, s) for p in (1, 2, 3) for s in range(1, 2**p + 2)]


def nearest_value(grid: FixedPoint, x: Fraction) -> Fraction:
    """Eq. (5): the value at the least distance from x, of two such the one farther from zero."""
    return min(grid.values(), key=lambda q: (abs(q - x), -abs(q)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_the_rounding_is_equation_5(grid: FixedPoint) -> None:
    machine, s = grid.machine(), grid.s
    for t in range(-2 * (grid.top + 1) * s, 2 * (grid.top + 1) * s + 1):
        expected = nearest_value(grid, Fraction(t, s**2))
        level = grid.nearest(t)
        assert machine.round(Fraction(t, s**2)) == grid.value(level) == grid.value(grid.rounded(Fraction(t, s))) == expected
        low, high = grid.preimage(level)
        assert low is None or low <= t
        assert high is None or t <= high


def test_other_ties_differ() -> None:
    grid = FixedPoint(2, 2)
    assert grid.machine("even").round(Fraction(1, 4)) != grid.value(grid.nearest(1))


@pytest.mark.parametrize(("p", "s"), [(1, 1), (2, 3), (3, 2)])
def test_the_reals_that_round_to_a_level_are_those_that_the_rounding_takes_there(p: int, s: int) -> None:
    grid = FixedPoint(p, s)
    found = rounding_to(grid, Reals(-inf, inf))
    assert list(found) == list(grid.levels())
    for x in (Fraction(k, 4) for k in range(-4 * grid.top - 8, 4 * grid.top + 9)):
        assert [level for level, reals in found.items() if x in reals] == [grid.rounded(x)]
