"""Run all inputs at once: :mod:`verifier.transformers.evaluate`, operation by operation, on NumPy arrays over inputs.

An array has the shape (inputs, positions); either is 1 if all entries are equal, so quantities that depend only on positions are computed
once. Scores have the shape (inputs, positions i, positions j).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verifier.arithmetic.floats import Array, carrier, exponentials, fused, to_float, to_number
from verifier.arithmetic.numbers import ONE, ZERO, Number
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError
from verifier.transformers import evaluate, formulas
from verifier.transformers.contexts import Rounded, fold
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import Head, Layer, Network, Norm
from verifier.transformers.records import SOFTMAX

Columns = dict[str, Array]


class RoundedArrays:
    """An arithmetic on arrays: the counterpart of :class:`verifier.transformers.contexts.Rounded` for arrays, without comparisons."""

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
        """The sum of products from NumPy: of exact products, or of rounded ones if NumPy itself rounds."""
        return self.sum_of_terms([None if x is None else self.term(x) for x in products])

    def term(self, product: Array) -> Array:
        """A product before it joins a sum. The product is rounded unless it is fused with the addition."""
        if self.arithmetic.products == "fused":
            return product
        return self.carrier.rounded(product) if self.arithmetic.products == "narrow" else self.carrier.accumulated(product)

    def sum_of_terms(self, terms: Sequence[Array | None]) -> Array:
        """The rounded sum of products after :meth:`term`."""
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
        """The sum over the last axis, of this many terms, if :attr:`adds_in_order`: each partial sum is rounded."""
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
        fast = exponentials(self.carrier, new) if table == "exp" else [None] * len(new)
        for argument, value in zip(new, fast, strict=True):
            known[argument] = to_float(compute(to_number(argument))) if value is None else value
        values = [known.get(argument, np.nan) for argument in arguments.tolist()]
        return np.asarray(values, self.carrier.dtype)[where].reshape(x.shape)

    def exp(self, x: Array) -> Array:
        return self.looked_up("exp", x)

    def rectified(self, x: Array) -> Array:
        return np.maximum(x, self.zero)

    def clipped(self, x: Array) -> Array:
        return np.minimum(x, self.constant(ONE))

    def stepped(self, x: Array) -> Array:
        return np.where(np.isnan(x), x, np.where(x > 0, self.constant(ONE), self.zero))


def _product(x: Array, y: Array) -> Array:
    """x·y; y itself if x is a coefficient 1."""
    return y if x.size == 1 and x[0, 0] == 1 else x * y


class Arrays(RoundedArrays):
    """A network in an arithmetic, on many inputs at once."""

    def __init__(self, network: Network, arithmetic: Arithmetic) -> None:
        """Raise a LimitError for a network that only the definition runs."""
        super().__init__(arithmetic)
        if network.not_by_arrays:
            raise LimitError(network.not_by_arrays, "another kind of attention")
        self.network = network

    def run(self, tokens: Array, at: int | None = None) -> Columns:
        """The coordinates after the last layer, of tokens of the shape (inputs, positions).

        at: the only requested position; the last layer is computed only for it.
        """
        with np.errstate(all="ignore"):
            columns = self.embedded(tokens)
            length = tokens.shape[1]
            for k, layer in enumerate(self.network.layers):
                last = at if at is not None and k == len(self.network.layers) - 1 else None
                columns = self._layer(layer, columns, length, last)
            if self.network.final_norm is not None:
                columns = self.normed(columns, self.network.final_norm)
            if at is not None:
                columns = {name: _place(x, at) for name, x in columns.items()}
            return columns

    def embedded(self, tokens: Array) -> Columns:
        """The embedding, rounded as in the definition, for each pair of a token and a position that occurs."""
        there = np.stack([(tokens == token).any(axis=0) for token in range(1 + int(tokens.max(initial=0)))])
        found = dict.fromkeys(self.network.coordinates, self.zero)
        if not tokens.shape[1]:
            return found | {name: np.zeros(tokens.shape, self.carrier.dtype) for name in self.network.embedding_names}
        places = np.arange(tokens.shape[1])
        for name in self.network.embedding_names:
            table = self._table(name, there)
            one = table[there.argmax(axis=0) if len(table) > 1 else 0, places][None]
            alike = len(table) == 1 or not (there & (table != one)).any()
            found[name] = one if alike else table[tokens.T, places[:, None]].T  # positions one after another, as sums read them
        return found

    def _table(self, name: str, there: Array) -> Array:
        """The values of a coordinate, of the shape (token, position), or (1, position) if it does not depend on the token.

        there: the tokens that occur at each position, of the shape (token, position); other entries of the table have no meaning.
        """
        apart = there if formulas.reads(self.network.file.embedding[name], ("token",)) else there.any(axis=0, keepdims=True)
        table = np.zeros(apart.shape, self.carrier.dtype)
        for token, i in np.argwhere(apart).tolist():
            table[token, i] = to_float(self.scalar.constant(self.network.coordinate(name, token, i)))
        return table

    def applied(self, form: Map, columns: Columns) -> Array:
        """A map of coordinates."""
        return evaluate.applied(form, columns, self)

    def normed(self, columns: Columns, norm: Norm) -> Columns:
        return evaluate.normed(columns, norm, self)

    def uniform_products(self, head: Head, columns: Columns, length: int) -> list[Array]:
        """The terms of a head's sums if all scores are 0: for each value, its weight times the value at each position."""
        weights, _, _ = self._weights(head.entry.kind, np.zeros((1, 1, 1), self.carrier.dtype), None, length)
        return [self.term(weights[:, :, 0] * self.applied(form, columns)) for form in head.value.values()]

    def _layer(self, layer: Layer, columns: Columns, length: int, at: int | None) -> Columns:
        if layer.heads:
            read = self.read_by_heads(layer, columns)
            given = [self._head(head, read, length, at) for head in layer.heads]
            if at is not None:
                columns = {name: _place(x, at) for name, x in columns.items()}
        return self.layer_given(layer, columns, given if layer.heads else [])

    def layer_given(self, layer: Layer, columns: Columns, given: Sequence[Columns]) -> Columns:
        """The coordinates after a layer, from the outputs of its heads."""
        return evaluate.after(layer, columns, list(given), self)[2]

    def read_by_heads(self, layer: Layer, columns: Columns) -> Columns:
        """The input of the heads of a layer, which is the coordinates, normed if a norm precedes attention."""
        return evaluate.read_by_heads(layer, columns, self)

    def _head(self, head: Head, columns: Columns, length: int, at: int | None) -> Columns:
        """The output of a head, at every position or at one."""
        values = {name: self.applied(form, columns) for name, form in head.value.items()}
        rows = range(length) if at is None else range(at, at + 1)
        scores, seen = self._scores(head, columns, length, rows)
        weights, included, divisor = self._weights(head.entry.kind, scores, seen, length)
        given = {}
        for name, value in values.items():
            if included is None and len(rows) == 1 and self.adds_in_order:
                given[name] = self.added_up(weights[:, 0] * value, length)
                if divisor is not None:
                    given[name] = given[name] / divisor
                continue
            products = []
            for j in range(length):
                product = _pick(weights, j) * _place(value, j)
                products.append(product if included is None else np.where(_pick(included, j), product, self.zero))
            total = self.sum_of_products(products)
            given[name] = total if divisor is None else self.carrier.rounded(total / divisor)
            if seen is not None:  # where every token is masked, a head gives 0
                given[name] = np.where(seen.any(axis=2), given[name], self.zero)
        return given

    def _scores(self, head: Head, columns: Columns, length: int, rows: range) -> tuple[Array, Array | None]:
        """The scores of the shape (input, row, token), and the visible tokens, if not all are."""
        query = self.turned(head, head.query, columns, length)
        key = self.turned(head, head.key, columns, length)
        if len(rows) == 1:
            query = [_place(q, rows[0]) for q in query]
        scores, seen = self.scores(head, [q[:, :, None] for q in query], [k[:, None, :] for k in key], rows, length)
        return scores, None if seen is None else seen[None]

    def scores(
        self, head: Head, query: Sequence[Array], key: Sequence[Array], rows: Sequence[int], length: int
    ) -> tuple[Array, Array | None]:
        """The scores of tokens at some places with all tokens, and, of the shape (row, token), the visible ones, if not all are.

        query, key: entries that broadcast against each other. Their last axis is that of tokens; the axis before it, if any, is that of
        rows.
        """
        dtype, rounded = self.carrier.dtype, self.carrier.rounded
        scores = np.zeros((1, 1, 1), dtype)
        if head.query:
            scale = self.constant(head.scale)
            if self.arithmetic.scaling == "query":
                query, scale = [rounded(q * scale) for q in query], self.one
            scores = rounded(self.sum_of_products([q * k for q, k in zip(query, key, strict=True)]) * scale)
            if head.entry.score == "minus-absolute":
                scores = np.where(scores > 0, -scores, scores)
        if head.entry.bias is not None:
            bias = [[to_float(self.scalar.constant(self._bias(head, i, j))) for j in range(length)] for i in rows]
            scores = rounded(scores + np.array(bias, dtype))
        if head.entry.mask == "none" and not head.entry.where:
            return scores, None
        seen = np.array([[head.sees(i, j) for j in range(length)] for i in rows])
        if head.masked is None:
            return scores, seen
        return np.where(seen, scores, self.constant(head.masked)), None

    def _bias(self, head: Head, i: int, j: int) -> Constant:
        """The score is not evaluated for tokens that the mask hides."""
        return self.network.bias(head, i, j) if head.sees(i, j) else ZERO

    def turned(self, head: Head, forms: Sequence[Map], columns: Columns, length: int) -> list[Array]:
        """The entries of a query or key at every position, normed and turned if the head says so."""
        entries = [self.applied(form, columns) for form in forms]
        if head.norm is not None:
            entries = list(self.normed({str(k): x for k, x in enumerate(entries)}, head.norm).values())
        turned, rounded = list(entries), self.carrier.rounded
        for k, angle in enumerate(head.angles):
            parts = [[to_float(self.scalar.constant(x)) for x in self.network.turn(angle, i)] for i in range(length)]
            cosine, sine = (np.array([part], self.carrier.dtype) for part in zip(*parts, strict=True))
            x, y = entries[2 * k], entries[2 * k + 1]
            turned[2 * k] = rounded(rounded(x * cosine) - rounded(y * sine))
            turned[2 * k + 1] = rounded(rounded(x * sine) + rounded(y * cosine))
        return turned

    def _weights(self, kind: str, scores: Array, seen: Array | None, length: int) -> tuple[Array, Array | None, Array | None]:
        """Return the weights, a mask of the weights in use (None: all), and the divisor still to be applied, if any."""
        if kind == "linear":
            return scores, seen, None
        if kind in SOFTMAX:
            return self._softmax(scores, seen, length, kind == "softmax-plus-one")
        everywhere = np.broadcast_to(scores, (*scores.shape[:2], length))
        visible = np.ones((1, 1, length), bool) if seen is None else seen
        hidden = np.where(visible, everywhere, self.carrier.dtype(-np.inf))
        top = hidden.max(axis=2, keepdims=True)
        best = visible & (hidden == top)
        invalid = np.isnan(top)
        ones = np.where(invalid, self.carrier.dtype(np.nan), self.carrier.dtype(1))
        if kind == "average-hard":
            included = best | (invalid & visible)
            size = best.sum(axis=2, keepdims=True)
            counts = {int(n): to_float(self.scalar.constant(ZERO + int(n))) for n in np.unique(size)}
            total = np.vectorize(counts.__getitem__, otypes=[self.carrier.dtype])(size)
            if self.arithmetic.division == "output":
                return ones, included, np.where(invalid, self.carrier.dtype(1), total)[:, :, 0]
            return self.carrier.rounded(ones / np.where(invalid, self.carrier.dtype(1), total)), included, None
        chosen = best.argmax(axis=2) if kind == "leftmost" else length - 1 - best[:, :, ::-1].argmax(axis=2)
        one = np.arange(length)[None, None, :] == chosen[:, :, None]
        return np.broadcast_to(ones, one.shape), np.where(invalid, visible, one & visible), None

    def _softmax(self, scores: Array, seen: Array | None, length: int, plus_one: bool) -> tuple[Array, Array | None, Array | None]:
        extra = np.zeros((1, 1), self.carrier.dtype)
        if self.arithmetic.maximum == "subtracted":
            shown = scores if seen is None else np.where(seen, scores, self.carrier.dtype(-np.inf))
            top = shown.max(axis=2, keepdims=True)
            top = np.maximum(top, self.carrier.dtype(0)) if plus_one else top
            scores = self.carrier.rounded(scores - top)
            extra = self.carrier.rounded(extra - top[:, :, 0])
        exponentials = self.looked_up("exp", scores)
        if seen is None and not plus_one and self.adds_in_order:
            total = self.added_up(exponentials, length)[:, :, 0]
            return (exponentials, None, total) if self.arithmetic.division == "output" else (exponentials / total[:, :, None], None, None)
        terms = [_pick(exponentials, j) for j in range(length)]
        if seen is not None:
            terms = [np.where(_pick(seen, j), term, self.zero) for j, term in enumerate(terms)]
        total = self.total([self.looked_up("exp", extra), *terms] if plus_one else list(terms))
        if self.arithmetic.division == "output":
            return exponentials, seen, total
        return self.carrier.rounded(exponentials / total[:, :, None]), seen, None

    def numbers(self, x: Array, place: int, count: int) -> list[Number]:
        """The values at a position, one for each input."""
        column = np.broadcast_to(_place(x, place), (count, 1))[:, 0]
        return [to_number(value) for value in column.tolist()]


def _place(x: Array, place: int) -> Array:
    """The column of a position."""
    return x if x.shape[1] == 1 else x[:, place : place + 1]


def _pick(x: Array, j: int) -> Array:
    """The entries of a three-dimensional array for position j."""
    return x[:, :, 0] if x.shape[2] == 1 else x[:, :, j]
