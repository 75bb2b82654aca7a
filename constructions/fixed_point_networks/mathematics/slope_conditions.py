"""Conditions (A1)–(A7) on σ and σ′, and their consequences for the levels of σ at the grid points (Sections 3.2.3, 5.6, 5.7).

σ is real, but only the levels of its values at k/s matter. By the mean value theorem the values at neighbouring grid points differ by a
slope, all counted in levels; which levels two such values can have follows from the intervals of reals that round to each level. So the
results hold for every continuous σ. If a result is not proved, a counterexample is sought: values at grid points that satisfy the condition
and whose gaps make a set smaller than Q_{p,s}.

Whether an activation satisfies a condition on its slopes: q₁ and q₂ by enclosures of σ and σ′, or a proof that none exist.

Why an activation has a gap of one level on Q_{p,s} for every s: its slopes beside 0 for large s, two neighbours for small s.

Source: Section 5.7, where this is done for each activation by (A4) to (A7).

Signs and directions are read from the formulas: which parts are positive, and which rise with x. Only consequences of the parts are used:
e^x is positive and rises, 1/u falls if u is positive and rises, and so on. Anything that does not follow is left open.

Intervals of reals, open or closed, bounded or not, in the notation of conditions on slopes, values and differences: ``[1/2, 1)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import ceil, gcd, inf, lcm
from typing import TypeAlias

from constructions.fixed_point_networks.mathematics.activations import Activation, has_unit_gap, unclamped
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach
from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.real_functions import OpenRange, escape, open_range
from verifier.language.tree import Algebra, Call, Name, Node, Numeral, Operation, Signed, fold
from verifier.running.errors import InputError

_NOTATION = re.compile(r"\s*([\[(])(.+),(.+)([\])])\s*")


@dataclass(frozen=True)
class Ends:
    """Read an interval in this notation, as its ends (formulas, or None without an end) and the ends that belong to it."""

    low: str | None
    high: str | None
    holds_low: bool = True
    holds_high: bool = True

    @classmethod
    def read(cls, text: str) -> Ends:
        """``[-top, top]``, ``(0, inf)``.

        Raises:
            InputError: another text.
        """
        found = _NOTATION.fullmatch(text)
        if found is None:
            raise InputError(f"{text!r} is not an interval such as [0, 1) or (-inf, 2]")
        low, high = (None if end.strip() in ("-inf", "inf") else end.strip() for end in found.group(2, 3))
        return cls(low, high, found[1] == "[", found[4] == "]")

    def integers_outside(self, beyond: str) -> list[str] | None:
        """Formulas that run through the integers outside while ``beyond`` runs through 0, 1, …; None unless its ends are integers or k."""
        if any(end is not None and end != "k" and not end.lstrip("-").isdigit() for end in (self.low, self.high)):
            return None
        below = [] if self.low is None else [f"{self.low} - {beyond}{' - 1' if self.holds_low else ''}"]
        above = [] if self.high is None else [f"{self.high} + {beyond}{' + 1' if self.holds_high else ''}"]
        return below + above

    def apart_from(self, other: Ends) -> str:
        """The condition that the two have no number in common."""
        gaps = [
            f"({one.high}) {'<' if one.holds_high and two.holds_low else '<='} ({two.low})"
            for one, two in ((self, other), (other, self))
            if one.high is not None and two.low is not None
        ]
        return f"({' or '.join(gaps) or '0 == 1'})"


End: TypeAlias = Fraction | float
"""A number, or −∞ or ∞."""


@dataclass(frozen=True)
class Reals:
    """The reals from low to high, which may be infinite; ``holds_low``: whether low itself is one of them."""

    low: End
    high: End
    holds_low: bool = True
    holds_high: bool = True

    @classmethod
    def read(cls, text: str, names: Mapping[str, Fraction | int]) -> Reals:
        """``[-top, top]``, ``(0, inf)``: the ends are formulas in the names.

        Raises:
            InputError: another text, or a high end below the low one.
        """
        ends = Ends.read(text)
        low, high = (at if end is None else exact.rational(end, names) for end, at in ((ends.low, -inf), (ends.high, inf)))
        if low > high:
            raise InputError(f"{text!r} runs from {low} to {high}; the lower end first was expected")
        return cls(low, high, ends.holds_low, ends.holds_high)

    def __contains__(self, x: Fraction | int) -> bool:
        return (self.low < x or (self.low == x and self.holds_low)) and (x < self.high or (x == self.high and self.holds_high))

    def __and__(self, other: Reals) -> Reals | None:
        """The intersection, or None if it is empty."""
        low, open_low = max((self.low, not self.holds_low), (other.low, not other.holds_low))
        high, holds_high = min((self.high, self.holds_high), (other.high, other.holds_high))
        empty = low > high or (low == high and (open_low or not holds_high))
        return None if empty else Reals(low, high, not open_low, holds_high)

    def __neg__(self) -> Reals:
        return Reals(-self.high, -self.low, self.holds_high, self.holds_low)

    def __sub__(self, other: Reals) -> Reals:
        """The set of all differences x − y with x in this set and y in the other."""
        return Reals(self.low - other.high, self.high - other.low, self.holds_low and other.holds_high, self.holds_high and other.holds_low)

    def __mul__(self, factor: int) -> Reals:
        """The interval times a positive number."""
        return Reals(self.low * factor, self.high * factor, self.holds_low, self.holds_high)

    def __le__(self, other: Reals) -> bool:
        """Whether this interval is contained in the other."""
        return (self & other) == self

    def __str__(self) -> str:
        return f"{'[' if self.holds_low else '('}{self.low}, {self.high}{']' if self.holds_high else ')'}"


MARGIN = Fraction(5, 2)
"""The distance beyond the ends of Q_{p,s}, in levels, up to which values are searched if a condition admits them."""
ANY_ENDS = Reals(Fraction(0), inf, holds_high=False)
LONGEST = 3
"""The greatest q₂ − q₁ over which counterexamples are looked for where a condition leaves it open."""


def rounding_to(grid: FixedPoint, values: Reals) -> dict[int, Reals]:
    """For each level that occurs, the reals (in levels) among ``values`` that round to it (Eq. 5): those within 1/2 of it, with the end
    nearer to 0, none at 0; to ±q_max all beyond."""
    found, half = {}, Fraction(1, 2)
    for q in grid.levels():
        low, high = (-inf if q == -grid.top else q - half), (inf if q == grid.top else q + half)
        inside = Reals(low, high, q > 0, q < 0) & values
        if inside is not None:
            found[q] = inside
    return found


@dataclass(frozen=True)
class SlopeCondition:
    """The requirement of a condition between grid points q₁/s < q₂/s, in levels.

    slope, values: of σ′ and σ there; ends: of |σ(q₂/s) − σ(q₁/s)|, given q₂ − q₁; continuous: at q₁/s and q₂/s;
    between: q₁ and q₂ if they are given.
    """

    slope: Reals
    values: Reals
    ends: Callable[[int], Reals]
    continuous: bool = True
    between: tuple[int, int] | None = None

    def widths(self, grid: FixedPoint) -> range:
        """The values of q₂ − q₁ that it admits."""
        if self.between is None:
            return range(1, 2 * grid.top + 1)
        width = self.between[1] - self.between[0]
        return range(width, width + 1)

    def on_grid(self, grid: FixedPoint) -> bool:
        return self.between is None or max(map(abs, self.between)) <= grid.top

    def rises(self, n: int) -> Iterator[Reals]:
        """The possible values of σ(q₂/s) − σ(q₁/s) over n steps: n times a slope, of a magnitude that ``ends`` admits."""
        for magnitudes in (self.ends(n), -self.ends(n)):
            found = self.slope * n & magnitudes
            if found is not None:
                yield found


@dataclass(frozen=True)
class Levels:
    """The possible rounded values under a condition, case by case.

    steps: of neighbouring grid points; apart: for each n, the differences of the levels at q₁/s and q₂/s = (q₁ + n)/s.
    """

    steps: tuple[int, ...]
    apart: dict[int, frozenset[int]]

    @property
    def argument(self) -> str | None:
        """Why some neighbours are one level apart, by the arguments of Section 5.6, or None if neither argument applies."""
        moves = [abs(step) for step in self.steps]
        if max(moves) <= 1 and all(0 not in found for found in self.apart.values()):
            return "neighbours move by at most one level and the ends differ"
        one_way = all(step > 0 for step in self.steps) or all(step < 0 for step in self.steps)
        if one_way and all(abs(d) < 2 * n for n, found in self.apart.items() for d in found):
            return "every step is a level or more and n steps are fewer than 2n levels"
        return None


def levels(grid: FixedPoint, condition: SlopeCondition) -> Levels | None:
    """The case split, or None if the mean value theorem or the intervals do not apply: σ is not continuous, beyond ±q_max, or off the
    grid.
    """
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
    """σ at successive grid points from ``first`` on, in levels, constant on either side: of a σ that satisfies the condition."""

    first: int
    values: tuple[Fraction, ...]
    rounded: tuple[int, ...]
    bias: int

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.values))} (in 1/s) from {self.first}/s on"


def spoiled(grid: FixedPoint, condition: SlopeCondition, weight: int) -> Values | None:
    """Values that satisfy the condition while ``weight`` times the gcd of their gaps prevents some bias from reaching Q_{p,s}; small ones
    first."""
    denominators = [end.denominator for end in (condition.slope.low, condition.slope.high) if isinstance(end, Fraction)]
    unit = Fraction(1, 2 * lcm(2, *denominators))
    reach = int((grid.top + MARGIN) / unit)
    every = sorted((k * unit for k in range(-reach, reach + 1)), key=lambda v: (abs(v), v))
    inner = [v for v in every if v in condition.values]
    widths = [n for n in condition.widths(grid) if n <= LONGEST or condition.between]
    found = (_Search(grid, condition, weight, every, inner, n).first() for n in widths)
    return next((values for values in found if values is not None), None)


@dataclass(frozen=True)
class _Search:
    """A walk through the values at q₁/s, …, q₂/s = (q₁ + n)/s, stopped as soon as the gaps so far make the set everything."""

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
        """The first completion of the values so far, or None without one, or if an equal beginning had none."""
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
        """The values that may follow: those at the distance of a slope; at a jump at q₁/s or q₂/s all from which some slope continues."""
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

    def _extreme(self, values: tuple[Fraction, ...]) -> End | None:
        """The extreme slope that may not follow: the least after the greatest, or the reverse, where σ has no derivative."""
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
    """Whether the ranges of σ and σ′ over all of Q_(p,s) exclude the condition for all q₁ and q₂, because no such slope or no such ends
    exist.
    """
    between = partial(open_range, sigma.real, domain=(-grid.largest, grid.largest))
    try:
        slopes, values = hull(between(order=1)), hull(between(order=0), grid.s)
    except ArithmeticError:
        return False
    most = values - values
    return slopes & asked.slope is None or all(most & asked.ends(n) is None for n in range(1, 2 * grid.top + 1))


def hull(found: OpenRange, factor: int = 1) -> Reals:
    """Bounds of a range, both included, from the enclosures of its ends."""
    return Reals(found.infimum[0], found.supremum[1]) * factor


def difference(sigma: Activation, grid: FixedPoint, first: int, last: int) -> Reals:
    """An enclosure of s(σ(last/s) − σ(first/s)); a point where both values are rational."""
    before, after = (Reals(*sigma.real.at(0, grid.value(k))) for k in (first, last))
    return (after - before) * grid.s


def _magnitude(difference: Reals) -> Reals:
    """An enclosure of |d| for an enclosure of d."""
    if difference.low >= 0:
        return difference
    return -difference if difference.high <= 0 else Reals(Fraction(0), max(-difference.low, difference.high))


ENDS = {"(A4)": (0, 2), "(A5)": (-3, 3)}
"""q₁ and q₂ of the conditions on slopes in (1/(q₂ − q₁), 1) on an interval with 0 in it or at its end."""
SMALL = 3
"""Up to this s slopes are asked for from s on, and neighbours below it."""
FURTHEST = 3
"""The p of the grid in which small s have their neighbours, which are then in Q_{p,s} for every larger p as well."""


@dataclass(frozen=True)
class OneLevel:
    """The two parts of the proof.

    condition, ends: a condition on slopes, with q₁ and q₂; from_s: from which s on it holds, by enclosures of the slopes on all of
    (q₁/from_s, q₂/from_s). neighbours: for each smaller s the (k, k + 1) for which the outputs at k/s and (k + 1)/s are one level apart.
    at_zero: a number that |σ(0)| does not exceed; furthest: the greatest level of the neighbours and of their outputs.
    """

    condition: str
    ends: tuple[int, int]
    from_s: int
    neighbours: dict[int, tuple[int, int]]
    at_zero: Fraction
    furthest: int

    @property
    def reach(self) -> int:
        """max |q|: |σ(x)| ≤ |σ(0)| + reach/s on the interval, because the slopes there are between 0 and 1."""
        return max(map(abs, self.ends))

    @property
    def steep(self) -> str:
        """The slopes from some s on, in words."""
        low, high = (Fraction(q, self.from_s) for q in self.ends)
        return f"slopes in (1/{self.ends[1] - self.ends[0]}, 1) on ({low}, {high}), as {self.condition} asks for s >= {self.from_s}"

    def __str__(self) -> str:
        small = [f"the outputs at {Fraction(k, s)} and {Fraction(j, s)} for s = {s}" for s, (k, j) in self.neighbours.items()]
        return "; ".join([self.steep, *small])


@lru_cache(maxsize=64)
def one_level(sigma: Activation) -> OneLevel | None:
    """The proof for an activation, or None if none of this kind is found."""
    for from_s in range(1, SMALL + 1):
        for condition, ends in ENDS.items():
            if not _slopes(sigma, ends, from_s):
                continue
            found = {s: has_unit_gap(sigma, FixedPoint(FURTHEST, s)) for s in range(1, from_s)}
            known = {s: pair for s, pair in found.items() if pair is not None}
            if known.keys() == found.keys():
                furthest = max((max(abs(k), abs(unclamped(sigma, k, s))) for s, pair in known.items() for k in pair), default=0)
                return OneLevel(condition, ends, from_s, known, _at_zero(sigma), furthest)
    return None


def _slopes(sigma: Activation, ends: tuple[int, int], s: int) -> bool:
    """Whether the slopes on all of (q₁/s, q₂/s), and so on every smaller such interval, lie in (1/(q₂ − q₁), 1)."""
    try:
        domain = Fraction(ends[0], s), Fraction(ends[1], s)
        return escape(sigma.real, 1, domain, (Fraction(1, ends[1] - ends[0]), Fraction(1))) is None
    except ArithmeticError:
        return False


def _at_zero(sigma: Activation) -> Fraction:
    """|σ(0)|, or the next hundredth above it if it is enclosed."""
    value = sigma.exact(Fraction(0))
    if value is not None:
        return abs(value)
    return Fraction(ceil(100 * max(map(abs, sigma.real.at(0, Fraction(0))))), 100)


@dataclass(frozen=True)
class Course:
    """What is known of a part for all real x. direction: 1, −1 or 0 where it rises, falls (both in the wide sense) or is constant, else
    None; above: 0 or −1, a number that its values exceed, else None."""

    direction: int | None = None
    above: int | None = None


def course(formula: Node) -> Course:
    """Derive it part by part from the formula."""
    return fold(formula, _Courses())


def factor_of_x(formula: Node) -> Node | None:
    """g of a formula that is x·g, by its form."""
    match formula:
        case Operation(Name("x"), "*", g):
            return g
        case Operation(Name("x"), "/", divisor):
            return Operation(Numeral(1), "/", divisor)
        case Operation(part, "/", divisor) if (factor := factor_of_x(part)) is not None:
            return Operation(factor, "/", divisor)
    return None


class _Courses(Algebra[Course]):
    def outside(self, node: Node) -> Course:
        return Course()

    def numeral(self, node: Numeral) -> Course:
        return Course(0, 0 if node.value > 0 else None)

    def name(self, node: Name) -> Course:
        return Course(1 if node.name == "x" else None)

    def signed(self, node: Signed) -> Course:
        of = fold(node.operand, self)
        return Course(of.direction and -of.direction) if node.sign == "-" else of

    def operation(self, node: Operation) -> Course:
        left, right = fold(node.left, self), fold(node.right, self)
        positive = left.above == right.above == 0
        match node.operator:
            case "+":
                moving = {left.direction, right.direction} - {0}
                known = positive or (node.left == Numeral(1) and right.above is not None)
                return Course(moving.pop() if len(moving) == 1 else None if moving else 0, 0 if known else None)
            case "/" if right.above == right.direction == 0:
                return Course(left.direction, 0 if positive else None)
            case "/" if positive and left.direction == 0:
                return Course(right.direction and -right.direction, 0)
        return Course()

    def call(self, node: Call) -> Course:
        of = fold(node.arguments[0], self)
        match node:
            case Call("exp"):
                return Course(of.direction, 0)
            case Call("tanh" | "erf"):
                return Course(of.direction, 0 if of.above == 0 else -1)
            case Call("log", (Operation(Numeral(1), "+", part),)) if fold(part, self).above == 0:
                return Course(of.direction, 0)
            case Call("sqrt") if of == Course(0, 0):
                return of
        return Course()
