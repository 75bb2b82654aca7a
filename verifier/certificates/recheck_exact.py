"""The checker's arithmetic of real numbers, where all of them are rational: a state is a fraction, or NAN.

A network whose numbers are given between two others, an e^x other than of 0, and a square root that is irrational are refused as
unknown because they are not fractions. Settings that cannot change a real number (the order of sums, the place of a quotient) have one
value.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from .recheck_floats import KNOBS, ORDERS, Floats
from .recheck_reading import At, Limits, Unknown
from .recheck_rounding import ANY_DIGITS, NAN, Format

EXACT = "exact"
MOST_BITS = 1 << 20


class Exact(Floats):
    """Fractions, with the operations of rounded numbers."""

    def __init__(self, given: At, limits: Limits) -> None:
        parts = given.record("format", "accumulate", "overflow", "sums", *KNOBS)
        parts["format"].one_of(EXACT)
        self.limits, self.label = limits, "exact arithmetic"
        self.order = parts["sums"].one_of(ORDERS[0])
        self.knobs = {knob: parts[knob].one_of(settings[0]) for knob, settings in KNOBS.items()}
        for part in ("accumulate", "overflow"):
            parts[part].one_of("")
        self.narrow = self.wide = self.into = Format(ANY_DIGITS, 0, 0, 0, "nan")
        self.unit, self.one, self.cost, self.in_order = 0, 1, 1, True

    def constant(self, given: At) -> Any:
        self.limits.spend(4)
        return given.refuse("a rational number, for exact arithmetic,") if isinstance(given.data, list) else given.number()

    def state(self, given: At) -> Any:
        x = given.value()
        return NAN if x == "nan" else given.refuse("a number or nan") if isinstance(x, str) else x

    def value(self, state: Any) -> Any:
        return "nan" if state == NAN else Fraction(state)

    def count(self, number: int) -> Any:
        return Fraction(number)

    def settle(self, x: Any, *_: Any) -> Any:
        return x

    def kept(self, x: Any) -> Any:
        """A result, whose size is work."""
        size = x.numerator.bit_length() + x.denominator.bit_length()
        self.limits.spend(1 + size // 64)
        if size > MOST_BITS:
            raise Unknown("a fraction too large")
        return x

    def sum(self, form: Any, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) else self.kept(x + y)

    def product(self, form: Any, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) else self.kept(x * y)

    def divide(self, x: Any, y: Any) -> Any:
        return NAN if NAN in (x, y) or y == 0 else self.kept(Fraction(x) / y)

    def total(self, terms: Sequence[Any]) -> Any:
        found: Any = Fraction(0)
        for term in terms:
            found = found if term is None else self.sum(None, found, term)
        return found

    def dot(self, terms: Sequence[Any]) -> Any:
        return self.total([None if term is None else self.product(None, *term) for term in terms])

    def exp(self, x: Any) -> Any:
        if x != 0 and x != NAN:
            raise Unknown("e^x of a fraction other than 0 is irrational; fractions were expected")
        return NAN if x == NAN else Fraction(1)

    def root(self, x: Any, inverse: bool) -> Any:
        """The square root of a square."""
        if x == NAN or (x == 0 and inverse):
            return NAN
        x = self.kept(Fraction(x))
        top, bottom = isqrt(max(x.numerator, 0)), isqrt(x.denominator)
        if (top * top, bottom * bottom) != (x.numerator, x.denominator):
            raise Unknown("a square root that is not a fraction")
        return Fraction(bottom, top) if inverse else Fraction(top, bottom)


def floats_of(given: At, limits: Limits) -> Floats:
    """The arithmetic that a certificate names."""
    exact = "format" in given.names() and given.names()["format"].data == EXACT
    return Exact(given, limits) if exact else Floats(given, limits)
