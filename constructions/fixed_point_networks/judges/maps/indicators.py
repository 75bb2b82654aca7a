"""Judges of indicators of cubes, on every activation tried, cube and input: φ, g, F_q, and Lemmas 5 and 14 (Sections 5.4, 5.11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from constructions.fixed_point_networks.judges.hypotheses import any_scaling_factor, indicators_of_points
from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, grid_of
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    Cube,
    Signs,
    cubes,
    each_gap,
    f_network,
    for_sigma,
    gate_network,
    in_cube,
    phi_network,
    show_cube,
    terms_apart,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.sub_networks import ROWS, inside, outputs_on_cubes
from constructions.fixed_point_networks.mathematics.networks.three_layers import short_indicator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Trial, refuted
from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, judge

AT_ONCE = 16
"""How much less work a case is that arrays go through than one tried by itself."""


Build = Callable[[Normal, Cube], Network]


Outputs = list[tuple[dict[str, object], int]]
"""What to call each output of a network, and its value on the cube in units of 1/s²."""


Pair = tuple[int, int]
IN_Q = Weights("Q")


def indicators(query: Query, tried: Tried, build: Build, outputs: Callable[[Normal], Outputs], binary: bool = False) -> Iterator[Trial]:
    """Whether a ρ network has each of its outputs on the cube and 0 off it: every activation tried, cube and input; smallest cube first.

    build:   the network of a cube, of which only the first layer may depend on the cube.
    binary:  its weights are ±1 as well.
    """
    grid = grid_of(query)
    every, inputs = cubes_and_inputs(query, grid)
    block = max(1, ROWS // len(inputs))
    for start in range(0, len(every), block):
        query.advance("cubes", start, len(every))
        failures = []
        for name, table, normal in tried:
            some = every[start : start + block]
            one = for_sigma(build(normal, some[0]), normal, table)
            if binary:
                yield one.binary or {"activation": name, "weights": "not all +-1"}
            found = _first_wrong(normal, table, one, some, inputs, outputs(normal))
            yield len(some) * len(inputs) * len(one.layers[-1])
            if found is not None:
                failures.append((found[0], name, found[1]))
        if failures:
            number, name, found_there = min(failures, key=lambda f: f[0])
            yield _shown(grid, name, every[start + number], found_there)


def cubes_and_inputs(query: Query, grid: FixedPoint) -> tuple[list[Cube], list[tuple[int, ...]]]:
    """All cubes and all inputs.

    Raises:
        LimitError: either are too many to be listed.
    """
    d = query["d"]
    query.within((grid.size * (grid.size + 1) // 2) ** d, "cubes")
    return cubes(grid, d), all_inputs(grid, d)


Wrong = tuple[tuple[int, ...], dict[str, object], int, int]


def _first_wrong(
    normal: Normal, table: Table, one: Network, some: Sequence[Cube], inputs: list[tuple[int, ...]], wanted: Outputs
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


Expected = Callable[[Normal, bool], tuple[int, int | None, str]]
"""What a network may be on the cube (True) or off it: from, up to (None: no end), in units of 1/s², and in words."""


def _by_cubes(query: Query, build: Build, expected: Expected) -> Cases:
    """One output of a network, unrounded, at every input, for every cube and activation tried."""
    grid, tried = grid_of(query), Tried(query)
    yield tried.over("every cube and input")
    every, inputs = cubes_and_inputs(query, grid)
    for cube in every:
        for name, _, normal in tried:
            outputs = run_all(build(normal, cube), inputs, rounded=False)[:, 0].tolist()
            for x, got in zip(inputs, outputs, strict=True):
                low, high, words = expected(normal, in_cube(x, cube))
                shown = {**place(grid, name, cube, x), "computed": Fraction(got, grid.s**2), "expected": words}
                yield (low <= got and (high is None or got <= high)) or shown


@judge
def phi(query: Query, *, rho_2: Pair) -> Cases:
    """φ = ρ₂ ∘ ⌈σ⌉ ∘ ⌈ρ₁⌉ is 0 on the cube and at least 1/s off it (Eq. 23).

    rho_2: the signs of ρ₂ on each pair (⌈σ⌉(·), ⌈σ⌉(q_max)).
    """
    grid = grid_of(query)

    def expected(normal: Normal, on: bool) -> tuple[int, int | None, str]:
        del normal
        return (0, 0, "0") if on else (grid.s, None, f"at least {grid.show(1)}")

    return _by_cubes(query, lambda normal, cube: phi_network(normal, cube, Signs(rho_2, (-1, 1))), expected)


@judge
def gate(query: Query, *, rho_2: Pair, rho_3: Pair) -> Cases:
    """g is ⌈σ⌉(q_max) − ⌈σ⌉(z − 1/s) on the cube and 0 off it (Eq. 24).

    rho_3: the signs of ρ₃, and of ρ′₃ = q_max·ρ₃, on (x₁, x₂).
    """
    grid = grid_of(query)

    def expected(normal: Normal, on: bool) -> tuple[int, int | None, str]:
        drop = normal.rho(grid.top) - normal.rho(normal.z - 1) if on else 0
        return drop * grid.s, drop * grid.s, grid.show(drop)

    return _by_cubes(query, lambda normal, cube: gate_network(normal, cube, Signs(rho_2, rho_3)), expected)


@judge
def f_values(query: Query, *, rho_2: Pair, rho_3: Pair, weights: Weights = IN_Q, copies: Integer | None = None) -> Cases:
    """F_q is ⌈σ⌉(q_max) − ⌈σ⌉(q) on the cube and 0 off it, for every q (Eq. 27).

    weights: in Q_(p,s), with q_max·g in F_q; or ±1, with g itself; copies: m_q, by default the least that the proof allows.
    """
    grid, tried, signs = grid_of(query), Tried(query), Signs(rho_2, rho_3)

    def outputs(normal: Normal) -> Outputs:
        return [({"q": grid.show(q)}, (normal.rho(grid.top) - normal.rho(q)) * grid.s) for q in grid.levels()]

    yield tried.over("every cube, q and input", at_once=AT_ONCE)
    yield from indicators(query, tried, lambda normal, cube: f_network(normal, cube, signs, weights.binary, copies), outputs)


@judge
@by_edition
def indicator(query: Query, *, rho_2: Pair, rho_3: Pair, weights: Weights = IN_Q, layers: int) -> Cases:
    """Lemmas 5 and 14: γ·1_C for every cube and gap γ, with weight q_max or 1. S° and BS° are made of such terms, which add up exactly.

    As printed by the proof's f, of three layers; as a statement by any f with the layers stated: two suffice with weights ±1 as well.

    layers: how many f has, so that γ·1_C is an affine map after ⌈σ⌉ ∘ f.
    """
    grid, binary, signs = grid_of(query), weights.binary, Signs(rho_2, rho_3)
    if not binary and grid.s > grid.top:
        return (yield from any_scaling_factor(query, indicators_of_points))
    weight = grid.s if binary else grid.top

    def short(normal: Normal, cube: Cube) -> Network:
        return terms_apart(short_indicator(normal, cube, [(weight, a, b) for a, b in gap_witnesses(normal.rho).values()]), 2)

    builds: list[Build] = [lambda normal, cube: each_gap(normal, cube, weight, signs, binary)]
    if binary and query.edition is Edition.STATEMENT:
        builds.append(short)
    tried = Tried(query)
    first = next(iter(tried), None)
    if first is None:
        yield tried.over("every cube, gap and input")
        return None
    name, _, normal = first
    by_layers = {build(normal, ((0, 0),) * query["d"]).depth - 1: build for build in builds}
    if layers not in by_layers:
        known, scope = ", ".join(map(str, sorted(by_layers))), f"every cube, gap and input {query.at}"
        if query.edition is Edition.STATEMENT:
            return Outcome(Verdict.OPEN, Scope(scope), reason=f"an f of {known} layers is known, not of {layers}")
        return refuted(scope, {"activation": name, "layers of the proof's f": known, "layers stated": layers})

    def outputs(normal: Normal) -> Outputs:
        return [({"gamma": Fraction(weight * gap, grid.s**2)}, weight * gap) for gap in gap_witnesses(normal.rho)]

    yield tried.over("every cube, gap and input", at_once=AT_ONCE)
    yield from indicators(query, tried, by_layers[layers], outputs, binary)
    return f"an f of {layers} layers"
