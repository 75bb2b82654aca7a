"""Integer rounding against the core's machine, on everything small."""

from fractions import Fraction

import pytest

from constructions.fixed_point_networks.grid import FixedPoint, fixed_points, half_away
from verifier.errors import InputError

GRIDS = [grid for p in (1, 2, 3) for grid in fixed_points(p)]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_nearest_is_the_machines_rounding(grid: FixedPoint) -> None:
    machine = grid.machine()
    for t in range(-3 * grid.top * grid.s, 3 * grid.top * grid.s + 1):
        assert machine.round(Fraction(t, grid.s**2)) == grid.value(grid.nearest(t))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_preimages_hold_exactly_what_rounds_there(grid: FixedPoint) -> None:
    for q in grid.levels():
        low, high = grid.preimage(q)
        for t in range(-2 * grid.top * grid.s, 2 * grid.top * grid.s + 1):
            inside = (low is None or t >= low) and (high is None or t <= high)
            assert inside == (grid.nearest(t) == q)


def test_ties_go_away_from_zero_and_other_rules_differ() -> None:
    assert [half_away(t, 2) for t in (-3, -1, 1, 3)] == [-2, -1, 1, 2]
    grid = FixedPoint(2, 2)
    assert grid.machine("even").round(Fraction(1, 4)) != grid.value(grid.nearest(1))


@pytest.mark.parametrize(("p", "s", "expected"), [(0, 1, "magnitude bit"), (2, 0, "s >= 1")])
def test_bad_formats_are_refused(p: int, s: int, expected: str) -> None:
    with pytest.raises(InputError, match=expected.replace("^", r"\^")):
        FixedPoint(p, s)
