"""Judges of networks: indicators of cubes, on every activation tried, cube and input (φ, g, F_q, Lemmas 5 and 14; Sections 5.4, 5.11);
every target (Theorems 6 and 15), and the intermediate maps (Sections 2.3, 3.1); copies of a neuron in place of a weight, and our question
how few copies of g suffice (Sections 3.3, 4.2); the number of parameters of networks, and weights ±1 (Sections 3.2, 5.15).

Judges of networks for a continuous function: their coverings, values and parameters, and Theorem 21 (Sections 4.3, 5.16).

The modulus of continuity enters only through δ = ω⁻¹(ε), and the judge covers every real δ. A cube has one level v, so the network for any
f* is ⌈b′ + Σ_C γ_v·1_C⌉ on one of them: each is run for every v.

Without one of its hypotheses (Condition 1, S = Q_(p,s), continuity, ε > 0, 1 ∈ Q_(p,s)) Eq. (20) is tried at d = 1, for given f* and
networks: which values are too far from f*? A case is None if it holds, else the values that refute it. The number of parameters matters
only if it decides the case: P = 1 is a constant.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice, pairwise, product
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, continuous_targets, grid_of, tables, targets, usable
from constructions.fixed_point_networks.judges.query_objects import without_condition_1 as tables_without_condition_1
from constructions.fixed_point_networks.mathematics.activations import NAMED, Normal, Table, normal_form, rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.continuous_functions import (
    Stretch,
    approximator,
    corners,
    covering,
    fewest_cubes,
    stretches,
)
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    REPAIRED,
    ROWS,
    Cube,
    Network,
    Neuron,
    Plan,
    Signs,
    Wrong,
    all_inputs,
    cube_layer,
    cubes,
    f_network,
    first_difference,
    first_wrong,
    for_sigma,
    gammas,
    gate_network,
    in_cube,
    indicator_network,
    of_the_proof,
    parameters_of,
    part_outputs,
    phi_network,
    plan,
    representator,
    run,
    run_all,
    separating_representator,
    separating_sum,
    short_indicator,
    show_cube,
    sub_network,
    terms_apart,
    unseparated,
    wrong_outputs,
)
from constructions.fixed_point_networks.mathematics.sets import reach, swap_target
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination, gap_witnesses
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, Trial, decide, refuted
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Formula, Integer, Rational, judge
from verifier.language.syntax import names_in
from verifier.running.printable import assignment

AT_ONCE = 16
"""The number of cases in arrays that take as much work as a case tried alone."""


Build = Callable[[Normal, Cube], Network]


Outputs = list[tuple[dict[str, object], int]]
"""The name of each output of a network, and its value on the cube in units of 1/s²."""


Named = Iterable[tuple[str, Table]]
"""Tables with their names."""

Target = tuple[int, ...]
Pair = tuple[int, int]
IN_Q = Weights("Q")


def indicators(query: Query, tried: Tried, build: Build, outputs: Callable[[Normal], Outputs], binary: bool = False) -> Iterator[Trial]:
    """Whether a ρ network has each of its outputs on the cube and 0 off it: every activation tried, cube and input; smallest cube first.

    build:   the network of a cube, of which only the first layer may depend on the cube.
    binary:  whether its weights are ±1.
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
            if binary and not one.binary:
                yield {"activation": name, "weights": "not all +-1"}
            wanted = outputs(normal)
            each = enumerate(wrong_outputs(normal, table, one, some, inputs, [value for _, value in wanted]))
            found = next(((number, wrong) for number, wrong in each if wrong is not None), None)
            yield len(some) * len(inputs) * len(one.layers[-1])
            if found is not None:
                number, (x, output, got, want) = found
                failures.append((number, name, (inputs[x], wanted[output][0], got, want)))
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


def _shown(grid: FixedPoint, name: str, cube: Cube, wrong: tuple[tuple[int, ...], dict[str, object], int, int]) -> dict[str, object]:
    x, label, got, want = wrong
    unit = grid.s**2
    return {**label, **place(grid, name, cube, x), "computed": Fraction(got, unit), "expected": Fraction(want, unit)}


def place(grid: FixedPoint, name: str, cube: Cube, x: tuple[int, ...]) -> dict[str, object]:
    """The activation, cube and input of a counterexample."""
    return {"activation": name, "cube": show_cube(grid, cube), "x": grid.show_all(x)}


