"""Conditions (A1)–(A7) on σ and σ′, and what they leave to the levels of σ at the grid points (Sections 3.2.3, 5.6, 5.7).

σ is real, but only the levels of its values at k/s matter. By the mean value theorem the values at neighbouring grid points differ by a
slope, all counted in levels; which levels two such values can have follows from the intervals of reals that round to each level. So what
is shown here holds for every continuous σ. What is not shown is looked for: values at grid points that keep the condition and whose gaps
leave a set short of Q_{p,s}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.sets import Reach
from verifier.arithmetic.levels import nearest_level

MARGIN = Fraction(5, 2)
"""How far beyond the ends of Q_{p,s}, in levels, values are looked for where a condition admits them."""
LONGEST = 3
"""The greatest q₂ − q₁ over which counterexamples are looked for where a condition leaves it open."""


def rounding_to(grid: FixedPoint, values: Reals) -> dict[int, Reals]:
    """For each level that occurs, the reals (in levels) among ``values`` that round to it."""
    found = {}
    for q, i in preimages(grid).items():
        low, high = (None if q == -grid.top else i.low), (None if q == grid.top else i.high)
        inside = Reals(low, high, i.holds_low, i.holds_high) & values
        if inside is not None:
            found[q] = inside
    return found


@dataclass(frozen=True)
class SlopeCondition:
    """What a condition asks between grid points q₁/s < q₂/s, in levels.

    slope, values: of σ′ and σ there; ends: of |σ(q₂/s) − σ(q₁/s)|, given q₂ − q₁; continuous: at q₁/s and q₂/s;
    between: q₁ and q₂ where they are given.
    """

    slope: Reals
    values: Reals
    ends: Callable[[int], Reals]
    continuous: bool = True
    between: tuple[int, int] | None = None

    def widths(self, grid: FixedPoint) -> range:
        """The q₂ − q₁ that it admits."""
        if self.between is None:
            return range(1, 2 * grid.top + 1)
        width = self.between[1] - self.between[0]
        return range(width, width + 1)

    def on_grid(self, grid: FixedPoint) -> bool:
        return self.between is None or max(map(abs, self.between)) <= grid.top

    def rises(self, n: int) -> Iterator[Reals]:
        """What σ(q₂/s) − σ(q₁/s) can be over n steps: n times a slope, of a magnitude that ``ends`` admits."""
        for magnitudes in (self.ends(n), -self.ends(n)):
            found = self.slope * n & magnitudes
            if found is not None:
                yield found


@dataclass(frozen=True)
class Levels:
    """What a condition leaves to the rounded values, one case after the other.

    steps: of neighbouring grid points; apart: for each n, the differences of the levels at q₁/s and q₂/s = (q₁ + n)/s.
    """

    steps: tuple[int, ...]
    apart: dict[int, frozenset[int]]

    @property
    def argument(self) -> str | None:
        """Why some neighbours are one level apart, as Section 5.6 argues; None where neither argument applies."""
        moves = [abs(step) for step in self.steps]
        if max(moves) <= 1 and all(0 not in found for found in self.apart.values()):
            return "neighbours move by at most one level and the ends differ"
        one_way = all(step > 0 for step in self.steps) or all(step < 0 for step in self.steps)
        if one_way and all(abs(d) < 2 * n for n, found in self.apart.items() for d in found):
            return "every step is a level or more and n steps are fewer than 2n levels"
        return None


def levels(grid: FixedPoint, condition: SlopeCondition) -> Levels | None:
    """The case split; None where the mean value theorem or the intervals do not apply: σ not continuous, beyond ±q_max, or off the grid."""
    bounded = condition.values <= Reals(Fraction(-grid.top), Fraction(grid.top))
    if not (condition.continuous and bounded and condition.on_grid(grid)):
        return None
    found = rounding_to(grid, condition.values)
    differences = [(b - a, found[b] - found[a]) for a in found for b in found]
    steps = {d for d, reals in differences if reals & condition.slope}
    apart = {n: frozenset(d for d, reals in differences for rise in condition.rises(n) if reals & rise) for n in condition.widths(grid)}
    return Levels(tuple(sorted(steps)), apart)


@dataclass(frozen=True)
class Values:
    """σ at successive grid points from ``first`` on, in levels, constant on either side: of a σ that keeps the condition."""

    first: int
    values: tuple[Fraction, ...]
    rounded: tuple[int, ...]
    bias: int

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.values))} (in 1/s) from {self.first}/s on"


def spoiled(grid: FixedPoint, condition: SlopeCondition, weight: int) -> Values | None:
    """Values that keep the condition while ``weight`` times the gcd of their gaps leaves some bias short of Q_{p,s}; small ones first."""
    return next(_spoiled(grid, condition, weight), None)


def _spoiled(grid: FixedPoint, condition: SlopeCondition, weight: int) -> Iterator[Values]:
    denominators = [end.denominator for end in (condition.slope.low, condition.slope.high) if end is not None]
    unit = Fraction(1, 2 * lcm(2, *denominators))
    beyond = grid.top + MARGIN
    reach = int(beyond / unit)
    every = sorted((k * unit for k in range(-reach, reach + 1)), key=lambda v: (abs(v), v))
    search = _Search(grid, condition, weight, every, [v for v in every if v in condition.values])
    for n in condition.widths(grid):
        if n <= LONGEST or condition.between:
            yield from search.of_width(n)


@dataclass(frozen=True)
class _Search:
    """A walk through the values at q₁/s, …, q₂/s, left as soon as the gaps so far make the set everything."""

    grid: FixedPoint
    condition: SlopeCondition
    weight: int
    free: list[Fraction]
    inner: list[Fraction]

    def of_width(self, n: int) -> Iterator[Values]:
        first = self.condition.between[0] if self.condition.between else -(n // 2)
        for v in self.inner if self.condition.continuous else self.free:
            yield from self._from(n, first, (v,), self._level(v, first))

    def _level(self, v: Fraction, place: int) -> tuple[int, ...]:
        """The output there; none off the grid."""
        return (nearest_level(v.numerator, v.denominator, self.grid.top),) if abs(place) <= self.grid.top else ()

    def _from(self, n: int, first: int, values: tuple[Fraction, ...], outputs: tuple[int, ...]) -> Iterator[Values]:
        bias = self._short(outputs)
        if bias is None:
            return
        k = len(values)
        if k > n:
            if abs(values[-1] - values[0]) in self.condition.ends(n):
                yield Values(first, values, outputs, bias)
            return
        for v in self._next(values, n):
            yield from self._from(n, first, (*values, v), outputs + self._level(v, first + k))

    def _short(self, outputs: tuple[int, ...]) -> int | None:
        step = gcd(*(v - outputs[0] for v in outputs)) if outputs else 0
        return Reach(self.grid, self.weight * step).full_for_every_bias()

    def _next(self, values: tuple[Fraction, ...], n: int) -> Iterator[Fraction]:
        """The values that may follow. At a jump any; else those a slope away, but not with the least slope after the greatest, or
        the other way round: there σ has no derivative."""
        slope, within, k = self.condition.slope, self.condition.values, len(values)
        if not self.condition.continuous and k == n:
            before = within if n == 1 else Reals(values[-1], values[-1])
            yield from self.free if (within - before) & slope else ()
            return
        for v in self.inner:
            if not self.condition.continuous and k == 1:
                if (Reals(v, v) - within) & slope:
                    yield v
                continue
            move = v - values[-1]
            turns = k > 1 and slope.low != slope.high and {move, values[-1] - values[-2]} == {slope.low, slope.high}
            if move in slope and not turns:
                yield v
