"""The steps of the proof of Lemma 23 (Section 5.6), on quarters of a level."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.claims.rounding import quarters, shown
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def _base(question: Question, kind: str) -> Finding:
    """k = 1: x₁ in the stated case, x₁ ≤ x₂ < x₁ + 1/s, both in range, and the values listed for ⌈x₁⌉ and ⌈x₂⌉."""
    grid, repaired = grid_of(question), uses_errata(question)
    levels = quarters(grid)

    def trials() -> Iterator[Failure]:
        for x in levels:
            for y in (y for y in levels if x <= y < x + 1):
                allowed = _allowed(kind, x, repaired)
                if allowed is None:
                    continue
                first, second = grid.rounded(x), grid.rounded(y)
                ok = first == allowed[0] and second in allowed[1]
                listed = " or ".join(grid.show(v) if abs(v) <= grid.top else str(Fraction(v, grid.s)) for v in allowed[1])
                yield (
                    None
                    if ok
                    else {
                        **shown(grid, x1=x, x2=y),
                        "rounded x1": grid.show(first),
                        "rounded x2": grid.show(second),
                        "listed for x2": listed,
                    }
                )

    return decide(f"all pairs of multiples of 1/(4s) in the case, {at(question)}", trials())


def _allowed(kind: str, x: Fraction, repaired: bool) -> tuple[int, tuple[int, int]] | None:
    """⌈x₁⌉ and the two values listed for ⌈x₂⌉, in levels; None outside the case."""
    if kind == "zero":
        return (0, (0, 1)) if -HALF < x < HALF else None
    if kind == "positive":
        n = int((x + HALF) // 1)
        return (n, (n, n + 1)) if n >= 1 else None
    n = int((HALF - x) // 1)
    if n < 1:
        return None
    return -n, (-n, -(n - 1) if repaired else -(n + 1))


@claim(
    "lemma-23:base-negative",
    statement="k = 1, x1 in (-n/s - 1/(2s), -n/s + 1/(2s)]: x1 rounds to -n/s, and x2 to one of the two values listed",
    place="Section 5.6, proof of Lemma 23, base step, first case",
    checks="every pair of multiples of 1/(4s) in the case",
    parameters=p_and_s(),
    errata=(
        Erratum(
            printed="x2 rounds to -n/s or -(n+1)/s",
            repaired="x2 rounds to -n/s or -(n-1)/s",
            why="x2 lies to the right of x1, so its value is not the next one on the left",
        ),
    ),
    bounded=False,
)
def base_negative(question: Question) -> Finding:
    return _base(question, "negative")


@claim(
    "lemma-23:base-zero",
    statement="k = 1, x1 in (-1/(2s), 1/(2s)): x1 rounds to 0, and x2 to 0 or 1/s",
    place="Section 5.6, proof of Lemma 23, base step, second case",
    checks="every pair of multiples of 1/(4s) in the case",
    parameters=p_and_s(),
    bounded=False,
)
def base_zero(question: Question) -> Finding:
    return _base(question, "zero")


@claim(
    "lemma-23:base-positive",
    statement="k = 1, x1 in [n/s - 1/(2s), n/s + 1/(2s)): x1 rounds to n/s, and x2 to n/s or (n+1)/s",
    place="Section 5.6, proof of Lemma 23, base step, third case",
    checks="every pair of multiples of 1/(4s) in the case",
    parameters=p_and_s(),
    bounded=False,
)
def base_positive(question: Question) -> Finding:
    return _base(question, "positive")


@claim(
    "lemma-23:shift",
    statement="for x1 other than -1/(2s), x1 + 1/s rounds to the value of x1 plus 1/s (both in range)",
    place="Section 5.6, proof of Lemma 23, inductive step, first case",
    checks="every multiple of 1/(4s); and that the excepted x1 is an exception",
    parameters=p_and_s(),
    bounded=False,
)
def shift(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for x in quarters(grid):
            if x + 1 <= grid.top:
                moved = grid.rounded(x + 1) - grid.rounded(x)
                ok = (moved == 1) == (x != -HALF)
                yield None if ok else {**shown(grid, x1=x), "moved by": Fraction(moved, grid.s)}

    return decide(f"all multiples of 1/(4s) in range {at(question)}", trials(), witness="at x1 = -1/(2s) the value moves by 2/s")


@claim(
    "lemma-23:half-step",
    statement="if x1 = -1/(2s) and m/s <= x2 - x1 < (m+1)/s for a natural m, then x2 >= 3/(2s), and x2 - 1/s "
    "rounds to 1/s less than x2 does",
    place="Section 5.6, proof of Lemma 23, inductive step, second case",
    checks="every multiple x2 of 1/(4s) and its m",
    parameters=p_and_s(),
    errata=(
        Erratum(
            printed="every m >= 1 of the induction",
            repaired="m >= 2; for m = 1, x2 < 3/(2s), so x2 rounds to at most 1/s and x1 to -1/s, at most 2/s apart",
            why="x2 = 1/(2s) is allowed at m = 1; it and x2 - 1/s = -1/(2s) round in opposite directions, 2/s apart",
        ),
    ),
    bounded=False,
)
def half_step(question: Question) -> Finding:
    grid, repaired = grid_of(question), uses_errata(question)

    def trials() -> Iterator[Failure]:
        for y in quarters(grid):
            m = (y + HALF) // 1
            if y < 0 or m < 1:
                continue
            if repaired and m == 1:
                yield None if grid.rounded(y) - grid.rounded(-HALF) <= 2 else shown(grid, x2=y)
                continue
            moved = grid.rounded(y) - grid.rounded(y - 1)
            ok = y >= 3 * HALF and moved == 1
            yield None if ok else {"m": m, **shown(grid, x1=-HALF, x2=y), "moved by": Fraction(moved, grid.s)}

    return decide(f"all multiples x2 of 1/(4s) in range {at(question)}", trials())
