"""Judges of what networks represent: every target (Theorems 6 and 15), and the maps on the way (Sections 2.3, 3.1, 5.4)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from constructions.fixed_point_networks.judges.hypotheses import any_scaling_factor, some_targets
from constructions.fixed_point_networks.judges.maps.indicators import IN_Q, Build, Pair, cubes_and_inputs
from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, grid_of
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
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
from constructions.fixed_point_networks.mathematics.networks.network import Network
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, decide, refuted
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, judge


@judge
def represent(query: Query, *, rho_2: Pair, rho_3: Pair = (-1, 1), weights: Weights = IN_Q) -> Outcome | Cases:
    """Theorems 6 and 15: the four-layer network of the proof is f*, for every f*, with the maps of Section 5.4 by their :class:`Signs`."""
    if not weights.binary and query["s"] > grid_of(query).top:
        return any_scaling_factor(query, some_targets)
    return every_target(query, Signs(rho_2, rho_3), weights.binary)


METHOD = (
    "each point's sub-network, unrounded, with an output for each value v, is gamma_v on the point and 0 off it, and [b' + gamma_v] = v; "
    "the whole adds one output of each exactly, and rounds once (compared on a drawn f* for every eighth activation)"
)


def every_target(query: Query, signs: Signs, binary: bool) -> Outcome:
    """Theorem 6, or Theorem 15 where ``binary``, with the signs given, for every f* at once.

    Where a sub-network is not an indicator, the evidence is a whole network that differs from its target; without one the answer is open.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query, "BS" if binary else "S")
    points = grid.size**d
    query.within(points, "points")
    every = f"every f* ({grid.size}^{points} functions) on all inputs, by each of the {points} points and {grid.size} values"
    found = decide(query, tried.over(every, METHOD), by_points(tried.named_tables, grid, d, signs, binary, query.within))
    if found.verdict is not Verdict.REFUTED:
        return found
    scope = found.scope.statement
    whole = next((f for f in whole_networks(tried.named_tables, grid, d, signs, binary) if f is not None), None)
    if whole is not None:
        return refuted(scope, whole)
    shown = ", ".join(f"{name} = {value}" for name, value in (found.counterexample or {}).items())
    reason = f"a part is not as the proof says, but no f* tried shows it: {shown}"
    return Outcome(Verdict.OPEN, Scope(scope, None, METHOD), reason=reason)


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


@judge
def codomains(query: Query, *, bounds: dict[str, Formula]) -> Cases:
    """Every value that a map takes, not rounded, lies in the set named: no further from 0 than its bound.

    bounds: of maps of Section 5.4 (:data:`MAPS`) the greatest level in the codomain that is named for them, in top and d.
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
def difference_of_switches(query: Query, *, middle: Formula) -> Cases:
    """−F_(v₁) + F_(v₂) on a cube, by the network, is the middle of the display and v₁'s output minus v₂'s.

    middle: of the display after Eq. (27), in the outputs at q_max, v₁ and v₂: ``end``, ``v1``, ``v2``.
    """
    grid, tried = grid_of(query), Tried(query)
    place = (0,) * query["d"]
    yield tried.over("all v_1 and v_2 in Q_(p,s)")
    for name, table, normal in tried:
        del table
        outputs = run_all(f_network(normal, tuple((x, x) for x in place), REPAIRED), [place], rounded=False)[0].tolist()
        switched, end = dict(zip(grid.levels(), outputs, strict=True)), normal.rho(grid.top)
        for first, second in product(grid.levels(), repeat=2):
            v1, v2 = normal.rho(first), normal.rho(second)
            between = middle(end=end, v1=v1, v2=v2)
            by_network, right = Fraction(switched[second] - switched[first], grid.s), Fraction(v1 - v2)
            shown = {"activation": name, "end": grid.show(end), "v1": grid.show(v1), "v2": grid.show(v2)}
            shown |= {"by the network": str(by_network / grid.s), "middle": str(between / grid.s)}
            yield by_network == between == right or shown
