"""Conditions (A1)–(A7) on σ and σ′, and what they leave to the levels of σ at the grid points (Sections 3.2.3, 5.6, 5.7).

σ is real, but only the levels of its values at k/s matter. By the mean value theorem the values at neighbouring grid points differ by a
slope, all counted in levels; which levels two such values can have follows from the intervals of reals that round to each level. So what
is shown here holds for every continuous σ. What is not shown is looked for: values at grid points that keep the condition and whose gaps
leave a set short of Q_{p,s}.

Where an activation satisfies a condition on its slopes: q₁ and q₂ by enclosures of σ and σ′, or a proof that there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import gcd, lcm

from constructions.fixed_point_networks.mathematics.activations import Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.sets import Reach
from verifier.arithmetic.rationals import Fraction
from verifier.language.enclosed_ranges import OpenRange, open_range

MARGIN = Fraction(5, 2)
"""How far beyond the ends of Q_{p,s}, in levels, values are looked for where a condition admits them."""
ANY_ENDS = Reals(Fraction(0), None, holds_high=False)
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
    """The requirement of a condition between grid points q₁/s < q₂/s, in levels.

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
    rises = {n: tuple(condition.rises(n)) for n in condition.widths(grid)}
    apart = {n: frozenset(d for d, reals in differences if any(reals & rise for rise in found)) for n, found in rises.items()}
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
    denominators = [end.denominator for end in (condition.slope.low, condition.slope.high) if end is not None]
    unit = Fraction(1, 2 * lcm(2, *denominators))
    reach = int((grid.top + MARGIN) / unit)
    every = sorted((k * unit for k in range(-reach, reach + 1)), key=lambda v: (abs(v), v))
    inner = [v for v in every if v in condition.values]
    widths = [n for n in condition.widths(grid) if n <= LONGEST or condition.between]
    found = (_Search(grid, condition, weight, every, inner, n).first() for n in widths)
    return next((values for values in found if values is not None), None)


