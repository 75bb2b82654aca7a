"""Rounding real numbers with certainty: ball arithmetic (python-flint's ``arb``), precision doubled until the rounding is decided."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

from verifier.arithmetic.formats import power_of_two
from verifier.arithmetic.machine import Machine, RoundingRule, exact_quotient
from verifier.arithmetic.numbers import NAN, NEG_INF, ONE, ZERO, Number, Special, less
from verifier.arithmetic.rationals import Fraction

FIRST_PRECISION = 64
LAST_PRECISION = 1 << 16


def ends(ball: Any) -> tuple[Fraction, Fraction]:
    """The least and the greatest real of a finite ball."""
    low, high = (end.man_exp() for end in (ball.lower(), ball.upper()))
    return Fraction(int(low[0])) * Fraction(2) ** int(low[1]), Fraction(int(high[0])) * Fraction(2) ** int(high[1])


def ball_around(flint: Any, x: Fraction) -> Any:
    """A ball around a rational, as small as the precision allows."""
    return flint.arb(x.numerator) / x.denominator


def decided(enclose: Callable[[Any], Any], decide: Callable[[Any], Any]) -> Any:
    """Apply ``decide`` to balls ``enclose(flint)`` around a real, with twice the precision each time, until it returns an answer.

    The first precision decides how soon this ends, and never what it finds.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    import flint

    bits = FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with flint.ctx.workprec(bits):
            ball = enclose(flint)
            found = decide(ball) if ball.is_finite() else None
        if found is not None:
            return found
        bits *= 2
    raise ArithmeticError(f"the rounding is not decided at {LAST_PRECISION} bits")


def positive(enclose: Callable[[Any], Any]) -> bool:
    """Whether a non-zero real is positive.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    found: bool = decided(enclose, lambda ball: None if ball.contains(0) else bool(ball > 0))
    return found


def round_real(machine: Machine, enclose: Callable[[Any], Any]) -> Number:
    """The machine's value of an irrational real, given ``enclose(flint)`` that returns a ball around it.

    Both ends of the ball round to the same value, and no midpoint lies between them since rounding is monotone: the value is
    certain. The real must not be a midpoint itself; an irrational number never is.

    Raises:
        ArithmeticError: not decided at 65,536 bits (the real is a midpoint, or the enclosure does not shrink).
    """

    def rounded(ball: Any) -> Number | None:
        low, high = (_near(machine, *map(int, end.man_exp())) for end in (ball.lower(), ball.upper()))
        value = machine.round(low)
        return value if value == machine.round(high) else None

    certain: Number = decided(enclose, rounded)
    return certain


def nearest_integer(ball: Any) -> int | None:
    """The integer nearest to every real of a finite ball, or None if there is no such integer."""
    above = ball + 0.5
    return None if above.contains_integer() else int(above.floor().unique_fmpz())


def round_to_integer(enclose: Callable[[Any], Any], rational: Callable[[], Fraction | None] = lambda: None) -> int:
    """The integer nearest to a real, ties away from zero.

    rational: the real, if it is known to be rational; used if a first ball does not decide, as at a tie.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    import flint

    with flint.ctx.workprec(FIRST_PRECISION):
        first = enclose(flint)
        found = nearest_integer(first) if first.is_finite() else None
    if found is not None:
        return found
    value = rational()
    if value is not None:
        magnitude: int = RoundingRule(ties="away").whole(abs(value.numerator), value.denominator)
        return magnitude if value >= 0 else -magnitude
    certain: int = decided(enclose, nearest_integer)
    return certain


def _within_reach(machine: Machine, x: Fraction) -> Fraction:
    """Move ``x`` to a value that can be written down and at which 2^x and e^x have the same rounded value."""
    lowest, highest = machine.form.exponents
    return min(max(x, Fraction(lowest)), Fraction(highest))


def _near(machine: Machine, factor: int, exponent: int) -> Fraction:
    """``factor · 2^exponent``, or a power of two with the same rounded value that can be written down."""
    lowest, highest = machine.form.exponents
    size = abs(factor).bit_length() - 1 + exponent
    if factor and not lowest <= size <= highest:
        sign = 1 if factor > 0 else -1
        return sign * power_of_two(min(max(size, lowest), highest))
    return factor * power_of_two(exponent)


def round_exp(machine: Machine, x: Number) -> Number:
    """e^x rounded. For rational x ≠ 0 it is irrational (Lindemann), so it is never a midpoint."""
    if isinstance(x, Special):
        return ZERO if x is NEG_INF else machine.round(x)
    if x == 0:
        return machine.round(ONE)
    near = _within_reach(machine, x)
    return round_real(machine, lambda flint: ball_around(flint, near).exp())


def round_root(machine: Machine, x: Number, inverse: bool = False) -> Number:
    """√x or 1/√x rounded once; NaN for negative numbers. An irrational root is no midpoint."""
    if x is NAN or less(x, ZERO):
        return NAN
    if isinstance(x, Special) or x == 0:
        return machine.round(exact_quotient(ONE, x) if inverse else x)
    square = 1 / x if inverse else x
    above, below = isqrt(square.numerator), isqrt(square.denominator)
    if above**2 == square.numerator and below**2 == square.denominator:
        return machine.round(Fraction(above, below))
    return round_real(machine, lambda flint: ball_around(flint, square).sqrt())


def round_power_of_two(machine: Machine, x: Fraction) -> Number:
    """2^x rounded, for rational x. For an integer x the power is rational; otherwise it is irrational."""
    near = _within_reach(machine, x)
    if near.denominator == 1:
        return machine.round(Fraction(2) ** near.numerator)
    return round_real(machine, lambda flint: flint.arb(2) ** ball_around(flint, near))


def round_multiple_of_ln2(machine: Machine, factor: Fraction) -> Number:
    """factor · ln 2 rounded; irrational unless the factor is 0."""
    if factor == 0:
        return machine.round(Fraction(0))
    return round_real(machine, lambda flint: ball_around(flint, factor) * flint.arb.const_log2())
