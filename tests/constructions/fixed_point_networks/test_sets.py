"""N, S, BN, BS by gcd against brute-force closure, for every activation at p ≤ 2 and every class of biases."""

from math import gcd

import pytest

from constructions.fixed_point_networks.claims.condition import monotone_tables
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.census import census, condition_1
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.images import divides_its_outputs, images, shapes, step_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import KINDS, closure, reach, reach_of_image, weights_of
from constructions.fixed_point_networks.mathematics.weighted_sums import sums_reaching


def shape_of(image: frozenset[int]) -> frozenset[int]:
    """{a} or {a, a + g}: the least output, and it and the gcd of the gaps above it."""
    least = min(image)
    return frozenset({least, least + gcd(*(v - least for v in image))})


GRIDS = [grid for p in (1, 2) for grid in fixed_points(p)]


def table_of(grid: FixedPoint, image: frozenset[int]) -> Table:
    levels = sorted(image)
    return Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))


def brute(kind: str, table: Table, beta: int) -> frozenset[int]:
    grid = table.grid
    return closure(kind, table, beta, 8 * grid.top * max(grid.s, grid.top) + grid.s * abs(beta))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_the_derivation_is_the_closure(kind: str, grid: FixedPoint) -> None:
    for image in images(grid):
        table = table_of(grid, image)
        sets = reach(kind, table)
        for beta in range(-1, min(sets.classes, 7)):
            found = brute(kind, table, beta)
            assert found == sets.reached(beta)
            missing = sets.missing(beta)
            assert (missing is None) == (len(found) == grid.size)
            assert missing is None or missing not in found


@pytest.mark.parametrize("grid", [FixedPoint(1, 1), FixedPoint(2, 1), FixedPoint(2, 2)], ids=str)
def test_equality_for_every_bias(grid: FixedPoint) -> None:
    for image in images(grid):
        for kinds in (("N", "S"), ("BN", "BS"), ("S", "BS")):
            first, second = (reach_of_image(kind, grid, image) for kind in kinds)
            differs = [b for b in range(60) if first.reached(b) != second.reached(b)]
            found = first.same_for_every_bias(second)
            assert (found is None) == (not differs)
            assert found is None or first.reached(found) != second.reached(found)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_a_class_of_biases_behaves_alike(grid: FixedPoint) -> None:
    for image in images(grid):
        sets = reach_of_image("S", grid, image)
        if sets.step:
            assert all(sets.reached(b) == sets.reached(b + sets.classes) for b in range(3))


def test_the_census_at_p_1_counts_table_by_table() -> None:
    grid = FixedPoint(1, 1)
    from itertools import product

    tables = [Table(grid, levels) for levels in product(grid.levels(), repeat=3)]
    counted = census(grid)
    assert counted.tables == len(tables) == 27
    assert counted.condition_1 == sum(normal_form(t) is not None for t in tables) == 18
    for kind in KINDS:
        assert counted.some_bias[kind] == sum(reach(kind, t).full_bias() is not None for t in tables)
        full = [t for t in tables if reach(kind, t).step and reach(kind, t).full_for_every_bias() is None]
        assert counted.every_bias[kind] == len(full)


def test_condition_1_on_arrays_is_condition_1() -> None:
    import random

    import numpy as np

    grid, source = FixedPoint(2, 1), random.Random(5)
    drawn = [tuple(source.choice((-3, 0, 2)) for _ in range(7)) for _ in range(3000)]
    found = condition_1(np.array(drawn))
    assert found.tolist() == [normal_form(Table(grid, levels)) is not None for levels in drawn]
    assert 0 < found.sum() < len(drawn)


def test_all_tables_at_p_2() -> None:
    counted = census(FixedPoint(2, 2))
    assert (counted.tables, counted.condition_1) == (823_543, 307_266)
    assert counted.some_bias == {"N": 821_356, "S": 820_470, "BN": 819_170, "BS": 802_410}


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_is_a_missing_value_or_weights_that_reach_each(kind: str, grid: FixedPoint) -> None:
    for image in images(grid):
        table = table_of(grid, image)
        values, weights = (table.gaps if kind.endswith("S") else table.image), set(weights_of(kind, grid))
        for beta in range(2):
            found = sums_reaching(kind, table, beta)
            if found is None:
                assert reach(kind, table).missing(beta) not in reach(kind, table).reached(beta)
                continue
            assert set(found) == set(grid.levels())
            for level, terms in found.items():
                assert all(w in weights and x in values for w, x in terms)
                assert grid.nearest(grid.s * beta + sum(w * x for w, x in terms)) == level


@pytest.mark.parametrize(("kind", "by_s"), [("N", True), ("BN", False)])
def test_outside_their_hypothesis_corollaries_3_and_13_hold_or_fail_as_the_closure_says(kind: str, by_s: bool) -> None:
    outcomes = set()
    for grid in GRIDS:
        factor = 5 * grid.s if by_s else 5
        assert factor * grid.s > grid.top
        table = rounded(scaled_hardtanh(factor), grid)
        sets = reach(kind, table)
        full = sets.full_bias()
        outcomes.add(full is not None)
        if full is not None:
            assert len(brute(kind, table, full)) == grid.size
        else:
            assert all(len(brute(kind, table, beta)) < grid.size for beta in range(sets.classes))
    assert outcomes == {True, False}


@pytest.mark.parametrize("p", [1, 2, 3])
def test_shapes_stand_for_every_set_of_outputs(p: int) -> None:
    grid = FixedPoint(p, 2 if p > 1 else 1)
    every, seen = set(shapes(grid)), set()
    for image in images(grid):
        shape = shape_of(image)
        seen.add(shape)
        assert [reach_of_image(k, grid, image).step for k in KINDS] == [reach_of_image(k, grid, shape).step for k in KINDS]
        gaps = {a - b for a in image for b in image}
        assert divides_its_outputs(shape) or not (image & gaps or 0 in image)
    assert seen == every


def test_the_steps_are_as_many_as_the_shapes_of_monotone_tables() -> None:
    for grid in (FixedPoint(1, 1), FixedPoint(2, 3)):
        assert {shape_of(t.image) for t in monotone_tables(grid)} == {t.image for t in step_tables(grid)}


def test_a_zero_between_the_inputs_leaves_n_everything_and_s_short_under_condition_1() -> None:
    """section-1:zero: −1 up to x = 0 and 1 from x = 1 on, p = 2, s = 1."""
    table = Table(FixedPoint(2, 1), (-1, -1, -1, -1, 1, 1, 1))
    assert normal_form(table) is not None
    assert len(brute("N", table, 0)) == table.grid.size
    assert all(len(brute("S", table, beta)) < table.grid.size for beta in range(-8, 9))
