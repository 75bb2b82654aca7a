"""Lemma 7: conditions (A1)–(A3) on σ and σ′ (Sections 3.2.3, 5.6).

σ is real, but only the levels of its values at k/s matter. Which levels two neighbouring values can have follows from the preimages of
the levels, a finite case split; so a verdict here covers every continuous σ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Part, Question

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.arithmetic.preimages import Interval, Spread, spread
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Steps = set[int]


def steps(grid: FixedPoint, allowed: Callable[[Spread], bool]) -> Steps:
    """The level of x₂ minus that of x₁, for all reals x₁ ≤ x₂ whose difference can be as ``allowed`` asks."""
    found = preimages(grid)
    return {b - a for a, i in found.items() for b, j in found.items() if allowed(spread(i, j))}


def everything(grid: FixedPoint) -> Iterator[Failure]:
    """A gap of one level makes S and BS all of Q_{p,s} for every bias."""
    for name, step in (("S", 1), ("BS", grid.s)):
        class_ = Reach(grid, step).full_for_every_bias()
        yield None if class_ is None else {"set": name, "b": grid.show(class_)}


def _walk(grid: FixedPoint, neighbours: Steps, apart: Steps) -> Iterator[Failure]:
    """Neighbours move by at most one level, and the ends differ: so some neighbours are one level apart."""
    for step in sorted(neighbours):
        yield None if abs(step) <= 1 else {"neighbours differ by": grid.show(step)}
    for step in sorted(apart):
        yield None if step != 0 else {"ends": "may round to the same value"}
    yield from everything(grid)


ANY_SIGMA = "every continuous activation that satisfies it, and every bias,"
METHOD = "preimages of the levels; gcd of the gaps"


@claim(
    "condition-a1",
    statement="(A1): |sigma'| < 1 and |sigma| <= q_max between two grid points, at which sigma differs by at "
    "least 1/s: S = Q_(p,s) for every bias",
    place="Section 3.2.3, Lemma 7, (A1); proof in 5.6",
    checks="levels of neighbours less than 1/s apart differ by at most one, the ends differ, and a gap of one level gives everything",
    parameters=p_and_s(),
    bounded=False,
)
def condition_a1(question: Question) -> Finding:
    grid = grid_of(question)
    neighbours = steps(grid, lambda d: d.can_be_below(1) and d.can_be_at_least(0))
    apart = steps(grid, lambda d: d.can_be_at_least(1))
    return decide(f"{ANY_SIGMA} {at(question)}", _walk(grid, neighbours, apart), METHOD)


@claim(
    "condition-a2",
    statement="(A2): |sigma'| <= 1 and 0 <= sigma <= q_max between two grid points, at which sigma differs by "
    "at least 1/s: S = Q_(p,s) for every bias",
    place="Section 3.2.3, Lemma 7, (A2); proof in 5.6",
    checks="as (A1), for values >= 0 at most 1/s apart",
    parameters=p_and_s(),
    bounded=False,
)
def condition_a2(question: Question) -> Finding:
    grid = grid_of(question)
    cut = {
        q: Interval(max(i.low, Fraction(0)), i.high, i.low <= 0 or i.holds_low, i.holds_high) for q, i in preimages(grid).items() if q >= 0
    }
    near = {b - a for a, i in cut.items() for b, j in cut.items() if b >= a and spread(i, j).can_be_at_most(1)}
    apart = {b - a for a, i in cut.items() for b, j in cut.items() if spread(i, j).can_be_at_least(1)}
    return decide(f"{ANY_SIGMA} {at(question)}", _walk(grid, near, apart), METHOD)


@claim(
    "condition-a3",
    statement="(A3): 1 <= sigma' <= 2 and |sigma| <= q_max between grid points q1/s < q2/s, at which sigma "
    "differs by less than (2(q2 - q1) - 1)/s: "
    "S = Q_(p,s) for every bias",
    place="Section 3.2.3, Lemma 7, (A3); proof in 5.6",
    checks="neighbours at least 1/s apart have different levels, and the ends are at most 2n - 1 levels apart "
    "over n steps, so some step is one level",
    parameters=p_and_s(),
    bounded=False,
)
def condition_a3(question: Question) -> Finding:
    grid = grid_of(question)
    intervals = preimages(grid)

    def trials() -> Iterator[Failure]:
        rising = steps(grid, lambda d: d.can_be_at_least(1))
        yield None if min(rising) >= 1 else {"a step may be": grid.show(min(rising))}
        for n in range(1, grid.size):
            bound = 2 * n - 1
            far = [b - a for a, i in intervals.items() for b, j in intervals.items() if b - a > bound and spread(i, j).can_be_below(bound)]
            yield {"n": n, "levels apart": far[0]} if far else None
        yield from everything(grid)

    return decide(f"{ANY_SIGMA} {at(question)}", trials(), METHOD, "sigma' <= 2 is not used")


@claim(
    "condition-a3:proof-slope",
    statement="the proof of case (A3) covers every slope that (A3) admits",
    place="Section 5.6, case (A3)",
    checks="the ends of the two intervals of slopes, and that a slope of 1 still moves a level at each step",
    parameters=p_and_s(),
    errata=(
        Erratum(
            printed="as 1 < sigma'(x) <= 2",
            repaired="as 1 <= sigma'(x) <= 2",
            why="(A3) admits the slope 1, for which the next inequality, a difference of at least 1/s, holds too",
        ),
    ),
    bounded=False,
)
def proof_slope(question: Question) -> Finding:
    grid = grid_of(question)
    moved = min(steps(grid, lambda d: d.can_be_at_least(1)))
    ok = uses_errata(question) and moved >= 1
    return decide(
        f"the slopes from 1 to 2 {at(question)}", [None if ok else {"slope": 1, "admitted by": "(A3)", "covered by the proof": "no"}]
    )


chapter.composite(
    "lemma-7",
    statement="each of (A1), (A2), (A3) gives S = Q_(p,s) for every bias (the paper leaves b free; read as every b)",
    place="Section 3.2.3, Lemma 7",
    parts=(Part("condition-a1"), Part("condition-a2"), Part("condition-a3")),
    parameters=p_and_s(),
    bounded=False,
)
