"""Bit patterns of a format of e exponent and m mantissa bits as functions that formulas use, and operations on them."""

from __future__ import annotations

from functools import lru_cache

from constructions.piecewise_affine.mathematics.scalars import Scalars
from verifier.arithmetic.bit_patterns import ieee
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction


@lru_cache(maxsize=64)
def _scalars(e: int, m: int) -> Scalars:
    return Scalars(ieee(e, m))


def decoded(e: Fraction, m: Fraction, pattern: Fraction) -> Number:
    """The number that a pattern encodes in IEEE 754."""
    return ieee(int(e), int(m)).value(int(pattern))


def multiplied(e: Fraction, m: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The pattern of the product of two patterns, special cases and all."""
    return Fraction(_scalars(int(e), int(m)).multiply(int(a), int(b)))


def divided(e: Fraction, m: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The pattern of the quotient of two patterns, special cases and all."""
    return Fraction(_scalars(int(e), int(m)).divide(int(a), int(b)))
