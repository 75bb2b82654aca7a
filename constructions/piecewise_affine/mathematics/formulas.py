"""The operations as functions for formulas in statement files: of a number's fields, each with one name (``paper.toml``).

A number is (−1)^S · 2^E · (1 + k/n): its mantissa is a multiple k of 1/n. For any rationals the operations are those of :mod:`.exact`.
Exact values come from :mod:`.exact`, which reads S, E and M from the number itself; the formulas beside them, which the symbols read, are
Equations (5) to (17) over the fields.

A positive number's bits are one integer, read from the machine's float32 if that holds the number (Equations (5) to (12)). If the mantissa
is a multiple of 1/n, the bits of 2^E (1 + k/n), counted in its last place from those of 1 on, are n·E + k. This module does not use
:mod:`.exact`: the machine encodes and decodes, or, for a number that is not a float32, doubling and halving do.

Patterns are those of a format of e exponent and m mantissa bits.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from constructions.piecewise_affine.mathematics import exact
from constructions.piecewise_affine.mathematics.exact import Scalars
from verifier.arithmetic.bit_patterns import ieee
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import written
from verifier.running.errors import InputError


def _number(n: Fraction, S: Fraction, E: Fraction, k: Fraction) -> Fraction:
    if not 0 <= k < n:
        raise InputError(f"{k}/{n} is not a mantissa; 0 <= M < 1 was expected")
    return exact.Parts(int(S) % 2, int(E), k / n).value


@written("(-1)**(S + T)*(2**(E + F)*(n + k + l)/n if k + l < n else 2**(E + F + 1)*(k + l)/n)")
def product(n: Fraction, S: Fraction, E: Fraction, k: Fraction, T: Fraction, F: Fraction, l: Fraction) -> Fraction:  # noqa: E741
    """A ·̂ B for A = (−1)^S 2^E (1 + k/n), B = (−1)^T 2^F (1 + l/n)."""
    return exact.product(_number(n, S, E, k), _number(n, T, F, l))


@written("(-1)**(S + T)*(2**(E - F)*(n + k - l)/n if k >= l else 2**(E - F - 1)*(2*n + k - l)/n)")
def quotient(n: Fraction, S: Fraction, E: Fraction, k: Fraction, T: Fraction, F: Fraction, l: Fraction) -> Fraction:  # noqa: E741
    """A ÷̂ B, the inverse of the product, for the same A and B."""
    return exact.quotient(_number(n, S, E, k), _number(n, T, F, l))


@written("E + k/n")
def palog2(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """palog₂ of 2^E (1 + k/n) (Eq. 10)."""
    return exact.log2(_number(n, Fraction(0), E, k))


@written("2**floor((E + k/n)/2)*(1 + (E + k/n)/2 - floor((E + k/n)/2))")
def pasqrt_of(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """pasqrt of 2^E (1 + k/n) (Eq. 20); a quotient by 2 is exact."""
    return exact.sqrt(_number(n, Fraction(0), E, k))


@written("(-1)**S*(2**E*(n + k - c)/n if k >= c else 2**(E - 1)*(2*n + k - c)/n)")
def palog_of_power(n: Fraction, S: Fraction, E: Fraction, k: Fraction, c: Fraction) -> Fraction:
    """palog of paexp₂(t), t = (−1)^S 2^E (1 + k/n), with 1 + c/n in place of log₂ e (Eq. 19): t ÷̂ (1 + c/n), as palog₂ undoes paexp₂."""
    return exact.log(exact.exp2(_number(n, S, E, k)), 1 + c / n)


ONE, UNIT = 0x3F80_0000, 1 << 23
"""The bits of 1 in float32, and how many patterns there are from 1 to 2."""


@written("n*E + k")
def bits(n: Fraction, E: Fraction, k: Fraction) -> Fraction:
    """The bits of 2^E (1 + k/n), minus those of 1, in units of the last place of a mantissa."""
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


@lru_cache(maxsize=64)
def _scalars(e: int, m: int) -> Scalars:
    return Scalars(ieee(e, m))


def decoded(e: Fraction, m: Fraction, pattern: Fraction) -> Number:
    """The number that a pattern encodes in IEEE 754."""
    return ieee(int(e), int(m)).value(int(pattern))


def multiplied(e: Fraction, m: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The pattern of the product of two patterns, including special cases."""
    return Fraction(_scalars(int(e), int(m)).multiply(int(a), int(b)))


def divided(e: Fraction, m: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The pattern of the quotient of two patterns, including special cases."""
    return Fraction(_scalars(int(e), int(m)).divide(int(a), int(b)))
