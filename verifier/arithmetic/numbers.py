"""The values of the arithmetic, which are exact rationals, two infinities and NaN.

A value is just a number; :mod:`verifier.arithmetic.machine` knows its format and how it was rounded.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

LONGEST = 1 << 13
"""Bits of a number that is written in decimal digits; Python itself writes a little more."""


class Special(Enum):
    """The values that are not rational."""

    INF = "inf"
    NEG_INF = "-inf"
    NAN = "nan"


INF, NEG_INF, NAN = Special.INF, Special.NEG_INF, Special.NAN

Number: TypeAlias = Fraction | Special

ZERO = Fraction(0)
ONE = Fraction(1)


def infinity(sign: int) -> Special:
    """inf for a positive sign, −inf for a negative one."""
    return INF if sign > 0 else NEG_INF


def sign(x: Number) -> int:
    """−1, 0 or 1.

    Raises:
        ValueError: for NaN, which has no sign here.
    """
    if isinstance(x, Special):
        if x is NAN:
            raise ValueError("NaN has no sign")
        return 1 if x is INF else -1
    return (x > 0) - (x < 0)


def negate(x: Number) -> Number:
    """−x; NaN stays NaN."""
    if isinstance(x, Special):
        return {INF: NEG_INF, NEG_INF: INF, NAN: NAN}[x]
    return -x


def less(x: Number, y: Number) -> bool:
    """x < y on the extended line; false for NaN."""
    if x is NAN or y is NAN:
        return False
    if isinstance(x, Special):
        return x is NEG_INF and y is not NEG_INF
    if isinstance(y, Special):
        return y is INF
    return x < y


def show(x: Number) -> str:
    """The exact string of a value: ``63/2``, ``-4``, ``inf``, ``-inf``, ``nan``.

    Raises:
        LimitError: a numerator or denominator of more than ``LONGEST`` bits.
    """
    if isinstance(x, Special):
        return x.value
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > LONGEST:
        raise LimitError(f"a number of more than {LONGEST:,} bits is too long to print", "a smaller parameter")
    return str(x)


def show_binary(x: Number) -> str:
    """A dyadic value in binary with a point, as the papers print it: ``-10.011``; any other value as :func:`show`."""
    if isinstance(x, Special) or x.denominator & (x.denominator - 1):
        return show(x)
    places = x.denominator.bit_length() - 1
    digits = bin(abs(x.numerator))[2:].rjust(places + 1, "0")
    text = digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    return f"-{text}" if x < 0 else text
