"""The coverings of Section 5.16 for every real δ at once.

Source: Section 5.16, second case: G = {−q_max + iδ : 0 ≤ i ≤ N}, N the least integer ≥ 2q_max/δ, and [p, p + δ) ∩ Q_{p,s} for p ∈ G.
A level k lies in the i-th of these where i ≤ (k + top)/t < i + 1, t = sδ, top = 2^p − 1. So everything changes only where (k + top)/t is an
integer for some k (N changes there for k = top), and is the same between two such t: finitely many points and open intervals of δ are all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby, pairwise

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.arithmetic.rationals import Fraction

Side = tuple[int, int]
"""The least and the greatest level of a cube in one coordinate."""


@dataclass(frozen=True)
class Stretch:
    """Real δ with the same covering: all in the open interval (low, high), or low alone where low = high; in units of x."""

    low: Fraction
    high: Fraction

    @property
    def sample(self) -> Fraction:
        """One δ of them."""
        return (self.low + self.high) / 2

    @property
    def closed(self) -> bool:
        """Whether it is a single δ."""
        return self.low == self.high

    def violation(self, holds: Callable[[Fraction], bool]) -> Fraction | None:
        """A δ of the stretch at which ``holds`` is false, the sample if that is one; None where there is none.

        ``holds``: A ≤ B(δ) or A(δ) ≤ B with A, B continuous, B falling or A rising. If it holds at ``high`` it holds throughout; if not,
        then by continuity not just below ``high`` either.
        """
        if holds(self.high):
            return None
        delta = self.sample
        while holds(delta):
            delta = (delta + self.high) / 2
        return delta


def stretches(grid: FixedPoint) -> list[Stretch]:
    """Every real δ with 1/s < δ < 2q_max, ascending: breakpoints, and the open intervals between them."""
    top = 2 * grid.top
    ratios = {Fraction(j, i) for j in range(2, top + 1) for i in range(1, j)}
    breaks = [Fraction(1), *sorted(t for t in ratios if 1 < t < top), Fraction(top)]
    found = []
    for low, high in pairwise(b / grid.s for b in breaks):
        found += [Stretch(low, high), Stretch(high, high)]
    return found[:-1]


def corners(grid: FixedPoint, delta: Fraction) -> list[Fraction]:
    """G = {−q_max + iδ : 0 ≤ i ≤ N} with N the least integer ≥ 2q_max/δ."""
    n = -(-2 * grid.largest // delta)
    return [-grid.largest + i * delta for i in range(int(n) + 1)]


def covering(grid: FixedPoint, delta: Fraction) -> tuple[Side, ...]:
    """The nonempty [p, p + δ) ∩ Q_{p,s}, p ∈ G, or single points for δ ≤ 1/s."""
    if delta * grid.s <= 1:
        return tuple((k, k) for k in grid.levels())
    t = delta * grid.s
    held = groupby(grid.levels(), lambda k: (k + grid.top) * t.denominator // t.numerator)
    return tuple((side[0], side[-1]) for side in ([*levels] for _, levels in held))


def fewest_cubes(grid: FixedPoint, width: int) -> int:
    """The least number of intervals of at most ``width`` levels' length that partition Q_{p,s}: ⌈(2·top + 1)/(width + 1)⌉.

    An interval holds at most width + 1 levels, so that many suffice; and the points 0, width + 1, 2(width + 1), … levels above −q_max
    need one each. For d coordinates the least number of quantized cubes is its d-th power, by the points that have such coordinates.
    """
    return -(-grid.size // (width + 1))
