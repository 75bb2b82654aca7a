"""What networks compute by where their sums start: against brute sums, and against networks that are built and run."""

from collections.abc import Iterator

import pytest

from constructions.fixed_point_networks.mathematics.activations import Table, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.network import (
    Cube,
    Network,
    Neuron,
    cubes,
    for_sigma,
    held,
    in_cube,
    indicator_network,
    run_rounded,
)
from constructions.fixed_point_networks.mathematics.sets import Sums, images, sums_of
from constructions.fixed_point_networks.mathematics.weighted_sums import combination


def table_of(grid: FixedPoint, image: frozenset[int]) -> Table:
    levels = sorted(image)
    return Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))


SMALL = [*fixed_points(1), *fixed_points(2)]


def walk(steps: set[int], edge: int) -> set[int]:
    """Every sum of these numbers, walked within ±edge."""
    seen, new = {0}, {0}
    while new:
        new = {t + m for t in new for m in steps if abs(t + m) <= edge} - seen
        seen |= new
    return seen


def brute(table: Table) -> Iterator[frozenset[int]]:
    """For every sum of a bias and outputs, the levels that it and gaps added to it round to."""
    grid = table.grid
    edge = 4 * grid.top * max(grid.s, grid.top)
    weights = [w for w in grid.levels() if w]
    gaps = walk({w * x for w in weights for x in table.gaps} - {0}, 2 * edge)
    outputs = walk(({w * x for w in weights for x in table.image} | {grid.s, -grid.s}) - {0}, edge)
    for start in range(max(gaps) + 1):
        if start in outputs:
            yield frozenset(grid.nearest(start + t) for t in gaps)


@pytest.mark.parametrize("grid", SMALL, ids=str)
def test_the_derivation_is_the_walk(grid: FixedPoint) -> None:
    for image in sorted(images(grid), key=sorted)[:: 1 if grid.p == 1 else 10]:
        if len(image) > 1:
            sums, found = sums_of(grid, image), set(brute(table_of(grid, image)))
            assert sums.everything() == any(len(values) == grid.size for values in found)
            assert sums.each_with_zero() == all(any({0, q} <= values for values in found) for q in grid.levels())


def network(table: Table, cube: Cube, start: int, off: int, more: int) -> Network:
    """⌈start + off + more·1_C⌉ in units of 1/s²: the proof's indicator_network, and constant neurons and a bias for the rest."""
    grid, normal = table.grid, normal_form(table)
    assert normal is not None
    made = for_sigma(indicator_network(normal, cube, [combination(normal.rho, more, False)]), normal, table)
    extra = next((b, w, k) for b in range(-9, 10) for w in grid.levels() for k in grid.levels() if grid.s * b + w * table(k) == start)
    ends = [(extra[1], extra[2]), *((sign * w, k) for w, a, b in combination(table, off, False) for sign, k in ((1, a), (-1, b)))]
    third = made.layers[2] + tuple(held(k) for _, k in ends)
    last = Neuron(tuple(range(len(third))), made.layers[3][0].weights + tuple(w for w, _ in ends), extra[0])
    return Network(table, 1, (made.layers[0], made.layers[1], third, (last,)))


def test_each_indicator_of_the_counterexample_is_built_and_runs() -> None:
    grid = FixedPoint(2, 3)
    table = Table(grid, (-3,) * 6 + (1,))
    sums = sums_of(grid, table.image)
    assert not sums.everything()
    for q in grid.levels():
        start = sums.start_for((0, q))
        assert start is not None
        off, on = (reached(sums, start, level) for level in (0, q))
        for cube in cubes(grid, 1):
            made = network(table, cube, start, off, on - off)
            assert made.quantized
            for x in grid.levels():
                assert run_rounded(made, (x,)) == ((q,) if in_cube((x,), cube) else (0,))


def reached(sums: Sums, start: int, level: int) -> int:
    return next(t for t in range(-60, 61) if t % sums.gaps == 0 and sums.grid.nearest(start + t) == level)