@judge
def unrounded(query: Query, *, of: Literal["phi", "g"], rho_2: Pair, rho_3: Pair = (-1, 1)) -> Cases:
    """φ = ρ₂ ∘ ⌈σ⌉ ∘ ⌈ρ₁⌉ is 0 on the cube and at least 1/s off it (Eq. 23); g is ⌈σ⌉(q_max) − ⌈σ⌉(z − 1/s) on it and 0 off it (Eq. 24).

    rho_2: the signs of ρ₂ on each pair (⌈σ⌉(·), ⌈σ⌉(q_max)); rho_3: those of ρ₃, and of ρ′₃ = q_max·ρ₃, on (x₁, x₂).
    """
    grid, tried, build = grid_of(query), Tried(query), {"phi": phi_network, "g": gate_network}[of]
    yield tried.over("every cube and input")
    every, inputs = cubes_and_inputs(query, grid)
    for cube in every:
        for name, _, normal in tried:
            outputs = run_all(build(normal, cube, Signs(rho_2, rho_3)), inputs, rounded=False)[:, 0].tolist()
            for x, got in zip(inputs, outputs, strict=True):
                on = in_cube(x, cube)
                least = (normal.drop if on else 0) if of == "g" else 0 if on else 1
                free = of == "phi" and not on
                shown = {**place(grid, name, cube, x), "computed": Fraction(got, grid.s**2)}
                ok = got >= least * grid.s if free else got == least * grid.s
                yield ok or {**shown, "expected": f"{'at least ' * free}{grid.show(least)}"}


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
    """Lemmas 5 and 14: γ·1_C for every cube and gap γ, with weight q_max or 1. S° and BS° consist of sums of such terms, which add up
    exactly.

    As printed, f is the function of the proof, with three layers. As a statement, any f with the stated number of layers serves, and two
    layers suffice, also with weights ±1.

    layers: the number of layers of f, so that γ·1_C is an affine map after ⌈σ⌉ ∘ f.
    """
    grid, binary, signs = grid_of(query), weights.binary, Signs(rho_2, rho_3)
    if not binary and grid.s > grid.top:
        return (yield from any_scaling_factor(query, indicators_of_points(((name, table) for name, table, _ in tables(grid)), 1)))
    weight = grid.s if binary else grid.top

    def gaps(normal: Normal) -> list[Term]:
        return [(weight, a, b) for a, b in gap_witnesses(normal.rho).values()]

    builds: list[Build] = [lambda normal, cube: indicator_network(normal, cube, [[gap] for gap in gaps(normal)], signs, binary)]
    if binary and query.edition is Edition.STATEMENT:
        builds.append(lambda normal, cube: terms_apart(short_indicator(normal, cube, gaps(normal)), 2))
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


METHOD = (
    "each point's sub-network, unrounded, with an output for each value v, is gamma_v on the point and 0 off it, and [b' + gamma_v] = v; "
    "the whole adds one output of each exactly, and rounds once (compared on a drawn f* for every eighth activation)"
)


@judge
def represent(query: Query, *, rho_2: Pair, rho_3: Pair = (-1, 1), weights: Weights = IN_Q) -> Outcome | Cases:
    """Judge Theorems 6 and 15. The four-layer network of the proof must equal f*, for every f*, with the maps of Section 5.4 by their
    :class:`Signs`.

    If a sub-network is not an indicator, the evidence is a whole network that differs from its target; without one the answer is open.
    """
    grid, d, tried, signs = grid_of(query), query["d"], Tried(query, weights.set), Signs(rho_2, rho_3)
    if not weights.binary and grid.s > grid.top:
        return any_scaling_factor(query, some_targets(usable(grid, False), 1))
    points = grid.size**d
    query.within(points, "points")
    every = f"every f* ({grid.size}^{points} functions) on all inputs, by each of the {points} points and {grid.size} values"
    found = decide(query, tried.over(every, METHOD), by_points(tried.named_tables, grid, d, signs, weights.binary, query.within))
    if found.verdict is not Verdict.REFUTED:
        return found
    scope = found.scope.statement
    whole = next((f for f in whole_networks(tried.named_tables, grid, d, signs, weights.binary) if isinstance(f, Mapping)), None)
    if whole is not None:
        return refuted(scope, whole)
    shown = assignment(found.counterexample or {})
    reason = f"a part is not as the proof says, but no f* tried shows it: {shown}"
    return Outcome(Verdict.OPEN, Scope(scope, None, METHOD), reason=reason)


