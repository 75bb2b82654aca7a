"""Real numbers of which the checker knows two ends, in rational arithmetic alone: sums, products, quotients, e^x and square roots.

A ``Between`` is one real number; nothing is known of it but that low <= x <= high. Ends are rounded outwards to ``BITS`` binary digits. A
comparison that the ends leave open raises Unknown, so that nothing is ever guessed: two such numbers are never seen to be equal.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, NoReturn

from .recheck_arithmetic import power_of_e
from .recheck_reading import Unknown

BITS = 256
STEEPEST = 3000
"""|x| in e^x: above it the number is refused, below it e^x is known to be less than 2^-4000, because e^3000 > 2^4328."""


def cut(x: Fraction, up: bool) -> Fraction:
    """The nearest number with ``BITS`` or one more binary digits that is not above x, or not below it."""
    shift = x.numerator.bit_length() - x.denominator.bit_length() - BITS
    top, bottom = x.numerator << max(-shift, 0), x.denominator << max(shift, 0)
    whole = -(-top // bottom) if up else top // bottom
    return Fraction(whole << max(shift, 0), 1 << max(-shift, 0))


def ends(x: Any) -> tuple[Fraction, Fraction]:
    """Both ends of a number; of a fraction both are itself."""
    return (x.low, x.high) if isinstance(x, Between) else (x, x)


class Between:
    """A real number between two fractions."""

    __slots__ = ("high", "low")

    def __init__(self, low: Fraction, high: Fraction) -> None:
        self.low, self.high = cut(low, False), cut(high, True)

    def __add__(self, other: Any) -> "Between":
        low, high = ends(other)
        return Between(self.low + low, self.high + high)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return Fraction(0) if other is self else self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> "Between":
        return Between(-self.high, -self.low)

    def __abs__(self) -> "Between":
        """|x|: 0 is an end where x may have either sign."""
        return Between(max(self.low, -self.high, Fraction(0)), max(-self.low, self.high))

    def __mul__(self, other: Any) -> Any:
        """x y; 0 where y is 0, and not negative where y is the same number."""
        if other is self:
            size = abs(self)
            return Between(size.low**2, size.high**2)
        low, high = ends(other)
        if low == high == 0:
            return Fraction(0)
        products = [a * b for a in (self.low, self.high) for b in (low, high)]
        return Between(min(products), max(products))

    __rmul__ = __mul__

    def __rtruediv__(self, other: Any) -> Any:
        """other / x, for x that is known not to be 0."""
        if self.low <= 0 <= self.high:
            open_comparison()
        return Between(1 / self.high, 1 / self.low) * other

    def __truediv__(self, other: Any) -> Any:
        return other.__rtruediv__(self) if isinstance(other, Between) else self * (1 / Fraction(other))

    def __lt__(self, other: Any) -> bool:
        low, high = ends(other)
        return True if self.high < low else False if self.low >= high else open_comparison()

    def __le__(self, other: Any) -> bool:
        low, high = ends(other)
        return True if self.high <= low else False if self.low > high else open_comparison()

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        """False where the ends are apart; the same number is found by identity, as Python's containers do."""
        if other is self:
            return True
        if not isinstance(other, Between | Fraction | int):
            return False
        low, high = ends(other)
        return False if self.high < low or high < self.low else open_comparison()

    def __hash__(self) -> int:
        raise Unknown("cases that are told apart by a number that is not a fraction; fractions were expected there")


def open_comparison() -> NoReturn:
    raise Unknown(f"a comparison of real numbers that their ends, of {BITS} digits, leave open")


def clipped(x: Between, top: Fraction | None) -> Any:
    """max(x, 0), and not above ``top`` where it is given. Ends need no comparison of x."""
    if x.low >= 0 and (top is None or x.high <= top):
        return x
    low, high = max(x.low, Fraction(0)), max(x.high, Fraction(0))
    if top is not None:
        low, high = min(low, top), min(high, top)
    return low if low == high else Between(low, high)


def power(x: Any, spend: Callable[[int], None]) -> Between:
    """e^x, x other than the fraction 0."""
    low, high = ends(x)
    if high > STEEPEST:
        raise Unknown(f"e^x of an x above {STEEPEST}")
    spend(64)
    return Between(power_ends(cut(low, False))[0], power_ends(cut(high, True))[1])


@lru_cache(maxsize=1 << 12)
def power_ends(x: Fraction) -> tuple[Fraction, Fraction]:
    if x < -STEEPEST:
        return Fraction(0), Fraction(1, 1 << 4000)
    return power_of_e(x, BITS + 32)


def square_root(x: Any) -> Any:
    """√x: a fraction where x is a square, x known not to be negative."""
    low, high = ends(x)
    if low < 0:
        raise Unknown("the square root of a number that is not known to be 0 or above")
    if low == high:
        top, bottom = isqrt(low.numerator), isqrt(low.denominator)
        if (top * top, bottom * bottom) == (low.numerator, low.denominator):
            return Fraction(top, bottom)
    return Between(root_below(low), root_below(high) + unit_of_root(high))


def unit_of_root(x: Fraction) -> Fraction:
    """What :func:`root_below` cuts off is less than this."""
    return Fraction(1, 1 << BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length()))


def root_below(x: Fraction) -> Fraction:
    """√x from below: the whole units of it."""
    digits = unit_of_root(x).denominator.bit_length() - 1
    return Fraction(isqrt((x.numerator << 2 * digits) // x.denominator), 1 << digits)
