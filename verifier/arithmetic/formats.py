"""One record for every number format, with its rationals, their spacing, and its ends.

Sources: *Every Bit Counts*, Definition A.7 (free binary point), the remark on a scaling factor below it (fixed grid), and
Definition A.10 (floating point); IEEE 754-2019, 3.3 (binary formats).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

MOST_DIGITS = 1 << 24
"""Bits of a floating-point value, written without exponent."""

Underflow = Literal["subnormals", "nearest", "flush"]


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
    """Write a value as k·2^e with k odd or 0, and return (k, e), or None if it is not such a number."""
    above, below = value.numerator, value.denominator
    if below & (below - 1):
        return None
    zeros = (above & -above).bit_length() - 1 if above else 0
    return above >> zeros, zeros - below.bit_length() + 1


@dataclass(frozen=True)
class Format:
    """The finite values of a format: 0, and ±k·2^j units with whole k < 2^precision and j ≥ 0, up to ``top`` units.

    unit:      every value is a multiple of this.
    precision: binary digits of a significand k. A grid ends before it needs a j > 0.
    top:       the largest value, in units.
    underflow: the values between 0 and the smallest normal number, 2^(precision−1) units. ``subnormals``: every unit. ``nearest``: no
               values; the gap is one step wide, so a result is rounded to the nearer of its ends. ``flush``: no values; a result that is
               still below the smallest normal number when rounded to ``precision`` digits becomes 0.
    """

    unit: Fraction
    precision: int
    top: int
    underflow: Underflow = "subnormals"

    @cached_property
    def largest(self) -> Fraction:
        """The largest finite value."""
        return self.top * self.unit

    @cached_property
    def first(self) -> int:
        """The smallest positive value, in units."""
        return 1 if self.underflow == "subnormals" else 1 << self.precision - 1

    @cached_property
    def smallest(self) -> Fraction:
        """The smallest positive value; a rounded result between 0 and it becomes 0."""
        return self.first * self.unit

    @cached_property
    def smallest_normal(self) -> Fraction:
        """The smallest value of ``precision`` digits."""
        return Fraction(1 << self.precision, 2) * self.unit

    @cached_property
    def binades(self) -> int:
        """The largest j, which is the number of times that the spacing has doubled at the largest value."""
        return max(0, self.top.bit_length() - self.precision)

    @cached_property
    def exponents(self) -> tuple[int, int]:
        """The least and the greatest x that matter to the rounding of 2^x: beyond them it rounds as at them.

        From largest + spacing upwards everything overflows, below half the spacing at 0 everything rounds to 0. The ends lie above 1 and
        below −1, where e^x is even larger or smaller than 2^x.
        """
        highest = max(1, floor_log2(self.largest + self.spacing(self.largest)) + 1)
        return min(-1, floor_log2(self.spacing(Fraction(0))) - 2), highest

    @property
    def fixed_point(self) -> bool:
        """Whether the values are whole units of at most 2·precision digits, so that sums of units are short: true for grids and Definition
        A.7."""
        return self.underflow == "subnormals" and self.binades <= self.precision

    def __str__(self) -> str:
        return f"{self.precision} digits from {self.unit}, {self.binades} binades"

    def spacing(self, magnitude: Fraction) -> Fraction:
        """Distance of neighbouring values in the binade of ``magnitude`` ≥ 0; beyond the largest value, the spacing there."""
        if magnitude == 0:
            return self.smallest
        up, down = self.per_unit
        return self.unit * power_of_two(self.doublings(magnitude.numerator * up, magnitude.denominator * down))

    @cached_property
    def per_unit(self) -> tuple[int, int]:
        """(up, down): n/d is n·up/(d·down) units."""
        return self.unit.denominator, self.unit.numerator

    def doublings(self, above: int, below: int) -> int:
        """The j for which neighbouring values at above/below > 0 units are 2^j units apart; negative if small values are flushed."""
        digits = (above // below).bit_length()
        if digits >= self.precision:
            return min(digits - self.precision, self.binades)
        if self.underflow == "subnormals":
            return 0
        return self.precision - 1 if self.underflow == "nearest" else floor_log2(Fraction(above, below)) - self.precision + 1

    def contains(self, value: Fraction) -> bool:
        """Whether ``value`` is representable."""
        units, rest = divmod(abs(value.numerator) * self.unit.denominator, value.denominator * self.unit.numerator)
        if rest or units > self.top:
            return False
        return units == 0 or (units >= self.first and units & (1 << max(0, units.bit_length() - self.precision)) - 1 == 0)

    def ordinal(self, units: int) -> int:
        """The number of positive values up to that of ``units`` units, which is itself a value."""
        binade = max(0, units.bit_length() - self.precision)
        return (binade << self.precision >> 1) + (units >> binade) - self.first + 1

    @property
    def size(self) -> int:
        """The number of finite values.

        Definition A.7 with p bits: (p+1)·2^(p−1) − 1, for 2^(p−1) magnitudes below 1 and 2^(p−2) in each of the p−1 binades above;
        a grid: 2^p − 1, one less than 2^p since zero has one sign; Definition A.10: 2^t·(2^e − 1) + 1, and with subnormals 2^t − 2 more.
        """
        return 2 * self.ordinal(self.top) + 1 if self.top else 1

    def values(self) -> Iterator[Fraction]:
        """Every finite value, ascending."""
        magnitudes = [units * self.unit for units in self._units()]
        yield from (-x for x in reversed(magnitudes))
        yield Fraction(0)
        yield from magnitudes

    def _units(self) -> Iterator[int]:
        """The positive values in units, ascending."""
        units = self.first
        while units <= self.top:
            yield units
            units += 1 << max(0, units.bit_length() - self.precision)


def units_of(form: Format, ordinal: Any) -> Any:
    """The units of the positive value with this :meth:`Format.ordinal`, an integer or an array of them; of 0 what is below the smallest."""
    place = ordinal + form.first - 1
    binade = (place >> max(0, form.precision - 1)) - 1
    binade = binade * (binade > 0)
    return place - (binade << form.precision >> 1) << binade


def free_point(bits: int) -> Format:
    """Definition A.7: a sign and ``bits − 1`` binary digits, the point anywhere among them.

    The values are ±k·2^−f with 0 ≤ k < 2^(bits−1) and 0 ≤ f ≤ bits−1.
    """
    _at_least_a_sign(bits)
    digits = bits - 1
    return Format(Fraction(1, 1 << digits), digits, ((1 << digits) - 1) << digits)


def fixed_grid(bits: int, scale: Fraction = Fraction(1)) -> Format:
    """One fixed grid with a scale λ: the values are λ·k with \\|k\\| ≤ 2^(bits−1) − 1."""
    _at_least_a_sign(bits)
    if scale <= 0:
        raise ValueError(f"the scale of a grid is positive, not {scale}")
    return Format(scale, bits - 1, (1 << bits - 1) - 1)


def _at_least_a_sign(bits: int) -> None:
    if bits < 1:
        raise ValueError(f"a fixed-point number has at least its sign bit, not {bits} bits")


def floating_point(t: int, e: int, underflow: Underflow = "nearest") -> Format:
    """Definition A.10: ±1.a × 2^E with \\|a\\| = t−1 digits and \\|E\\| ≤ q = 2^(e−1) − 1, and zero as one more value.

    The definition has no values between 0 and 2^−q: ``subnormals`` are an addition.
    """
    if t < 1 or e < 1:
        raise ValueError(f"mantissa and exponent have at least their sign digits, not t = {t}, e = {e}")
    if max(t, 1 << min(e, 64)) > MOST_DIGITS:
        raise LimitError(f"values of t = {t}, e = {e} digits have more than {MOST_DIGITS:,} bits", "a smaller parameter")
    q = (1 << e - 1) - 1
    return Format(Fraction(1, 1 << q + t - 1), t, (1 << t) - 1 << 2 * q, underflow)