def by_points(tried: Named, grid: FixedPoint, d: int, signs: Signs, binary: bool, within: Callable[[int, str], None]) -> Iterator[Trial]:
    """Check for each point, input and level that the point's sub-network is γ_v on it and 0 off it, and that the network is their sum.

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
            yield grid.size if wrong is None else {"activation": name, **shown(grid, wrong)}
        if number % 8 == 0:
            yield _not_the_sum(name, made, table, cubes, inputs, signs)


def levels_reached(name: str, made: Plan) -> Iterator[Trial]:
    """⌈b′ + γ_v⌉ = v for each v."""
    grid = made.normal.rho.grid
    for level, gamma in zip(grid.levels(), gammas(made), strict=True):
        ok = grid.nearest(grid.s * made.bias + gamma) == level
        yield ok or {"activation": name, "v": grid.show(level), "gamma_v": Fraction(gamma, grid.s**2)}


def shown(grid: FixedPoint, wrong: Wrong) -> dict[str, object]:
    """A part's first wrong output, for a counterexample."""
    cube, x, level, computed, expected = wrong
    unit = grid.s**2
    outputs = {"computed": Fraction(computed, unit), "expected": Fraction(expected, unit)}
    return {"cube": show_cube(grid, cube), "v": grid.show(level), "x": grid.show_all(x), **outputs}


def _not_the_sum(name: str, made: Plan, table: Table, cubes: list[Cube], inputs: list[Target], signs: Signs) -> Trial:
    """One random f*: its network, unrounded, against b′ and one output of each part; one input by the definition, the others in a batch."""
    grid = table.grid
    source = random.Random(f"{name} {len(inputs)}")
    target = tuple(source.randint(-grid.top, grid.top) for _ in inputs)
    whole = representator(table, target, len(inputs[0]), signs, made.binary)
    parts = part_outputs(made, table, cubes, inputs, signs)
    sums = grid.s * made.bias + sum(parts[z, :, level + grid.top] for z, level in enumerate(target))
    once = source.randrange(len(inputs))
    ok = run_all(whole, inputs, rounded=False)[:, 0].tolist() == sums.tolist() and run(whole, inputs[once])[0] == sums[once]
    return bool(ok) or {"activation": name, "f*": as_text(grid, target), "whole": "not the sum of its parts"}


def whole_networks(tried: Named, grid: FixedPoint, d: int, signs: Signs, binary: bool) -> Iterator[Trial]:
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
                yield True
                continue
            x, got, want = found
            outputs = {"computed": grid.show(got), "f* at x": grid.show(want)}
            yield {"activation": name, "f*": as_text(grid, target), "x": grid.show_all(x), **outputs}


def as_text(grid: FixedPoint, target: Target) -> str:
    """A target by its values in lexicographic order of the inputs, or as a constant."""
    if len(set(target)) == 1:
        return f"{grid.show(target[0])} everywhere"
    return f"({grid.show_all(target)})"


def any_scaling_factor(query: Query, built: Iterator[Trial]) -> Cases:
    """If 1 ∉ Q_(p,s), with weights in Q_(p,s) and one input: whether the first layer separates all inputs, and then other networks.

    The step at z separates the inputs that any σ with Condition 1 at z separates, and no more; the signs α, β mirror the neurons with it.
    """
    grid = grid_of(query)
    if query["d"] != 1:
        return declined("without 1 in Q_(p,s) networks of one input only are judged")
    query.within(grid.size**3, "weights and pairs of inputs")
    yield Over("every z of Condition 1, and other networks for the activations tried,", "every weight and bias of a first layer")
    for z in range(-grid.top + 1, grid.top + 1):
        pair = unseparated(Table(grid, tuple(int(k >= z) for k in grid.levels())))
        yield pair is None or {"z": grid.show(z), "not told apart": [grid.show(x) for x in pair]}
    yield from built


def indicators_of_points(tried: Named, d: int, binary: bool = False) -> Iterator[Trial]:
    """γ·1_{v} for every v and positive gap, times q_max or 1, not rounded; the indicator of a cube is the sum of those of its points. A
    constant has only the gap 0."""
    for name, table in tried:
        grid, inputs = table.grid, all_inputs(table.grid, d)
        terms = [(grid.s if binary else grid.top, a, b) for gap, (a, b) in gap_witnesses(table).items() if gap > 0]
        if not terms:
            yield reach("S", table).step == 0 or {"constant": table.levels}
            continue
        gammas = [w * (table(a) - table(b)) for w, a, b in terms]
        for v in inputs:
            network = terms_apart(separating_sum(table, [(v, terms)], d, binary=binary), 2)
            values = run_all(network, inputs, rounded=False).tolist()
            ok = _as_stated(network, binary) and values == [gammas if x == v else [0] * len(gammas) for x in inputs]
            yield ok or {"activation": name, "v": grid.show_all(v), "values in 1/s^2": values}


def _as_stated(network: Network, binary: bool) -> bool:
    """Check that the network has four layers, and weights ±1 or in Q_(p,s)."""
    return network.depth == 4 and (network.binary if binary else network.quantized)


def some_targets(tried: Named, d: int, binary: bool = False) -> Iterator[Trial]:
    """A few targets; any target is a sum of their indicators."""
    for name, table in tried:
        for text, target in targets(table.grid, d).items():
            network = separating_representator(table, target, d, binary)
            found = first_difference(network, target)
            ok = _as_stated(network, binary) and found is None
            yield ok or {"activation": name, "target": text, "x, computed, f*": found}


