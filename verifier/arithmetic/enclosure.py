"""Rounding real numbers with certainty: ball arithmetic (python-flint's ``arb``), precision doubled until the rounding is decided."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import ONE, Number

FIRST_PRECISION = 64
LAST_PRECISION = 1 << 16


def _fraction(x: Any) -> Fraction:
    """An exact ``arb`` as a fraction."""
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def round_real(machine: Machine, enclose: Callable[[Any], Any]) -> Number:
    """The machine's value of an irrational real, given ``enclose(flint)`` that returns a ball around it.

    Both ends of the ball round to the same value, and no midpoint lies between them since rounding is monotone: the value is
    certain. The real must not be a midpoint itself; an irrational number never is.

    Raises:
        ArithmeticError: not decided at 65,536 bits (the real is a midpoint, or the enclosure does not shrink).
    """
    import flint

    bits = FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with flint.ctx.workprec(bits):
            ball = enclose(flint)
            if ball.is_finite():
                low, high = machine.round(_fraction(ball.lower())), machine.round(_fraction(ball.upper()))
                if low == high:
                    return low
        bits *= 2
    raise ArithmeticError(f"the rounding is not decided at {LAST_PRECISION} bits")


def _within_reach(machine: Machine, x: Fraction) -> Fraction:
    """``x``, moved to where 2^x and e^x round alike but can be written down.

    From 4·(largest + spacing) upwards everything overflows, up to a quarter of the least spacing everything rounds to 0.
    """
    beyond = 4 * (machine.form.largest + machine.form.spacing(machine.form.largest))
    least = machine.form.spacing(Fraction(0)) / 4
    highest = max(1, math.ceil(beyond).bit_length())
    lowest = min(-1, -math.ceil(1 / least).bit_length())
    return min(max(x, Fraction(lowest)), Fraction(highest))


def round_exp(machine: Machine, x: Fraction) -> Number:
    """e^x rounded, for rational x. e^x is irrational for x ≠ 0 (Lindemann), so it is never a midpoint."""
    if x == 0:
        return machine.round(ONE)
    near = _within_reach(machine, x)
    return round_real(machine, lambda flint: (flint.arb(near.numerator) / near.denominator).exp())


def round_power_of_two(machine: Machine, x: Fraction) -> Number:
    """2^x rounded, for rational x. For an integer x it is a rational; otherwise it is irrational."""
    near = _within_reach(machine, x)
    if near.denominator == 1:
        return machine.round(Fraction(2) ** near.numerator)
    return round_real(machine, lambda flint: flint.arb(2) ** (flint.arb(near.numerator) / near.denominator))


def round_multiple_of_ln2(machine: Machine, factor: Fraction) -> Number:
    """factor · ln 2 rounded; irrational unless the factor is 0."""
    if factor == 0:
        return machine.round(Fraction(0))
    return round_real(machine, lambda flint: flint.arb(factor.numerator) / factor.denominator * flint.arb.const_log2())
