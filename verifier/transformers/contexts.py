"""Rounding contexts: how the operations of a network are carried out, exactly or rounded into a format.

The evaluator knows no format: it asks one of these two for every operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Protocol, TypeAlias

from verifier.arithmetic.enclosure import round_exp, round_real, round_root
from verifier.arithmetic.machine import Machine, exact_product, exact_sum
from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number, less
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.running.errors import InputError
from verifier.transformers import reals
from verifier.transformers.formulas import Constant
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
    """Every operation is exact, then rounded once. Zero has no sign."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic: Arithmetic = arithmetic
        self.machine, self._wide = arithmetic.machine(), arithmetic.accumulator()
        self.add, self.subtract = self.machine.add, self.machine.subtract
        self.multiply, self.divide = self.machine.multiply, self.machine.divide
        self.less = less
        self.constant = lru_cache(maxsize=None)(partial(round_number, self.machine))
        self.exp = lru_cache(maxsize=None)(partial(round_exp, self.machine))

    def dot(self, terms: Sequence[Term]) -> Number:
        wide = self._wide
        if self.arithmetic.rounding == "dot-product":
            total: Number = ZERO
            for term in terms:
                if term is not None:
                    total = exact_sum(total, exact_product(*term))
            return self.machine.round(total)
        if self.arithmetic.products == "fused":
            found = fold(terms, self.arithmetic.sums, lambda sum, term: wide.round(exact_sum(sum, exact_product(*term))), wide.add, ZERO)
        else:
            into = self.machine if self.arithmetic.products == "narrow" else wide
            found = fold([None if term is None else into.multiply(*term) for term in terms], self.arithmetic.sums, wide.add, wide.add)
        return self.machine.round(found)

    def total(self, values: Sequence[Value | None]) -> Number:
        if self.arithmetic.rounding == "dot-product":
            return self.dot([None if x is None else (ONE, x) for x in values])
        return self.machine.round(fold(values, self.arithmetic.sums, self._wide.add, self._wide.add))

    def root(self, x: Number) -> Number:
        return round_root(self.machine, x)

    def inverse_root(self, x: Number) -> Number:
        return round_root(self.machine, x, inverse=True)


def round_number(machine: Machine, x: Constant) -> Number:
    """A number of the file as a value of the format: rounded once, an irrational one from an enclosure."""
    return machine.round(x) if isinstance(x, Fraction) else round_real(machine, lambda flint: x.ball())


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
    """The context that carries out this arithmetic.

    Raises:
        InputError: an arithmetic that only tables have.
    """
    if (arithmetic.order, arithmetic.columns, arithmetic.entries) != ("values", "used", "rounded"):
        raise InputError(f"{arithmetic}: order=values, columns=used and entries=rounded were expected of a network's arithmetic")
    return Exactly() if arithmetic.exact else Rounded(arithmetic)
