"""Lemmas 22 and 23 (Section 5.6).

The verdicts on reals come from the preimage of each level, a finite case split; a walk over quarters of a level finds the counterexamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.arithmetic.preimages import spread
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

QUARTER = Fraction(1, 4)


def quarters(grid: FixedPoint) -> list[Fraction]:
    """Every quarter of a level in [−top, top], nearest 0 first."""
    return sorted((k * QUARTER for k in range(-4 * grid.top, 4 * grid.top + 1)), key=lambda x: (abs(x), x))


def shown(grid: FixedPoint, **levels: Fraction | int) -> dict[str, object]:
    """Levels as the values they stand for."""
    return {name: Fraction(level) / grid.s for name, level in levels.items()}


@claim(
    "lemma-22",
    statement="two reals in [-q_max, q_max] that are at least 1/s apart round to different values",
    place="Section 5.6, Lemma 22",
    checks="for each level the interval of reals that round to it is no longer than 1/s, and holds no two reals 1/s apart",
    parameters=p_and_s(),
    bounded=False,
)
def lemma_22(question: Question) -> Finding:
    grid = grid_of(question)
    intervals = preimages(grid)

    def trials() -> Iterator[Failure]:
        for q, interval in intervals.items():
            far = spread(interval, interval).can_be_at_least(1)
            yield {"level": grid.show(q), "interval": interval} if far else None

    return decide(
        f"all pairs of reals in [-q_max, q_max], by the level they would share, {at(question)}", trials(), "preimages of the levels"
    )


@claim(
    "lemma-22:cases",
    statement="every pair x1 < x2 falls under one of the proof's cases",
    place="Section 5.6, proof of Lemma 22",
    checks="every pair of quarters of a level in [-q_max, q_max] against the three printed cases",
    parameters=p_and_s(),
    errata=(
        Erratum(
            printed="x1 < x2 < 0; x1 < 0 < x2; 0 < x1 < x2",
            repaired="x1 < x2 <= 0; x1 < 0 < x2; 0 <= x1 < x2",
            why="a pair in which one number is 0 is in no printed case",
        ),
    ),
    bounded=False,
)
def lemma_22_cases(question: Question) -> Finding:
    grid, repaired = grid_of(question), uses_errata(question)

    def covered(x: Fraction, y: Fraction) -> bool:
        return (y <= 0 or x < 0 < y or x >= 0) if repaired else (y < 0 or x < 0 < y or x > 0)

    def trials() -> Iterator[Failure]:
        levels = quarters(grid)
        for x in levels:
            for y in levels:
                if x < y:
                    yield None if covered(x, y) else shown(grid, x1=x, x2=y)

    return decide(f"all pairs x1 < x2 of multiples of 1/(4s) {at(question)}", trials())


@claim(
    "lemma-23",
    statement="two reals in [-q_max, q_max] less than k/s apart round to values at most k/s apart, for every natural k",
    place="Section 5.6, Lemma 23",
    checks="for each pair of levels, the least distance of reals that round to them",
    parameters=p_and_s(),
    bounded=False,
)
def lemma_23(question: Question) -> Finding:
    grid = grid_of(question)
    intervals = preimages(grid)

    def trials() -> Iterator[Failure]:
        for a in grid.levels():
            for b in range(a + 1, grid.top + 1):
                k = b - a - 1
                close = k >= 1 and spread(intervals[a], intervals[b]).can_be_below(k)
                yield {"rounded": f"{grid.show(a)} and {grid.show(b)}", "k": k} if close else None

    return decide(
        f"all pairs of reals in [-q_max, q_max] and all k, by the two levels they round to, {at(question)}",
        trials(),
        "preimages of the levels",
    )


@claim(
    "lemma-23:hypotheses",
    statement="which hypotheses of Lemmas 22 and 23 the conclusions need",
    place="Section 5.6",
    checks="each hypothesis dropped: the first pair of multiples of 1/(4s), nearest 0 first, that violates it and the conclusion; for "
    "|x| <= q_max up to one value beyond the ends",
    parameters=p_and_s("1..3", "1"),
    bounded=False,
)
def rounding_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)
    wide = [k * QUARTER for k in range(-4 * grid.top - 4, 4 * grid.top + 5)]
    level = {x: grid.rounded(x) for x in wide}

    def trials() -> Iterator[Failure]:
        for x in wide:
            for y in wide:
                ok = x > y or abs(level[y] - level[x]) <= (y - x) // 1 + 1
                yield None if ok else shown(grid, x1=x, x2=y)
        for text, pair in found.items():
            yield None if pair is not None else {"hypothesis": text}

    def first(violates: Callable[[Fraction, Fraction], bool]) -> tuple[Fraction, Fraction] | None:
        by_size = sorted(wide, key=lambda x: (abs(x), x))
        return next(((x, y) for y in by_size for x in by_size if x < y and violates(x, y)), None)

    found = {
        "Lemma 22, |x| <= q_max": first(lambda x, y: max(abs(x), abs(y)) > grid.top and y - x >= 1 and level[x] == level[y]),
        "Lemma 22, |x2 - x1| >= 1/s": first(lambda x, y: max(abs(x), abs(y)) <= grid.top and y - x < 1 and level[x] == level[y]),
        "Lemma 23, |x2 - x1| < k/s, not <=": first(lambda x, y: y - x == 1 and abs(level[y] - level[x]) > 1),
    }
    pairs = "; ".join(f"{text} ({p[0] / grid.s} and {p[1] / grid.s})" for text, p in found.items() if p)
    return decide(
        f"all pairs of multiples of 1/(4s) up to q_max + 1/s {at(question)}",
        trials(),
        witness=f"needed: {pairs}. Not needed: |x| <= q_max in Lemma 23, whose conclusion holds on the wider range too, since clamping "
        "brings values no farther apart",
    )
