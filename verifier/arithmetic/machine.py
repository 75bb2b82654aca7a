"""A bounded-precision machine: every operation is exact, then rounded once into one format.

Source: *Every Bit Counts*, Section A.3 ("first find the exact value …, and then round off"); the treatment of ties,
overflow and invalid operations is a :class:`RoundingRule`, named by a semantics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from verifier.arithmetic.formats import Format
from verifier.arithmetic.numbers import NAN, ZERO, Number, Special, infinity, negate, sign
from verifier.arithmetic.rationals import Fraction

Rounding = Literal["nearest", "truncate"]
Ties = Literal["zero", "even", "away"]
Overflow = Literal["after", "before", "saturate", "nan"]


@dataclass(frozen=True)
class RoundingRule:
    """The rule by which a rational number is rounded to a value of the format.

    rounding: to the nearest value, or truncated towards zero.
    ties:     which neighbour a midpoint goes to: the one nearer zero, the even multiple of the spacing, the one farther from zero.
    overflow: infinite, as decided on the rounded value or on the exact value, saturating at the largest value, or NaN.
    """

    rounding: Rounding = "nearest"
    ties: Ties = "zero"
    overflow: Overflow = "after"

    def goes_up(self, above: Any, tie: Any, below: Any) -> Any:
        """Whether the value is rounded away from zero: ``below`` counts the spacings up to the nearer neighbour, and the remainder is
        ``above`` one half of a spacing, or a ``tie``. Numbers and booleans, or arrays of them; always False for truncation.
        """
        if self.rounding == "truncate":
            return False
        if self.ties == "zero":
            return above
        return above | tie if self.ties == "away" else above | (tie & (below % 2 == 1))

    def whole(self, above: Any, below: Any) -> Any:
        """above/below ≥ 0 rounded to a whole number; integers or arrays of them, with 2·below within 64 bits."""
        units, rest = divmod(above, below)
        return units + self.goes_up(2 * rest > below, 2 * rest == below, units)


def to_grid(above: int, below: int, doublings: int, rule: RoundingRule) -> int:
    """The multiple of 2^doublings that ``rule`` assigns to above/below ≥ 0; ⌊ ⌋ of it where it is not whole."""
    if doublings >= 0:
        found: int = rule.whole(above, below << doublings) << doublings
    else:
        found = rule.whole(above << -doublings, below) >> -doublings
    return found


def round_into(form: Format, rule: RoundingRule, x: Number) -> Number:
    """``x`` rounded into ``form``; infinities and NaN stay, where the rule has infinities."""
    if isinstance(x, Special):
        return x if x is NAN else _overflown(form, rule, sign(x))
    if x == 0:
        return ZERO
    up, down = form.per_unit
    above, below = abs(x.numerator) * up, x.denominator * down
    units = to_grid(above, below, form.doublings(above, below), rule)
    if (above > form.top * below) if rule.overflow == "before" else (units > form.top):
        return _overflown(form, rule, sign(x))
    if units < form.first:
        return ZERO
    if units * below == above and type(x) is Fraction:
        return x
    return Fraction(units * down if x > 0 else -units * down, up)


def _overflown(form: Format, rule: RoundingRule, side: int) -> Number:
    if rule.overflow == "nan":
        return NAN
    return form.largest * side if rule.overflow == "saturate" else infinity(side)


def exact_sum(x: Number, y: Number) -> Number:
    """x + y on the extended line; inf − inf is NaN."""
    if type(x) is Fraction and type(y) is Fraction:  # most are, and this is asked quickly
        return x + y
    if isinstance(x, Special):
        return NAN if isinstance(y, Special) and x is not y else x
    return y if isinstance(y, Special) else x + y


def exact_product(x: Number, y: Number) -> Number:
    """x · y on the extended line; 0 · inf is NaN."""
    if type(x) is Fraction and type(y) is Fraction:
        return x * y
    if isinstance(x, Special) or isinstance(y, Special):
        if x is NAN or y is NAN or sign(x) * sign(y) == 0:
            return NAN
        return infinity(sign(x) * sign(y))
    return x * y


def exact_quotient(x: Number, y: Number) -> Number:
    """x / y on the extended line; 0/0 and inf/inf are NaN, x/0 has the sign of x (zero is unsigned)."""
    if x is NAN or y is NAN:
        return NAN
    if isinstance(x, Special):
        return NAN if isinstance(y, Special) else infinity(sign(x) if y >= 0 else -sign(x))
    if isinstance(y, Special):
        return ZERO
    if y == 0:
        return NAN if x == 0 else infinity(sign(x))
    return x / y


@dataclass(frozen=True)
class Machine:
    """A format with a rounding rule; each method is one rounded operation."""

    form: Format
    rule: RoundingRule = RoundingRule()

    def round(self, x: Number) -> Number:
        return round_into(self.form, self.rule, x)

    def add(self, x: Number, y: Number) -> Number:
        return self.round(exact_sum(x, y))

    def subtract(self, x: Number, y: Number) -> Number:
        return self.add(x, negate(y))

    def multiply(self, x: Number, y: Number) -> Number:
        return self.round(exact_product(x, y))

    def divide(self, x: Number, y: Number) -> Number:
        return self.round(exact_quotient(x, y))

    def holds(self, x: Number) -> bool:
        """Whether ``x`` is a value of the format (an infinity is one where overflow makes infinities)."""
        if isinstance(x, Special):
            return self.rule.overflow in ("after", "before")
        return self.form.contains(x)


def rectified(x: Number) -> Number:
    """max{0, x} (Definition A.4); NaN stays NaN."""
    return x if x is NAN or sign(x) > 0 else ZERO
