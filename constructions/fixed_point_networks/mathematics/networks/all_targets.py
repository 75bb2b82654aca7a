"""Whether the proof's network represents every target, by its sub-networks; and whole networks against their targets.

Source: Theorems 6 and 15 (Sections 5.5, 5.12). A case is None where it holds, else what shows that it does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, product, repeat

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import Cube, Signs, show_cube
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs, run
from constructions.fixed_point_networks.mathematics.networks.representator import Plan, first_difference, plan, representator
from constructions.fixed_point_networks.mathematics.networks.sub_networks import Wrong, first_wrong, gammas, part_outputs, sub_network
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import targets
from verifier.arithmetic.rationals import Fraction

Failure = Mapping[str, object] | None
Target = tuple[int, ...]
NamedTable = tuple[str, Table]


def by_points(
    tried: Iterable[NamedTable], grid: FixedPoint, d: int, signs: Signs, binary: bool, within: Callable[[int, str], None]
) -> Iterator[Failure]:
    """For each point, input and level whether the sub-network of the point is γ_v on it and 0 off it; and that the whole is their sum.

    within: told how many pairs of a point and an input were gone through.
    """
    inputs, pairs = all_inputs(grid, d), 0
    cubes: list[Cube] = [tuple((v, v) for v in x) for x in inputs]
    for number, (name, table) in enumerate(tried):
        made = plan(table, binary)
        yield from levels_reached(name, made)
        if binary and not sub_network(made, table, cubes[0], signs).binary:
            yield {"activation": name, "weights": "not all +-1"}
        for wrong in first_wrong(made, table, cubes, inputs, signs):
            pairs += len(inputs)
            within(pairs, "pairs of a point and an input")
            yield from repeat(None, grid.size - 1)
            yield None if wrong is None else {"activation": name, **shown(grid, wrong)}
        if number % 8 == 0:
            yield _not_the_sum(name, made, table, cubes, inputs, signs)


def levels_reached(name: str, made: Plan) -> Iterator[Failure]:
    """⌈b′ + γ_v⌉ = v for each v."""
    grid = made.normal.rho.grid
    for level, gamma in zip(grid.levels(), gammas(made), strict=True):
        ok = grid.nearest(grid.s * made.bias + gamma) == level
        yield None if ok else {"activation": name, "v": grid.show(level), "gamma_v": Fraction(gamma, grid.s**2)}


def shown(grid: FixedPoint, wrong: Wrong) -> dict[str, object]:
    """A part's first wrong output, for a counterexample."""
    cube, x, level, computed, expected = wrong
    unit = grid.s**2
    outputs = {"computed": Fraction(computed, unit), "expected": Fraction(expected, unit)}
    return {"cube": show_cube(grid, cube), "v": grid.show(level), "x": grid.show_all(x), **outputs}


def _not_the_sum(name: str, made: Plan, table: Table, cubes: list[Cube], inputs: list[Target], signs: Signs) -> Failure:
    """One drawn f*: its network, unrounded, against b′ and one output of each part; one input by the definition, the others in a batch."""
    grid = table.grid
    source = random.Random(f"{name} {len(inputs)}")
    target = tuple(source.randint(-grid.top, grid.top) for _ in inputs)
    whole = representator(table, target, len(inputs[0]), signs, made.binary)
    parts = part_outputs(made, table, cubes, inputs, signs)
    sums = grid.s * made.bias + sum(parts[z, :, level + grid.top] for z, level in enumerate(target))
    once = source.randrange(len(inputs))
    ok = run_all(whole, inputs, rounded=False)[:, 0].tolist() == sums.tolist() and run(whole, inputs[once])[0] == sums[once]
    return None if ok else {"activation": name, "f*": as_text(grid, target), "whole": "not the sum of its parts"}


def whole_networks(tried: Iterable[NamedTable], grid: FixedPoint, d: int, signs: Signs, binary: bool) -> Iterator[Failure]:
    """Whole networks against their targets, on every input: the first targets in lexicographic order, then some others."""
    activations = list(tried)
    first = islice(product(grid.levels(), repeat=grid.size**d), grid.size)
    for target in (*first, *targets(grid, d).values()):
        for name, table in activations:
            network = representator(table, target, d, signs, binary)
            if binary and not network.binary:
                yield {"activation": name, "f*": as_text(grid, target), "weights": "not all +-1"}
            found = first_difference(network, target)
            if found is None:
                yield None
                continue
            x, got, want = found
            outputs = {"computed": grid.show(got), "f*(x)": grid.show(want)}
            yield {"activation": name, "f*": as_text(grid, target), "x": grid.show_all(x), **outputs}


def as_text(grid: FixedPoint, target: Target) -> str:
    """A target by its values in lexicographic order of the inputs, or as a constant."""
    if len(set(target)) == 1:
        return f"{grid.show(target[0])} everywhere"
    return f"({grid.show_all(target)})"