@judge
def without_condition_1(query: Query, *, of: Literal["indicators", "targets"], weights: Weights) -> Cases:
    """Lemmas 5 and 14 (indicators) and Theorems 6 and 15 (targets) for activations without Condition 1, by networks of ours."""
    grid, d, binary = grid_of(query), query["d"], weights.binary
    query.within(grid.size ** (2 * d), "points and inputs")
    tried = [(str(table.levels), table) for table in tables_without_condition_1(grid)]
    which = f"{'all ' if grid.p == 1 else ''}{len(tried)} activation tables without Condition 1"
    if of == "indicators":
        yield Over(f"{which}, every point, positive gap and input,")
        yield from indicators_of_points(tried, d, binary)
        return
    yield Over(f"{which}, with {weights.set} = Q_(p,s) for some bias, {len(targets(grid, d))} targets, all inputs,")
    yield from some_targets(((name, table) for name, table in tried if reach(weights.set, table).full_bias() is not None), d, binary)


def _rho_2(normal: Normal, cube: Cube) -> Network:
    made = of_the_proof(normal, m=1)
    made.add(cube)
    return Network(normal.rho, len(cube), (tuple(made.layers[0]), tuple(made.layers[1][:1])))


MAPS: Mapping[str, Build] = {
    "rho_1": lambda normal, cube: Network(normal.rho, len(cube), (cube_layer(normal, cube)[::2],)),
    "rho'_2": _rho_2,
    "rho_3": lambda normal, cube: gate_network(normal, cube, REPAIRED),
    "F_q": lambda normal, cube: f_network(normal, cube, REPAIRED),
}
"""The maps before rounding; of ρ₁ and ρ′₂ the components that are not the constant q_max."""


