"""The network of the proofs cube by cube: what its last layer adds up, for every level that a cube may be given.

Source: Sections 5.5, 5.12 and 5.16. The network is ⌈b′ + Σ_C γ_C·1_C⌉: one sub-network for each cube C, and their last sums are exact
before the one rounding. So a cube's sub-network, run once with an output for each level v, serves every target: where it is γ_v on C and 0
off C for every C of a partition, and ⌈b′ + γ_v⌉ = v, the network has any given level on each cube.

Cubes differ in the first layer only, ρ₁ of Section 5.4; the other layers run once, on the distinct outputs that the first ones give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    REPAIRED,
    Cube,
    Signs,
    copies,
    cube_layer,
    for_sigma,
    gate_layer,
    nothing,
    switches,
)
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, held
from constructions.fixed_point_networks.mathematics.networks.representator import Plan
from constructions.fixed_point_networks.mathematics.rounded_activations import Table

ROWS = 1 << 16
"""Pairs of a cube and an input that are run at a time."""

Wrong = tuple[Cube, tuple[int, ...], int, int, int]
"""(cube, input, level, computed, expected), the last two in units of 1/s²."""


def gammas(made: Plan) -> list[int]:
    """γ_v = Σ w(⌈ρ⌉(v₁) − ⌈ρ⌉(v₂)) for each level v, ascending; in units of 1/s²."""
    rho = made.normal.rho
    return [sum(w * (rho(a) - rho(b)) for w, a, b in made.terms[level]) for level in rho.grid.levels()]


def sub_network(made: Plan, table: Table, cube: Cube, signs: Signs = REPAIRED) -> Network:
    """The σ network of one cube, with an output γ_v·1_C for each level v; to be run unrounded."""
    normal, m = made.normal, copies(made.normal, made.binary)
    third: list[Neuron] = []
    last: list[Neuron] = []
    for level in normal.rho.grid.levels():
        neurons, weights = switches(normal, made.terms[level] or nothing(normal), signs, 0, m, made.binary)
        last.append(Neuron(tuple(range(len(third), len(third) + len(weights))), weights, 0))
        third += neurons
    layers = (cube_layer(normal, cube), gate_layer(normal, len(cube), signs, 0, m), tuple(third), tuple(last))
    return for_sigma(Network(normal.rho, len(cube), layers), normal, table)


def parameters_of(made: Plan, dimension: int) -> list[int]:
    """For each level, ascending, the parameters (Section 2.3) that a cube of it adds to the whole; that has a last bias besides."""
    normal, m = made.normal, copies(made.normal, made.binary)
    counts = []
    for level in normal.rho.grid.levels():
        third, weights = switches(normal, made.terms[level], REPAIRED, 0, m, made.binary)
        layers = (cube_layer(normal, ((0, 0),) * dimension), gate_layer(normal, dimension, REPAIRED, 0, m), third)
        counts.append(sum(1 + len(n.inputs) for layer in layers for n in layer) + len(weights) if weights else 0)
    return counts


def part_outputs(made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[Sequence[int]], signs: Signs = REPAIRED) -> Any:
    """:func:`sub_network` of each cube on each input: an int64 array of shape (cubes, inputs, levels), in units of 1/s²."""
    return outputs_on_cubes(made.normal, table, sub_network(made, table, cubes[0], signs), cubes, inputs)


def first_wrong(
    made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[tuple[int, ...]], signs: Signs = REPAIRED
) -> Iterator[Wrong | None]:
    """For each cube, in order: None where every output is γ_v on it and 0 off it, else the first input and level where one is not."""
    import numpy as np

    at_once = max(1, ROWS // len(inputs))
    expected_there = np.array(gammas(made), dtype=np.int64)
    levels = made.normal.rho.grid.levels()
    for start in range(0, len(cubes), at_once):
        some = cubes[start : start + at_once]
        outputs = part_outputs(made, table, some, inputs, signs)
        expected = inside(some, inputs)[:, :, None] * expected_there
        bad = outputs != expected
        for number, wrong in enumerate(bad.any(axis=(1, 2)).tolist()):
            if not wrong:
                yield None
                continue
            x, v = np.argwhere(bad[number])[0].tolist()
            yield some[number], inputs[x], levels[v], int(outputs[number, x, v]), int(expected[number, x, v])


def outputs_on_cubes(normal: Normal, table: Table, one: Network, cubes_: Sequence[Cube], inputs: Sequence[Sequence[int]]) -> Any:
    """``one``, the σ network of some cube, unrounded, as it is for each of the cubes: int64, (cubes, inputs, outputs), units of 1/s².

    The first layer of ``one`` is ρ₁ of its cube, or copies of it; what the others make of equal first layers is computed once.
    """
    import numpy as np

    dimension, width = one.dimension, len(one.layers[0])
    copies = width // (4 * dimension)
    wide = tuple(neuron for cube in cubes_ for neuron in _first_layer(normal, table, cube))
    entered = np.array(table.levels, dtype=np.int64)[run_all(Network(table, dimension, (wide,)), inputs) + table.grid.top]
    rows = entered.reshape(len(inputs), len(cubes_), 4 * dimension).swapaxes(0, 1).reshape(-1, 4 * dimension)
    distinct, where = _distinct(rows, table.grid.size)
    outputs = run_all(Network(table, width, one.layers[1:]), np.tile(distinct, (1, copies)).tolist(), rounded=False)
    return outputs[where].reshape(len(cubes_), len(inputs), -1)


def _first_layer(normal: Normal, table: Table, cube: Cube) -> Layer:
    first = Network(normal.rho, len(cube), (cube_layer(normal, cube), (held(0),)))
    return for_sigma(first, normal, table).layers[0]


def _distinct(rows: Any, size: int) -> tuple[Any, Any]:
    """The distinct rows of levels, and where each row is among them; a row is told from another by its number in base ``size``."""
    import numpy as np

    if size ** rows.shape[1] >= 1 << 63:
        distinct, where = np.unique(rows, axis=0, return_inverse=True)
        return distinct, where.reshape(-1)
    numbers = (rows + size // 2) @ np.array([size**i for i in range(rows.shape[1])], dtype=np.int64)
    _, first, where = np.unique(numbers, return_index=True, return_inverse=True)
    return rows[first], where


def inside(cubes_: Sequence[Cube], inputs: Sequence[Sequence[int]]) -> Any:
    """1_C(x): a boolean array of shape (cubes, inputs)."""
    import numpy as np

    sides, points = np.array(cubes_), np.array(inputs)
    return ((sides[:, None, :, 0] <= points) & (points <= sides[:, None, :, 1])).all(axis=2)
