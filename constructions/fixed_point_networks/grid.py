"""Q_{p,s} and its rounding.

Source: *On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic*, Section 2.2, Eqs. (4)–(5): the values q/s with
|q| ≤ 2^p − 1, rounding to the nearest value, ties away from zero, beyond the ends to the end.

Everything here counts in whole numbers: a value q/s is its *level* q; a product of two values is counted in units of 1/s².
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.arithmetic.formats import Grid
from verifier.arithmetic.machine import Machine, RoundingRule, Ties
from verifier.errors import InputError

DOMAIN_P = "p >= 1"
DOMAIN_S = "s >= 1 and s <= 2**p - 1"


@dataclass(frozen=True)
class FixedPoint:
    """Q_{p,s}: p magnitude bits (p+1 bits with the sign) and the scaling factor s ≥ 1, as Eq. (4) defines it.

    That 1 ∈ Q_{p,s}, which the paper assumes throughout, is asked of :func:`admitted` and of the claims' domains, not here.

    Raises:
        InputError: p < 1 or s < 1.
    """

    p: int
    s: int

    def __post_init__(self) -> None:
        if self.p < 1:
            raise InputError(f"p = {self.p}: at least one magnitude bit was expected")
        if self.s < 1:
            raise InputError(f"s = {self.s}: a scaling factor s >= 1 was expected")

    @property
    def top(self) -> int:
        """2^p − 1, the largest level."""
        return (1 << self.p) - 1

    @property
    def size(self) -> int:
        """|Q_{p,s}| = 2^(p+1) − 1."""
        return 2 * self.top + 1

    @property
    def largest(self) -> Fraction:
        """q_max = (2^p − 1)/s."""
        return Fraction(self.top, self.s)

    def levels(self) -> range:
        """Every level, ascending."""
        return range(-self.top, self.top + 1)

    def value(self, level: int) -> Fraction:
        """q/s."""
        return Fraction(level, self.s)

    def show(self, level: int) -> str:
        """The value of a level as an exact string."""
        return str(self.value(level))

    def machine(self, ties: Ties = "away") -> Machine:
        """The rounding as a machine of the core: the definition that :meth:`nearest` is compared with."""
        return Machine(Grid(self.p + 1, Fraction(1, self.s)), RoundingRule("nearest", ties, "saturate"))

    def nearest(self, numerator: int) -> int:
        """The level of ⌈numerator / s²⌉: to the nearest, ties away from zero, clamped."""
        return self.clamp(half_away(numerator, self.s))

    def clamp(self, level: int) -> int:
        return max(-self.top, min(self.top, level))

    def preimage(self, level: int) -> tuple[int | None, int | None]:
        """The least and greatest t (both included, None: unbounded) with ⌈t/s²⌉ = level/s."""
        low = _first_at_or_above(level, self.s) if level > -self.top else None
        high = -_first_at_or_above(-level, self.s) if level < self.top else None
        return low, high


def _first_at_or_above(level: int, s: int) -> int:
    """The least t whose rounding to a multiple of 1/s (ties away) is at least ``level``."""
    if level > 0:
        return -((s - 2 * s * level) // 2)
    return (2 * s * level - s) // 2 + 1


def half_away(numerator: int, s: int) -> int:
    """numerator/s rounded to the nearest integer, ties away from zero."""
    magnitude = (2 * abs(numerator) + s) // (2 * s)
    return magnitude if numerator >= 0 else -magnitude


def admitted(p: int, s: int) -> FixedPoint:
    """Q_{p,s} under the paper's assumption q_max ≥ 1 (Section 2.2, below Eq. 4).

    Raises:
        InputError: p < 1, or s outside 1..2^p − 1.
    """
    grid = FixedPoint(p, max(s, 1))
    if not 1 <= s <= grid.top:
        raise InputError(f"s = {s}: 1 <= s <= 2^p - 1 = {grid.top} was expected, so that 1 is in Q_(p,s)")
    return grid


def fixed_points(p: int) -> Iterator[FixedPoint]:
    """Q_{p,s} for every s that the paper admits."""
    return (FixedPoint(p, s) for s in range(1, 2**p))


def beyond(p: int, last: int) -> Iterator[FixedPoint]:
    """Q_{p,s} without 1, for s = 2^p, …, ``last``."""
    return (FixedPoint(p, s) for s in range(2**p, last + 1))
