"""Tables as networks: one layer with one head, whose last token asks, and a network whose output node answers.

The lowered table is run by the definition (:mod:`verifier.transformers.evaluate`). Quantities of a single token are computed once for each
vector, because a table repeats few vectors many times.

Source: *Every Bit Counts*, Definitions A.2 to A.4 and Section A.4; the symbol N follows the proof of Lemma 2.3: a key of −N gives the
weight 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Literal, TypeAlias

from verifier.arithmetic.enclosure import round_multiple_of_ln2
from verifier.arithmetic.formats import Precision
from verifier.arithmetic.machine import Machine, exact_product, exact_sum
from verifier.arithmetic.numbers import INF, NEG_INF, ONE, ZERO, Number, Special, show, sign
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.networks.entries import Entry, Large
from verifier.networks.instance import Instance, Matrix, Token
from verifier.networks.instance import Vector as Entries
from verifier.running.errors import InputError
from verifier.transformers import records
from verifier.transformers.contexts import Rounded, Term, Value
from verifier.transformers.evaluate import Vector, addends, kernel, keyed, queried, score, valued
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import FeedForward, Head, Layer, Model, Norm

OUTPUT = "out"
SumOf: TypeAlias = Callable[[Sequence[Any]], Number]


@dataclass(frozen=True)
class Noted:
    """A term of a sum over tokens and the sum after it, each before and after it was rounded."""

    exact: Number
    product: Number
    before: Number
    sum: Number


class OfTables(Rounded):
    """Rounded operations with the symbol N, a number so large that e^−N is 0: it combines with nothing but finite numbers.

    subject: its name in messages. noting: whether sums over tokens are kept; sums: the most recent ones, by name.
    """

    def __init__(self, arithmetic: Semantics, precision: Precision, subject: str) -> None:
        super().__init__(arithmetic, precision)
        self.subject, self.noting, self.sums = subject, False, dict[str, list[Noted]]()
        self.multiply = lambda x, y: self.machine.round(self.product(x, y))
        self.in_order = arithmetic.sums == "left-to-right" and arithmetic.rounding != "dot-product"

    def _constant(self, x: Value) -> Value:
        """Entries that the format lacks are used unrounded, with an assumption (:attr:`Execution.assumptions`)."""
        kept = self.arithmetic.entries == "exact" or isinstance(x, Large | Special)
        return x if kept else self.machine.round(x)

    def product(self, x: Value, y: Value) -> Number:
        """x·y before it is rounded; N times 0 is 0 (N is finite), N times anything else is infinite."""
        if isinstance(x, Large) or isinstance(y, Large):
            found: Number = _extended(_times_large(y, x) if isinstance(y, Large) else _times_large(x, y))
            return found
        return exact_product(x, y)

    def score(self, x: Value) -> Value:
        return _extended(x)

    def projection(self, terms: Sequence[Term], constant: Constant | None = None, alone: bool = False) -> Value:
        """Σ x·y, keeping N: plus anything finite it is N; its order relative to −N, an infinity or NaN is unknown.

        Raises:
            InputError: what N combines with.
        """
        given = [term for term in terms if term is not None]
        large = sum(isinstance(x, Large) for term in given for x in term)
        if not large:
            return self.dot(terms, constant)
        if alone and (len(terms) != 1 or large != 1):
            raise InputError(f"{self.subject}: N meets other terms in ⟨Q, K⟩; N combines with nothing")
        total: Value = ZERO
        for x, y in given:
            part = _times_large(x, y) if isinstance(x, Large) else _times_large(y, x) if isinstance(y, Large) else self.multiply(x, y)
            total = self._plus(total, part)
        return total

    def _plus(self, x: Value, y: Value) -> Value:
        if not isinstance(x, Large) and not isinstance(y, Large):
            return self.add(x, y)
        if x != y and not isinstance(x, Fraction) and not isinstance(y, Fraction):
            x_text, y_text = (str(v) if isinstance(v, Large) else show(v) for v in (x, y))
            raise InputError(f"{self.subject}: {x_text} + ({y_text}) in a projection; N combines with nothing")
        return x if isinstance(x, Large) else y

    def dot(self, terms: Sequence[Term], constant: Constant | None = None, name: str = "") -> Number:
        if not name or not self.noting:
            return super().dot(terms, constant)
        exact = [ZERO if term is None else self.product(*term) for term in terms]
        whole = self.arithmetic.products == "fused" or self.arithmetic.rounding == "dot-product"
        return self._noted(name, exact, exact if whole else [self._products.round(x) for x in exact], super().dot, terms)

    def total(self, values: Sequence[Value | None], name: str = "") -> Number:
        if not name or not self.noting:
            return super().total(values)
        terms = [ZERO if x is None else x for x in values]
        return self._noted(name, terms, terms, super().total, values)

    def _noted(self, name: str, exact: Sequence[Number], products: Sequence[Number], sum_of: SumOf, terms: Sequence[Any]) -> Number:
        """The sum, with its value after each token: if it does not run from left to right, the sum of the terms up to that token."""
        total: Number = ZERO
        found, wide = list[Noted](), self._wide
        for k, (x, product) in enumerate(zip(exact, products, strict=True), 1):
            before = exact_sum(total, product) if self.in_order else sum_of(terms[:k])
            total = wide.round(before) if self.in_order else before
            found.append(Noted(x, product, before, total))
        self.sums[name] = found
        return self.machine.round(total)


def _extended(x: Value) -> Value:
    """N replaced by an infinity."""
    return (INF if x.positive else NEG_INF) if isinstance(x, Large) else x


def _times_large(large: Large, x: Value) -> Value:
    """A factor 0 makes the product 0, whatever the sign of N."""
    if x is Special.NAN:
        return x
    side = sign(_extended(x))
    return Large(large.positive == (side > 0)) if side else ZERO


@dataclass(frozen=True, eq=False)
class LoweredTable(Model):
    """The network of a table. A token's symbol is its content, an index of its vectors."""

    instance: Instance
    coordinates: tuple[str, ...]
    layers: tuple[Layer, ...]
    final_norm: Norm | None = None

    def embedding(self, token: int, i: int) -> dict[str, Entry]:
        return dict(zip(self.coordinates, vector_of(self.instance.tokens[i], token), strict=True))


