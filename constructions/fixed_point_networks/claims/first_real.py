"""Where the statements on real functions and real numbers first say something: Lemmas 7, 16, 22, 23, 24."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from verifier.claims.chapter import Chapter

from constructions.fixed_point_networks.claims.rounding import quarters
from constructions.fixed_point_networks.claims.slope_hypothesis import CONDITIONS, ramps
from constructions.fixed_point_networks.claims.step import SLOPES, Slope
from constructions.fixed_point_networks.first import Instance, Record, Search, first_claim
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID

chapter = Chapter(PAPER_ID)


def ramp_with(condition: str, kind: str) -> Search:
    """Lemmas 7 and 16: a ramp that satisfies the condition."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for ramp in ramps(grid):
            if all(holds(ramp) for _, holds in CONDITIONS[condition]):
                yield Instance(ramp.shape, ramp.short(kind) is None)

    return search


EIGHTHS = [Fraction(k, 8) for k in range(17)]


def line_with(slope: Slope) -> Search:
    """Lemma 24, p ≥ 3: σ linear on (q₁/s, q₂/s) with an admitted slope and |σ| ≤ q_max there, constant on either side."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        inside = grid.p >= 3 and max(abs(slope.q1), abs(slope.q2)) <= grid.top
        for m in EIGHTHS:
            for low in quarters(grid) if inside and slope.least <= m < slope.below else ():
                high = low + m * slope.width
                if (m > slope.least or slope is not SLOPES["a7"]) and max(abs(low), abs(high)) <= grid.top:
                    levels = [grid.rounded(low + m * k) for k in range(slope.width + 1)]
                    full = Reach(grid, gcd(*(v - levels[0] for v in levels))).full_for_every_bias() is None
                    where = f"sigma({Fraction(slope.q1, grid.s)}) = {low / grid.s}, slope {m} up to {Fraction(slope.q2, grid.s)}"
                    yield Instance(where, full)

    return search


def far_apart(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 22: reals in [−q_max, q_max] at least 1/s apart."""
    for x in quarters(grid):
        for y in quarters(grid):
            if y - x >= 1:
                yield Instance(f"x1 = {x / grid.s}, x2 = {y / grid.s}", grid.rounded(y) - grid.rounded(x) >= 1)


def near(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 23: reals less than k/s apart that round to values k/s apart, so that the bound is met with equality."""
    for k in (1, 2):
        for x in quarters(grid):
            for y in quarters(grid):
                moved = abs(grid.rounded(y) - grid.rounded(x))
                if x < y and y - x < k <= moved:
                    yield Instance(f"k = {k}, x1 = {x / grid.s}, x2 = {y / grid.s}", moved <= k)


RECORDS = (
    Record("lemma-7", "Section 3.2.3, Lemma 7", {case: ramp_with(case, "S") for case in CONDITIONS}),
    Record("lemma-16", "Section 3.3, Lemma 16", {case: ramp_with(case, "BS") for case in CONDITIONS}),
    Record("lemma-22", "Section 5.6, Lemma 22", {"two reals": far_apart}),
    Record("lemma-23", "Section 5.6, Lemma 23", {"two reals": near}),
    Record("lemma-24", "Section 5.7, Lemma 24", {f"({name.upper()})": line_with(slope) for name, slope in SLOPES.items()}),
)

for _record in RECORDS:
    first_claim(chapter, _record)
