"""Condition 1 against a transcription of its four lines."""

from itertools import product

import pytest

from constructions.fixed_point_networks.mathematics.activations import Table, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint


def literally(table: Table) -> bool:
    """There are α, β, z with z ≠ min, ⌈ρ⌉ maximal for x ≥ z and below its maximum for x < z, where ⌈ρ⌉(x) = α⌈σ⌉(βx)."""
    grid = table.grid
    for alpha, beta, z in product((-1, 1), (-1, 1), grid.levels()):
        rho = {x: alpha * table(beta * x) for x in grid.levels()}
        top = max(rho.values())
        if z != -grid.top and all((rho[x] == top) if x >= z else (rho[x] < top) for x in rho):
            return True
    return False


def test_every_table_at_p_1() -> None:
    grid = FixedPoint(1, 1)
    for levels in product(grid.levels(), repeat=3):
        table = Table(grid, levels)
        assert (normal_form(table) is not None) == literally(table)


def test_two_valued_tables_at_p_2() -> None:
    grid = FixedPoint(2, 3)
    for levels in product((-1, 2), repeat=7):
        table = Table(grid, levels)
        assert (normal_form(table) is not None) == literally(table)


@pytest.mark.parametrize(
    ("levels", "alpha", "beta", "z"),
    [((0, 0, 1), 1, 1, 1), ((1, 0, 0), 1, -1, 1), ((1, 1, 0), 1, -1, 0), ((-1, 1, 0), -1, -1, 1), ((0, 1, -1), -1, 1, 1)],
)
def test_the_signs(levels: tuple[int, ...], alpha: int, beta: int, z: int) -> None:
    normal = normal_form(Table(FixedPoint(1, 1), levels))
    assert normal is not None
    assert (normal.alpha, normal.beta, normal.z) == (alpha, beta, z)


@pytest.mark.parametrize("levels", [(0, 0, 0), (0, 1, 0), (1, 0, 1), (-1, 1, -1)], ids=str)
def test_tables_that_fail(levels: tuple[int, ...]) -> None:
    assert normal_form(Table(FixedPoint(1, 1), levels)) is None
