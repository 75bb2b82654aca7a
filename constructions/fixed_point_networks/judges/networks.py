"""Judges of what networks compute: the maps of Sections 2.3 and 3.1, and every target (Theorems 6 and 15; Sections 3.2, 3.3, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import Tried, grid_of, number
from constructions.fixed_point_networks.judges.hypotheses import any_scaling_factor, some_targets
from constructions.fixed_point_networks.judges.indicators import Build, Maps, cubes_and_inputs
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond
from constructions.fixed_point_networks.mathematics.networks.all_targets import by_points, whole_networks
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    REPAIRED,
    Cube,
    Signs,
    cube_layer,
    f_network,
    gate_layer,
    gate_network,
    show_cube,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import plan
from constructions.fixed_point_networks.mathematics.networks.sub_networks import parameters_of, sub_network
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.formulas import exact
from verifier.statements.findings import Failure, decide, refuted
from verifier.statements.model import Question
from verifier.verdicts import Finding, Scope, Verdict


class LastMap(Struct, frozen=True, forbid_unknown_fields=True):
    """adds: what the last map adds up: the ``outputs`` of the copies, or ``rho_2`` of them; copies: how many."""

    adds: str
    copies: list[int]


def copies(question: Question, given: LastMap) -> Finding:
    """Eq. (8): m copies of the last hidden neurons, added, give m times the network, unrounded, at the same depth."""
    grid = grid_of(question)
    table, inputs = rounded(NAMED["gelu"], grid), all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for w, b, m in product(grid.levels(), grid.levels(), given.copies):
            hidden, single = (Neuron((0,), (w,), b), Neuron((0,), (-w,), 1)), Neuron((0, 1), (grid.top, -1), 0)
            one = Network(table, 1, (hidden, (single,)))
            weights = {"outputs": (grid.s,) * 2, "rho_2": single.weights}[given.adds]
            many = Network(table, 1, (hidden * m, (Neuron(tuple(range(2 * m)), weights * m, 0),)))
            same = (m * run_all(one, inputs, rounded=False) == run_all(many, inputs, rounded=False)).all() and one.depth == many.depth
            yield None if same else {"w": grid.show(w), "b": grid.show(b), "m": m}

    which = ", ".join(map(str, given.copies))
    return decide(question, f"all first-layer weights and biases in Q_(p,s), m = {which}, GELU,", trials())


class Sum(Struct, frozen=True, forbid_unknown_fields=True):
    """copies: how many are added; bound: the greatest level in the codomain named for their sum, in m and top."""

    copies: list[int]
    bound: str


def sum_of_copies(question: Question, given: Sum) -> Finding:
    """The values of rho'_2, which adds m copies of x and is not rounded, lie no further from 0 than the bound."""
    grid = grid_of(question)
    table, inputs = rounded(NAMED["identity"], grid), all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for m in given.copies:
            bound = number(question, given.bound, m=m, top=grid.top)
            last = Neuron(tuple(range(m)), (grid.s,) * m, 0)
            values = run_all(Network(table, 1, ((Neuron((0,), (grid.s,), 0),) * m, (last,))), inputs, rounded=False)[:, 0].tolist()
            for (x,), value in zip(inputs, values, strict=True):
                shown = {"m": m, "x": grid.show(x), "value": Fraction(value, grid.s**2), "greatest in the codomain": grid.show(int(bound))}
                yield None if abs(value) <= bound * grid.s else shown

    which = ", ".join(map(str, given.copies))
    return decide(question, f"every input, the identity, m = {which},", trials())


def outputs_in_n(question: Question) -> Finding:
    """Eqs. (9), (10): the outputs of two-layer networks lie in N for the bias of their last layer."""
    grid = grid_of(question)
    inputs = all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for name, activation in NAMED.items():
            table = rounded(activation, grid)
            sets = reach("N", table)
            for w, v, beta in product((grid.top, -1), grid.levels(), grid.levels()):
                layers = ((Neuron((0,), (grid.s,), 0), Neuron((0,), (-1,), 1)), (Neuron((0, 1), (w, v), beta),))
                outputs = set(run_all(Network(table, 1, layers), inputs)[:, 0].tolist())
                yield None if outputs <= sets.reached(beta) else {"activation": name, "b": grid.show(beta)}

    return decide(question, f"{len(NAMED)} named activations, two last weights, all others and biases in Q_(p,s), every input,", trials())


