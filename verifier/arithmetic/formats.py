"""Number formats as records: which rationals exist, how far apart they are, where they end.

Source: *Every Bit Counts*, Definition A.7 (free binary point), the remark on a scaling factor below it (fixed grid), and
Definition A.10 (floating point).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

MOST_DIGITS = 1 << 24
"""Bits of a floating-point value, written without exponent."""

Underflow = Literal["nearest", "flush", "subnormals"]


@runtime_checkable
class Format(Protocol):
    """The properties of a format that rounding needs."""

    @property
    def largest(self) -> Fraction:
        """The largest finite value."""

    @property
    def smallest(self) -> Fraction:
        """The smallest positive value; a rounded result between 0 and it becomes 0."""

    def spacing(self, magnitude: Fraction) -> Fraction:
        """Distance of neighbouring values in the binade of ``magnitude`` ≥ 0, continued beyond the largest value."""

    def contains(self, value: Fraction) -> bool:
        """Whether ``value`` is representable."""

    def values(self) -> Iterator[Fraction]:
        """Every finite value, ascending."""


@dataclass(frozen=True)
class FreePoint:
    """Definition A.7: a sign and ``bits − 1`` binary digits, the point anywhere among them.

    The values are ±k·2^−f with 0 ≤ k < 2^(bits−1) and 0 ≤ f ≤ bits−1.
    """

    bits: int

    def __post_init__(self) -> None:
        if self.bits < 1:
            raise ValueError(f"a fixed-point number has at least its sign bit, not {self.bits} bits")

    @property
    def digits(self) -> int:
        return self.bits - 1

    @cached_property
    def largest(self) -> Fraction:
        return Fraction(2**self.digits - 1)

    @cached_property
    def unit(self) -> Fraction:
        """Every value is a multiple of this: 2^−(bits−1)."""
        return Fraction(1, 2**self.digits)

    @cached_property
    def smallest(self) -> Fraction:
        return self.unit

    def spacing(self, magnitude: Fraction) -> Fraction:
        integer_digits = (magnitude.numerator // magnitude.denominator).bit_length()
        return Fraction(1, 1 << max(0, self.digits - integer_digits))

    def contains(self, value: Fraction) -> bool:
        magnitude = abs(value)
        return magnitude <= self.largest and is_multiple(magnitude, self.spacing(magnitude))

    def values(self) -> Iterator[Fraction]:
        magnitudes = [Fraction(0)]
        while (following := magnitudes[-1] + self.spacing(magnitudes[-1])) <= self.largest:
            magnitudes.append(following)
        yield from (-x for x in reversed(magnitudes[1:]))
        yield from magnitudes


@dataclass(frozen=True)
class Grid:
    """One fixed grid with a scale λ: the values are λ·k with \\|k\\| ≤ 2^(bits−1) − 1; k is the *level* of its value."""

    bits: int
    scale: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.bits < 1:
            raise ValueError(f"a fixed-point number has at least its sign bit, not {self.bits} bits")
        if self.scale <= 0:
            raise ValueError(f"the scale of a grid is positive, not {self.scale}")

    @cached_property
    def top(self) -> int:
        """The largest level, 2^(bits−1) − 1."""
        return (1 << self.bits - 1) - 1

    @property
    def size(self) -> int:
        """How many values there are, 2^bits − 1."""
        return 2 * self.top + 1

    def levels(self) -> range:
        """Every level, ascending."""
        return range(-self.top, self.top + 1)

    def value(self, level: int) -> Fraction:
        """λ·k."""
        return self.scale * level

    @cached_property
    def largest(self) -> Fraction:
        return self.value(self.top)

    @cached_property
    def unit(self) -> Fraction:
        """Every value is a multiple of this: the scale."""
        return self.scale

    @cached_property
    def smallest(self) -> Fraction:
        return self.unit

    def spacing(self, magnitude: Fraction) -> Fraction:
        del magnitude
        return self.scale

    def contains(self, value: Fraction) -> bool:
        return abs(value) <= self.largest and is_multiple(value, self.scale)

    def values(self) -> Iterator[Fraction]:
        return map(self.value, self.levels())


@dataclass(frozen=True)
class Digits:
    """The precision (t, e) of Definition A.10: t mantissa digits and e exponent digits, each with its sign."""

    t: int
    e: int

    @property
    def bits(self) -> int:
        """1 + |a| + 1 + |b|."""
        return self.t + self.e


Precision: TypeAlias = int | Digits
"""Bits of fixed point, or the digits of floating point."""


def floor_log2(magnitude: Fraction) -> int:
    """⌊log₂ magnitude⌋, exactly, for a positive rational."""
    above, below = magnitude.numerator, magnitude.denominator
    k = above.bit_length() - below.bit_length()
    return k if (above >= below << k if k >= 0 else above << -k >= below) else k - 1


@lru_cache(maxsize=4096)
def power_of_two(exponent: int) -> Fraction:
    """2^exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def dyadic(value: Fraction) -> tuple[int, int] | None:
    """(k, e) with value = k·2^e and k odd or 0; None where there is none."""
    above, below = value.numerator, value.denominator
    if below & (below - 1):
        return None
    zeros = (above & -above).bit_length() - 1 if above else 0
    return above >> zeros, zeros - below.bit_length() + 1


