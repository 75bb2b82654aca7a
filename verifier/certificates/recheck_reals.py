"""Real numbers, of which two ends are known: sums, products, quotients, e^x and square roots, in rational arithmetic alone.

To be believed, if this file is right: a real number lies between its ends, and what its ends leave open is refused, never guessed.

A ``Between`` is one real number; nothing is known of it but that low <= x <= high. Ends are rounded outwards to ``BITS`` binary digits. Two
such numbers are never seen to be equal.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, NoReturn

from .recheck_numbers import ANY_DIGITS, ARITHMETIC, KNOBS, NAN, ORDERS, Format, Numbers, power_of_e
from .recheck_reading import At, Limits, Unknown

EXACT = "exact"
BITS = 256
STEEPEST = 3000
"""|x| in e^x: above it the number is refused, below it e^x is known to be less than 2^-4000, because e^3000 > 2^4328."""
MOST_BITS = 1 << 20
LARGEST = 4990
"""Binary digits of the whole part of a number; the words for NaN and the infinities lie beyond."""


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


@lru_cache(maxsize=1 << 12)
def power_ends(x: Fraction) -> tuple[Fraction, Fraction]:
    """Ends of e^x."""
    if x < -STEEPEST:
        return Fraction(0), Fraction(1, 1 << 4000)
    return power_of_e(x, BITS + 32)


def root_below(x: Fraction) -> tuple[Fraction, Fraction]:
    """√x from below, in whole units, and a unit."""
    digits = BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Fraction(isqrt((x.numerator << 2 * digits) // x.denominator), 1 << digits), Fraction(1, 1 << digits)


class Exact(Numbers):
    """Real numbers, with the operations of rounded ones: a state is a fraction, a number between two fractions, or NAN.

    Settings that cannot change a real number (the order of sums, the place of a quotient) have one value.
    """

    real = True

    def __init__(self, given: At, limits: Limits) -> None:
        parts = given.record(*ARITHMETIC)
        parts["format"].one_of(EXACT)
        self.limits, self.label, self.lacking = limits, "exact arithmetic", False
        self.order = parts["sums"].one_of(ORDERS[0])
        self.knobs = {knob: parts[knob].one_of(settings[0]) for knob, settings in KNOBS.items()}
        for part in ("accumulate", "overflow"):
            parts[part].one_of("")
        self.narrow = self.wide = self.into = Format(ANY_DIGITS, 0, 0, 0, "nan")
        self.unit, self.scale, self.per_one, self.binary = 0, Fraction(1), Fraction(1), True
        self.one, self.cost, self.in_order = 1, 1, True

    def constant(self, given: At) -> Any:
        """A fraction, or any real number between two, the first of which is the smaller one."""
        self.limits.spend(4)
        if not isinstance(given.data, list):
            return given.number()
        low, high = (x.number() for x in given.items(2))
        return Between(low, high) if low < high else given.refuse("two numbers, the first below the second,")

    def value(self, state: Any) -> Any:
        return state if isinstance(state, Between) else "nan" if state == NAN else Fraction(state)

    def count(self, number: int) -> Any:
        return Fraction(number)

    def settle(self, x: Any) -> Any:
        return x

    def kept(self, x: Any) -> Any:
        """A result, whose size is work."""
        for end in ends(x) if isinstance(x, Between) else (x,):
            top, bottom = end.numerator.bit_length(), end.denominator.bit_length()
            self.limits.spend(1 + (top + bottom) // 64)
            if top + bottom > MOST_BITS or top - bottom > LARGEST:
                raise Unknown("a fraction too large")
        return x

    def sum(self, form: Any, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) else self.kept(x + y)

    def product(self, form: Any, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) else self.kept(x * y)

    def divide(self, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) or y == 0 else self.kept(x / (y if isinstance(y, Between) else Fraction(y)))

    def total(self, terms: Sequence[Any]) -> Any:
        found: Any = Fraction(0)
        for term in terms:
            found = found if term is None else self.sum(None, found, term)
        return found

    def dot(self, terms: Sequence[Any]) -> Any:
        return self.total([None if term is None else self.product(None, *term) for term in terms])

    def exp(self, x: Any, base_two: bool = False) -> Any:
        if base_two:
            raise Unknown("powers of 2 as weights, in exact arithmetic")
        if not isinstance(x, Between) and x in (0, NAN):
            return NAN if x == NAN else Fraction(1)
        low, high = ends(x)
        if high > STEEPEST:
            raise Unknown(f"e^x of an x above {STEEPEST}")
        self.limits.spend(64)
        return self.kept(Between(power_ends(cut(low, False))[0], power_ends(cut(high, True))[1]))

    def root(self, x: Any, inverse: bool) -> Any:
        """√x, a fraction where x is a square, x known not to be negative; norms divide by it."""
        if inverse:
            raise Unknown("the inverse of a root")
        if x == NAN:
            return NAN
        low, high = ends(self.kept(x))
        if low < 0:
            raise Unknown("the square root of a number that is not known to be 0 or above")
        if low == high:
            top, bottom = isqrt(low.numerator), isqrt(low.denominator)
            if (top * top, bottom * bottom) == (low.numerator, low.denominator):
                return self.kept(Fraction(top, bottom))
        return self.kept(Between(root_below(low)[0], sum(root_below(high), Fraction(0))))

    def largest(self, scores: Sequence[Any]) -> Any:
        """What softmax subtracts, which changes no weight: NAN where there is one, else the largest lower end."""
        return NAN if NAN in scores else max(ends(x)[0] for x in scores)

    def clipped(self, x: Any, top: Any) -> Any:
        """Ends need no comparison of x."""
        if not isinstance(x, Between):
            return super().clipped(x, top)
        if x.low >= 0 and (top is None or x.high <= top):
            return x
        low, high = max(x.low, Fraction(0)), max(x.high, Fraction(0))
        if top is not None:
            low, high = min(low, Fraction(top)), min(high, Fraction(top))
        return low if low == high else Between(low, high)


def numbers_of(given: At, limits: Limits) -> Numbers:
    """The arithmetic that a certificate names."""
    exact = "format" in given.names() and given.names()["format"].data == EXACT
    return Exact(given, limits) if exact else Numbers(given, limits)
