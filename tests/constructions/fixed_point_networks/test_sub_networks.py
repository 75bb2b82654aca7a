"""Sub-networks: the batch against the definition, the whole against the sum of its parts, every target against every whole network."""

from itertools import islice, product

import pytest

from constructions.fixed_point_networks.judges import networks
from constructions.fixed_point_networks.mathematics.activations import NAMED, Normal, Table, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks import sub_networks
from constructions.fixed_point_networks.mathematics.networks.network import (
    PRINTED,
    PRINTED_RHO2,
    PRINTED_RHO3,
    REPAIRED,
    Cube,
    Network,
    Signs,
    all_inputs,
    cubes,
    each_gap,
    for_sigma,
    in_cube,
    plan,
    representator,
    run,
    run_rounded,
    short_indicator,
    terms_apart,
)
from constructions.fixed_point_networks.mathematics.networks.sub_networks import (
    first_wrong,
    gammas,
    inside,
    outputs_on_cubes,
    parameters_of,
    part_outputs,
    sub_network,
    whole_networks,
)
from constructions.fixed_point_networks.mathematics.samples import tables, usable
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

ONE = FixedPoint(1, 1)
SIGNS = (PRINTED, PRINTED_RHO2, PRINTED_RHO3, REPAIRED)


def points(inputs: list[tuple[int, ...]]) -> list[Cube]:
    return [tuple((v, v) for v in x) for x in inputs]


def by_definition(table: Table, cube: Cube, inputs: list[tuple[int, ...]], signs: Signs, binary: bool) -> list[list[int]]:
    network = sub_network(plan(table, binary), table, cube, signs)
    return [list(run(network, x)) for x in inputs]


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("signs", SIGNS, ids=str)
def test_the_batch_is_the_definition_for_every_table_and_cube_at_p_1(signs: Signs, binary: bool) -> None:
    inputs, sides = all_inputs(ONE, 1), cubes(ONE, 1)
    for _, table in usable(ONE, binary):
        found = part_outputs(plan(table, binary), table, sides, inputs, signs)
        assert found.tolist() == [by_definition(table, cube, inputs, signs, binary) for cube in sides]


@pytest.mark.parametrize(("p", "s", "d", "name"), [(1, 1, 2, "relu"), (1, 1, 3, "identity"), (2, 3, 1, "gelu"), (2, 2, 2, "sigmoid")])
def test_the_batch_is_the_definition_elsewhere(p: int, s: int, d: int, name: str) -> None:
    grid = FixedPoint(p, s)
    table, inputs = rounded(NAMED[name], grid), all_inputs(grid, d)[::3]
    some = cubes(grid, d)[:: 1 + len(cubes(grid, d)) // 9]
    found = part_outputs(plan(table), table, some, inputs)
    assert found.tolist() == [by_definition(table, cube, inputs, REPAIRED, False) for cube in some]
    assert inside(some, inputs).tolist() == [[in_cube(x, cube) for x in inputs] for cube in some]


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("signs", [PRINTED, REPAIRED], ids=str)
def test_the_whole_is_the_sum_of_its_parts(signs: Signs, binary: bool) -> None:
    inputs = all_inputs(ONE, 1)
    for _, table in usable(ONE, binary):
        made = plan(table, binary)
        parts = part_outputs(made, table, points(inputs), inputs, signs)
        for target in product(ONE.levels(), repeat=3):
            whole = representator(table, target, 1, signs, binary)
            sums = [ONE.s * made.bias + sum(int(parts[z, x, level + ONE.top]) for z, level in enumerate(target)) for x in range(3)]
            assert [run(whole, x)[0] for x in inputs] == sums
            costs = parameters_of(made, 1)
            added = sum(costs[level + ONE.top] for level in target)
            assert whole.parameters == (added + 1 if added else 3 * 4 + 3)


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
        if signs in (PRINTED_RHO3, REPAIRED):
            assert right


def test_the_first_wrong_output_is_the_first_by_the_definition() -> None:
    grid = FixedPoint(2, 1)
    table, inputs = rounded(NAMED["relu"], grid), all_inputs(grid, 1)
    made, where = plan(table), points(all_inputs(grid, 1))
    expected = dict(zip(grid.levels(), gammas(made), strict=True))
    for cube, found in zip(where, first_wrong(made, table, where, inputs, PRINTED), strict=True):
        outputs = by_definition(table, cube, inputs, PRINTED, False)
        bad = [
            (cube, x, v, got, expected[v] * in_cube(x, cube))
            for x, row in zip(inputs, outputs, strict=True)
            for v, got in zip(grid.levels(), row, strict=True)
            if got != expected[v] * in_cube(x, cube)
        ]
        assert found == bad[0]


def asked(name: str, edition: Edition, **parameters: int) -> Query:
    claim = find_claim(f"fixed-point-networks/{name}").of_edition(edition)
    return Query(claim, edition, claim.complete(parameters), DEFAULT_SEMANTICS, Session())


def judged(name: str, edition: Edition, **parameters: int) -> Outcome:
    query = asked(name, edition, **parameters)
    assert query.claim.judge is not None
    return query.claim.judge(query)


@pytest.mark.parametrize("signs", [PRINTED, PRINTED_RHO2], ids=str)
def test_the_counterexample_is_the_smallest_target_at_p_1(signs: Signs) -> None:
    inputs = all_inputs(ONE, 1)
    smallest = next(
        (name, target, x)
        for target in product(ONE.levels(), repeat=3)
        for name, table in usable(ONE, False)
        for x, level in zip(inputs, target, strict=True)
        if run_rounded(representator(table, target, 1, signs), x)[0] != level
    )
    found = networks.every_target(asked("theorem-6:network", Edition.PRINTED, p=1, s=1, d=1), signs, False)
    assert found.verdict is Verdict.REFUTED
    shown = found.counterexample or {}
    assert (shown["activation"], shown["f*"], shown["x"]) == (smallest[0], sub_networks.as_text(ONE, smallest[1]), str(smallest[2][0]))


def test_a_wrong_part_without_a_wrong_network_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "whole_networks", lambda *_: iter([None]))
    found = judged("theorem-6:network", Edition.PRINTED, p=1, s=1, d=1)
    assert found.verdict is Verdict.OPEN
    assert "computed" in (found.reason or "")


