"""e^x rounded into a binary format, for many floats: one ball of 96 bits each, and only where it decides the rounding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite, ldexp

from verifier.arithmetic.formats import Format

BITS = 96
ACCURATE = 64
"""Bits of the ball that must be right."""


def exponentials(form: Format, arguments: Iterable[float]) -> Iterator[float | None]:
    """e^x for each x to the nearest value, or None: 0, an overflow, a subnormal number, or a rounding that 64 bits do not decide.

    e^x for a rational x other than 0 is irrational (Lindemann), so that no tie arises.
    """
    import flint

    with flint.ctx.workprec(BITS):
        for x in arguments:
            if x == 0 or not isfinite(x) or not form.binades or abs(x) > 700:
                yield None
            else:
                yield _rounded(flint.arb(x).exp(), form)


def _rounded(ball: object, form: Format) -> float | None:
    """The middle rounded to the format's digits, if every real of the ball rounds so, to a normal number below the largest."""
    if ball.rel_accuracy_bits() < ACCURATE:  # type: ignore[attr-defined]
        return None
    man, exponent = (int(part) for part in ball.mid().man_exp())  # type: ignore[attr-defined]
    padded = BITS + 8 - man.bit_length()
    man, exponent = man << padded, exponent - padded
    size = man.bit_length()
    drop = size - form.precision
    below, rest = divmod(man, 1 << drop)
    half, error = 1 << drop - 1, 1 << size - ACCURATE
    if abs(rest - half) <= error or ldexp(1.0, exponent + size - 2) < form.smallest_normal:
        return None
    value = ldexp(below + (rest > half), exponent + drop)
    return value if value < form.largest else None
