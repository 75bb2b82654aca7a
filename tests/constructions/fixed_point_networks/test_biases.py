"""For every bias and for some bias: what is said of the sets against the sets themselves, bias by bias."""

from itertools import product

import pytest

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach

GRIDS = [FixedPoint(p, s) for p, s in ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2))]
ids = pytest.mark.parametrize("grid", GRIDS, ids=str)


def sets(grid: FixedPoint) -> list[Reach]:
    return [Reach(grid, step) for step in range(2 * grid.s * grid.size)]


def biases(grid: FixedPoint, period: int) -> range:
    """0 first, and more than every class of them."""
    return range(max(period, grid.size) + 1)


@ids
def test_what_is_missing_is_not_reached(grid: FixedPoint) -> None:
    for reach in sets(grid):
        for beta in (*biases(grid, reach.step), *grid.levels()):
            missing, reached = reach.missing(beta), reach.reached(beta)
            assert missing not in reached
            assert (missing is None) == (reached == set(grid.levels())), (reach, beta)


@ids
def test_some_bias_and_every_bias(grid: FixedPoint) -> None:
    for reach in sets(grid):
        full = [reach.reached(beta) == set(grid.levels()) for beta in biases(grid, reach.step)]
        assert reach.full_bias() == (full.index(True) if any(full) else None)
        assert reach.full_for_every_bias() == (None if all(full) else full.index(False))


@pytest.mark.parametrize("grid", GRIDS[:4], ids=str)
def test_two_sets_are_the_same_for_every_bias_only_where_they_are(grid: FixedPoint) -> None:
    for one, other in product(sets(grid)[::3], sets(grid)[1::4]):
        different = [b for b in biases(grid, one.step * other.step) if one.reached(b) != other.reached(b)]
        assert one.same_for_every_bias(other) == (different[0] if different else None)
