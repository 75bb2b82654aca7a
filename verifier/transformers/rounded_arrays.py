"""The rounded operations of one arithmetic on NumPy arrays over inputs: sums, activations, and functions that are looked up.

exp and 1/√ are looked up: correctly rounded values of the arguments that occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np

from verifier.arithmetic.floats import Array, carrier, exponentials, fused, to_float, to_number
from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.contexts import Rounded
from verifier.transformers.formulas import Constant
from verifier.transformers.sums import fold

Columns = dict[str, Array]


class RoundedArrays:
    """An arithmetic on arrays: what :class:`verifier.transformers.contexts.Rounded` is on single numbers, but for comparisons."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.carrier = carrier(arithmetic)
        self.scalar = Rounded(arithmetic)
        self.zero = np.zeros((1, 1), self.carrier.dtype)
        self.one = np.ones((1, 1), self.carrier.dtype)
        self._tables: dict[str, dict[float, float]] = {"exp": {}, "inverse_root": {}}
        self._constants: dict[Constant, Array] = {}

    def constant(self, x: Constant) -> Array:
        if x not in self._constants:
            self._constants[x] = np.full((1, 1), to_float(self.scalar.constant(x)), self.carrier.dtype)
        return self._constants[x]

    def dot(self, terms: Sequence[tuple[Array, Array] | None], constant: Constant | None = None, name: str = "") -> Array:
        last = [] if constant is None else [(self.constant(constant), self.one)]
        return self.sum_of_products([None if term is None else _product(*term) for term in (*terms, *last)])

    def count(self, n: int) -> Array:
        return self.constant(ZERO + n)

    def unbounded(self, x: Array) -> bool:
        return True

    def add(self, x: Array, y: Array) -> Array:
        return self.carrier.rounded(x + y)

    def subtract(self, x: Array, y: Array) -> Array:
        return self.carrier.rounded(x - y)

    def multiply(self, x: Array, y: Array) -> Array:
        return self.carrier.rounded(x * y)

    def divide(self, x: Array, y: Array) -> Array:
        return self.carrier.rounded(x / y)

    def root(self, x: Array) -> Array:
        return self.carrier.rounded(np.sqrt(x))

    def inverse_root(self, x: Array) -> Array:
        return self.looked_up("inverse_root", x)

    def sum_of_products(self, products: Sequence[Array | None]) -> Array:
        """The sum of products that NumPy has formed: exact ones, or rounded ones where it rounds itself."""
        return self.sum_of_terms([None if x is None else self.term(x) for x in products])

    def term(self, product: Array) -> Array:
        """A product as a sum takes it: rounded, but for one that is fused with the addition."""
        if self.arithmetic.products == "fused":
            return product
        return self.carrier.rounded(product) if self.arithmetic.products == "narrow" else self.carrier.accumulated(product)

    def sum_of_terms(self, terms: Sequence[Array | None]) -> Array:
        """The rounded sum of products that are terms already."""
        fused = self.arithmetic.products == "fused"
        take = self._add_fused if fused else self._add_wide
        return self.carrier.rounded(fold(terms, self.arithmetic.sums, take, self._add_wide, self.zero if fused else None, self.zero))

    def accumulated(self, total: Array, product: Array) -> Array:
        """A sum with its next term."""
        return self._add_wide(total, product)

    @property
    def adds_in_order(self) -> bool:
        """Whether sums run from left to right in a format of NumPy's own."""
        native = self.carrier.narrow is None and self.carrier.wide is None
        return native and self.arithmetic.sums == "left-to-right" and self.arithmetic.products != "fused"

    def added_up(self, terms: Array, length: int) -> Array:
        """The sum over the last axis, of so many terms, where :attr:`adds_in_order`: each partial sum is rounded."""
        return np.add.accumulate(np.broadcast_to(terms, (*terms.shape[:-1], length)), axis=-1)[..., -1:]

    def total(self, values: Sequence[Array | None], name: str = "") -> Array:
        return self.carrier.rounded(fold(values, self.arithmetic.sums, self._add_wide, self._add_wide, zero=self.zero))

    def _add_fused(self, sum: Array, product: Array) -> Array:
        return self.carrier.accumulated(fused(*np.broadcast_arrays(sum, product)))

    def _add_wide(self, x: Array, y: Array) -> Array:
        return self.carrier.accumulated(x + y)

    def looked_up(self, table: str, x: Array) -> Array:
        """A function of one argument, by the definition's values."""
        arguments, where = np.unique(x, return_inverse=True)
        known, compute = self._tables[table], getattr(self.scalar, table)
        new = [argument for argument in arguments.tolist() if argument not in known]
        fast = exponentials(self.scalar.machine.form, new) if table == "exp" else repeat(None)
        for argument, value in zip(new, fast, strict=False):
            known[argument] = to_float(compute(to_number(argument))) if value is None else value
        values = [known.get(argument, np.nan) for argument in arguments.tolist()]
        return np.asarray(values, self.carrier.dtype)[where].reshape(x.shape)

    def activated(self, kind: str, x: Array) -> Array:
        if kind == "identity":
            return x
        one = self.constant(ZERO + 1)
        if kind == "silu":
            return self.carrier.rounded(x / self.carrier.rounded(one + self.looked_up("exp", -x)))
        if kind == "step":
            return np.where(np.isnan(x), x, np.where(x > 0, one, self.zero))
        x = np.maximum(x, self.zero)
        return np.minimum(x, one) if kind == "clipped-relu" else x


def _product(x: Array, y: Array) -> Array:
    """x·y; y itself where x is a coefficient 1."""
    return y if x.size == 1 and x[0, 0] == 1 else x * y