class Copies(Struct, frozen=True, forbid_unknown_fields=True):
    """How many copies stand for a weight k: a formula in k and s; weights: the k that are tried."""

    copies: str
    weights: list[int]


def copies_for_a_weight(question: Question, given: Copies) -> Finding:
    """Section 3.2.3: copies of a hidden neuron, each with weight 1/s, add up to k times its value, where 1 is not in Q_(p,s)."""

    grids = list(beyond(question["p"], (2 << question["p"]) + 1))

    def trials() -> Iterator[Failure]:
        for grid in grids:
            for w in grid.levels():
                for b in grid.levels():
                    for k in given.weights:
                        yield _copied(grid, Neuron((0,), (w,), b), k, exact.integer(given.copies, {"k": k, "s": grid.s}))

    tried = f"k = {', '.join(map(str, given.weights))}, GELU, at every s from {grids[0].s} to {grids[-1].s},"
    what = f"all first-layer weights and biases in Q_(p,s), {tried}"
    return decide(question, what, trials())


def _copied(grid: FixedPoint, hidden: Neuron, k: int, copies: int) -> Failure:
    """k times the hidden value, in units of 1/s², by a network with copies."""
    table = rounded(NAMED["gelu"], grid)
    network = Network(table, 1, ((hidden,) * copies, (Neuron(tuple(range(copies)), (1,) * copies, 0),)))
    for x, value in zip(grid.levels(), run_all(network, all_inputs(grid, 1), rounded=False)[:, 0].tolist(), strict=True):
        wanted = k * table(grid.nearest(grid.s * hidden.bias + hidden.weights[0] * x)) * grid.s
        if value != wanted or not network.quantized:
            return {"s": grid.s, "k": k, "x": grid.show(x), "value in 1/s^2": value, "wanted": wanted}
    return None


def represent(question: Question, given: Maps) -> Finding:
    """Theorems 6 and 15: the four-layer network of the proof is f*, for every f*."""
    if not given.binary and question["s"] > grid_of(question).top:
        return any_scaling_factor(question, some_targets)
    return every_target(question, given.signs, given.binary)


METHOD = (
    "each point's sub-network, unrounded, with an output for each value v, is gamma_v on the point and 0 off it, and [b' + gamma_v] = v; "
    "the whole adds one output of each exactly, and rounds once (compared on a drawn f* for every eighth activation)"
)


def every_target(question: Question, signs: Signs, binary: bool) -> Finding:
    """Theorem 6, or Theorem 15 where ``binary``, with the signs given, for every f* at once.

    Where a sub-network is not an indicator, the evidence is a whole network that differs from its target; without one the answer is open.
    """
    grid, d, tried = grid_of(question), question["d"], Tried(question, "BS" if binary else "S")
    points = grid.size**d
    question.within(points, "points")
    every = f"every f* ({grid.size}^{points} functions) on all inputs, by each of the {points} points and {grid.size} values"
    found = decide(question, tried.scope(every), by_points(tried.named_tables, grid, d, signs, binary, question.within), METHOD)
    if found.verdict is not Verdict.REFUTED:
        return found
    scope = found.scope.statement
    whole = next((f for f in whole_networks(tried.named_tables, grid, d, signs, binary) if f is not None), None)
    if whole is not None:
        return refuted(scope, whole)
    shown = ", ".join(f"{name} = {value}" for name, value in (found.counterexample or {}).items())
    reason = f"a part is not as the proof says, but no f* tried shows it: {shown}"
    return Finding(Verdict.OPEN, Scope(scope, None, METHOD), reason=reason)


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """layers, and the bound on the number of parameters, as a formula in p, s and d."""

    layers: int
    bound: str


