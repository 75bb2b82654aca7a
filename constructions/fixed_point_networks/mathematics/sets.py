"""The sets N, S°, S, BN° , BN and BS, decided by greatest common divisors.

Source: Sections 3.1–3.3. In units of 1/s² the sums Σ wᵢxᵢ run over a group gZ: g is the gcd of the levels of ⌈σ⌉ (for N) or of their gaps
(for S), times s where the weights are ±1. So N_b is the set of roundings of sβ + gZ with b = β/s, and whether it is Q_{p,s} depends on β
only through its class modulo g/gcd(g, s). :func:`closure` is the brute force it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from verifier.arithmetic.rationals import Fraction

KINDS = ("N", "S", "BN", "BS")


@dataclass(frozen=True)
class Reach:
    """A set of roundings {⌈b + t/s²⌉ : t ∈ gZ} for every bias b: ``step`` is g, 0 for the group {0}."""

    grid: FixedPoint
    step: int

    @property
    def classes(self) -> int:
        """How many biases β = 0, 1, … behave differently (any bias is one of its own where the group is {0})."""
        return self.step // gcd(self.step, self.grid.s) if self.step else self.grid.size

    def sum_for(self, beta: int, level: int) -> int | None:
        """The t ∈ gZ of least magnitude with ⌈β/s + t/s²⌉ = level/s; None where there is none."""
        return self.sum_from(self.grid.s * beta, level)

    def sum_from(self, start: int, level: int) -> int | None:
        """The t ∈ gZ of least magnitude with ⌈(start + t)/s²⌉ = level/s, for any whole ``start``; None where there is none."""
        low, high = self.grid.preimage(level)
        low = None if low is None else low - start
        high = None if high is None else high - start
        return _least_multiple(self.step, low, high)

    def missing_from(self, start: int, levels: Iterable[int]) -> int | None:
        """The first of these levels that no t ∈ gZ takes ``start`` to."""
        return next((q for q in levels if self.sum_from(start, q) is None), None)

    def missing_within(self, beta: int, furthest: Fraction) -> int | None:
        """The first level that bias β reaches by no sum of magnitude up to ``furthest`` (in units of x); None where all are reached."""
        sums = ((q, self.sum_for(beta, q)) for q in self.grid.levels())
        return next((q for q, t in sums if t is None or abs(t) > furthest * self.grid.s**2), None)

    def missing(self, beta: int) -> int | None:
        """The level nearest 0 (the smaller first) that bias β does not reach; None where the set is Q_{p,s}."""
        if self.step == 0:
            return 0 if self.grid.clamp(beta) != 0 else -1
        top, s, step = self.grid.top, self.grid.s, self.step
        if step < s or s % step == 0:
            return None
        if s == 1:
            if top == 1:
                return None if beta % step == 0 else 0
            return 0 if beta % step else -1
        return self.missing_from(s * beta, sorted(range(-top, top + 1), key=lambda q: (abs(q), q)))

    def full_for_every_bias(self) -> int | None:
        """A class of biases that misses a value; None where every bias reaches all of Q_{p,s}."""
        return next((beta for beta in range(self.classes) if self.missing(beta) is not None), None)

    def full_bias(self) -> int | None:
        """The least bias β ≥ 0 that reaches all of Q_{p,s}; None where no bias does.

        It is 0 wherever there is one. For g ≤ s every bias does. For g > s each finite preimage holds at most one of the starts sβ + gZ,
        its own; the preimages of q and −q mirror each other, so −β also reaches everything, and with both so does every bias between them.
        """
        return 0 if self.step and self.missing(0) is None else None

    def bias_for(self, levels: Iterable[int]) -> int | None:
        """The least bias β ≥ 0 that reaches these levels (where the group is {0}: the one level itself); None where no bias reaches all."""
        asked = sorted(set(levels))
        if self.step == 0:
            return asked[0] if len(asked) == 1 else None
        return next((beta for beta in range(self.classes) if self.missing_from(self.grid.s * beta, asked) is None), None)

    def same_for_every_bias(self, other: Reach) -> int | None:
        """A bias at which the two sets differ; None where they are equal for every bias."""
        if self.step == other.step:
            return None
        if 0 in (self.step, other.step):
            return next(b for b in range(self.grid.size) if self.reached(b) != other.reached(b))
        period = self.step * other.step // gcd(self.step, other.step)
        classes = period // gcd(period, self.grid.s)
        return next((b for b in range(classes) if self.reached(b) != other.reached(b)), None)

    def reached(self, beta: int) -> frozenset[int]:
        """The set itself, in levels."""
        if self.step == 0:
            return frozenset({self.grid.clamp(beta)})
        return frozenset(q for q in self.grid.levels() if self.sum_for(beta, q) is not None)


def _least_multiple(step: int, low: int | None, high: int | None) -> int | None:
    """The multiple of ``step`` of least magnitude in [low, high]."""
    if (low is None or low <= 0) and (high is None or high >= 0):
        return 0
    if step == 0:
        return None
    if low is not None and low > 0:
        first = -(-low // step) * step
        return first if high is None or first <= high else None
    assert high is not None
    last = high // step * step
    return last if low is None or last >= low else None


def group_step(levels: Iterable[int]) -> int:
    """The gcd of all levels; 0 for none but zeros."""
    return gcd(*levels)


def reach(kind: str, table: Table) -> Reach:
    """N, S, BN or BS of a table (:data:`KINDS`)."""
    return reach_of_image(kind, table.grid, table.image)


def reach_of_image(kind: str, grid: FixedPoint, image: Iterable[int]) -> Reach:
    """N, S, BN or BS; only the image of ⌈σ⌉ matters."""
    outputs = sorted(image)
    step = group_step(v - outputs[0] for v in outputs) if kind.endswith("S") else group_step(outputs)
    return _reach(grid, step * grid.s if kind.startswith("B") else step)


@lru_cache(maxsize=1 << 14)
def _reach(grid: FixedPoint, step: int) -> Reach:
    return Reach(grid, step)


def with_everything(grid: FixedPoint) -> Iterator[Reach]:
    """S for every gcd of gaps with which it is Q_{p,s} for some bias."""
    return (sets for gap in range(1, 2 * grid.top + 1) if (sets := _reach(grid, gap)).full_bias() is not None)


def weights_of(kind: str, grid: FixedPoint) -> tuple[int, ...]:
    """The weights of a set, in units of 1/s: all of Q_{p,s}, or ±1."""
    return (-grid.s, grid.s) if kind.startswith("B") else tuple(grid.levels())


def closure(kind: str, table: Table, beta: int, reach_of_sums: int) -> frozenset[int]:
    """Brute force: the roundings of β/s + all sums of products w·x, walked through every partial sum of magnitude ≤ ``reach_of_sums``.

    A sum can be reordered so that its partial sums stay within the greatest product of its target, so a bound of a few times
    (2^p − 1)·max(s, 2^p − 1) loses nothing.
    """
    inputs = table.gaps if kind.endswith("S") else table.image
    products = {w * x for w in weights_of(kind, table.grid) for x in inputs} - {0}
    seen, edge = {0}, [0]
    while edge:
        edge = [t for t in {e + m for e in edge for m in products} if abs(t) <= reach_of_sums and t not in seen]
        seen.update(edge)
    return frozenset(table.grid.nearest(table.grid.s * beta + t) for t in seen)
