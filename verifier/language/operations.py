"""The operations and functions of formulas on exact numbers, which are fractions, ±inf and NaN.

Arithmetic follows the extended line (inf − inf, 0·inf and inf/inf are NaN), and a comparison decides; functions of integers, logarithms and
roots accept finite numbers only. A number of more than 4096 bits is refused, where possible before it is computed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypeVar

from verifier.arithmetic.machine import exact_product, exact_quotient, exact_sum
from verifier.arithmetic.numbers import NAN, NEG_INF, ONE, ZERO, Number, Special, infinity, negate, show, sign
from verifier.arithmetic.rationals import Fraction
from verifier.language.syntax import LARGEST
from verifier.running.errors import BeyondError, InputError, TooLargeError


class Irrational(InputError):  # noqa: N818  # a property of the value, which another reading can enclose
    """The value is not known to be rational. Balls can enclose it (:mod:`verifier.language.balls`)."""


T = TypeVar("T")


def bounded(x: T) -> T:
    """``x`` itself.

    Raises:
        InputError: a number of more than 4096 bits.
    """
    if isinstance(x, Fraction) and (x.numerator.bit_length() > LARGEST or x.denominator.bit_length() > LARGEST):
        raise BeyondError(f"a number has more than {LARGEST} bits")
    return x


def finite(x: Number) -> Fraction:
    """``x``, if a finite number is required."""
    if isinstance(x, Special):
        raise InputError(f"a finite number was expected, not {show(x)}")
    return x


def whole(x: Number) -> int:
    """``x``, if an integer is required."""
    value = finite(x)
    if value.denominator != 1:
        raise InputError(f"an integer was expected, not {value}")
    return value.numerator


def divide(x: Number, y: Number) -> Number:
    if y == 0:
        raise InputError(f"{show(x)}/0 divides by zero")
    return exact_quotient(x, y)


def floor(x: Number) -> Number:
    return x if isinstance(x, Special) else Fraction(math.floor(x))


def ceil(x: Number) -> Number:
    return x if isinstance(x, Special) else Fraction(math.ceil(x))


def floor_divide(x: Number, y: Number) -> Number:
    """⌊x/y⌋."""
    return floor(divide(x, y))


def remainder(x: Number, y: Number) -> Number:
    """x − y·⌊x/y⌋."""
    return exact_sum(x, negate(exact_product(y, floor_divide(x, y))))


def power(base: Number, exponent: Number) -> Number:
    """baseᵏ for an integer k; 0⁰ is 1."""
    k = finite(exponent)
    if k.denominator != 1:
        raise InputError(f"{show(base)}**{k}: an integer exponent was expected")
    if k == 0:
        return ONE
    if base == 0 and k < 0:
        raise InputError(f"0**{k} divides by zero")
    if isinstance(base, Special):
        if base is NAN:
            return NAN
        return ZERO if k < 0 else infinity(-1 if base is NEG_INF and k % 2 else 1)
    widest = max(abs(base.numerator), base.denominator)
    if abs(k) * (widest - 1).bit_length() > LARGEST:
        raise TooLargeError(f"a power has more than {LARGEST} bits")
    return base**k.numerator


def absolute(x: Number) -> Number:
    return negate(x) if x is not NAN and sign(x) < 0 else x


def least(*numbers: Number) -> Number:
    return NAN if NAN in numbers else min(numbers, key=_rank)


def greatest(*numbers: Number) -> Number:
    return NAN if NAN in numbers else max(numbers, key=_rank)


def _rank(x: Number) -> tuple[int, Fraction]:
    return (sign(x), ZERO) if isinstance(x, Special) else (0, x)


def gcd(*numbers: Number) -> Fraction:
    return Fraction(math.gcd(*map(whole, numbers)))


def popcount(x: Number) -> Fraction:
    """Count the binary digits 1 of an integer ≥ 0, or the bits 1 of a string."""
    n = whole(x)
    if n < 0:
        raise InputError(f"popcount({n}): a number >= 0 was expected")
    return Fraction(n.bit_count())


def binomial(top: Number, bottom: Number) -> Fraction:
    """(n choose k), 0 for k < 0 and for k > n."""
    n, k = whole(top), whole(bottom)
    if n < 0:
        raise InputError(f"binom({n}, {k}): n >= 0 was expected")
    if not 0 <= k <= n:
        return ZERO
    fewer = min(k, n - k)
    if fewer * max(1, n.bit_length() - 1 - fewer.bit_length()) > LARGEST:  # it is at least (n/k)^k, and at least 2^k
        raise BeyondError(f"a binomial coefficient has more than {LARGEST} bits")
    return Fraction(math.comb(n, fewer))


def log2(x: Number) -> Fraction:
    """log₂ of a power of two.

    Raises:
        Irrational: of another positive number.
    """
    down = rounded_log2(x, up=False)
    if down != rounded_log2(x, up=True):
        raise Irrational(f"log2({show(x)}) is not an integer; write ceil(log2(…)) or floor(log2(…)) of a positive number")
    return down


def rounded_log2(x: Number, up: bool) -> Fraction:
    """⌈log₂ x⌉ or ⌊log₂ x⌋, exactly, for x > 0."""
    value = finite(x)
    if value <= 0:
        raise InputError(f"log2({value}): the logarithm of a positive number was expected")
    k = value.numerator.bit_length() - value.denominator.bit_length() - 1
    while Fraction(2) ** (k + 1) <= value:
        k += 1
    return Fraction(k + 1 if up and Fraction(2) ** k != value else k)


def sqrt(x: Number) -> Fraction:
    """The square root of a number that is a square.

    Raises:
        Irrational: of another number ≥ 0.
    """
    value = finite(x)
    root = Fraction(math.isqrt(_nonnegative(value).numerator), math.isqrt(value.denominator))
    if root * root != value:
        raise Irrational(f"sqrt({value}) is irrational; write ceil(sqrt(…)) or floor(sqrt(…))")
    return root


def rounded_sqrt(x: Number, up: bool) -> Fraction:
    """⌈√x⌉ or ⌊√x⌋, exactly, for x ≥ 0."""
    value = _nonnegative(finite(x))
    root = math.isqrt(math.floor(value))
    return Fraction(root + 1 if up and root * root < value else root)


def _nonnegative(x: Fraction) -> Fraction:
    if x < 0:
        raise InputError(f"sqrt({x}): the root of a number >= 0 was expected")
    return x


def _transcendental(name: str, at: int, value: Fraction) -> Callable[[Number], Fraction]:
    """A real function with a single exact rational value."""

    def apply(x: Number) -> Fraction:
        if finite(x) == at:
            return value
        raise Irrational(f"{name}({show(x)}) is not known to be rational")

    return apply


def log(x: Number) -> Fraction:
    """The natural logarithm."""
    if finite(x) == 1:
        return ZERO
    if finite(x) <= 0:
        raise InputError(f"log({show(x)}): the logarithm of a positive number was expected")
    raise Irrational(f"log({show(x)}) is irrational")


BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "+": exact_sum,
    "-": lambda x, y: exact_sum(x, negate(y)),
    "*": exact_product,
    "/": divide,
    "//": floor_divide,
    "%": remainder,
    "**": power,
}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
APPLIED: dict[str, Callable[..., Number]] = {
    "floor": floor,
    "ceil": ceil,
    "abs": absolute,
    "min": least,
    "max": greatest,
    "gcd": gcd,
    "binom": binomial,
    "popcount": popcount,
    "value": lambda x: x,
    "log2": log2,
    "sqrt": sqrt,
    "exp": _transcendental("exp", 0, ONE),
    "log": log,
    "erf": _transcendental("erf", 0, ZERO),
    "tanh": _transcendental("tanh", 0, ZERO),
}
ROUNDED: dict[str, Callable[[Number, bool], Fraction]] = {"log2": rounded_log2, "sqrt": rounded_sqrt}
"""The functions that are exact under floor and ceil even where they are irrational."""


def compare(op: str, x: Number, y: Number) -> bool:
    """Compare two numbers. With NaN every comparison but != is false."""
    if x is NAN or y is NAN:
        return op == "!="
    if isinstance(x, Special) or isinstance(y, Special):
        return COMPARED[op](_rank(x), _rank(y))
    return COMPARED[op](x, y)