@judge
def codomains(query: Query, *, bounds: dict[str, Formula]) -> Cases:
    """Check that every unrounded value of a map lies in the set that the paper names: its distance from 0 is within the bound.

    bounds: for maps of Section 5.4 (:data:`MAPS`) the greatest level in the codomain that the paper names, in top and d.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    most = {name: bound(top=grid.top, d=d) for name, bound in bounds.items()}
    yield tried.over(f"every cube and input, the values of {', '.join(bounds)}")
    every, inputs = cubes_and_inputs(query, grid)
    for name, table, normal in tried:
        del table
        for cube in every:
            for of, bound in most.items():
                values = run_all(MAPS[of](normal, cube), inputs, rounded=False)
                furthest = int(abs(values).max())
                shown = {"map": of, "activation": name, "cube": show_cube(grid, cube), "value": Fraction(furthest, grid.s**2)}
                yield furthest <= bound * grid.s or {**shown, "greatest in the codomain": grid.show(int(bound))}


@judge
def copies(query: Query, *, adds: Literal["outputs", "rho_2"], copies: list[int]) -> Cases:
    """Eq. (8): m copies of the last hidden neurons, added, give m times the network, unrounded, at the same depth.

    adds: the summands of the last map, the ``outputs`` of the copies or ``rho_2`` of them; copies: their number.
    """
    grid = grid_of(query)
    table, inputs = rounded(NAMED["gelu"], grid), all_inputs(grid, 1)
    yield Over(f"all first-layer weights and biases in Q_(p,s), m = {', '.join(map(str, copies))}, GELU,")
    for w, b, m in product(grid.levels(), grid.levels(), copies):
        hidden, single = (Neuron((0,), (w,), b), Neuron((0,), (-w,), 1)), Neuron((0, 1), (grid.top, -1), 0)
        one = Network(table, 1, (hidden, (single,)))
        weights = {"outputs": (grid.s,) * 2, "rho_2": single.weights}[adds]
        many = Network(table, 1, (hidden * m, (Neuron(tuple(range(2 * m)), weights * m, 0),)))
        same = (m * run_all(one, inputs, rounded=False) == run_all(many, inputs, rounded=False)).all() and one.depth == many.depth
        yield same or {"w": grid.show(w), "b": grid.show(b), "m": m}


@judge
def outputs_of_two_layers(query: Query, *, bias: Formula, weights: Literal["any", "own"] = "any") -> Cases:
    """Eqs. (9), (10): the outputs of two-layer networks are what the last layer makes of outputs of the activation.

    bias: of the last layer, by beta, which it has; weights: its own (Eq. 9), or any (Eq. 10), which gives N. For the activation 5 Hardtanh,
    N depends on the bias.
    """
    grid = grid_of(query)
    inputs = all_inputs(grid, 1)
    activations = [*NAMED.values(), scaled_hardtanh(5)]
    yield Over(f"{len(activations)} activations, two last weights, all others and biases in Q_(p,s), every input,")
    for activation in activations:
        table = rounded(activation, grid)
        sets, pairs = reach("N", table), list(product(table.image, repeat=2))
        for w, v, beta in product((grid.top, -1), grid.levels(), grid.levels()):
            layers = ((Neuron((0,), (grid.s,), 0), Neuron((0,), (-1,), 1)), (Neuron((0, 1), (w, v), beta),))
            outputs = set(run_all(Network(table, 1, layers), inputs)[:, 0].tolist())
            b = bias.integer(beta=beta)
            listed = {grid.nearest(grid.s * b + w * y + v * z) for y, z in pairs} if weights == "own" else sets.reached(b)
            yield outputs <= listed or {"activation": activation.name, "b": grid.show(beta)}


BUILT = 2
"""The largest p at which the copies are built and run for every z and drop."""


@judge
def fewest_copies(query: Query, *, weights: Weights, each: Formula, most: Formula) -> Cases:
    """The least m_q with which every ⌈q + Σ g⌉ is at least z on the cube, so that F_q has the values of Eq. (27): one copy fewer does not
    suffice.

    More copies only increase the sum, and values outside Q_(p,s) are clamped. So the sum need not exceed 2q_max, as the proof requires, and
    need not reach it if z is less than q_max. Beyond p = 2 the same sum decides, without building the network.

    weights: q_max·g in Q_(p,s), or g with ±1; each: the least m_q that suffices for all q, by z and drop = ⌈σ⌉(q_max) − ⌈σ⌉(z − 1/s), in
    levels;
    most: the greatest of these numbers.
    """
    grid, binary, needed = grid_of(query), weights.binary, 0
    size = grid.s if binary else grid.top

    def enough(normal: Normal, m: int) -> bool:
        if grid.p > BUILT:
            return grid.nearest(-grid.s * grid.top + m * size * normal.drop) >= normal.z
        levels = list(grid.levels())
        made = of_the_proof(normal, binary=binary, m=m)
        made.add(((0, 0),))
        made.layers[2].extend(made.pair(q)[0] for q in levels)
        last = tuple(Neuron((i,), (grid.s,), 0) for i in range(len(levels)))
        on, off = run_all(made.network(1, last), [(0,), (grid.top,)])
        return bool((on == normal.rho(grid.top)).all()) and off.tolist() == [normal.rho(q) for q in levels]

    yield Over(f"every z and drop, {'built and run' if grid.p <= BUILT else 'by their sums'},")
    for z, drop in product(range(-grid.top + 1, grid.top + 1), range(1, 2 * grid.top + 1)):
        normal = normal_form(Table(grid, tuple(grid.top - (drop if k < z else 0) for k in grid.levels())))
        assert normal is not None
        least = int(each(z=z, drop=drop))
        needed = max(needed, least)
        ok = enough(normal, least) and (least == 1 or not enough(normal, least - 1))
        yield ok or {"z": grid.show(z), "drop": grid.show(drop), "copies": least, "enough": enough(normal, least)}
    greatest = int(most())
    yield needed == greatest or {"most": greatest, "found": needed}
    return f"{each} by activation; {most} for every activation, needed by some"


@judge
def size(query: Query, *, layers: int, bound: Integer) -> Cases:
    """The network of Theorem 6 for every f*: a point's greatest number of parameters over all values, for each point.

    bound: on the number of parameters.
    """
    grid, d = grid_of(query), query["d"]
    points, tried = grid.size**d, Tried(query, "S")
    zero = ((0, 0),) * d
    made = [(name, table, plan(table)) for name, table in tried.named_tables]
    sizes = [(name, sub_network(each, table, zero).depth, points * max(parameters_of(each, d)) + 1) for name, table, each in made]
    yield tried.over(f"every f* ({grid.size}^{points} functions)")
    for name, depth, most in sizes:
        yield (depth == layers and most <= bound) or {"activation": name, "layers": depth, "parameters": most}
    largest = max((most for _, _, most in sizes), default=0)
    return f"at most {largest:,} parameters, where every value is the costliest; the bound is {bound:,}"


@judge
def weights_are_binary(query: Query, *, of: Literal["g", "F_q"], rho_2: tuple[int, int], rho_3: tuple[int, int]) -> Cases:
    """Every weight of g, or of F_q with its q_max·g, is ±1, with the maps of Lemma 5.

    of: the network whose weights are checked; rho_2, rho_3: the signs of its maps.
    """
    tried, d = Tried(query), query["d"]
    build = {"g": gate_network, "F_q": f_network}[of]
    yield tried.over(f"the weights of {of}")
    for name, _, normal in tried:
        network = build(normal, ((0, 0),) * d, Signs(rho_2, rho_3))
        yield network.binary or {"activation": name, "weights": "not all +-1"}


@judge
def indicator_size(query: Query, *, bound: Rational, terms: Rational, each: Rational, furthest: Rational | None = None) -> Cases:
    """Lemma 20: the product of the proof's bounds, and the networks built for every γ > 0 of S° up to ``furthest``, satisfy ``bound``.

    bound: of the parameters; terms and each: the proof's bounds of the number of terms of γ, and of the parameters of F_q, two for a term;
    furthest: the greatest magnitude of γ, if there is one.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    allowed = int(bound)
    yield tried.over("the proof's bound, and every gamma > 0 of S°")
    product = 2 * terms * each
    yield product <= allowed or {"2 n delta": product, "bound": allowed}
    if furthest is None:
        gamma = (allowed + 1) * grid.top**2
        yield {"activation": "identity", "gamma": Fraction(gamma, grid.s**2), "inputs of the last map at least": gamma // grid.top**2}
        return
    for name, _, normal in tried:
        step = reach("S", normal.rho).step
        for t in range(step, int(furthest * grid.s**2) + 1, step):
            network = indicator_network(normal, ((0, 0),) * d, [combination(normal.rho, t, False)])
            shown = {"activation": name, "gamma": Fraction(t, grid.s**2)}
            ok = network.parameters <= allowed and network.quantized
            yield ok or {**shown, "parameters": network.parameters, "weights in Q_(p,s)": network.quantized}


@judge
def as_large_as_for_a_point(query: Query, *, points: bool) -> Cases:
    """The proof's indicator of each cube has as many parameters as that of a point, for the cubes that the claim covers.

    points: whether the claim covers only cubes that are points.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    query.within((grid.size * (grid.size + 1) // 2) ** d, "cubes")
    yield tried.over("every cube")
    for name, _, normal in tried:
        term = [[(grid.top, normal.z, normal.z - 1)]]
        point = indicator_network(normal, ((0, 0),) * d, term).parameters
        for cube in cubes(grid, d):
            same = indicator_network(normal, cube, term).parameters == point
            spoken_of = not points or all(a == b for a, b in cube)
            shown = {"activation": name, "cube": show_cube(grid, cube), "parameters as for a point": same}
            yield (same and spoken_of) or shown


def _most(grid: FixedPoint, second: Formula, third: Formula, delta: Fraction) -> Fraction:
    """P, by one formula for 1/s < δ < 2q_max and another for δ ≤ 1/s; both fall, or stay, as δ grows."""
    return third(delta=delta) if delta * grid.s <= 1 else second(delta=delta)


def _coverings(grid: FixedPoint) -> str:
    found = stretches(grid)
    different = len({covering(grid, stretch.sample) for stretch in found})
    return f"every real delta below 2 q_max (one case for delta <= 1/s, {len(found)} above, with {different} coverings)"


@judge
def networks(query: Query, *, second: Formula, third: Formula) -> Cases:
    """Second and third case: the proof's network has any given value on each cube, points of a cube are near each other, and P is kept.

    second, third: P in each of the cases, in delta.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query, "S")
    method = (
        "each cube's sub-network, unrounded, is gamma_v on it and 0 off it, and [b' + gamma_v] = v; between breakpoints of delta the "
        "covering is constant and P falls"
    )
    yield tried.over(f"{_coverings(grid)}, every cube, value and input", method)
    allowed = partial(_most, grid, second, third)
    points = Stretch(Fraction(1, grid.s), Fraction(1, grid.s))  # for all delta <= 1/s, where the cubes are points
    widths = [(stretch, covering(grid, stretch.sample)) for stretch in (points, *stretches(grid))]
    query.within(sum(len(sides) ** d for sides in {sides for _, sides in widths}) * grid.size**d, "cubes and inputs")
    cubes = list(dict.fromkeys(cube for _, sides in widths for cube in product(sides, repeat=d)))
    for stretch, sides in widths:
        longest = max(grid.value(high - low) for low, high in sides)
        near = longest < stretch.low or (longest == stretch.low and not stretch.closed)
        yield near or {"delta": stretch.sample, "points of a cube differ by": longest}
    for name, table in tried.named_tables:
        made = plan(table)
        yield from levels_reached(name, made)
        for wrong in first_wrong(made, table, cubes, all_inputs(grid, d)):
            yield wrong is None or {"activation": name, **shown(grid, wrong)}
        each = max(parameters_of(made, d))
        for stretch, sides in widths:
            total = each * len(sides) ** d + 1
            delta = stretch.violation(lambda delta, total=total: total <= allowed(delta))  # type: ignore[misc]
            yield delta is None or {"activation": name, "delta": delta, "parameters": total, "P": allowed(delta)}


