"""Theorem 21 as a whole: networks for continuous functions by the proof's covering, with errors and parameters (Sections 4.3, 5.16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from constructions.fixed_point_networks.approximation_claims import FEWER_LAYERS, corners, first_case, round_half_away
from constructions.fixed_point_networks.batch import run_all
from constructions.fixed_point_networks.combination import combination
from constructions.fixed_point_networks.condition import Normal
from constructions.fixed_point_networks.condition_claims import scope_of, tables
from constructions.fixed_point_networks.count_claims import CONSTANT
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.indicator import REPAIRED, cube_layer, gate_layer, switches
from constructions.fixed_point_networks.network import Layer, Network, Neuron, all_inputs
from constructions.fixed_point_networks.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, dimension, grid_of, p_and_s, uses_errata, within_limit
from verifier.claims.model import Chapter, Question
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Values = tuple[Fraction, ...]


@dataclass(frozen=True)
class Target:
    """f*(x₁, …, x_d) = Σ h(x_i)/d with h linear between inputs, ``values`` its values there; all in levels."""

    name: str
    values: Values

    @property
    def steepest(self) -> Fraction:
        """The greatest slope of h, in levels per level: ω(δ) ≤ steepest·δ, and equal for δ up to 1/s, and for a line."""
        return max(abs(b - a) for a, b in pairwise(self.values))

    def __call__(self, grid: FixedPoint, x: tuple[int, ...]) -> Fraction:
        return sum((self.values[v + grid.top] for v in x), Fraction(0)) / len(x)


def lines(grid: FixedPoint) -> list[Target]:
    """Two lines: their modulus of continuity is steepest·δ, so that ω⁻¹(ε) = ε/steepest exactly."""
    return [
        Target(f"slope {slope} through {at}", tuple(slope * k + at for k in grid.levels()))
        for slope, at in ((Fraction(3, 4), Fraction(1, 3)), (Fraction(-1, 2), Fraction(-3, 8)))
    ]


def covering(grid: FixedPoint, delta: Fraction) -> list[tuple[int, int]]:
    """The nonempty [p, p + δ) ∩ Q_{p,s}, p ∈ G (δ in units of x), or single points for δ ≤ 1/s: least and greatest level of each."""
    if delta * grid.s <= 1:
        return [(k, k) for k in grid.levels()]
    held = [[k for k in grid.levels() if p <= grid.value(k) < p + delta] for p in corners(grid, delta)]
    return [(h[0], h[-1]) for h in held if h]


def approximator(normal: Normal, target: Target, delta: Fraction, dimension_: int) -> Network:
    """⌈b′ + Σ γ_p 1_{C_p}⌉ with ⌈b′ + γ_p⌉ = ⌈f*(p̃)⌉, p̃ the point of C_p where f* is nearest to its rounding."""
    grid, sets = normal.rho.grid, reach("S", normal.rho)
    bias = sets.full_bias() or 0
    first: list[Neuron] = []
    second: list[Neuron] = []
    third: list[Neuron] = []
    weights: list[int] = []
    m = 2 * grid.s // normal.drop + 1
    for cube in product(covering(grid, delta), repeat=dimension_):
        points = product(*(range(a, b + 1) for a, b in cube))
        best = min((target(grid, x) for x in points), key=lambda v: abs(v - round_half_away(grid, v)))
        terms = combination(normal.rho, sets.sum_for(bias, round_half_away(grid, best)) or 0, False)
        if terms:
            gates = gate_layer(normal, dimension_, REPAIRED, len(first), m)
            neurons, more = switches(normal, terms, REPAIRED, len(second), m, False)
            first += cube_layer(normal, cube)
            second += gates
            third += neurons
            weights += more
    idle = (Neuron((), (), 0),)
    hidden: tuple[Layer, ...] = tuple(tuple(layer) or idle for layer in (first, second, third))
    return Network(normal.rho, dimension_, (*hidden, (Neuron(tuple(range(len(weights))), tuple(weights), bias),)))


def bound(grid: FixedPoint, d: int, delta: Fraction) -> Fraction:
    """P of the second or third case, with one more than Lemma 20's constant for the last bias."""
    each, ratio = Fraction((CONSTANT + 1) * 4**grid.p * grid.s**2 * d), Fraction(1)
    for _ in range(d):
        ratio *= 2 ** (grid.p + 1) if delta * grid.s <= 1 else 6 * grid.largest / delta
    return each * ratio


