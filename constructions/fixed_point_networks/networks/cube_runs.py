"""One network for every cube at once: cubes differ in the first layer only, ρ₁ of Section 5.4; the rest runs once on what that gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.condition import Normal
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.networks.batch import run_all
from constructions.fixed_point_networks.networks.indicator import Cube, cube_layer, cubes, for_sigma
from constructions.fixed_point_networks.networks.network import Layer, Network, Neuron, all_inputs
from constructions.fixed_point_networks.trials import Trial, chosen, grid_of, within_limit
from constructions.fixed_point_networks.tried import tables
from verifier.claims.model import Question

ROWS = 1 << 16
"""Pairs of a cube and an input that are run at a time."""
AT_ONCE = 16
"""How much less work a pair is than a case tried by itself."""


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
    first = Network(normal.rho, len(cube), (cube_layer(normal, cube), (Neuron((), (), 0),)))
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


Build = Callable[[Normal, Cube], Network]
Named = list[tuple[dict[str, object], int]]
Outputs = Callable[[Normal], Named]


def indicators(question: Question, build: Build, outputs: Outputs, binary: bool = False) -> Iterator[Trial]:
    """Whether a ρ network has each of its outputs on the cube and 0 off it: every activation tried, cube and input; smallest cube first.

    build:   the network of a cube, of which only the first layer may depend on the cube.
    outputs: what to call each output, and its value on the cube in units of 1/s².
    binary:  its weights are ±1, too.
    """
    grid, d = grid_of(question), question["d"]
    within_limit(question, (grid.size * (grid.size + 1) // 2) ** d * grid.size**d * 22 // AT_ONCE)
    every, inputs = cubes(grid, d), all_inputs(grid, d)
    block = max(1, ROWS // len(inputs))
    for start in range(0, len(every), block):
        question.advance("cubes", start, len(every))
        failures = []
        for name, table, normal in tables(grid, chosen(question, "sigma")):
            some = every[start : start + block]
            one = for_sigma(build(normal, some[0]), normal, table)
            if binary:
                yield None if one.binary else {"activation": name, "weights": "not all +-1"}
            found = _first_wrong(normal, table, one, some, inputs, outputs(normal))
            yield len(some) * len(inputs) * len(one.layers[-1])
            if found is not None:
                failures.append((found[0], name, found[1]))
        if failures:
            number, name, found_there = min(failures, key=lambda f: f[0])
            yield _shown(grid, name, every[start + number], found_there)


Wrong = tuple[tuple[int, ...], dict[str, object], int, int]


def _first_wrong(
    normal: Normal,
    table: Table,
    one: Network,
    some: Sequence[Cube],
    inputs: list[tuple[int, ...]],
    wanted: list[tuple[dict[str, object], int]],
) -> tuple[int, Wrong] | None:
    """The first cube by its number, input and output that is wrong: (number, (input, name of the output, computed, expected))."""
    import numpy as np

    got = outputs_on_cubes(normal, table, one, some, inputs)
    want = inside(some, inputs)[:, :, None] * np.array([value for _, value in wanted], dtype=np.int64)
    bad = np.argwhere(got != want)
    if not len(bad):
        return None
    number, x, output = bad[0].tolist()
    place = (number, x, output)
    return number, (inputs[x], wanted[output][0], int(got[place]), int(want[place]))


def _shown(grid: FixedPoint, name: str, cube: Cube, wrong: Wrong) -> dict[str, object]:
    x, label, got, want = wrong
    unit = grid.s**2
    return {**label, **place(grid, name, cube, x), "computed": Fraction(got, unit), "expected": Fraction(want, unit)}


def place(grid: FixedPoint, name: str, cube: Cube, x: tuple[int, ...]) -> dict[str, object]:
    """The activation, cube and input of a counterexample."""
    sides = " x ".join(f"[{grid.show(a)}, {grid.show(b)}]" for a, b in cube)
    return {"activation": name, "cube": sides, "x": ", ".join(grid.show(v) for v in x)}
