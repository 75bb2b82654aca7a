"""The piecewise affine operations on rationals, as Equations (4) to (20) define them: exact, without formats and without rounding.

Zero, which Equation (4) does not write, is taken by its meaning: 0 times x is 0, 0 over x is 0. The quotient is the one that Equation
(14) is meant to be, the inverse of the product; what is printed in (16) and (17) is judged in the statements of these numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from verifier.arithmetic.formats import floor_log2
from verifier.arithmetic.rationals import Fraction
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


def exp(x: Fraction, log2_e: Fraction) -> Fraction:
    """paexp(x) with this number in place of log₂ e (Eq. 18)."""
    return exp2(product(log2_e, x))


def log(x: Fraction, log2_e: Fraction) -> Fraction:
    """palog(x) with this number in place of log₂ e (Eq. 19)."""
    return quotient(log2(x), log2_e)


def sqrt(x: Fraction) -> Fraction:
    """pasqrt(x) (Eq. 20)."""
    return exp2(quotient(log2(x), Fraction(2)))