@judge
def equation_20(query: Query, *, second: Formula, third: Formula, allowed: Formula, epsilons: list[Formula]) -> Cases:
    """The proof's network for given f* and ε, built and run on every input: its error, its layers, its parameters.

    allowed: the right-hand side of Eq. (20), in error, |f* − ⌈f*⌉|, and epsilon; epsilons: those tried, in units of 1/s;
    second, third: P in each of the cases, in delta.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query, "S")
    functions = continuous_targets(grid)
    yield tried.over(f"one of {len(functions)} f* for each, epsilon = {', '.join(map(str, epsilons))} over s, all inputs")
    inputs = all_inputs(grid, d)
    query.within(len(inputs) ** 2, "pairs of a point and an input")
    asked = [[(f, epsilon, f.inverse(epsilon)) for epsilon in (each() for each in epsilons)] for f in functions]
    for n, (name, table) in enumerate(tried.named_tables):
        made = plan(table)
        for f, epsilon, delta in asked[n % len(asked)]:
            network = approximator(made, table, f, delta, d)
            first = delta is None or delta >= 2 * grid.top
            depth, most = (1, None) if first or delta is None else (4, _most(grid, second, third, delta / grid.s))
            about = {"activation": name, "f*": f.values, "epsilon": epsilon, "delta": "infinite" if delta is None else delta}
            small = network.depth == depth and (most is None or network.parameters <= most)
            yield small or {**about, "layers": network.depth, "parameters": network.parameters, "P": most}
            for x, level in zip(inputs, run_all(network, inputs)[:, 0].tolist(), strict=True):
                value = f.at(grid, x)
                error = allowed(error=abs(value - grid.rounded(value)), epsilon=epsilon)
                yield abs(level - value) <= error or {**about, "x": x, "f": level, "f* at x": value}


def _every_width(query: Query, what: str = "") -> str:
    found = stretches(grid_of(query))
    points = sum(stretch.closed for stretch in found)
    return f"every real delta with 1/s < delta < 2 q_max ({points} points and the {len(found) - points} intervals between them){what}"


@judge
def every_width(query: Query, *, holds: list[Condition]) -> Cases:
    """Each inequality for every real δ with 1/s < δ < 2q_max: between breakpoints the counts are constant.

    holds: inequalities in delta, one side of which is continuous in it and falls or rises, as :meth:`Stretch.violation` needs. Their names:
    ``corners``, |G|; ``cubes``, the nonempty intervals of one coordinate; ``fewest``, the least possible number.
    """
    grid = grid_of(query)
    yield Over(_every_width(query, ","))
    for stretch in stretches(grid):
        delta = stretch.sample
        counts = {
            "corners": len(corners(grid, delta)),
            "cubes": len(covering(grid, delta)),
            "fewest": fewest_cubes(grid, int(delta * grid.s)),
        }
        for condition in holds:
            wrong = stretch.violation(lambda delta, holds=condition, counts=counts: holds(delta=delta, **counts))  # type: ignore[misc]
            counted = {k: v for k, v in counts.items() if k in names_in(condition.text)}
            yield wrong is None or {"delta": wrong, **counted}


EACH = Condition("1 == 1")


@judge
def intervals(query: Query, *, each: Literal["x", "corners"], cube: Condition, of: Condition = EACH) -> Cases:
    """One coordinate (cubes are products): each value x of Q_(p,s) lies in exactly one interval of the covered corners of G, or each of
    these corners has a value in its interval.

    each: what is gone through; cube: the condition that x is in the interval of a corner, in corner, x and delta; of: the corners that are
    covered, in corner.
    """
    grid = grid_of(query)
    yield Over(_every_width(query, f", and all {each},"))
    for delta in (stretch.sample for stretch in stretches(grid)):
        places = [corner for corner in corners(grid, delta) if of(corner=corner, delta=delta)]
        query.within(len(places) * grid.size, "corners and values")
        inside = {c: {k for k in grid.levels() if cube(corner=c, x=grid.value(k), delta=delta)} for c in places}
        for corner, levels in inside.items() if each == "corners" else ():
            yield bool(levels) or {"delta": delta, "p": corner, "q_max": grid.largest}
        for k in grid.levels() if each == "x" else ():
            held = [corner for corner, levels in inside.items() if k in levels]
            yield len(held) == 1 or {"delta": delta, "x": grid.show(k), "cubes": held}


Values = Sequence[Fraction]
"""f* at the inputs, in levels."""


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels, or None if Eq. (20) holds."""
    for x, f, wanted in zip(grid.levels(), outputs, values, strict=True):
        if abs(f - wanted) > abs(wanted - grid.rounded(wanted)) + epsilon:
            return x
    return None


