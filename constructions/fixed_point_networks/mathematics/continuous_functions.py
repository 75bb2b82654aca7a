"""The coverings of Section 5.16 for every real δ at once, the modulus of continuity of a piecewise linear function (Section 4.3, Eqs.
(18)–(19)), and the approximator of Theorem 21: a constant, or a network with the best value on each cube of δ's covering.

Source: Section 5.16, second case: G = {−q_max + iδ : 0 ≤ i ≤ N}, N the least integer ≥ 2q_max/δ, and [p, p + δ) ∩ Q_{p,s} for p ∈ G.
A level k lies in the i-th of these where i ≤ (k + top)/t < i + 1, t = sδ, top = 2^p − 1. So the covering changes only where (k + top)/t is
an integer for some k (N changes there for k = top), and is constant between two such t: δ falls into finitely many points and open
intervals.

Everything is counted in levels, x and δ as well as f*(x).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Network, Plan, all_inputs, assembled, held
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
        """One δ of the stretch."""
        return (self.low + self.high) / 2

    @property
    def closed(self) -> bool:
        """Whether it is a single δ."""
        return self.low == self.high

    def violation(self, holds: Callable[[Fraction], bool]) -> Fraction | None:
        """A δ of the stretch at which ``holds`` is false, if possible the sample, or None without one.

        ``holds``: A ≤ B(δ) or A(δ) ≤ B with A, B continuous, B falling or A rising. If it holds at ``high``, it holds throughout; if not,
        then by continuity it also fails just below ``high``.
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

    An interval contains at most width + 1 levels, so that many suffice; and the points 0, width + 1, 2(width + 1), … levels above −q_max
    need one interval each. For d coordinates the least number of quantized cubes is its d-th power, by the points that have such
    coordinates.
    """
    return -(-grid.size // (width + 1))


@dataclass(frozen=True)
class PiecewiseLinear:
    """f*(x₁, …, x_d) = Σ h(x_i)/d, h linear between neighbouring inputs; ``values``: h at each level, ascending.

    The d coordinates vary independently and alike, so ω of f* is ω of h for every d.
    """

    values: tuple[Fraction, ...]

    @property
    def end(self) -> int:
        """2(2^p − 1), the length of the domain in levels."""
        return len(self.values) - 1

    def h(self, place: Fraction) -> Fraction:
        """h at ``place`` levels above −q_max."""
        below = min(place.numerator // place.denominator, self.end - 1)
        return self.values[below] + (place - below) * (self.values[below + 1] - self.values[below])

    def at(self, grid: FixedPoint, x: tuple[int, ...]) -> Fraction:
        """f*(x) at an input of Q_{p,s}^d."""
        return sum((self.values[v + grid.top] for v in x), Fraction(0)) / len(x)

    def modulus(self, delta: Fraction) -> Fraction:
        """ω(δ), the greatest |h(x) − h(x′)| with |x − x′| ≤ δ.

        h(x) − h(x′) is linear while x and x′ stay in their segments, so it is greatest at a corner of {|x − x′| ≤ δ} there: both are
        inputs, or one is an input and the other δ away.
        """
        best = Fraction(0)
        for k in range(self.end + 1):
            near = [Fraction(j) for j in range(self.end + 1) if abs(j - k) <= delta]
            near += [x for x in (k - delta, k + delta) if 0 <= x <= self.end]
            best = max(best, *(abs(self.values[k] - self.h(x)) for x in near))
        return best

    def inverse(self, epsilon: Fraction) -> Fraction | None:
        """ω⁻¹(ε) = sup{δ ≥ 0 : ω(δ) ≤ ε}; None for infinity.

        Let m be the greatest whole number with ω(m) ≤ ε. Between m and m + 1 only inputs and places at distance δ from them can exceed ε,
        and h(k ± δ) − h(k) is linear in δ there.
        """
        m = max(n for n in range(self.end + 1) if self.modulus(Fraction(n)) <= epsilon)
        if m == self.end:
            return None
        crossings = []
        for k in range(self.end + 1):
            for sign in (1, -1):
                if 0 <= k + sign * (m + 1) <= self.end:
                    now, then = (self.values[k + sign * n] - self.values[k] for n in (m, m + 1))
                    if abs(then) > epsilon:
                        crossings.append(m + ((epsilon if then > 0 else -epsilon) - now) / (then - now))
        return min(crossings)


def approximator(made: Plan, table: Table, f: PiecewiseLinear, delta: Fraction | None, d: int) -> Network:
    """The proof's network for f* and δ = ω⁻¹(ε), None for infinity: ⌈f*(p̃)⌉ everywhere or on each cube, with p̃ where f* rounds best."""
    grid = table.grid

    def best(points: Sequence[tuple[int, ...]]) -> int:
        return grid.rounded(min((f.at(grid, x) for x in points), key=lambda v: abs(v - grid.rounded(v))))

    if delta is None or delta >= 2 * grid.top:
        return Network(table, d, ((held(best(all_inputs(grid, d))),),))
    cubes = product(covering(grid, delta / grid.s), repeat=d)
    return assembled(made, table, d, ((cube, best(list(product(*(range(a, b + 1) for a, b in cube))))) for cube in cubes))
