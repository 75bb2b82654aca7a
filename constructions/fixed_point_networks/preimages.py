"""What rounds to each level, as intervals of reals: the finite case split behind every claim about all reals x₁, x₂.

All reals are in levels (units of 1/s) and in [−(2^p − 1), 2^p − 1], where the lemmas of Section 5.6 place them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from constructions.fixed_point_networks.grid import FixedPoint
from verifier.arithmetic.machine import Ties

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Interval:
    """The reals from low to high; ``holds_low``: whether low itself is one of them."""

    low: Fraction
    high: Fraction
    holds_low: bool
    holds_high: bool

    def __str__(self) -> str:
        return f"{'[' if self.holds_low else '('}{self.low}, {self.high}{']' if self.holds_high else ')'}"


def preimages(grid: FixedPoint, ties: Ties = "away") -> dict[int, Interval]:
    """For each level q, the reals of [−top, top] that round to it; whether an end belongs is asked of the machine."""
    machine = grid.machine(ties)
    found = {}
    for q in grid.levels():
        low, high = max(q - HALF, Fraction(-grid.top)), min(q + HALF, Fraction(grid.top))
        holds = [machine.round(end / grid.s) == grid.value(q) for end in (low, high)]
        found[q] = Interval(low, high, holds[0], holds[1])
    return found


@dataclass(frozen=True)
class Spread:
    """The differences x₂ − x₁ for x₁ in one interval and x₂ in another: infimum, supremum, and whether they occur."""

    least: Fraction
    least_occurs: bool
    greatest: Fraction
    greatest_occurs: bool

    def can_be_below(self, bound: Fraction | int) -> bool:
        return self.least < bound

    def can_be_at_most(self, bound: Fraction | int) -> bool:
        return self.least < bound or (self.least == bound and self.least_occurs)

    def can_be_at_least(self, bound: Fraction | int) -> bool:
        return self.greatest > bound or (self.greatest == bound and self.greatest_occurs)


def spread(first: Interval, second: Interval) -> Spread:
    return Spread(
        second.low - first.high,
        second.holds_low and first.holds_high,
        second.high - first.low,
        second.holds_high and first.holds_low,
    )