def test_a_sum_that_rounds_elsewhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """γ_v one unit off what the network has: each point is refused, and so is ⌈b′ + γ_v⌉ where that rounds to another level."""
    table = rounded(NAMED["identity"], ONE)
    made = plan(table)
    moved = [g + 1 for g in gammas(made)]
    monkeypatch.setattr(sub_networks, "gammas", lambda _: moved)
    failures = [f for f in sub_networks.levels_reached("identity", made) if f is not None]
    assert [f["v"] for f in failures] == ["-1", "0"]


def test_one_bias_changed_in_the_whole_is_not_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    def shifted(*arguments: object) -> object:
        whole = representator(*arguments)  # type: ignore[arg-type]
        last = whole.layers[-1][0]
        return replace(whole, layers=(*whole.layers[:-1], (replace(last, bias=last.bias + 2),)))

    monkeypatch.setattr(sub_networks, "representator", shifted)
    monkeypatch.setattr(networks, "whole_networks", lambda *_: iter([None]))
    found = judged("theorem-6", Edition.REPAIRED, p=2, s=1, d=1)
    assert found.verdict is Verdict.OPEN
    assert "not the sum of its parts" in (found.reason or "")


def test_weights_that_are_not_binary_are_refused_for_theorem_15(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sub_networks, "plan", lambda table, binary: plan(table, False))
    monkeypatch.setattr(sub_networks, "representator", lambda table, target, d, signs, binary: representator(table, target, d, signs))
    assert any(f and f.get("weights") for f in whole_networks(usable(FixedPoint(2, 1), True), FixedPoint(2, 1), 1, REPAIRED, True))
    found = judged("theorem-15", Edition.REPAIRED, p=2, s=1, d=1)
    assert found.verdict is Verdict.REFUTED
    assert (found.counterexample or {})["weights"] == "not all +-1"


def test_the_scope_counts_every_function() -> None:
    found = judged("theorem-6", Edition.REPAIRED, p=1, s=1, d=2)
    assert "every f* (3^9 functions)" in found.scope.statement
    number = sum(1 for _ in usable(ONE, False))
    assert number == len(list(tables(ONE)))
    checks = -(-number // 8)
    assert found.scope.cases == number * (3 + 9 * 3) + checks


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("d", [1, 2])
def test_one_network_for_every_cube_is_each_cubes_own(short: bool, d: int) -> None:
    grid = FixedPoint(1, 1) if d == 2 else FixedPoint(2, 3)
    inputs, every = all_inputs(grid, d), cubes(grid, d)

    def network(normal: Normal, cube: Cube) -> Network:
        terms = [(grid.s, a, b) for a, b in gap_witnesses(normal.rho).values()]
        return terms_apart(short_indicator(normal, cube, terms), 2) if short else each_gap(normal, cube, grid.s, binary=True)

    for _, table, normal in islice(tables(grid), 0, None, 5):
        one = for_sigma(network(normal, every[0]), normal, table)
        found = outputs_on_cubes(normal, table, one, every, inputs).tolist()
        for cube, rows in islice(zip(every, found, strict=True), 0, None, 3):
            own = for_sigma(network(normal, cube), normal, table)
            assert rows == [list(run(own, x)) for x in inputs]