def size(question: Question, given: Size) -> Finding:
    """The network of Theorem 6 for every f*: a point's greatest number of parameters over all values, for each point."""
    grid, d = grid_of(question), question["d"]
    points, bound, tried = grid.size**d, exact.integer(given.bound, question.names), Tried(question, "S")
    largest = 0

    def trials() -> Iterator[Failure]:
        nonlocal largest
        for name, table in tried.named_tables:
            made = plan(table)
            layers, most = sub_network(made, table, ((0, 0),) * d).depth, points * max(parameters_of(made, d)) + 1
            largest = max(largest, most)
            yield None if layers == given.layers and most <= bound else {"activation": name, "layers": layers, "parameters": most}

    found = list(trials())
    witness = f"at most {largest:,} parameters, where every value is the costliest; the bound is {bound:,}"
    return decide(question, tried.scope(f"every f* ({grid.size}^{points} functions)"), found, witness=witness)


class Codomains(Struct, frozen=True, forbid_unknown_fields=True):
    """bounds: of maps of Section 5.4 (:data:`MAPS`) the greatest level in the codomain that is named for them, in top and d."""

    bounds: dict[str, str]


def _rho_1(normal: Normal, cube: Cube) -> Network:
    return Network(normal.rho, len(cube), (cube_layer(normal, cube)[::2],))


def _rho_2(normal: Normal, cube: Cube) -> Network:
    return Network(normal.rho, len(cube), (cube_layer(normal, cube), gate_layer(normal, len(cube), REPAIRED, 0, 1)[:1]))


MAPS: Mapping[str, Build] = {
    "rho_1": _rho_1,
    "rho'_2": _rho_2,
    "rho_3": lambda normal, cube: gate_network(normal, cube, REPAIRED),
    "F_q": lambda normal, cube: f_network(normal, cube, REPAIRED),
}
"""The maps before rounding; of ρ₁ and ρ′₂ the components that are not the constant q_max."""


def codomains(question: Question, given: Codomains) -> Finding:
    """Every value that a map takes, not rounded, lies in the set named: no further from 0 than its bound."""
    grid, d, tried = grid_of(question), question["d"], Tried(question)
    bounds = {name: number(question, text, top=grid.top, d=d) for name, text in given.bounds.items()}

    def trials() -> Iterator[Failure]:
        every, inputs = cubes_and_inputs(question, grid)
        for name, table, normal in tried:
            del table
            for cube in every:
                for of, bound in bounds.items():
                    values = run_all(MAPS[of](normal, cube), inputs, rounded=False)
                    furthest = int(abs(values).max())
                    shown = {"map": of, "activation": name, "cube": show_cube(grid, cube), "value": Fraction(furthest, grid.s**2)}
                    yield None if furthest <= bound * grid.s else {**shown, "greatest in the codomain": grid.show(int(bound))}

    return decide(question, tried.scope(f"every cube and input, the values of {', '.join(bounds)}"), trials())


class Display(Struct, frozen=True, forbid_unknown_fields=True):
    """middle: of the display after Eq. (27), in the outputs at q_max, v₁ and v₂: ``end``, ``v1``, ``v2``."""

    middle: str


def difference_of_switches(question: Question, given: Display) -> Finding:
    """−F_(v₁) + F_(v₂) on a cube, by the network, is the middle of the display and v₁'s output minus v₂'s."""
    grid, tried = grid_of(question), Tried(question)
    place = (0,) * question["d"]

    def trials() -> Iterator[Failure]:
        for name, table, normal in tried:
            del table
            outputs = run_all(f_network(normal, tuple((x, x) for x in place), REPAIRED), [place], rounded=False)[0].tolist()
            switched, end = dict(zip(grid.levels(), outputs, strict=True)), normal.rho(grid.top)
            for first, second in product(grid.levels(), repeat=2):
                v1, v2 = normal.rho(first), normal.rho(second)
                middle = number(question, given.middle, end=end, v1=v1, v2=v2)
                by_network, right = Fraction(switched[second] - switched[first], grid.s), Fraction(v1 - v2)
                shown = {"activation": name, "end": grid.show(end), "v1": grid.show(v1), "v2": grid.show(v2)}
                shown |= {"by the network": str(by_network / grid.s), "middle": str(middle / grid.s)}
                yield None if by_network == middle == right else shown

    return decide(question, tried.scope("all v_1 and v_2 in Q_(p,s)"), trials())