@dataclass(frozen=True)
class _Search:
    """A walk through the values at q₁/s, …, q₂/s = (q₁ + n)/s, left as soon as the gaps so far make the set everything."""

    grid: FixedPoint
    condition: SlopeCondition
    weight: int
    free: list[Fraction]
    inner: list[Fraction]
    n: int
    seen: set[tuple[object, ...]] = field(default_factory=set)
    moves: dict[Fraction, list[Fraction]] = field(default_factory=dict)

    @property
    def place(self) -> int:
        """q₁."""
        return self.condition.between[0] if self.condition.between else -(self.n // 2)

    def first(self) -> Values | None:
        starts = self.inner if self.condition.continuous else self.free
        return next((found for v in starts if (found := self._from((v,), self._output(v, 0))) is not None), None)

    def _output(self, v: Fraction, k: int) -> tuple[int, ...]:
        """The output at the k-th grid point from q₁/s; none off the grid."""
        return (self.grid.rounded(v),) if abs(self.place + k) <= self.grid.top else ()

    def _from(self, values: tuple[Fraction, ...], outputs: tuple[int, ...]) -> Values | None:
        """The first completion of the values so far; None where there is none, or where an equal beginning had none."""
        step = gcd(*(v - outputs[0] for v in outputs)) if outputs else 0
        bias = Reach(self.grid, self.weight * step).full_for_every_bias()
        ends = self.condition.ends(self.n)
        start = None if ends == ANY_ENDS else values[0]
        state = (len(values), values[-1], self._extreme(values), start, outputs[:1], step)
        if bias is None or state in self.seen:
            return None
        self.seen.add(state)
        if len(values) > self.n:
            return Values(self.place, values, outputs, bias) if abs(values[-1] - values[0]) in ends else None
        for v in self._next(values):
            found = self._from((*values, v), outputs + self._output(v, len(values)))
            if found is not None:
                return found
        return None

    def _next(self, values: tuple[Fraction, ...]) -> list[Fraction]:
        """The values that may follow: a slope away; at a jump at q₁/s or q₂/s any, where some slope leads on."""
        slope, within, k = self.condition.slope, self.condition.values, len(values)
        if not self.condition.continuous and k == self.n:
            before = within if k == 1 else Reals(values[-1], values[-1])
            return self.free if (within - before) & slope else []
        if not self.condition.continuous and k == 1:
            return [v for v in self.inner if (Reals(v, v) - within) & slope]
        if values[-1] not in self.moves:
            self.moves[values[-1]] = [v for v in self.inner if v - values[-1] in slope]
        extreme = self._extreme(values)
        return [v for v in self.moves[values[-1]] if extreme is None or v - values[-1] != extreme]

    def _extreme(self, values: tuple[Fraction, ...]) -> Fraction | None:
        """The end of the slopes that may not follow: the least after the greatest, or the other way round, where σ has no derivative."""
        slope = self.condition.slope
        if len(values) < 2 or slope.low == slope.high:
            return None
        return {slope.low: slope.high, slope.high: slope.low}.get(values[-1] - values[-2])


def satisfied(
    sigma: Activation, grid: FixedPoint, conditions: dict[str, SlopeCondition], reach: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Conditions that σ satisfies, each with its q₁ and q₂, near ones first."""
    near = min(grid.top, reach)
    for width in range(1, 2 * near + 1):
        for first in sorted(range(-near, near - width + 1), key=abs):
            ends = first, first + width
            for name, asked in conditions.items():
                if satisfies(sigma, grid, ends, asked):
                    yield name, ends


def satisfies(sigma: Activation, grid: FixedPoint, ends: tuple[int, int], asked: SlopeCondition) -> bool:
    """Whether enclosures show the condition for these q₁ and q₂."""
    first, last = ends
    if not _magnitude(difference(sigma, grid, first, last)) <= asked.ends(last - first):
        return False
    if any(_slope_inside(sigma, grid.s, k) & asked.slope is None for k in range(first, last)):
        return False  # at one point already
    between = partial(open_range, sigma.real, domain=(grid.value(first), grid.value(last)))
    try:
        return hull(between(order=0), grid.s) <= asked.values and hull(between(order=1)) <= asked.slope
    except ArithmeticError:  # no derivative at some point between
        return False


@lru_cache(maxsize=1 << 12)
def _slope_inside(sigma: Activation, s: int, k: int) -> Reals:
    """σ′ halfway between k/s and (k + 1)/s, enclosed."""
    step = Fraction(k, s), Fraction(k + 1, s)
    return Reals(*sigma.real.near(1, (step[0] + step[1]) / 2, step))


def excluded(sigma: Activation, grid: FixedPoint, asked: SlopeCondition) -> bool:
    """Whether the ranges of σ and σ′ over all of Q_(p,s) leave the condition to no q₁ and q₂: no such slope, or no such ends."""
    between = partial(open_range, sigma.real, domain=(-grid.largest, grid.largest))
    try:
        slopes, values = hull(between(order=1)), hull(between(order=0), grid.s)
    except ArithmeticError:
        return False
    most = values - values
    return slopes & asked.slope is None or all(most & asked.ends(n) is None for n in range(1, 2 * grid.top + 1))


def slopes_between(sigma: Activation, low: Fraction, high: Fraction) -> OpenRange | None:
    """The slopes on an open interval; None where they are not enclosed, as where σ has none at some point."""
    try:
        return open_range(sigma.real, 1, (low, high))
    except ArithmeticError:
        return None


def hull(found: OpenRange, factor: int = 1) -> Reals:
    """Bounds of a range, both included, as the enclosures of its ends have them."""
    return Reals(found.infimum[0], found.supremum[1]) * factor


def difference(sigma: Activation, grid: FixedPoint, first: int, last: int) -> Reals:
    """An enclosure of s(σ(last/s) − σ(first/s)); a point where both values are rational."""
    before, after = (Reals(*sigma.real.at(0, grid.value(k))) for k in (first, last))
    return (after - before) * grid.s


def _magnitude(difference: Reals) -> Reals:
    """An enclosure of |d| for an enclosure of d."""
    assert difference.low is not None
    assert difference.high is not None
    if difference.low >= 0:
        return difference
    return -difference if difference.high <= 0 else Reals(Fraction(0), max(-difference.low, difference.high))
