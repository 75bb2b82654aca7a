"""Whether networks are indicators of cubes, judged on every activation tried, cube and input (Lemmas 5 and 14, Eq. 27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import Cube, cubes, for_sigma, show_cube
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.sub_networks import ROWS, inside, outputs_on_cubes
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.trials import Trial, chosen, grid_of, within_limit
from verifier.statements.model import Question

AT_ONCE = 16
"""How much less work a pair is than a case tried by itself."""


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
    return {"activation": name, "cube": show_cube(grid, cube), "x": grid.show_all(x)}