def vector_of(token: Token, pattern: int) -> Entries:
    """A token's vector for a content.

    Raises:
        InputError: the row prints NA.
    """
    vector: Entries | None = token.vectors[pattern]
    if vector is None:
        raise InputError(f"step {token.step}: token {token.index} has no vector for bits {pattern}")
    return vector


def lowered(instance: Instance, context: Rounded) -> LoweredTable:
    """A table as a network, with its weights in a given arithmetic: a factor ln 2 is the unit of the scores, or is rounded with each
    weight."""
    names = tuple(f"x{k}" for k in range(1, len(instance.value.rows) + 1))
    ideal = instance.scores_in_ln2 and context.arithmetic.ln2 == "ideal"

    def maps(matrix: Matrix) -> tuple[Map, ...]:
        rounded = partial(round_multiple_of_ln2, context.machine) if matrix.ln2 and not ideal else None
        return tuple(_map(names, list(map(rounded, column)) if rounded else column) for column in zip(*matrix.rows, strict=True))

    values = {f"a{k}": form for k, form in enumerate(maps(instance.value), 1)}
    if context.arithmetic.columns == "used":  # a weight that is rounded to 0 uses nothing
        values = {name: Map(tuple(each for each in form.terms if context.constant(each[1]) != 0)) for name, form in values.items()}
    kind: Literal["linear", "softmax"] = "linear" if instance.attention == "linear" else "softmax"
    entry = records.Head(value={}, kind=kind)
    head = Head(entry, maps(instance.query), maps(instance.key), values, ONE, None, (), scaled=False, ln2=ideal)
    hidden = {f"h{k}": _map(tuple(values), node.weights, node.bias) for k, node in enumerate(instance.hidden, 1)}
    into = {OUTPUT: _map(tuple(hidden), instance.output.weights, instance.output.bias)}
    network = FeedForward(records.FeedForward(hidden={}, into={}, residual=False), hidden, {}, into)
    layer = Layer(records.Layer(residual=False), (head,), {}, network, {}, last_asks=True)
    return LoweredTable(instance, names, (layer,))


