"""The checker's arithmetic of real numbers: a state is a fraction, a number between two fractions, or NAN.

A constant that is given between two fractions, an e^x other than of 0 and a root that is not a fraction are numbers of which two ends are
known; a comparison that these leave open is refused as unknown. Settings that cannot change a real number (the order of sums, the place of
a quotient) have one value.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .recheck_between import Between, clipped, ends, power, square_root
from .recheck_floats import KNOBS, ORDERS, Floats
from .recheck_reading import At, Limits, Unknown
from .recheck_rounding import ANY_DIGITS, NAN, Format

EXACT = "exact"
MOST_BITS = 1 << 20
LARGEST = 4990
"""Binary digits of the whole part of a number; the words for NaN and the infinities lie beyond."""


class Exact(Floats):
    """Real numbers, with the operations of rounded ones."""

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
        """A fraction, or any real number between two, the first of which is the smaller one."""
        self.limits.spend(4)
        if not isinstance(given.data, list):
            return given.number()
        low, high = (x.number() for x in given.items(2))
        return Between(low, high) if low < high else given.refuse("two numbers, the first below the second,")

    def state(self, given: At) -> Any:
        x = given.value()
        return NAN if x == "nan" else given.refuse("a number or nan") if isinstance(x, str) else x

    def value(self, state: Any) -> Any:
        return state if isinstance(state, Between) else "nan" if state == NAN else Fraction(state)

    def count(self, number: int) -> Any:
        return Fraction(number)

    def settle(self, x: Any, *_: Any) -> Any:
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

    def exp(self, x: Any) -> Any:
        if isinstance(x, Between) or x not in (0, NAN):
            return self.kept(power(x, self.limits.spend))
        return NAN if x == NAN else Fraction(1)

    def root(self, x: Any, inverse: bool) -> Any:
        """√x; norms divide by it."""
        if inverse:
            raise Unknown("the inverse of a root")
        return NAN if x == NAN else self.kept(square_root(self.kept(x)))

    def largest(self, scores: Sequence[Any]) -> Any:
        """What softmax subtracts, which changes no weight: NAN where there is one, else the largest lower end."""
        return NAN if NAN in scores else max(ends(x)[0] for x in scores)

    def clipped(self, x: Any, top: Any) -> Any:
        return clipped(x, top and Fraction(top)) if isinstance(x, Between) else super().clipped(x, top)


def floats_of(given: At, limits: Limits) -> Floats:
    """The arithmetic that a certificate names."""
    exact = "format" in given.names() and given.names()["format"].data == EXACT
    return Exact(given, limits) if exact else Floats(given, limits)
