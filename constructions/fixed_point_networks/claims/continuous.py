"""Theorem 21 as a whole, for every continuous function by the coverings of its proof (Sections 4.3, 5.16).

A cube has one level v, so the network for any f* is ⌈b′ + Σ_C γ_v·1_C⌉ on one of finitely many coverings: each is run for every v.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Question

from constructions.fixed_point_networks.claims.approximation import FEWER_LAYERS, first_case
from constructions.fixed_point_networks.claims.count import CONSTANT
from constructions.fixed_point_networks.judges.every_target import levels_reached, shown
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.coverings import Stretch, covering, stretches
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import plan
from constructions.fixed_point_networks.mathematics.networks.sub_networks import first_wrong, parameters_of
from constructions.fixed_point_networks.mathematics.samples import usable
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    activation_parameter,
    chosen,
    decide,
    dimension,
    grid_of,
    p_and_s,
    uses_errata,
    within_limit,
)
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def bound(grid: FixedPoint, d: int, delta: Fraction) -> Fraction:
    """P of the second or third case, with one more than Lemma 20's constant for the last bias."""
    each, ratio = Fraction((CONSTANT + 1) * 4**grid.p * grid.s**2 * d), Fraction(1)
    for _ in range(d):
        ratio *= 2 ** (grid.p + 1) if delta * grid.s <= 1 else 6 * grid.largest / delta
    return each * ratio


def every_stretch(grid: FixedPoint) -> list[Stretch]:
    """Every real δ < 2q_max: one for all δ ≤ 1/s, where the cubes are points, and those above."""
    return [Stretch(Fraction(1, grid.s), Fraction(1, grid.s)), *stretches(grid)]


def _trials(question: Question) -> Iterator[Failure]:
    grid, d = grid_of(question, 3), question["d"]
    widths = [(stretch, covering(grid, stretch.sample)) for stretch in every_stretch(grid)]
    within_limit(question, sum(len(sides) ** d for sides in {sides for _, sides in widths}) * grid.size**d)
    inputs = all_inputs(grid, d)
    cubes = list(dict.fromkeys(cube for _, sides in widths for cube in product(sides, repeat=d)))

    def within(total: int, delta: Fraction) -> bool:
        return total <= bound(grid, d, delta)

    for stretch, sides in widths:
        longest = max(grid.value(high - low) for low, high in sides)
        near = longest < stretch.low or (longest == stretch.low and not stretch.closed)
        yield None if near else {"delta": stretch.sample, "points of a cube differ by": longest}
    for name, table in usable(grid, False, chosen(question, "sigma")):
        made = plan(table)
        yield from levels_reached(name, made)
        for wrong in first_wrong(made, table, cubes, inputs):
            yield None if wrong is None else {"activation": name, **shown(grid, wrong)}
        each = max(parameters_of(made, d))
        for stretch, sides in widths:
            total = each * len(sides) ** d + 1
            delta = stretch.violation(partial(within, total))
            yield None if delta is None else {"activation": name, "delta": delta, "parameters": total, "P": bound(grid, d, delta)}


def _coverings(grid: FixedPoint) -> str:
    found = stretches(grid)
    different = len({covering(grid, stretch.sample) for stretch in found})
    return f"every real delta below 2 q_max (one case for delta <= 1/s, {len(found)} above, with {different} coverings)"


@claim(
    "theorem-21:networks",
    statement="for 1/s < delta < 2 q_max, and for delta <= 1/s, the proof's four-layer network (C_p nonempty, values as [b' + gamma_p]) "
    "is any given value on each cube and has, with the constant 1761, at most P parameters",
    place="Section 4.3, Theorem 21, second and third case; proof in 5.16",
    checks="each cube of each covering, for every value put there: its sub-network on every input; points of a cube less than delta apart; "
    "the greatest number of parameters against P where P is least",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2"), activation_parameter()),
    bounded=False,
)
def networks(question: Question) -> Finding:
    return decide(
        scope_of(question, f"those with S = Q_(p,s) for some bias, {_coverings(grid_of(question, 3))}, every cube, value and input"),
        _trials(question),
        "each cube's sub-network, unrounded, is gamma_v on it and 0 off it, and [b' + gamma_v] = v; between breakpoints of delta the "
        "covering is constant and P falls",
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
    error = {v: abs(v - grid.rounded(v)) for v in values}

    def trials() -> Iterator[Failure]:
        for best, other in product(values, repeat=2):
            if error[best] <= error[other]:
                level, epsilon = grid.rounded(best), abs(best - other)
                ok = abs(level - other) <= error[best] + epsilon <= error[other] + epsilon
                yield None if ok else {"f*(p~)": best / grid.s, "f*(x)": other / grid.s}

    return decide(f"all pairs of values in quarters of 1/s in which the first rounds no worse, p = {grid.p}, s = {grid.s}", trials())


METHOD = (
    "delta < 2 q_max: the network is [f*(p~)] on each cube of delta's covering, whatever f* is (theorem-21:networks), p~ the point of the "
    "cube where f* rounds best, and for all reals |[f*(p~)] - f*(x)| <= |[f*(p~)] - f*(p~)| + |f*(p~) - f*(x)| <= |[f*(x)] - f*(x)| + "
    "omega(delta); omega is continuous, so omega(delta) <= epsilon at the supremum. delta >= 2 q_max: the same with one cube, which is a "
    "constant, one layer. delta <= 1/s: the same with points, and p~ = x"
)
STEPS = ("first-case", "constant", "grid-size", "partition", "choice", "triangle", "networks")


@claim(
    "theorem-21",
    statement="a continuous f* is approximated within its rounding error plus epsilon by a four-layer network "
    "of at most P parameters, P in three cases",
    place="Section 4.3, Theorem 21; proof in 5.16",
    checks="the first case, by the least number of parameters of four layers; as repaired, every f* and epsilon by every covering of the "
    "proof, with the constant 1761 (the theorem speaks of P up to a constant)",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2")),
    errata=(FEWER_LAYERS,),
    bounded=False,
)
def theorem_21(question: Question) -> Finding:
    if not uses_errata(question):
        return first_case(question)
    found = {step: question.ask(f"{PAPER_ID}/theorem-21:{step}") for step in STEPS}
    bad = next((f for f in found.values() if f.verdict is not Verdict.VERIFIED), None)
    if bad is not None:
        return bad
    what = f"those with S = Q_(p,s) for some bias, every continuous f* and every epsilon > 0, by {_coverings(grid_of(question, 3))}"
    return Finding(
        Verdict.VERIFIED,
        Scope(scope_of(question, what), found["networks"].scope.cases, METHOD),
        witness="the first case has one layer, and a neuron without inputs (theorem-21:first-case, theorem-21:one-parameter); the networks "
        "are those of theorem-21:networks, with the errata of lemma-5, theorem-21:choice and theorem-21:point-values",
    )
