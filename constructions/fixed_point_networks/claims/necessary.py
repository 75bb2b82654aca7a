"""The necessary condition: Theorem 1, and with weights ±1 Theorem 11 (Sections 3.1, 3.3, 5.1, 5.9)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    at,
    decide,
    dimension,
    grid_of,
    p_and_s,
    uses_errata,
    within_limit,
)
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def swap_target(grid: FixedPoint, level: int) -> int:
    """Section 5.1's f as a function of x₁: i + 1 for odd i, i − 1 for even i, and 2^p − 1 at 2^p − 1."""
    if level == grid.top:
        return grid.top
    return level + 1 if level % 2 else level - 1


def _no_one_layer(grid: FixedPoint) -> Iterator[Failure]:
    """f is onto, and neither rises nor falls throughout, as every rounded affine map of x₁ does."""
    values = [swap_target(grid, i) for i in grid.levels()]
    rises = [b - a for a, b in pairwise(values)]
    yield None if set(values) == set(grid.levels()) else {"missing": set(grid.levels()) - set(values)}
    yield None if max(rises) > 0 > min(rises) else {"steps": rises}


@claim(
    "theorem-1",
    statement="if networks with weights in Q_(p,s) represent every function, then N = Q_(p,s) for some bias",
    place="Section 3.1, Theorem 1; proof in 5.1",
    checks="the proof's target: onto, and not monotone in x1, so one layer cannot compute it; deeper networks "
    "have outputs in N by definition",
    parameters=p_and_s(),
    bounded=False,
)
def theorem_1(question: Question) -> Finding:
    grid = grid_of(question, 1)
    return decide(
        f"every activation, and the proof's target on every x1, {at(question)}", _no_one_layer(grid), "containment in N, and monotony"
    )


@claim(
    "theorem-11",
    statement="if networks with weights +-1 represent every function, then BN = Q_(p,s) for some bias",
    place="Section 3.3, Theorem 11; proof in 5.9",
    checks="as Theorem 1, with BN",
    parameters=p_and_s(),
    bounded=False,
)
def theorem_11(question: Question) -> Finding:
    grid = grid_of(question, 1)
    return decide(
        f"every activation, and the proof's target on every x1, {at(question)}", _no_one_layer(grid), "containment in BN, and monotony"
    )


@claim(
    "theorem-1:bijection",
    statement="the proof's target, a function of x1, is a bijection of Q_(p,s)^d with Q_(p,s)",
    place="Section 5.1",
    checks="its values on every input",
    parameters=(*p_and_s("1..2", "1"), dimension("1..2")),
    errata=(
        Erratum(
            printed="a bijective function f on Q_(p,s)^d",
            repaired="a surjective function f on Q_(p,s)^d",
            why="f looks at x1 only, so for d >= 2 inputs that agree there share a value; the proof uses only that f is onto",
        ),
    ),
    bounded=False,
)
def bijection(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    within_limit(question, grid.size**d)

    def trials() -> Iterator[Failure]:
        seen: dict[int, tuple[int, ...]] = {}
        for x in product(grid.levels(), repeat=d):
            value = swap_target(grid, x[0])
            same = seen.setdefault(value, x)
            clash = same != x and not uses_errata(question)
            yield {"x": _show(grid, same), "x'": _show(grid, x), "f": grid.show(value)} if clash else None
        yield None if set(seen) == set(grid.levels()) else {"missing": set(grid.levels()) - set(seen)}

    return decide(f"all inputs {at(question)}", trials())


def _show(grid: FixedPoint, x: tuple[int, ...]) -> str:
    return f"({grid.show_all(x)})"