def _map(names: Sequence[str], column: Sequence[Any], bias: Fraction = ZERO) -> Map:
    return Map(tuple((name, x) for name, x in zip(names, column, strict=True) if x != 0), bias)


@dataclass(frozen=True)
class TokenTerm:
    """One token's weight, e^⟨Q,K⟩ or ⟨Q,K⟩ itself (rounded), and its term of each sum of the numerator, before that addition.

    exact: the products before rounding, beside ``products``.
    """

    score: str
    weight: Number
    products: tuple[Number, ...]
    exact: tuple[Number, ...]


class Execution:
    """A table under a semantics: its network in a context, and the terms of each token."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        if semantics.exact:
            raise InputError(f"{instance.id}: tables are run in a number format; a4 or one such as float16 was expected, not exact")
        self.instance = instance
        self.semantics = semantics
        self.context = OfTables(semantics, instance.precision, instance.id)
        self.machine: Machine = self.context.machine
        self.table = lowered(instance, self.context)
        self.layer = self.table.layers[0]
        self.head = self.layer.heads[0]
        asking = self._embedded(vector_of(instance.asking, 0))
        self.query = queried(self.table, self.head, len(instance.tokens) - 1, asking, self.context)
        self._tokens: dict[Entries, Read] = {}
        self._terms: dict[Entries, TokenTerm] = {}
        self._missing: dict[Fraction, bool] = {}

    def __reduce__(self) -> tuple[type[Execution], tuple[Instance, Semantics]]:
        return Execution, (self.instance, self.semantics)

    @property
    def normalised(self) -> bool:
        """Whether the sum is divided by the sum of the weights."""
        return self.instance.attention != "linear"

    @cached_property
    def value_weights(self) -> tuple[Number, ...]:
        """W^V, if it has one column.

        Raises:
            InputError: it has several.
        """
        if self.instance.outputs != 1:
            raise InputError(f"{self.instance.id}: one value column was expected, W^V has {self.instance.outputs}")
        ((_, form),) = self.head.value.items()
        given = dict(form.terms)
        return tuple(self.entry(given.get(name, ZERO)) for name in self.table.coordinates)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The coordinates whose columns of A X are formed. These are the coordinates that W^V uses, or all (knob ``columns``)."""
        used = {name for form in self.head.value.values() for name, _ in form.terms}
        return tuple(k for k, name in enumerate(self.table.coordinates) if name in used or self.semantics.columns == "all")

    @property
    def sums(self) -> int:
        """The number of running sums of the numerators: one for each column formed if A X comes first, else one for each column of W^V."""
        return len(self.columns) if self.semantics.order == "ax" else self.instance.outputs

    @cached_property
    def sum_names(self) -> tuple[str, ...]:
        """The definition's names of the running sums of the numerators."""
        return tuple(self.table.coordinates[c] for c in self.columns) if self.semantics.order == "ax" else tuple(self.head.value)

    @cached_property
    def unrepresentable(self) -> tuple[str, ...]:
        """Entries and weights that the format lacks, each with its place; the assumption ``exact-entries`` concerns them."""
        return (*self.unrepresentable_in_attention, *self.unrepresentable_in_mlp)

    @cached_property
    def unrepresentable_in_attention(self) -> tuple[str, ...]:
        """The missing entries of the embedding and of W^Q, W^K, W^V."""
        return self.unrepresentable_in_sums(frozenset(token.step for token in self.instance.tokens))

    def unrepresentable_in_sums(self, steps: Collection[int], values: bool = True) -> tuple[str, ...]:
        """The missing entries that sums over the rows of some steps read. values: whether these are sums of values, or of weights alone."""
        missing, asking = self._lacking, self.instance.tokens[-1]
        of_keys = {self.table.coordinates.index(name) for form in self.head.key for name, _ in form.terms}
        places = [
            f"step {token.step}, bit {pattern}, entry {k + 1}: {x}"
            for token in self.instance.tokens
            if token.step in steps or token is asking
            for pattern in self.instance.occurring(token)
            for k, x in enumerate(token.vectors[pattern] or ())
            if (values or k in of_keys or token is asking) and isinstance(x, Fraction) and missing(x)
        ]
        weights = [("W^K", self.instance.key), *([("W^V", self.instance.value)] if values else []), ("W^Q", self.instance.query)]
        for name, matrix in weights:
            places += [f"{name}: {x}" for row in matrix.rows for x in row if missing(x)]
        return tuple(dict.fromkeys(places))

    @cached_property
    def unrepresentable_in_mlp(self) -> tuple[str, ...]:
        """The missing entries of the final MLP."""
        places: list[str] = []
        for k, node in enumerate((*self.instance.hidden, self.instance.output), 1):
            name = "MLP output node" if k > len(self.instance.hidden) else f"MLP hidden node {k}"
            places += [f"{name}, weight: {x}" for x in node.weights if self._lacking(x)]
            places += [f"{name}, bias: {node.bias}"] * self._lacking(node.bias)
        return tuple(dict.fromkeys(places))

    def _lacking(self, x: Fraction) -> bool:
        """Whether the format lacks this entry; cached, because a wide table repeats few entries many times."""
        if x not in self._missing:
            self._missing[x] = not self.machine.form.contains(x)
        return self._missing[x]

    @property
    def ideal_ln2(self) -> bool:
        """Whether scores are in units of an exact ln 2."""
        return self.head.ln2

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions that evaluating this instance makes and its semantics does not permit."""
        return self.assuming(self.unrepresentable)

    @property
    def attention_assumptions(self) -> tuple[str, ...]:
        """The assumptions of the attention alone, without the MLP."""
        return self.assuming(self.unrepresentable_in_attention)

    def assuming(self, lacking: tuple[str, ...]) -> tuple[str, ...]:
        """The assumptions of an evaluation that reads these missing entries."""
        made = []
        if self.ideal_ln2:
            made.append("ideal-ln2")
        if self.semantics.entries == "exact" and lacking:
            made.append("exact-entries")
        return tuple(a for a in made if a not in self.semantics.permits)

    def entry(self, x: Constant) -> Number:
        """An entry in this reading: unrounded, or rounded into the format."""
        found: Number = self.context.constant(x)
        return found

    def _embedded(self, vector: Entries) -> Vector:
        return {name: self.context.constant(x) for name, x in zip(self.table.coordinates, vector, strict=True)}

    def read(self, vector: Entries) -> Read:
        """The head's quantities at a token with this vector, computed once."""
        if vector not in self._tokens:
            x = self._embedded(vector)
            key = keyed(self.table, self.head, 0, x, self.context)
            scored = score(self.table, self.head, 0, 0, self.query, key, self.context)
            self._tokens[vector] = Read(x, scored, valued(self.head, x, self.context))
        return self._tokens[vector]

    def term(self, token: Token, pattern: int) -> TokenTerm:
        """The term of ``token`` when its bits are ``pattern``, if the largest score is kept and the output is divided."""
        return self.term_of(vector_of(token, pattern))

    def term_of(self, vector: Entries) -> TokenTerm:
        """The term of a token with this vector."""
        if vector not in self._terms:
            token, context = self.read(vector), self.context
            weight = kernel(self.head, context.score(token.score), context)
            added = addends(self.head, weight, token.vector, token.values, context).values()
            exact = tuple(context.product(*each) if isinstance(each, tuple) else each for each in added)
            self._terms[vector] = TokenTerm(str(token.score), weight, tuple(self.machine.round(x) for x in exact), exact)
        return self._terms[vector]


@dataclass(frozen=True)
class Read:
    """A head's quantities at a token, which are its vector, its score with the asking token, and its values."""

    vector: Vector
    score: Value
    values: Vector


@lru_cache(maxsize=64)
def execution_of(instance: Instance, semantics: Semantics) -> Execution:
    """The reading of an instance: the claims about one table share it, including the tokens' terms."""
    return Execution(instance, semantics)
