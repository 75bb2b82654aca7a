"""Rounding contexts: the arithmetic of a network's operations, exact or rounded into a format.

The evaluator knows no format: it asks one of these two for every operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Protocol, TypeAlias

from verifier.arithmetic import reals
from verifier.arithmetic.enclosure import round_exp, round_multiple_of_ln2, round_power_of_two, round_real, round_root
from verifier.arithmetic.formats import Precision, power_of_two
from verifier.arithmetic.machine import Machine, exact_product, exact_sum
from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number, Special, less, show
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.running.errors import InputError
from verifier.transformers.formulas import Constant

Value: TypeAlias = Any
"""A :data:`Number`, or in exact arithmetic also a :class:`verifier.arithmetic.reals.Real`."""
MOST_DOUBLINGS = 1 << 12
"""The most doublings of 1 for a power of two over real numbers."""
Term: TypeAlias = tuple[Value, Value] | None
"""A product in a sum; None: one that is 0 whatever its factor is, as that of a masked token or of a coefficient 0."""


class Elementwise(Protocol):
    """The operations of a network that act on a number, and on each of many in an array."""

    @property
    def arithmetic(self) -> Arithmetic:
        """The knobs of the operations."""

    @property
    def zero(self) -> Value:
        """0."""

    def constant(self, x: Constant) -> Value:
        """A number of the file, as a value."""

    def count(self, n: int) -> Value:
        """A count, as a value."""

    def dot(self, terms: Sequence[Term], constant: Constant | None = None, name: str = "") -> Value:
        """Σ x·y plus a constant of the file, which is added last. name: the name of a sum over tokens."""

    def total(self, values: Sequence[Value | None], name: str = "") -> Value:
        """Σ x. name: of a sum over tokens."""

    def rectified(self, x: Value) -> Value:
        """max(x, 0); NaN stays NaN."""

    def clipped(self, x: Value) -> Value:
        """min(x, 1); NaN stays NaN."""

    def stepped(self, x: Value) -> Value:
        """1 where x > 0, else 0; NaN stays NaN."""

    def unbounded(self, x: Value) -> bool:
        """Whether x may be infinite or NaN, so that 0·x may be NaN."""

    def add(self, x: Value, y: Value) -> Value: ...
    def subtract(self, x: Value, y: Value) -> Value: ...
    def multiply(self, x: Value, y: Value) -> Value: ...
    def divide(self, x: Value, y: Value) -> Value: ...
    def exp(self, x: Value) -> Value: ...
    def root(self, x: Value) -> Value: ...
    def inverse_root(self, x: Value) -> Value: ...


class Context(Elementwise, Protocol):
    """The operations of a network on single numbers."""

    def projection(self, terms: Sequence[Term], constant: Constant | None = None, alone: bool = False) -> Value:
        """Σ x·y of a query, a key, or a score before it is scaled. alone: of the score."""

    def score(self, x: Value) -> Value:
        """A score in the form from which weights are computed."""

    def weight(self, x: Value, ln2: bool) -> Value:
        """A score as the weight of linear attention. ln2: it is in units of ln 2."""

    def power(self, x: Value, ln2: bool) -> Value:
        """e^x, or 2^x for a score in units of ln 2."""

    def less(self, x: Value, y: Value) -> bool:
        """x < y; false for NaN."""


class OfNumbers:
    """Common parts of the contexts of single numbers."""

    zero = ZERO

    def unbounded(self, x: Value) -> bool:
        return isinstance(x, Special)

    def projection(self: Context, terms: Sequence[Term], constant: Constant | None = None, alone: bool = False) -> Value:
        return self.dot(terms, constant)

    def score(self, x: Value) -> Value:
        return x

    def rectified(self: Context, x: Value) -> Value:
        return x if x is NAN or self.less(ZERO, x) else ZERO

    def clipped(self: Context, x: Value) -> Value:
        return self.constant(ONE) if self.less(ONE, x) else x

    def stepped(self: Context, x: Value) -> Value:
        return x if x is NAN else self.constant(ONE) if self.less(ZERO, x) else ZERO


class Rounded(OfNumbers):
    """Arithmetic in which every operation is exact and then rounded once. Zero has no sign.

    precision: the bits or digits of a table or claim, for an arithmetic without a format.
    """

    def __init__(self, arithmetic: Arithmetic, precision: Precision | None = None) -> None:
        self.arithmetic: Arithmetic = arithmetic
        self.machine, self._wide = arithmetic.machine(precision), arithmetic.accumulator(precision)
        self._products = self.machine if arithmetic.products == "narrow" else self._wide
        self.add, self.subtract = self.machine.add, self.machine.subtract
        self.multiply, self.divide = self.machine.multiply, self.machine.divide
        self.less = less
        self.constant = lru_cache(maxsize=None)(self._constant)
        self.exp = lru_cache(maxsize=None)(partial(round_exp, self.machine))
        self.power, self.weight = lru_cache(maxsize=None)(self._power), lru_cache(maxsize=None)(self._weight)

    def _constant(self, x: Constant) -> Number:
        if self.arithmetic.entries == "exact" and isinstance(x, Fraction) and not self.machine.holds(x):
            lacks = f"{show(x)} is not representable, and entries=exact does not round it"
            raise InputError(f"{self.arithmetic}: {lacks}; entries=rounded was expected")
        return round_number(self.machine, x)

    def product(self, x: Value, y: Value) -> Number:
        """x·y before it is rounded."""
        return exact_product(x, y)

    def dot(self, terms: Sequence[Term], constant: Constant | None = None, name: str = "") -> Number:
        wide, last = self._wide, None if constant is None else self.constant(constant)
        if self.arithmetic.rounding == "dot-product":
            total: Number = ZERO
            for term in terms:
                if term is not None:
                    total = exact_sum(total, self.product(*term))
            return self.machine.round(total if last is None else exact_sum(total, last))
        if self.arithmetic.products == "fused":
            parts = terms if last is None else [*terms, (ONE, last)]
            found = fold(parts, self.arithmetic.sums, lambda sum, term: wide.round(exact_sum(sum, self.product(*term))), wide.add, ZERO)
        else:
            rounded, product = self._products.round, self.product
            products = [None if term is None else rounded(product(*term)) for term in terms]
            if last is not None:
                products.append(last if self.arithmetic.entries == "exact" else rounded(last))
            found = fold(products, self.arithmetic.sums, wide.add, wide.add)
        return self.machine.round(found)

    def count(self, n: int) -> Value:
        return self.machine.round(Fraction(n))

    def _weight(self, x: Value, ln2: bool) -> Value:
        return round_multiple_of_ln2(self.machine, x) if ln2 and isinstance(x, Fraction) else self.machine.round(x)

    def _power(self, x: Value, ln2: bool) -> Value:
        return round_power_of_two(self.machine, x) if ln2 and isinstance(x, Fraction) else self.exp(x)

    def total(self, values: Sequence[Value | None], name: str = "") -> Number:
        if self.arithmetic.rounding == "dot-product":
            return self.dot([None if x is None else (ONE, x) for x in values])
        return self.machine.round(fold(values, self.arithmetic.sums, self._wide.add, self._wide.add))

    def root(self, x: Number) -> Number:
        return round_root(self.machine, x)

    def inverse_root(self, x: Number) -> Number:
        return round_root(self.machine, x, inverse=True)


def round_number(machine: Machine, x: Constant) -> Number:
    """A number of the file as a value of the format. It is rounded once, and an irrational number is rounded from an enclosure."""
    return machine.round(x) if isinstance(x, Fraction) else round_real(machine, lambda flint: x.ball())


class Exactly(OfNumbers):
    """Real numbers, which are fractions, roots, and balls that are refined when a decision needs it.

    A quotient by 0 is NaN, and so is every result computed from it.
    """

    arithmetic = Arithmetic(EXACT, maximum="kept")

    def constant(self, x: Constant) -> Value:
        return x

    def dot(self, terms: Sequence[Term], constant: Constant | None = None, name: str = "") -> Value:
        products = [None if term is None else self.multiply(*term) for term in terms]
        return self.total(products if constant is None else [*products, constant])

    def count(self, n: int) -> Value:
        return Fraction(n)

    def weight(self, x: Value, ln2: bool) -> Value:
        if ln2:
            raise InputError("exact: scores in units of ln 2 have no exact arithmetic as weights; another arithmetic was expected")
        return x

    def power(self, x: Value, ln2: bool) -> Value:
        if not ln2:
            return self.exp(x)
        if not isinstance(x, Fraction) or x.denominator != 1 or abs(x) > MOST_DOUBLINGS:
            raise InputError("exact: a score that is a whole number of ln 2 was expected; another arithmetic rounds it")
        return power_of_two(x.numerator)

    def total(self, values: Sequence[Value | None], name: str = "") -> Value:
        seen = [x for x in values if x is not None]
        return NAN if NAN in seen else reals.total(seen)

    def add(self, x: Value, y: Value) -> Value:
        return self.total([x, y])

    def subtract(self, x: Value, y: Value) -> Value:
        return NAN if y is NAN else self.total([x, -y])

    def multiply(self, x: Value, y: Value) -> Value:
        return NAN if x is NAN or y is NAN else reals.product(x, y)

    def divide(self, x: Value, y: Value) -> Value:
        return NAN if x is NAN or y is NAN or y == 0 else reals.quotient(x, y)

    def exp(self, x: Value) -> Value:
        return NAN if x is NAN else reals.exponential(x)

    def root(self, x: Value) -> Value:
        """√x; NaN for negative numbers, unless a ball has to decide the sign."""
        if x is NAN or (isinstance(x, Fraction) and x < 0):
            return NAN
        return reals.square_root(x)

    def inverse_root(self, x: Value) -> Value:
        return self.divide(ONE, self.root(x))

    def less(self, x: Value, y: Value) -> bool:
        return x is not NAN and y is not NAN and reals.sign(self.subtract(x, y)) < 0


Add = Callable[[Any, Any], Any]


def fold(terms: Sequence[Any], order: str, take: Add, add: Add, first: Any = None, zero: Any = ZERO) -> Any:
    """The sum of the terms; None is an exact 0, which keeps its place in the order and adds nothing.

    order: as :class:`verifier.arithmetic.semantics.Arithmetic` names them.
    take: the function that adds the next term to a chain's sum.
    add: the function that adds two sums.
    first: the first element of a chain; if None, its first term.
    """

    def both(x: Any, y: Any) -> Any:
        return y if x is None else x if y is None else add(x, y)

    def chain(part: Sequence[Any]) -> Any:
        sum = None
        for term in part:
            if term is not None:
                sum = term if sum is None and first is None else take(first if sum is None else sum, term)
        return sum

    def left_to_right(part: Sequence[Any]) -> Any:
        sum = None
        for term in part:
            sum = both(sum, term)
        return sum

    def pairwise(part: Sequence[Any]) -> Any:
        half = (len(part) + 1) // 2
        return chain(part) if len(part) <= 1 else both(pairwise(part[:half]), pairwise(part[half:]))

    def numpy(part: Sequence[Any]) -> Any:
        """np.add.reduce: up to 7 terms left to right; up to 128 in eight chains; more in two parts, the first a multiple of 8 long."""
        if len(part) < 8:
            return chain(part)
        if len(part) > 128:
            half = len(part) // 2 - len(part) // 2 % 8
            return both(numpy(part[:half]), numpy(part[half:]))
        whole = len(part) - len(part) % 8
        r = [chain(part[k:whole:8]) for k in range(8)]
        eight = both(both(both(r[0], r[1]), both(r[2], r[3])), both(both(r[4], r[5]), both(r[6], r[7])))
        return left_to_right([eight, *part[whole:]])

    if order.startswith("split:"):
        k = int(order.removeprefix("split:"))
        found = left_to_right([chain(terms[start::k]) for start in range(k)])
    else:
        found = {"left-to-right": chain, "pairwise": pairwise, "numpy": numpy}[order](terms)
    return zero if found is None else found


def context(arithmetic: Arithmetic) -> Context:
    """The context that carries out this arithmetic."""
    return Exactly() if arithmetic.exact else Rounded(arithmetic)
