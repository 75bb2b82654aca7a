"""Sub-networks: the batch against the definition, and every whole network where its parts are right."""

from itertools import islice, product

import pytest

from constructions.fixed_point_networks.judges.query_objects import tables, usable
from constructions.fixed_point_networks.mathematics.activations import Normal, Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    PRINTED,
    REPAIRED,
    Cube,
    Network,
    Signs,
    all_inputs,
    cubes,
    first_wrong,
    for_sigma,
    indicator_network,
    outputs_on_cubes,
    part_outputs,
    plan,
    representator,
    run,
    run_rounded,
    short_indicator,
    sub_network,
    terms_apart,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses

ONE = FixedPoint(1, 1)
SIGNS = (PRINTED, Signs(PRINTED.phi, REPAIRED.amplified), Signs(REPAIRED.phi, PRINTED.amplified), REPAIRED)


def points(inputs: list[tuple[int, ...]]) -> list[Cube]:
    return [tuple((v, v) for v in x) for x in inputs]


def by_definition(table: Table, cube: Cube, inputs: list[tuple[int, ...]], signs: Signs, binary: bool) -> list[list[int]]:
    network = sub_network(plan(table, binary), table, cube, signs)
    return [list(run(network, x)) for x in inputs]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("signs", SIGNS, ids=str)
def test_the_batch_is_the_definition_for_every_table_and_cube_at_p_1(signs: Signs, binary: bool) -> None:
    inputs, sides = all_inputs(ONE, 1), cubes(ONE, 1)
    for _, table in usable(ONE, binary):
        found = part_outputs(plan(table, binary), table, sides, inputs, signs)
        assert found.tolist() == [by_definition(table, cube, inputs, signs, binary) for cube in sides]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("signs", SIGNS, ids=str)
def test_where_the_parts_are_right_every_whole_network_is(signs: Signs, binary: bool) -> None:
    """All 27 targets of all tables at p = 1, by the definition."""
    inputs = all_inputs(ONE, 1)
    for _, table in usable(ONE, binary):
        made = plan(table, binary)
        right = all(wrong is None for wrong in first_wrong(made, table, points(inputs), inputs, signs))
        wholes = (representator(table, target, 1, signs, binary) for target in product(ONE.levels(), repeat=3))
        represented = all(
            tuple(run_rounded(whole, x)[0] for x in inputs) == target
            for whole, target in zip(wholes, product(ONE.levels(), repeat=3), strict=True)
        )
        assert represented or not right
        if signs.phi == REPAIRED.phi:
            assert right


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("d", [1, 2])
def test_one_network_for_every_cube_is_each_cubes_own(short: bool, d: int) -> None:
    grid = FixedPoint(1, 1) if d == 2 else FixedPoint(2, 3)
    inputs, every = all_inputs(grid, d), cubes(grid, d)

    def network(normal: Normal, cube: Cube) -> Network:
        terms = [(grid.s, a, b) for a, b in gap_witnesses(normal.rho).values()]
        apart = terms_apart(short_indicator(normal, cube, terms), 2)
        return apart if short else indicator_network(normal, cube, [[term] for term in terms], binary=True)

    for _, table, normal in islice(tables(grid), 0, None, 5):
        one = for_sigma(network(normal, every[0]), normal, table)
        found = outputs_on_cubes(normal, table, one, every, inputs).tolist()
        for cube, rows in islice(zip(every, found, strict=True), 0, None, 3):
            own = for_sigma(network(normal, cube), normal, table)
            assert rows == [list(run(own, x)) for x in inputs]
