"""Which of the practical activations satisfy (A1), (A2) or (A3): the remark after Lemma 16 (Section 3.3).

Satisfied is shown by integers q₁ < q₂ and enclosures over (q₁/s, q₂/s); not satisfiable by enclosures over all of [−q_max, q_max].
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.claims.remark import PRACTICAL
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation
from constructions.fixed_point_networks.mathematics.enclosures import at_point, open_range
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, uses_errata, within_limit
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim

REACH = 7
"""How far from 0 the q's are tried."""

Ends = tuple[int, int]


@lru_cache(maxsize=1 << 14)
def value(activation: Activation, k: int, s: int) -> tuple[Fraction, Fraction]:
    """σ(k/s), enclosed; both the same where it is rational."""
    exact = activation.exact(Fraction(k, s))
    return (exact, exact) if exact is not None else at_point(activation, 0, Fraction(k, s))


def _linear(activation: Activation, grid: FixedPoint) -> bool:
    """σ is x on [0, 1/s], as the ends and the middle of a convex function show: (A2) with q₁ = 0, q₂ = 1."""
    points = (Fraction(0), Fraction(1, 2 * grid.s), Fraction(1, grid.s))
    return activation.name in ("relu", "elu") and all(activation.exact(x) == x for x in points)


@lru_cache(maxsize=1 << 12)
def satisfied(activation: Activation, grid: FixedPoint) -> tuple[str, Ends] | None:
    """One of the conditions with its q₁, q₂; None where none was found among |q| ≤ 7. One step is too short for a slope other than ±1."""
    if _linear(activation, grid):
        return "A2", (0, 1)
    if activation.series is None or activation.name == "elu":
        return None
    near = min(grid.top, REACH)
    wide = (e for e in combinations(range(-near, near + 1), 2) if e[1] - e[0] >= 2)
    for ends in sorted(wide, key=lambda e: (e[1] - e[0], abs(e[0]))):
        if _a1(activation, grid, ends):
            return "A1", ends
        if _a3(activation, grid, ends):
            return "A3", ends
    return None


def _bounded(activation: Activation, grid: FixedPoint, ends: Ends) -> bool:
    values = open_range(activation, 0, grid.value(ends[0]), grid.value(ends[1]))
    return -grid.largest <= values.infimum[0] and values.supremum[1] <= grid.largest


def _difference(activation: Activation, grid: FixedPoint, ends: Ends) -> tuple[Fraction, Fraction]:
    """s·|σ(q₂/s) − σ(q₁/s)|, enclosed."""
    (a, b), (c, d) = (value(activation, k, grid.s) for k in ends)
    low, high = (c - b) * grid.s, (d - a) * grid.s
    return (low, high) if low >= 0 else (-high, -low) if high <= 0 else (Fraction(0), max(-low, high))


def _a1(activation: Activation, grid: FixedPoint, ends: Ends) -> bool:
    if _difference(activation, grid, ends)[0] < 1 or not _bounded(activation, grid, ends):
        return False
    slopes = open_range(activation, 1, grid.value(ends[0]), grid.value(ends[1]))
    return slopes.infimum[0] > -1 and slopes.supremum[1] < 1


def _a3(activation: Activation, grid: FixedPoint, ends: Ends) -> bool:
    if _difference(activation, grid, ends)[1] >= 2 * (ends[1] - ends[0]) - 1 or not _bounded(activation, grid, ends):
        return False
    slopes = open_range(activation, 1, grid.value(ends[0]), grid.value(ends[1]))
    return slopes.infimum[0] >= 1 and slopes.supremum[1] <= 2


def impossible(activation: Activation, grid: FixedPoint) -> bool:
    """Monotone, the outputs at ±q_max less than 1/s apart ((A1) and (A2) fail), σ′ < 1 everywhere ((A3) fails)."""
    if not activation.monotone or activation.series is None or activation.name == "elu":
        return False
    slopes = open_range(activation, 1, -grid.largest, grid.largest)
    return _difference(activation, grid, (-grid.top, grid.top))[1] < 1 and slopes.supremum[1] < 1


@claim(
    "lemma-16:listed",
    statement="each of the seven activations of Lemma 8 satisfies (A1), (A2) or (A3) on every Q_(p,s)",
    place="Section 3.3, after Lemma 16 (the activations listed with Lemma 7)",
    checks="each at every s: q1, q2 found and the condition enclosed over the interval, or no q1, q2 possible by the range of sigma and "
    "sigma'; as repaired, without Sigmoid at s = 1",
    parameters=(Parameter("p", "magnitude bits", "p >= 3", "3"),),
    errata=(
        Erratum(
            printed="all activation functions listed with Lemma 7 satisfy the assumption of Lemma 16",
            repaired="all of them do, but Sigmoid at s = 1",
            why="Sigmoid lies in (0, 1) and has slopes up to 1/4, so that outputs are less than 1 apart and no slope is 1; it has the gap "
            "1/s all the same, and BS = Q_(p,s) (section-3.3:practical)",
        ),
    ),
    bounded=False,
)
def listed(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 7 * 2**p * 100)
    scope = f"the seven activations at every s <= 2^p - 1, {at(question)}"
    undecided: list[str] = []

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(p):
            question.advance("scaling factors", grid.s, grid.top)
            for name in PRACTICAL:
                if uses_errata(question) and (name, grid.s) == ("sigmoid", 1):
                    continue
                if satisfied(NAMED[name], grid) is None:
                    yield {"activation": name, "s": grid.s} if impossible(NAMED[name], grid) else None
                    undecided.extend([] if impossible(NAMED[name], grid) else [f"{name} at s = {grid.s}"])
                else:
                    yield None

    found = decide(scope, trials(), "ball arithmetic")
    if found.verdict is Verdict.VERIFIED and undecided:
        return Finding(Verdict.OPEN, Scope(scope, None, "ball arithmetic"), reason=f"no q1, q2 found for {', '.join(undecided)}")
    return found
