"""The network of the proofs cube by cube: the summands of its last layer, for every possible level of a cube.

Source: Sections 5.5, 5.12 and 5.16. The network is ⌈b′ + Σ_C γ_C·1_C⌉: one sub-network for each cube C, and their last sums are exact
before the one rounding. So a cube's sub-network, run once with an output for each level v, serves every target: if it is γ_v on C and 0 off
C for every C of a partition, and ⌈b′ + γ_v⌉ = v, the network has any given level on each cube.

Cubes differ only in the first layer, ρ₁ of Section 5.4; the other layers run once, on the distinct outputs of the first layers.

This decides whether the proof's network represents every target (Theorems 6 and 15); whole networks are compared with their targets. A case
is None if it holds, else the values that refute it. The module also counts the parameters of the proofs' networks, as functions for
formulas in statement files: the count of Section 2.3 (a bias and the weights of each neuron), Sections 5.4, 5.15, 5.16. The last map of φ,
g and F_q is not rounded and is not one of their layers: its weights count, and its bias does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, repeat
from typing import Any

from constructions.fixed_point_networks.mathematics.activations import Normal, Table, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    REPAIRED,
    Cube,
    Layer,
    Network,
    Neuron,
    Plan,
    Signs,
    all_inputs,
    copies,
    cube_layer,
    first_difference,
    for_sigma,
    gate_network,
    held,
    indicator_network,
    of_the_proof,
    phi_network,
    plan,
    representator,
    run,
    run_all,
    show_cube,
)
from constructions.fixed_point_networks.mathematics.samples import targets
from constructions.fixed_point_networks.mathematics.weighted_sums import Term
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import written
from verifier.running.errors import LimitError

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
    parts = of_the_proof(made.normal, signs, made.binary)
    last = parts.add(cube, (made.terms[level] for level in made.normal.rho.grid.levels()))
    return for_sigma(parts.network(len(cube), last), made.normal, table)


def parameters_of(made: Plan, dimension: int) -> list[int]:
    """For each level, ascending, the parameters (Section 2.3) that a cube with it adds to the whole; the whole also has a last bias."""

    def of(terms: Sequence[Term]) -> int:
        return indicator_network(made.normal, _origin(dimension), terms, binary=made.binary).parameters - 1 if terms else 0

    return [of(made.terms[level]) for level in made.normal.rho.grid.levels()]


def part_outputs(made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[Sequence[int]], signs: Signs = REPAIRED) -> Any:
    """:func:`sub_network` of each cube on each input: an int64 array of shape (cubes, inputs, levels), in units of 1/s²."""
    return outputs_on_cubes(made.normal, table, sub_network(made, table, cubes[0], signs), cubes, inputs)


def first_wrong(
    made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[tuple[int, ...]], signs: Signs = REPAIRED
) -> Iterator[Wrong | None]:
    """For each cube, in order: None if every output is γ_v on it and 0 off it, else the first input and level at which one is not."""
    levels, one = made.normal.rho.grid.levels(), sub_network(made, table, cubes[0], signs)
    for cube, found in zip(cubes, wrong_outputs(made.normal, table, one, cubes, inputs, gammas(made)), strict=True):
        yield None if found is None else (cube, inputs[found[0]], levels[found[1]], *found[2:])


def wrong_outputs(
    normal: Normal, table: Table, one: Network, cubes_: Sequence[Cube], inputs: Sequence[tuple[int, ...]], values: Sequence[int]
) -> Iterator[tuple[int, int, int, int] | None]:
    """For each cube: None if each output of the σ network is its value on the cube and 0 off it, else the first that is not: the numbers of
    input and output, and the computed and expected values, in units of 1/s². ``one``: as :func:`outputs_on_cubes`."""
    import numpy as np

    at_once = max(1, ROWS // len(inputs))
    for start in range(0, len(cubes_), at_once):
        some = cubes_[start : start + at_once]
        outputs = outputs_on_cubes(normal, table, one, some, inputs)
        expected = inside(some, inputs)[:, :, None] * np.array(values, dtype=np.int64)
        bad = outputs != expected
        for number, wrong in enumerate(bad.any(axis=(1, 2)).tolist()):
            if wrong:
                x, v = np.argwhere(bad[number])[0].tolist()
                yield x, v, int(outputs[number, x, v]), int(expected[number, x, v])
            else:
                yield None


def outputs_on_cubes(normal: Normal, table: Table, one: Network, cubes_: Sequence[Cube], inputs: Sequence[Sequence[int]]) -> Any:
    """The outputs of ``one``, the σ network of some cube, unrounded, changed to each of the cubes: int64, (cubes, inputs, outputs), units
    of 1/s².

    The first layer of ``one`` is ρ₁ of its cube, or copies of it; the effect of the other layers on equal first layers is computed once.
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
    """The distinct rows of levels, and the place of each row among them; rows are distinguished by their numbers in base ``size``."""
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


