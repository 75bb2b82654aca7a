"""The contribution of one token: its attention weight and its products, each operation rounded.

Source: *Every Bit Counts*, Section A.4, steps 1–3 (Q, K, QKᵀ, A = e^(QKᵀ)), with A = QKᵀ for the linear attention
of Definition A.3; the symbol N follows the proof of Lemma 2.3: a key of −N gives the weight 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from verifier.arithmetic.enclosure import round_exp, round_multiple_of_ln2, round_power_of_two
from verifier.arithmetic.machine import Machine, exact_product
from verifier.arithmetic.numbers import INF, ZERO, Number, Special, show, sign
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.networks.entries import Entry, Large
from verifier.networks.instance import Instance, Matrix, Token, Vector
from verifier.running.errors import InputError


@dataclass(frozen=True)
class TokenTerm:
    """One token's weight, e^⟨Q,K⟩ or ⟨Q,K⟩ itself (rounded), and what it adds to each sum of the numerator, before that addition.

    exact: the products before they were rounded, beside ``products``.
    """

    score: str
    weight: Number
    products: tuple[Number, ...]
    exact: tuple[Number, ...]


class Execution:
    """An instance under a semantics: its machine, its entries as that reading takes them, and the terms of its tokens."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        self.instance = instance
        self.semantics = semantics
        self.machine: Machine = semantics.machine(instance.precision)
        self.kernel: Kernel = KERNELS[instance.attention]
        self.query_weights = self._weights(instance.query)
        self.key_weights = self._weights(instance.key)
        self.value_matrix = tuple(tuple(self.entry(x) for x in row) for row in instance.value.rows)
        self.query = self._project(self.entries(_vector(instance.asking, 0)), self.query_weights)
        self._terms: dict[Vector, TokenTerm] = {}
        self._missing: dict[Fraction, bool] = {}

    @cached_property
    def value_weights(self) -> tuple[Number, ...]:
        """W^V, where it has one column.

        Raises:
            InputError: it has several.
        """
        if self.instance.outputs != 1:
            raise InputError(f"{self.instance.id}: one value column was expected, W^V has {self.instance.outputs}")
        return tuple(row[0] for row in self.value_matrix)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The coordinates whose columns of A X are formed: those that W^V uses, or all (knob ``columns``)."""
        used = {c for k in range(self.instance.outputs) for c in self.used_by(k)}
        return tuple(sorted(used))

    def used_by(self, output: int) -> tuple[int, ...]:
        """The coordinates that one column of W^V uses, as if it were the only one: a weight of 0 asks for nothing unless all are formed."""
        every = range(len(self.value_matrix))
        if self.semantics.columns == "all":
            return tuple(every)
        return tuple(c for c in every if self.value_matrix[c][output] != 0)

    @property
    def sums(self) -> int:
        """How many running sums the numerators need: one for each column formed where A X comes first, else one for each column of W^V."""
        return len(self.columns) if self.semantics.order == "ax" else self.instance.outputs

    @cached_property
    def unrepresentable(self) -> tuple[str, ...]:
        """Entries and weights that the format lacks, each with its place; the assumption ``exact-entries`` is about them."""
        return (*self.unrepresentable_in_attention, *self.unrepresentable_in_mlp)

    @cached_property
    def unrepresentable_in_attention(self) -> tuple[str, ...]:
        """Those of the embedding and of W^Q, W^K, W^V."""
        missing = self._lacking
        places = [
            f"step {token.step}, bit {pattern}, entry {k}: {x}"
            for token in self.instance.tokens
            for pattern in self.instance.occurring(token)
            for k, x in enumerate(token.vectors[pattern] or (), 1)
            if isinstance(x, Fraction) and missing(x)
        ]
        for name, matrix in (("W^K", self.instance.key), ("W^V", self.instance.value), ("W^Q", self.instance.query)):
            places += [f"{name}: {x}" for row in matrix.rows for x in row if missing(x)]
        return tuple(dict.fromkeys(places))

    @cached_property
    def unrepresentable_in_mlp(self) -> tuple[str, ...]:
        """Those of the final MLP."""
        places: list[str] = []
        for k, node in enumerate((*self.instance.hidden, self.instance.output), 1):
            name = "MLP output node" if k > len(self.instance.hidden) else f"MLP hidden node {k}"
            places += [f"{name}, weight: {x}" for x in node.weights if self._lacking(x)]
            places += [f"{name}, bias: {node.bias}"] * self._lacking(node.bias)
        return tuple(dict.fromkeys(places))

    def _lacking(self, x: Fraction) -> bool:
        """Whether the format lacks this entry; a wide table has few entries, many times."""
        if x not in self._missing:
            self._missing[x] = not self.machine.form.contains(x)
        return self._missing[x]

    @property
    def ideal_ln2(self) -> bool:
        """Whether scores are in units of an exact ln 2."""
        return self.instance.scores_in_ln2 and self.semantics.ln2 == "ideal"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions that evaluating this instance makes and its semantics does not permit."""
        return self._assumptions(self.unrepresentable)

    @property
    def attention_assumptions(self) -> tuple[str, ...]:
        """Those that the attention alone makes, the MLP left aside."""
        return self._assumptions(self.unrepresentable_in_attention)

    def _assumptions(self, lacking: tuple[str, ...]) -> tuple[str, ...]:
        made = []
        if self.ideal_ln2:
            made.append("ideal-ln2")
        if self.semantics.entries == "exact" and lacking:
            made.append("exact-entries")
        return tuple(a for a in made if a not in self.semantics.permits)

    def entry(self, x: Fraction) -> Number:
        """An entry as this reading takes it: as it is, or rounded into the format."""
        return self.machine.round(x) if self.semantics.entries == "rounded" else x

    def term(self, token: Token, pattern: int) -> TokenTerm:
        """What ``token`` contributes when its bits are ``pattern``; computed once for each vector: a table has few, many times."""
        vector = _vector(token, pattern)
        if vector not in self._terms:
            self._terms[vector] = self.term_of(self.entries(vector))
        return self._terms[vector]

    def term_of(self, vector: Sequence[Number | Large]) -> TokenTerm:
        """What a token with this vector contributes, its entries as this reading takes them."""
        score = self._score(vector)
        weight = self.kernel.weight(self, score)
        if self.semantics.order == "ax":
            factors = [(weight, vector[c]) for c in self.columns]
            exact = tuple(times_entry(w, x) for w, x in factors)
            return TokenTerm(str(score), weight, tuple(self.machine.round(x) for x in exact), exact)
        uses = [[(self.value_matrix[c][k], vector[c]) for c in self.used_by(k)] for k in range(self.instance.outputs)]
        if self.semantics.order == "products":
            totals = tuple(self._sum([self._times(self._times(weight, x), w) for w, x in each]) for each in uses)
            return TokenTerm(str(score), weight, totals, totals)
        terms = tuple(exact_product(weight, self._sum([self._times(w, x) for w, x in each])) for each in uses)
        return TokenTerm(str(score), weight, tuple(self.machine.round(x) for x in terms), terms)

    def entries(self, vector: Vector) -> tuple[Number | Large, ...]:
        """A vector's entries as this reading takes them."""
        return tuple(self.entry(x) if isinstance(x, Fraction) else x for x in vector)

    def _weights(self, matrix: Matrix) -> tuple[tuple[Number, ...], ...]:
        """Weights as this reading takes them; under ``ln2=ideal`` the factor ln 2 stays outside, as the unit of the scores."""
        if matrix.ln2 and self.semantics.ln2 == "rounded":
            return tuple(tuple(round_multiple_of_ln2(self.machine, x) for x in row) for row in matrix.rows)
        return tuple(tuple(self.entry(x) for x in row) for row in matrix.rows)

    def _project(self, vector: Sequence[Number | Large], weights: Sequence[Sequence[Number]]) -> tuple[Number | Large, ...]:
        """vector · weights, each product rounded, summed left to right."""
        width = len(weights[0])
        return tuple(self._sum_entries([(x, row[j]) for x, row in zip(vector, weights, strict=True)]) for j in range(width))

    def _score(self, vector: Sequence[Number | Large]) -> Number | Large:
        """⟨Q, K⟩; in units of ln 2 under ``ln2=ideal``."""
        key = self._project(vector, self.key_weights)
        large = [k for k in (*key, *self.query) if isinstance(k, Large)]
        if not large:
            return self._sum([self.machine.multiply(_number(q), _number(k)) for q, k in zip(self.query, key, strict=True)])
        if len(key) != 1 or len(large) != 1:
            raise InputError(f"{self.instance.id}: N meets other terms in ⟨Q, K⟩; N combines with nothing")
        return _times_large(large[0], _number(key[0] if isinstance(self.query[0], Large) else self.query[0]))

    def _times(self, x: Number, entry: Number | Large) -> Number:
        return self.machine.round(times_entry(x, entry))

    def _sum(self, parts: Sequence[Number]) -> Number:
        total: Number = ZERO
        for part in parts:
            total = self.machine.add(total, part)
        return total

    def _sum_entries(self, pairs: Sequence[tuple[Number | Large, Number]]) -> Number | Large:
        """Σ x·w left to right, where x may be ±N: N·0 is 0, and N plus anything finite is N.

        A finite x times the weight 0 adds nothing and is left out: most weights of a wide table are 0.
        """
        total: Number | Large = ZERO
        for x, w in pairs:
            if w == 0 and isinstance(x, Fraction):
                continue
            total = self._plus(total, _times_large(x, w) if isinstance(x, Large) else self.machine.multiply(x, w))
        return total

    def _plus(self, x: Number | Large, y: Number | Large) -> Number | Large:
        """x + y, rounded. How N compares with −N, an infinity or NaN is not known, so that such a sum is an error of the file."""
        if not isinstance(x, Large) and not isinstance(y, Large):
            return self.machine.add(x, y)
        if x != y and not isinstance(x, Fraction) and not isinstance(y, Fraction):
            x_text, y_text = (str(v) if isinstance(v, Large) else show(v) for v in (x, y))
            raise InputError(f"{self.instance.id}: {x_text} + ({y_text}) in a projection; N combines with nothing")
        return x if isinstance(x, Large) else y


