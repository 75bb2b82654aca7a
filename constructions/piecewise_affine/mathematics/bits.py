"""A positive number's bits as one integer, read from the machine's float32 where that holds the number: what Equations (5) to (12) come to.

With a mantissa that is a multiple of 1/n, the bits of 2^E (1 + k/n), counted in its last place from those of 1 on, are n·E + k. Nothing of
:mod:`.exact` is used here: the machine encodes and decodes, or, for a number that is not a float32, doubling and halving do.
"""

from __future__ import annotations

import struct

from verifier.arithmetic.rationals import Fraction
from verifier.language.formula_functions import written

ONE, UNIT = 0x3F80_0000, 1 << 23
"""The bits of 1 in float32, and how many patterns there are from 1 to 2."""


@written("n*E + k")
def bits(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """The bits of 2^E (1 + k/n), less those of 1, in units of the last place of a mantissa."""
    x = Fraction(2) ** int(E) * (1 + k / n)
    if _of_float32(n) and abs(E) < 126:
        (pattern,) = struct.unpack(">i", struct.pack(">f", float(x)))
        return Fraction(pattern - ONE, UNIT) * n
    whole = Fraction(0)
    while x >= 2:
        x, whole = x / 2, whole + 1
    while x < 1:
        x, whole = x * 2, whole - 1
    return n * whole + n * (x - 1)


@written("2**floor(P/n)*(1 + P/n - floor(P/n))")
def number_of(n: Fraction, P: Fraction) -> Fraction:
    """The number with these bits."""
    if _of_float32(n) and P.denominator == 1 and abs(P) < 126 * n:
        (value,) = struct.unpack(">f", struct.pack(">i", ONE + int(P) * (UNIT // int(n))))
        return Fraction(value)
    number, left = Fraction(1), P
    while left >= n:
        number, left = number * 2, left - n
    while left < 0:
        number, left = number / 2, left + n
    return number * (1 + left / n)


def _of_float32(n: Fraction) -> bool:
    """Whether multiples of 1/n are mantissas of float32."""
    return n.denominator == 1 and UNIT % int(n) == 0