def exactly(table: Table, build: Callable[[Table, Sequence[int], int], Network]) -> Iterator[Trial]:
    """Eq. (20) with ε = 0, and so with any ε, by a four-layer network for the rounding of each f*."""
    grid = table.grid
    for f in continuous_targets(grid):
        network = build(table, [grid.rounded(v) for v in f.values], 1)
        outputs = run_all(network, all_inputs(grid, 1))[:, 0].tolist()
        x = too_far(grid, outputs, f.values, Fraction(0)) if network.depth == 4 and network.quantized else 0
        yield x is None or {"activation": table.levels, "f*": f.values, "x": grid.show(x)}


def without_condition(grid: FixedPoint) -> Iterator[Trial]:
    """Activations without Condition 1 for which some bias reaches every value."""
    for table in tables_without_condition_1(grid):
        if reach("S", table).full_bias() is not None:
            yield from exactly(table, separating_representator)


def without_epsilon(grid: FixedPoint) -> Iterator[Trial]:
    """ε = 0: a constant f* is the first case, by a constant; for any other f*, ω is 0 only at 0, the third case."""
    for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
        values = [Fraction(k, 4)] * grid.size
        fitting = any(too_far(grid, [c] * grid.size, values, Fraction(0)) is None for c in grid.levels())
        yield fitting or {"f*": values[0] / grid.s}
    for _, table in usable(grid, False):
        yield from exactly(table, representator)