def is_multiple(value: Fraction, spacing: Fraction) -> bool:
    """Whether ``value`` is an integer times ``spacing`` > 0."""
    return value.numerator * spacing.denominator % (value.denominator * spacing.numerator) == 0


@dataclass(frozen=True)
class FloatingPoint:
    """Definition A.10: ±1.a × 2^E with \\|a\\| = t−1 digits and \\|E\\| ≤ q = 2^(e−1) − 1, and zero as one more value.

    underflow: what lies between 0 and 2^−q. ``nearest``: no values; the gap is one step wide, so a result goes to the nearer of its
    ends. ``flush``: no values; a result that is still below 2^−q when rounded to t digits becomes 0. ``subnormals``: the multiples
    of 2^(−q−t+1), which the definition does not have.
    """

    t: int
    e: int
    underflow: Underflow = "nearest"

    def __post_init__(self) -> None:
        if self.t < 1 or self.e < 1:
            raise ValueError(f"mantissa and exponent have at least their sign digits, not t = {self.t}, e = {self.e}")
        if max(self.t, 1 << min(self.e, 64)) > MOST_DIGITS:
            raise LimitError(f"values of t = {self.t}, e = {self.e} digits have more than {MOST_DIGITS:,} bits", "a smaller parameter")

    @cached_property
    def top(self) -> int:
        """q, the largest exponent; −q is the smallest."""
        return (1 << self.e - 1) - 1

    @cached_property
    def largest(self) -> Fraction:
        return (2 - Fraction(1, 1 << self.t - 1)) * (1 << self.top)

    @cached_property
    def smallest_normal(self) -> Fraction:
        """2^−q."""
        return Fraction(1, 1 << self.top)

    @cached_property
    def unit(self) -> Fraction:
        """Every value is a multiple of this: 2^(−q−t+1)."""
        return Fraction(1, 1 << self.top + self.t - 1)

    @cached_property
    def smallest(self) -> Fraction:
        return self.unit if self.underflow == "subnormals" else self.smallest_normal

    def spacing(self, magnitude: Fraction) -> Fraction:
        if magnitude < self.smallest_normal and (self.underflow != "flush" or magnitude == 0):
            return self.smallest
        return power_of_two(floor_log2(magnitude) - self.t + 1)

    def contains(self, value: Fraction) -> bool:
        magnitude = abs(value)
        return value == 0 or (self.smallest <= magnitude <= self.largest and is_multiple(magnitude, self.spacing(magnitude)))

    def values(self) -> Iterator[Fraction]:
        magnitudes = list(self._magnitudes())
        yield from (-x for x in reversed(magnitudes))
        yield Fraction(0)
        yield from magnitudes

    def _magnitudes(self) -> Iterator[Fraction]:
        significands = range(1 << self.t - 1, 1 << self.t)
        if self.underflow == "subnormals":
            yield from (k * self.unit for k in range(1, significands.start))
        for exponent in range(-self.top, self.top + 1):
            yield from (k * Fraction(2) ** (exponent - self.t + 1) for k in significands)


def floating_point_count(digits: Digits) -> int:
    """How many values Definition A.10 has with these digits: 2^t·(2^e − 1), as ±0 are one exponent, and zero."""
    return (1 << digits.t) * ((1 << digits.e) - 1) + 1
