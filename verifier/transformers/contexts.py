"""Rounding contexts: how the operations of a network are carried out, exactly or rounded into a format.

The evaluator knows no format: it asks one of these two for every operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from verifier.arithmetic.enclosure import ball_around, round_exp, round_real
from verifier.arithmetic.machine import Machine, RoundingRule, exact_product, exact_quotient, exact_sum
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, ZERO, Number, Special, less, negate
from verifier.arithmetic.rationals import Fraction
from verifier.transformers import reals
from verifier.transformers.arithmetic import EXACT, Arithmetic
from verifier.transformers.formulas import Constant
from verifier.transformers.number_formats import NumberFormat
from verifier.transformers.sums import fold

Value: TypeAlias = Any
"""A :data:`Number`, or in exact arithmetic also a sum of roots or a :class:`verifier.transformers.reals.Real`."""
Term: TypeAlias = tuple[Value, Value] | None
"""A product in a sum; None: one that is 0 whatever its factor is, as that of a masked token or of a coefficient 0."""


class Context(Protocol):
    """The operations of a network."""

    @property
    def arithmetic(self) -> Arithmetic:
        """The knobs that say which operations there are."""

    def constant(self, x: Constant) -> Value:
        """A number of the file."""

    def dot(self, terms: Sequence[Term]) -> Value:
        """Σ x·y."""

    def total(self, values: Sequence[Value | None]) -> Value:
        """Σ x."""

    def add(self, x: Value, y: Value) -> Value: ...
    def subtract(self, x: Value, y: Value) -> Value: ...
    def multiply(self, x: Value, y: Value) -> Value: ...
    def divide(self, x: Value, y: Value) -> Value: ...
    def exp(self, x: Value) -> Value: ...
    def root(self, x: Value) -> Value: ...
    def inverse_root(self, x: Value) -> Value: ...
    def less(self, x: Value, y: Value) -> bool:
        """x < y; false where NaN takes part."""


class Rounded:
    """Every operation is exact, then rounded to the nearest value of the format, ties to even. Zero has no sign."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic: Arithmetic = arithmetic
        self._format, self._accumulator = arithmetic.number_format, arithmetic.accumulator
        self._constants: dict[Any, Number] = {}
        self._exponentials: dict[Number, Number] = {}

    def constant(self, x: Constant) -> Number:
        if x not in self._constants:
            self._constants[x] = round_number(self._format, x)
        return self._constants[x]

    def dot(self, terms: Sequence[Term]) -> Number:
        wide = self._accumulator
        if self.arithmetic.rounding == "dot-product":
            total: Number = ZERO
            for term in terms:
                if term is not None:
                    total = exact_sum(total, exact_product(*term))
            return settle(self._format, total)
        if self.arithmetic.products == "fused":
            found = fold(
                terms, self.arithmetic.sums, lambda sum, term: settle(wide, exact_sum(sum, exact_product(*term))), self._added, ZERO
            )
        else:
            into = self._format if self.arithmetic.products == "narrow" else wide
            products = [None if term is None else settle(into, exact_product(*term)) for term in terms]
            found = fold(products, self.arithmetic.sums, self._added, self._added)
        return settle(self._format, found)

    def total(self, values: Sequence[Value | None]) -> Number:
        if self.arithmetic.rounding == "dot-product":
            return self.dot([None if x is None else (ONE, x) for x in values])
        return settle(self._format, fold(values, self.arithmetic.sums, self._added, self._added))

    def _added(self, x: Number, y: Number) -> Number:
        return settle(self._accumulator, exact_sum(x, y))

    def add(self, x: Number, y: Number) -> Number:
        return settle(self._format, exact_sum(x, y))

    def subtract(self, x: Number, y: Number) -> Number:
        return settle(self._format, exact_sum(x, negate(y)))

    def multiply(self, x: Number, y: Number) -> Number:
        return settle(self._format, exact_product(x, y))

    def divide(self, x: Number, y: Number) -> Number:
        return settle(self._format, exact_quotient(x, y))

    def exp(self, x: Number) -> Number:
        if x not in self._exponentials:
            self._exponentials[x] = self._exponential(x)
        return self._exponentials[x]

    def _exponential(self, x: Number) -> Number:
        if isinstance(x, Special):
            return ZERO if x is NEG_INF else settle(self._format, x)
        return _overflown(self._format, round_exp(self._machine, x))

    def root(self, x: Number) -> Number:
        return self._root(x, inverse=False)

    def inverse_root(self, x: Number) -> Number:
        return self._root(x, inverse=True)

    def _root(self, x: Number, inverse: bool) -> Number:
        if x is NAN or less(x, ZERO):
            return NAN
        if isinstance(x, Special) or x == 0:
            return settle(self._format, exact_quotient(ONE, x) if inverse else x)
        exact = reals.square_root(1 / x if inverse else x)
        if isinstance(exact, Fraction):
            return settle(self._format, exact)
        return _overflown(self._format, round_real(self._machine, lambda flint: ball_around(flint, 1 / x if inverse else x).sqrt()))

    def less(self, x: Number, y: Number) -> bool:
        return less(x, y)

    @cached_property
    def _machine(self) -> Machine:
        return machine(self._format)