def without_full_bias(grid: FixedPoint) -> Iterator[Trial]:
    """Steps from 0 to a level with Condition 1 and N never Q_(p,s): f* interpolates the target of Theorem 1, ε = 1/(4s), which is onto and
    not monotone; the values of Q_(p,s) within ε of its values are exactly these, a network lacks one, and one layer is monotone."""
    target = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(target)]
    for height in range(1, grid.top + 1):
        table = Table(grid, tuple(height if k >= 0 else 0 for k in grid.levels()))
        out_of_reach = reach("N", table).full_bias() is None and set(target) == set(grid.levels()) and max(steps) > 0 > min(steps)
        shown = {"activation": f"{grid.show(height)} from 0 on, else 0", "f*": "Theorem 1's target", "epsilon": Fraction(1, 4 * grid.s)}
        yield not (out_of_reach and normal_form(table) is not None) or shown


def without_continuity(grid: FixedPoint) -> Iterator[Trial]:
    """f* = 0 at −q_max, 1/s at q_max and 1/(2s) between, ε = 1/(2s): ω⁻¹(ε) = 2q_max, so P = 1, and no constant is near enough."""
    half = Fraction(1, 2)
    pieces = [(-grid.top, -grid.top, Fraction(0)), (-grid.top, grid.top, half), (grid.top, grid.top, Fraction(1))]
    apart = [max(low - up, 0) for (_, up, a), (low, _, b) in combinations(pieces, 2) if abs(a - b) > half]
    values = [Fraction(0), *[half] * (grid.size - 2), Fraction(1)]
    fitting = [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, half) is None]
    delta = Fraction(min(apart), grid.s)
    shown = {"f*": [v / grid.s for v in values], "epsilon": half / grid.s, "delta": delta, "2 q_max": 2 * grid.largest}
    yield delta < 2 * grid.largest or bool(fitting) or shown


def without_one(grid: FixedPoint) -> Iterator[Trial]:
    """s ≥ 2^p: if no first layer separates two inputs of the identity, f*(x) = x with ε = 1/(4s) is missed at one of them.

    Otherwise networks without weights ±1 suffice (:func:`separating_sum`).
    """
    pair = unseparated(rounded(NAMED["identity"], grid))
    if pair is not None:
        nearest = min(max(abs(v - x) for x in pair) for v in grid.levels())
        yield 4 * nearest <= 1 or {"f*": "x", "epsilon": Fraction(1, 4 * grid.s), "not told apart": [grid.show(x) for x in pair]}
    for _, table in usable(grid, False) if pair is None else ():
        yield from exactly(table, separating_representator)


DROPPED: Mapping[str, Callable[[FixedPoint], Iterator[Trial]]] = {
    "condition-1": without_condition,
    "full-bias": without_full_bias,
    "continuity": without_continuity,
    "epsilon": without_epsilon,
    "one-in-Q": without_one,
}
"""By the name of a hypothesis: Eq. (20) for what the others admit without it."""


@judge
def error_bound(query: Query) -> Cases:
    """Eq. (20), for cases that become possible without the hypotheses that are not assumed."""
    dropped = [name for name in DROPPED if name not in query.assuming]
    yield Over(f"Eq. (20), d = 1, without {', '.join(dropped)}")
    for name in dropped:
        yield from DROPPED[name](grid_of(query))