Failure = Mapping[str, object] | None
Target = tuple[int, ...]
NamedTable = tuple[str, Table]


def by_points(
    tried: Iterable[NamedTable], grid: FixedPoint, d: int, signs: Signs, binary: bool, within: Callable[[int, str], None]
) -> Iterator[Failure]:
    """For each point, input and level whether the sub-network of the point is γ_v on it and 0 off it; and that the whole is their sum.

    within: receives the number of pairs of a point and an input.
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
    """One random f*: its network, unrounded, against b′ and one output of each part; one input by the definition, the others in a batch."""
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
    """Whole networks compared with their targets, on every input: the first targets in lexicographic order, then some others."""
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


CUBE = "sum(1 + 1 for neuron in (1, 4*d))"
"""Parameters of ρ₁: a bias and a weight each."""
GATE = "(1 + 4*d) + (1 + 1)"
"""Those of ρ′₂, which reads all neurons of ρ₁, and q_max."""
COPIES = "(2*s // drop + 1)"
"""m_q, the least integer above 2s/drop."""

WIDEST_TABLE = 20


def falling_by(grid: FixedPoint, drop: int) -> Normal:
    """A rounded activation with ⌈ρ⌉(q_max) − ⌈ρ⌉(z − 1/s) = drop/s, the only property on which the sizes depend."""
    normal = normal_form(Table(grid, (*(-grid.top,) * (grid.size - 1), drop - grid.top)))
    assert normal is not None
    return normal


def _grid(p: Fraction, s: Fraction) -> FixedPoint:
    """Q_(p,s), whose activations are tables.

    Raises:
        LimitError: p > :data:`WIDEST_TABLE`.
    """
    if p > WIDEST_TABLE:
        raise LimitError(f"tables of activations are made up to p = {WIDEST_TABLE}", "a smaller --p")
    return FixedPoint(int(p), int(s))


def _origin(d: Fraction | int) -> Cube:
    return ((0, 0),) * int(d)


@written(f"{CUBE} + 4*d")
def parameters_of_phi(p: Fraction, s: Fraction, d: Fraction) -> int:
    """φ of Eq. (23)."""
    return phi_network(falling_by(_grid(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(f"{CUBE} + {GATE} + 2")
def parameters_of_g(p: Fraction, s: Fraction, d: Fraction) -> int:
    """g of Eq. (24)."""
    return gate_network(falling_by(_grid(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(COPIES)
def copies_of_g(p: Fraction, s: Fraction, drop: Fraction) -> int:
    """m_q, the least that the proof of Lemma 5 allows."""
    return copies(falling_by(_grid(p, s), int(drop)), False)


@written(f"{CUBE} + {COPIES}*({GATE}) + 1 + 2*{COPIES} + (1 + 1) + 2")
def parameters_of_f(p: Fraction, s: Fraction, d: Fraction, drop: Fraction) -> int:
    """F_q of Eq. (26), any q."""
    made = of_the_proof(falling_by(_grid(p, s), int(drop)))
    made.add(_origin(d))
    made.layers[2].extend(made.pair(0))
    return made.network(int(d), (Neuron((0, 1), (int(s), -int(s)), 0),)).parameters - 1


@written("sum(1 for gap in ((1 - 2**p) - (2**p - 1), (2**p - 1) - (1 - 2**p)))")
def most_gaps(p: Fraction, s: Fraction) -> int:
    """|V| for the identity, whose outputs are all of Q_(p,s)."""
    grid = _grid(p, s)
    return len(Table(grid, tuple(grid.levels())).gaps)


def parameters_of_constant(layers: Fraction) -> int:
    """The fewest parameters of a network of this many layers: a neuron each, with one input, as Eq. (3) requires."""
    return Network(Table(FixedPoint(1, 1), (-1, 0, 1)), 1, ((held(0),),) * int(layers)).parameters
