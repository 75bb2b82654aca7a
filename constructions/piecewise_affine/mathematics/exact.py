"""The piecewise affine operations on rationals, as Equations (4) to (20) define them: exact, without formats and without rounding.

Zero, which Equation (4) does not cover, has its usual meaning: 0 times x is 0, 0 over x is 0. The quotient is the intended one of Equation
(14), the inverse of the product; the statements with these numbers judge the printed (16) and (17).

The piecewise affine operations on single bit patterns of a format: the definition with which :mod:`.arrays` is compared.

The exact value (:mod:`.exact`) is brought into the format as in Section 2.2: the exponent is clamped, denormal results and operands become
zero, and NaN and infinity follow IEEE 754 for the replaced operation. A product and a quotient are never rounded; other values may need
more digits and are rounded to the nearest, ties to even.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.formats import floor_log2
from verifier.arithmetic.machine import RoundingRule
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import written
from verifier.running.errors import InputError


class Parts(NamedTuple):
    """x = (−1)^S · 2^E · (1 + M) with 0 ≤ M < 1 (Eq. 4)."""

    S: int
    E: int
    M: Fraction

    @property
    def value(self) -> Fraction:
        """The number; M = 1 is the next E."""
        magnitude = Fraction(2) ** self.E * (1 + self.M)
        return -magnitude if self.S else magnitude


@lru_cache(maxsize=1 << 12)
def parts(x: Fraction) -> Parts:
    """S, E and M of a number other than 0.

    Raises:
        InputError: 0, which has none.
    """
    if x == 0:
        raise InputError("0 is not (-1)^S 2^E (1 + M)")
    E = floor_log2(abs(x))
    return Parts(int(x < 0), E, abs(x) / Fraction(2) ** E - 1)


def product(x: Fraction, y: Fraction) -> Fraction:
    """x ·̂ y (Eqs. 5 to 8)."""
    if x == 0 or y == 0:
        return Fraction(0)
    a, b = parts(x), parts(y)
    carry = int(a.M + b.M >= 1)
    return Parts((a.S + b.S) % 2, a.E + b.E + carry, a.M + b.M - carry).value


def quotient(x: Fraction, y: Fraction) -> Fraction:
    """x ÷̂ y (Eqs. 14 and 15; (16) and (17) with a borrow where M_A − M_B < 0).

    Raises:
        InputError: y = 0.
    """
    b = parts(y)
    if x == 0:
        return Fraction(0)
    a = parts(x)
    borrow = int(a.M - b.M < 0)
    return Parts((a.S - b.S) % 2, a.E - b.E - borrow, a.M - b.M + borrow).value


@written("2**floor(x)*(1 + x - floor(x))")
def exp2(x: Fraction) -> Fraction:
    """paexp₂(x) = 2^⌊x⌋ · (1 + x − ⌊x⌋) (Eq. 9)."""
    whole = x.numerator // x.denominator
    return Fraction(2) ** whole * (1 + x - whole)


def log2(x: Fraction) -> Fraction:
    """palog₂(x) = E + M, for x > 0 (Eq. 10).

    Raises:
        InputError: x ≤ 0.
    """
    if x <= 0:
        raise InputError(f"palog2 of {x}, a positive number was expected")
    return parts(x).E + parts(x).M


def log(x: Fraction, log2_e: Fraction) -> Fraction:
    """palog(x) with this number in place of log₂ e (Eq. 19)."""
    return quotient(log2(x), log2_e)


def sqrt(x: Fraction) -> Fraction:
    """pasqrt(x) (Eq. 20)."""
    return exp2(quotient(log2(x), Fraction(2)))


LOG2_E = Fraction(0x171547652B82FE1777D0FFDA0D23A7D11, 1 << 128)
"""log₂ e less at most 2^−128; a test encloses it."""


@dataclass(frozen=True)
class Scalars:
    """Product and quotient of a format, from patterns to a pattern, and what tests define the other operations with.

    An exponent above the largest becomes the largest, and the mantissa stays.
    """

    format: BitFormat

    @cached_property
    def log2_e(self) -> int:
        """The pattern nearest to log₂ e."""
        return self.format.nearest(LOG2_E)

    @cached_property
    def two(self) -> int:
        return self.format.nearest(Fraction(2))

    def multiply(self, a: int, b: int) -> int:
        """The pattern of a ·̂ b."""
        f, sign = self.format, (a ^ b) & self.format.sign_bit
        if f.is_nan(a) or f.is_nan(b):
            return self._nan()
        infinite, zero = f.is_infinite(a) or f.is_infinite(b), self._is_zero(a) or self._is_zero(b)
        if infinite:
            return self._nan() if zero else self._infinity(sign)
        return sign if zero else self._encoded(product(self._number(a), self._number(b)))

    def divide(self, a: int, b: int) -> int:
        """The pattern of a ÷̂ b."""
        f, sign = self.format, (a ^ b) & self.format.sign_bit
        if f.is_nan(a) or f.is_nan(b) or (f.is_infinite(a) and f.is_infinite(b)) or (self._is_zero(a) and self._is_zero(b)):
            return self._nan()
        if f.is_infinite(a) or self._is_zero(b):
            return self._infinity(sign)
        if f.is_infinite(b) or self._is_zero(a):
            return sign
        return self._encoded(quotient(self._number(a), self._number(b)))

    def _is_zero(self, a: int) -> bool:
        """Whether it is zero or flushed to it."""
        return self.format.fields(a)[1] == 0

    @cached_property
    def _number(self) -> Callable[[int], Any]:
        """The number that a pattern stands for, kept for the next time."""
        return cache(self.format.value)

    def _nan(self) -> int:
        return self.format.largest if self.format.nan is None else self.format.nan

    def _infinity(self, sign: int) -> int:
        f = self.format
        return sign | (f.infinity if f.infinity is not None else f.largest if f.nan is None else f.nan)

    def _encoded(self, value: Fraction) -> int:
        """The pattern of a value, its exponent clamped, its mantissa to the nearest."""
        f = self.format
        if value == 0:
            return 0
        sign = f.sign_bit if value < 0 else 0
        exponent = floor_log2(abs(value))
        part = (abs(value) / Fraction(2) ** exponent - 1) * f.unit
        mantissa: int = RoundingRule(ties="even").whole(part.numerator, part.denominator)
        if mantissa == f.unit:
            exponent, mantissa = exponent + 1, 0
        encoded = exponent + f.offset
        if encoded <= 0:
            return sign
        pattern = encoded * f.unit + mantissa
        if pattern <= f.largest:
            return sign | pattern
        return sign | min((f.largest - f.largest % f.unit) + mantissa, f.largest)