def _trials(question: Question) -> Iterator[Failure]:
    grid, d = grid_of(question), question["d"]
    within_limit(question, grid.size ** (2 * d) * 22)
    inputs = all_inputs(grid, d)
    for delta in (Fraction(k, 2 * grid.s) for k in sorted({1, 2, 3, 5, 4 * grid.top - 1}) if k < 4 * grid.top):
        for (name, _, normal), target in product(tables(grid), lines(grid)):
            if reach("S", normal.rho).full_bias() is None:
                continue
            epsilon = target.steepest * delta * grid.s
            network = approximator(normal, target, delta, d)
            small = network.depth == 4 and network.parameters <= bound(grid, d, delta)
            yield None if small else {"activation": name, "delta": delta, "parameters": network.parameters}
            for x, level in zip(inputs, run_all(network, inputs)[:, 0].tolist(), strict=True):
                wanted = target(grid, x)
                allowed = abs(wanted - round_half_away(grid, wanted)) + (epsilon if delta * grid.s > 1 else 0)
                ok = abs(level - wanted) <= allowed
                yield None if ok else {"activation": name, "f*": target.name, "delta": delta, "x": x, "f": grid.show(level)}


@claim(
    "theorem-21:networks",
    statement="for 1/s < delta < 2 q_max, and for delta <= 1/s, the proof's four-layer network (C_p nonempty, values as [b' + gamma_p]) "
    "has the error and, with the constant 1761, the parameters stated",
    place="Section 4.3, Theorem 21, second and third case; proof in 5.16",
    checks="two linear f*, for which delta is epsilon over the slope, five delta: the network built and run on every input",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2")),
    bounded=False,
)
def networks(question: Question) -> Finding:
    return decide(
        scope_of(
            question,
            "those with S = Q_(p,s) for some bias, two linear f*, s*delta = 1/2, 1, 3/2, 5/2 and 2(2^p - 1) - 1/2 below 2 q_max",
        ),
        _trials(question),
    )


@claim(
    "theorem-21:triangle",
    statement="on a cube, |[f*(p~)] - f*(x)| <= |[f*(p~)] - f*(p~)| + epsilon <= |[f*(x)] - f*(x)| + epsilon, p~ where f* rounds best",
    place="Section 5.16, second case, last display",
    checks="every pair of values in quarters of a level, up to 1/s beyond the ends, epsilon their distance",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def triangle(question: Question) -> Finding:
    grid = grid_of(question)
    values = [Fraction(k, 4) for k in range(-4 * grid.top - 4, 4 * grid.top + 5)]
    error = {v: abs(v - round_half_away(grid, v)) for v in values}

    def trials() -> Iterator[Failure]:
        for best, other in product(values, repeat=2):
            if error[best] <= error[other]:
                level, epsilon = round_half_away(grid, best), abs(best - other)
                ok = abs(level - other) <= error[best] + epsilon <= error[other] + epsilon
                yield None if ok else {"f*(p~)": best / grid.s, "f*(x)": other / grid.s}

    return decide(f"all pairs of values in quarters of 1/s in which the first rounds no worse, p = {grid.p}, s = {grid.s}", trials())


@claim(
    "theorem-21",
    statement="a continuous f* is approximated within its rounding error plus epsilon by a four-layer network "
    "of at most P parameters, P in three cases",
    place="Section 4.3, Theorem 21; proof in 5.16",
    checks="the first case, by the least number of parameters of four layers; as repaired, also the networks of the other cases for "
    "linear f*, with the constant 1761 (the theorem speaks of every continuous f* up to a constant)",
    parameters=p_and_s("2", "1..2"),
    errata=(FEWER_LAYERS,),
    bounded=False,
)
def theorem_21(question: Question) -> Finding:
    if not uses_errata(question):
        return first_case(question)
    p, s = question["p"], question["s"]
    steps = ("triangle", "grid-size", "networks")
    found = [
        question.ask(f"fixed-point-networks/theorem-21:{step}", None, p=p, s=s, **({"d": 1} if step != "triangle" else {}))
        for step in steps
    ]
    bad = next((f for f in found if f.verdict is not Verdict.VERIFIED), None)
    if bad is not None:
        return bad
    scope = found[-1].scope
    method = "another f* enters only through the triangle inequality (theorem-21:triangle) and the number of cubes (:grid-size)"
    return Finding(
        Verdict.VERIFIED, Scope(scope.statement, scope.cases, method), witness="the first case: theorem-21:first-case, one layer"
    )