def machine(number_format: NumberFormat) -> Machine:
    return Machine(number_format.form, RoundingRule("nearest", "even", "saturate" if number_format.overflow == "saturate" else "after"))


def _overflown(number_format: NumberFormat, x: Number) -> Number:
    return NAN if number_format.overflow == "nan" and (x is INF or x is NEG_INF) else x


def settle(number_format: NumberFormat, x: Number) -> Number:
    """An exact result as a value of the format."""
    return _overflown(number_format, machine(number_format).round(x))


def round_number(number_format: NumberFormat, x: Constant) -> Number:
    """A number of the file as a value of the format: rounded once, an irrational one from an enclosure."""
    if isinstance(x, Fraction):
        return settle(number_format, x)
    return _overflown(number_format, round_real(machine(number_format), lambda flint: x.ball()))


class Exactly:
    """Real numbers: fractions, roots, and balls that are refined where a decision asks for it.

    A quotient by 0 is NaN, and so is everything that is computed from it.
    """

    arithmetic = Arithmetic(EXACT, maximum="kept")

    def constant(self, x: Constant) -> Value:
        return x

    def dot(self, terms: Sequence[Term]) -> Value:
        return self.total([None if term is None else self.multiply(*term) for term in terms])

    def total(self, values: Sequence[Value | None]) -> Value:
        seen = [x for x in values if x is not None]
        return NAN if NAN in seen else reals.total(seen)

    def add(self, x: Value, y: Value) -> Value:
        return self.total([x, y])

    def subtract(self, x: Value, y: Value) -> Value:
        return NAN if y is NAN else self.total([x, reals.negative(y)])

    def multiply(self, x: Value, y: Value) -> Value:
        return NAN if x is NAN or y is NAN else reals.product(x, y)

    def divide(self, x: Value, y: Value) -> Value:
        return NAN if x is NAN or y is NAN or y == 0 else reals.quotient(x, y)

    def exp(self, x: Value) -> Value:
        return NAN if x is NAN else reals.exponential(x)

    def root(self, x: Value) -> Value:
        """√x; NaN of what is negative, where that is not left to a ball."""
        if x is NAN or (isinstance(x, Fraction) and x < 0):
            return NAN
        return reals.square_root(x)

    def inverse_root(self, x: Value) -> Value:
        return self.divide(ONE, self.root(x))

    def less(self, x: Value, y: Value) -> bool:
        return x is not NAN and y is not NAN and reals.sign(self.subtract(x, y)) < 0


def context(arithmetic: Arithmetic) -> Context:
    """The context that carries out this arithmetic."""
    return Exactly() if arithmetic.exact else Rounded(arithmetic)
