"""Judges of how many parameters networks have, and of weights that are ±1 (Sections 3.2, 4.2, 5.15)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import Tried, grid_of, number
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    Signs,
    cubes,
    f_network,
    gate_network,
    indicator,
    show_cube,
)
from constructions.fixed_point_networks.mathematics.networks.representator import plan
from constructions.fixed_point_networks.mathematics.networks.sub_networks import parameters_of, sub_network
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.language import exact


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """layers, and the bound on the number of parameters, as a formula in p, s and d."""

    layers: int
    bound: str


def size(query: Query, given: Size) -> Outcome:
    """The network of Theorem 6 for every f*: a point's greatest number of parameters over all values, for each point."""
    grid, d = grid_of(query), query["d"]
    points, bound, tried = grid.size**d, exact.integer(given.bound, query.names), Tried(query, "S")
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
    return decide(query, tried.scope(f"every f* ({grid.size}^{points} functions)"), found, witness=witness)


class Parts(Struct, frozen=True, forbid_unknown_fields=True):
    """of: the network whose weights are looked at, ``g`` or ``F_q``, with the maps of Lemma 5."""

    of: str
    rho_2: tuple[int, int]
    rho_3: tuple[int, int]


def weights_are_binary(query: Query, given: Parts) -> Outcome:
    """Every weight of g, or of F_q with its q_max·g, is ±1."""
    tried, d = Tried(query), query["d"]
    build = {"g": gate_network, "F_q": f_network}[given.of]

    def trials() -> Iterator[Failure]:
        for name, _, normal in tried:
            network = build(normal, ((0, 0),) * d, Signs(given.rho_2, given.rho_3))
            yield None if network.binary else {"activation": name, "weights": "not all +-1"}

    return decide(query, tried.scope(f"the weights of {given.of}"), trials())


class IndicatorSize(Struct, frozen=True, forbid_unknown_fields=True):
    """bound: of the parameters; terms and each: the proof's bounds of the terms of γ, and of the parameters of F_q, two for a term.

    furthest: the greatest magnitude of γ, if there is one.
    """

    bound: str
    terms: str
    each: str
    furthest: str | None = None


def indicator_size(query: Query, given: IndicatorSize) -> Outcome:
    """Lemma 20: the product of the proof's bounds, and the networks built for every γ > 0 of S° up to ``furthest``, keep ``bound``."""
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    bound = int(number(query, given.bound))
    furthest = None if given.furthest is None else int(number(query, given.furthest) * grid.s**2)

    def trials() -> Iterator[Failure]:
        product = 2 * number(query, given.terms) * number(query, given.each)
        yield None if product <= bound else {"2 n delta": product, "bound": bound}
        if furthest is None:
            gamma = (bound + 1) * grid.top**2
            yield {"activation": "identity", "gamma": Fraction(gamma, grid.s**2), "inputs of the last map at least": gamma // grid.top**2}
            return
        for name, _, normal in tried:
            step = reach("S", normal.rho).step
            for t in range(step, furthest + 1, step):
                network = indicator(normal, ((0, 0),) * d, combination(normal.rho, t, False))
                shown = {"activation": name, "gamma": Fraction(t, grid.s**2)}
                ok = network.parameters <= bound and network.quantized
                yield None if ok else {**shown, "parameters": network.parameters, "weights in Q_(p,s)": network.quantized}

    return decide(query, tried.scope("the proof's bound, and every gamma > 0 of S°"), trials())


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """points: whether only cubes that are points are spoken of."""

    points: bool


def as_large_as_for_a_point(query: Query, given: Subject) -> Outcome:
    """The proof's indicator of each cube has as many parameters as that of a point, among the cubes that are spoken of."""
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    query.within((grid.size * (grid.size + 1) // 2) ** d, "cubes")

    def trials() -> Iterator[Failure]:
        for name, _, normal in tried:
            term = [(grid.top, normal.z, normal.z - 1)]
            point = indicator(normal, ((0, 0),) * d, term).parameters
            for cube in cubes(grid, d):
                same = indicator(normal, cube, term).parameters == point
                spoken_of = not given.points or all(a == b for a, b in cube)
                shown = {"activation": name, "cube": show_cube(grid, cube), "parameters as for a point": same}
                yield None if same and spoken_of else shown

    return decide(query, tried.scope("every cube"), trials())