def _vector(token: Token, pattern: int) -> Vector:
    vector: Vector | None = token.vectors[pattern]
    if vector is None:
        raise InputError(f"step {token.step}: token {token.index} has no vector for bits {pattern}")
    return vector


@lru_cache(maxsize=64)
def execution_of(instance: Instance, semantics: Semantics) -> Execution:
    """The reading of an instance: the claims about one table share it, and with it the terms of the tokens."""
    return Execution(instance, semantics)


def _unbounded(machine: Machine, score: Large | Special) -> Number:
    """A score that is not a rational, as a value: N is as good as infinite."""
    if isinstance(score, Large):
        return machine.round(INF if score.positive else Special.NEG_INF)
    return machine.round(score)


def exponential(execution: Execution, score: Number | Large) -> Number:
    """e^score, rounded (Definition A.2); e^−N is 0."""
    if isinstance(score, Large | Special):
        value = _unbounded(execution.machine, score)
        return value if value is Special.NAN or sign(value) > 0 else ZERO
    return (round_power_of_two if execution.ideal_ln2 else round_exp)(execution.machine, score)


def identity(execution: Execution, score: Number | Large) -> Number:
    """The score itself (Definition A.3); a score in units of ln 2 is multiplied out and rounded."""
    if isinstance(score, Large | Special):
        return _unbounded(execution.machine, score)
    return round_multiple_of_ln2(execution.machine, score) if execution.ideal_ln2 else execution.machine.round(score)


@dataclass(frozen=True)
class Kernel:
    """A kind of attention: the weight of a token with this score, and whether the sum is divided by the sum of the weights."""

    weight: Callable[[Execution, Number | Large], Number]
    normalised: bool


KERNELS: dict[str, Kernel] = {"softmax": Kernel(exponential, normalised=True), "linear": Kernel(identity, normalised=False)}


def times_entry(x: Number, entry: Number | Large) -> Number:
    """x · entry exactly; N times 0 is 0 (N is finite), N times anything else is infinite."""
    if isinstance(entry, Large):
        product = _times_large(entry, x)
        return (INF if product.positive else Special.NEG_INF) if isinstance(product, Large) else product
    return exact_product(x, entry)


def _times_large(large: Large, x: Number) -> Number | Large:
    """A factor 0 makes the product 0 whatever its sign."""
    if x is Special.NAN:
        return x
    side = sign(x)
    return Large(large.positive == (side > 0)) if side else ZERO


def _number(x: Number | Entry | Special) -> Number:
    if isinstance(x, Large):
        raise InputError("N stands where a number was expected")
    return x
