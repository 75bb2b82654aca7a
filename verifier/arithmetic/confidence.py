"""Confidence intervals whose ends are certain: Clopper and Pearson's for a probability, Student's for a mean and for a slope.

The level is exact, because balls (python-flint) enclose the distribution functions, and each end moves outwards until it is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction

HALVINGS = 40


@dataclass(frozen=True)
class Interval:
    """An interval from low to high that contains both ends."""

    low: Fraction
    high: Fraction

    def __contains__(self, x: Fraction) -> bool:
        return self.low <= x <= self.high

    def __str__(self) -> str:
        return f"[{float(self.low):.6g}, {float(self.high):.6g}]"


def _bisected(low: Fraction, high: Fraction, beyond: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction]:
    """Two numbers near each other; the monotone condition ``beyond`` holds for the second only."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return low, high


PRECISIONS = (128, 512)
"""Bits; where the first leaves a comparison open, the last may decide it."""


def _side(x: Fraction, a: Fraction, b: Fraction, compared: Fraction) -> int:
    """Whether I_x(a, b) is certainly below (−1) or above (1) ``compared``; 0 if no precision decides it, as at a tie."""
    import flint

    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            found = ball_around(flint, x).beta_lower(ball_around(flint, a), ball_around(flint, b), True) - ball_around(flint, compared)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
    return 0


@lru_cache(maxsize=256)
def student(freedom: int, level: Fraction) -> Fraction:
    """A t such that a Student variable is at most t in magnitude with at least this probability; a much smaller t would not suffice."""
    half, nu = Fraction(1, 2), Fraction(freedom)

    def enough(t: Fraction) -> bool:
        return _side(nu / (nu + t * t), nu / 2, half, 1 - level) < 0

    most = Fraction(1)
    while not enough(most):
        most *= 2
    return _bisected(Fraction(0), most, enough)[1]


def mean_interval(values: Sequence[float], level: Fraction) -> Interval:
    """Student's interval for the mean of independent normal values."""
    exact = [Fraction(v) for v in values]
    n = len(exact)
    mean = sum(exact, Fraction(0)) / n
    spread = sum(((v - mean) ** 2 for v in exact), Fraction(0)) / (n - 1) / n
    far = student(n - 1, level) * _root_above(spread)
    return Interval(mean - far, mean + far)


def slope_interval(points: Sequence[tuple[float, float]], level: Fraction) -> Interval:
    """Student's interval for the slope of the least-squares line, independent normal errors assumed."""
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    n = len(exact)
    mx, my = (sum(c, Fraction(0)) / n for c in zip(*exact, strict=True))
    squares = sum(((x - mx) ** 2 for x, _ in exact), Fraction(0))
    slope = sum(((x - mx) * y for x, y in exact), Fraction(0)) / squares  # the deviations of x add up to 0
    rest = sum(((y - my - slope * (x - mx)) ** 2 for x, y in exact), Fraction(0)) / (n - 2)
    far = student(n - 2, level) * _root_above(rest / squares)
    return Interval(slope - far, slope + far)


def _root_above(x: Fraction) -> Fraction:
    """A number above √x, by at most 2⁻¹⁸⁰."""
    from math import isqrt

    return Fraction(isqrt(int(x * 4**180)) + 1, 2**180)
