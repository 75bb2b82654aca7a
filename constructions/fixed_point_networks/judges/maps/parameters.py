"""Judges of how many parameters networks have, and of weights that are ±1 (Sections 3.2, 4.2, 5.15)."""

from __future__ import annotations

from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Tried, grid_of
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
from verifier.claims.finite_cases import Cases
from verifier.claims.model import Query
from verifier.judges.declaring import Integer, Rational, judge


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

    of: the network whose weights are looked at; rho_2, rho_3: the signs of its maps.
    """
    tried, d = Tried(query), query["d"]
    build = {"g": gate_network, "F_q": f_network}[of]
    yield tried.over(f"the weights of {of}")
    for name, _, normal in tried:
        network = build(normal, ((0, 0),) * d, Signs(rho_2, rho_3))
        yield network.binary or {"activation": name, "weights": "not all +-1"}


@judge
def indicator_size(query: Query, *, bound: Rational, terms: Rational, each: Rational, furthest: Rational | None = None) -> Cases:
    """Lemma 20: the product of the proof's bounds, and the networks built for every γ > 0 of S° up to ``furthest``, keep ``bound``.

    bound: of the parameters; terms and each: the proof's bounds of the terms of γ, and of the parameters of F_q, two for a term;
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
            network = indicator(normal, ((0, 0),) * d, combination(normal.rho, t, False))
            shown = {"activation": name, "gamma": Fraction(t, grid.s**2)}
            ok = network.parameters <= allowed and network.quantized
            yield ok or {**shown, "parameters": network.parameters, "weights in Q_(p,s)": network.quantized}


@judge
def as_large_as_for_a_point(query: Query, *, points: bool) -> Cases:
    """The proof's indicator of each cube has as many parameters as that of a point, among the cubes that are spoken of.

    points: whether only cubes that are points are spoken of.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query)
    query.within((grid.size * (grid.size + 1) // 2) ** d, "cubes")
    yield tried.over("every cube")
    for name, _, normal in tried:
        term = [(grid.top, normal.z, normal.z - 1)]
        point = indicator(normal, ((0, 0),) * d, term).parameters
        for cube in cubes(grid, d):
            same = indicator(normal, cube, term).parameters == point
            spoken_of = not points or all(a == b for a, b in cube)
            shown = {"activation": name, "cube": show_cube(grid, cube), "parameters as for a point": same}
            yield (same and spoken_of) or shown
