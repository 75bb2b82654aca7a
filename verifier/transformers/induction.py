"""Decoding by induction: if all earlier outputs are right, the next one is; then every output is right, on every input.

At step k the tokens are digits of columns, earlier outputs (assumed right), and special tokens. One pass over the columns lists every state
that an input may reach: the carry, the symbols that heads copy, and for heads that sum over tokens the extremes of their sums, by dynamic
programming over carries. The rest of the computation at the last token uses these boxes (:mod:`logit_boxes`), which are halved until the
largest logit is certain.

**Right outputs** are the digits of a sum: a recurrence over columns in place of a formula over whole strings. Let S = c + Σ c_s·s, with
integers c, c_s >= 0, of strings read as numbers in base B, the number of symbols. With carry 0 = c, and t = carry i + Σ c_s·(digit i of s,
from the least), digit i of S is t mod B and carry i + 1 is ⌊t/B⌋: this is addition in columns, and holds for every length by induction. A
decoding network whose right symbol k is ``S//B**(k - 1) % B`` is judged by it.

**Heads at the last token.** They are bounded for all inputs at once. For a head, a query and every choice of symbols, the largest score
lies between the
largest of the tokens' least scores and the largest of all. Rounding, exp and division are monotone, so each weight has two ends, which the
network's own operations give. *One token*: if e^(s − t), as the format rounds it, is 0 for the largest score s of every other token and the
least score t of one token, that token has weight 1 and all others 0, whatever the symbols are: the head copies its value. Otherwise the
head is a *sum over tokens*: the products of weight and value have two ends for each token and symbol; if scores depend only on positions,
the ends are equal. The extremes of a rounded sum are those of the exact sum, plus a bound on the rounding of partial sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array, Box
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Arithmetic
from verifier.language.exact import integer
from verifier.language.syntax import names_in, parse, tree_of
from verifier.language.tree import Node, Operation
from verifier.running.errors import InputError, LimitError
from verifier.running.grouping import grouped
from verifier.transformers import formulas
from verifier.transformers.arrays import Arrays, Columns
from verifier.transformers.contexts import fold
from verifier.transformers.formulas import linear
from verifier.transformers.inputs import InputShape
from verifier.transformers.logit_boxes import LogitBoxes, same
from verifier.transformers.network import Head, Layer, Network
from verifier.transformers.records import HARD, SOFTMAX


def outward(low: Array, high: Array) -> tuple[Array, Array]:
    """Ends moved outwards by the possible rounding of two float64 operations."""
    return np.nextafter(low, -np.inf), np.nextafter(high, np.inf)


def rounding_of_sum(arrays: Arrays, largest: list[float]) -> Fraction:
    """A bound on the distance of a sum of terms of at most these magnitudes, in the network's order, from the exact sum.

    Each addition rounds by at most half the distance of neighbours at its largest possible magnitude, or to 0 from below the normal numbers
    if these are flushed. A sum with one non-zero term is exact, if products are rounded before.

    Raises:
        LimitError: a partial sum may be beyond the format.
    """
    form = arrays.arithmetic.accumulator()
    flushed = form.form.spacing(Fraction(0)) if arrays.arithmetic.underflow == "flush" else Fraction(0)

    def added(x: Any, y: Any) -> Any:
        (magnitude, error), (other, more) = x, y
        total = magnitude + other
        if total > form.form.largest:
            raise LimitError("a sum may be beyond the format", "another format")
        rounding = max(form.form.spacing(total) / 2, flushed)
        return total + rounding, error + more + rounding

    terms = [None if x == 0 else (Fraction(*x.as_integer_ratio()), Fraction(0)) for x in largest]
    nothing = Fraction(0), Fraction(0)
    first = nothing if arrays.arithmetic.products == "fused" else None  # an exact product is rounded where a chain begins
    found = fold(terms, arrays.arithmetic.sums, added, added, first, nothing)
    error: Fraction = found[1]
    return error


@dataclass(frozen=True)
class DigitSum:
    """coefficients: those of the strings, by name; first: the carry into the last digit; digits: the choices of one column, a row each."""

    base: int
    coefficients: Mapping[str, int]
    first: int

    @property
    def strings(self) -> tuple[str, ...]:
        return tuple(self.coefficients)

    @property
    def digits(self) -> Array:
        """Every choice of one digit of each string."""
        return np.array(list(product(range(self.base), repeat=len(self.coefficients))), np.int64)

    def column(self, carry: Array, digits: Array) -> tuple[Array, Array]:
        """The output symbol and the next carry."""
        total = carry + digits @ np.array(list(self.coefficients.values()), np.int64)
        return total % self.base, total // self.base


def digit_sum(network: Network) -> DigitSum | None:
    """The recurrence of a decoding network's right outputs, or None if the formula has another form."""
    decode = network.file.decode
    base = len(network.input.alphabet)
    assert decode is not None
    if network.input.letters != network.input.alphabet:
        return None
    total = _numerator(tree_of(decode.function), base, network)
    if total is None:
        return None
    lengths = network.input.lengths
    try:
        form = linear(total, list(lengths), network.names)
    except InputError:
        return None
    weights = dict(form.terms)
    if any(c.denominator != 1 or c < 0 for c in (*weights.values(), form.constant)):  # type: ignore[union-attr]
        return None
    if len(set(lengths.values())) != 1:
        return None
    return DigitSum(base, {name: int(weights.get(name, 0)) for name in lengths}, int(form.constant))  # type: ignore[arg-type]


def _numerator(tree: Node, base: int, network: Network) -> Node | None:
    """S of the formula S//B**(k - 1) % B."""

    def is_base(node: Node) -> bool:
        return not names_in(node) - network.names.keys() and integer(node, network.names) == base

    match tree:
        case Operation(Operation(total, "//", Operation(power, "**", exponent)), "%", modulus):
            if is_base(power) and is_base(modulus) and exponent == parse("k - 1") and "k" not in names_in(total):
                return total
    return None


MOST_STATES = 1 << 20
Known = Mapping[tuple[str, int], Array]
"""Symbols in rows: of a string and a column, or outputs, by ``right`` and the column."""
Table = tuple[Array, Array]
"""The lower and the upper end of what a token adds to a sum, of the shape (query, word, token)."""


@dataclass
class States:
    """Inputs up to a column, in groups. A row of an array represents a group.

    carry: into the next column. watched: symbols, by (string or "", column). low, high: of the sums so far, of the shape (row, query, sum).
    smallest: the smallest input of a row, each string as a number.
    """

    carry: Array
    watched: dict[tuple[str, int], Array]
    low: Array
    high: Array
    smallest: Array
    query: Array | None = None


class DigitColumns:
    """The columns of digits that the tokens of an input spell, and the groups from a pass over them.

    fixed: digits that every input has, by string and column; if it is empty, all inputs.
    """

    def __init__(self, shape: InputShape, digit_sum: DigitSum, fixed: Mapping[tuple[str, int], int] | None = None) -> None:
        self.shape, self.sum, self.fixed = shape, digit_sum, fixed or {}
        self.prompt = len(shape.layout)
        self.width = next(iter(shape.lengths.values()))

    def key(self, j: int) -> tuple[str, int] | None:
        """The string and the column of a token's digit, columns from the last symbol of a string; ``right`` and the column of an output;
        None for a special token."""
        if j >= self.prompt:
            return "right", j - self.prompt
        entry = self.shape.layout[j]
        return None if isinstance(entry, int) else (entry[0], self.width - 1 - entry[1])

    @cached_property
    def places(self) -> dict[tuple[str, int], list[int]]:
        """The places of a digit in the input."""
        return grouped((key, j) for j in range(self.prompt) if (key := self.key(j)) is not None)

    def choices(self, step: int) -> list[list[int]]:
        """The words that each token may be at a step, from 0."""
        layout = [[entry] if isinstance(entry, int) else self.digits_of(entry[0], self.width - 1 - entry[1]) for entry in self.shape.layout]
        return layout + [list(range(self.sum.base))] * step

    def digits_of(self, string: str, column: int) -> list[int]:
        """The digits that a string may have in a column."""
        return [self.fixed[string, column]] if (string, column) in self.fixed else list(range(self.sum.base))

    def every(self, column: int) -> Array:
        """Every choice of the digits of a column, a row each."""
        if column >= self.width:
            return np.zeros((1, len(self.sum.strings)), np.int64)
        digits = self.sum.digits
        held = [digits[:, which] == self.fixed[name, column] for which, name in enumerate(self.sum.strings) if (name, column) in self.fixed]
        return digits[np.logical_and.reduce(held)] if held else digits

    def rest(self, columns: Iterable[int]) -> Array:
        """The fixed digits of these columns, for each string as a number."""
        return np.array([sum(self.fixed.get((name, c), 0) * self.sum.base**c for c in columns) for name in self.sum.strings], np.int64)

    def queries(self, step: int) -> list[int]:
        if step == 0 and not isinstance(self.shape.layout[-1], int):
            raise LimitError("the input ends with a digit", "a special token at its end")
        return self.choices(step)[-1]

    def words(self, j: int, step: int, query: Array, known: Known) -> Array:
        """The word of a token in each row. query: which of the queries it has; known: the digits and outputs that it has."""
        key = self.key(j)
        if j == self.prompt + step - 1:
            return np.asarray(self.queries(step))[query]
        if key is None:
            return np.full(len(query), self.shape.layout[j])
        if key not in known:
            raise LimitError("a head copies a digit of a later column", "a head that copies digits of columns so far")
        return known[key]

    def symbols(self, token: Array, step: int, query: Array, known: Known) -> Array:
        """The word of the token that a head copies, for each row; the arguments are those of :meth:`words`."""
        found = np.zeros(len(query), np.int64)
        for q, j in enumerate(token.tolist()):
            found[query == q] = self.words(j, step, query, known)[query == q]
        return found

    def groups(self, step: int, tables: list[Table], copied: set[int], queries: int) -> States:
        """The groups after the columns up to that of the right output of this step."""
        fixed = [j for j, entry in enumerate(self.shape.layout) if isinstance(entry, int) and j != self.prompt + step - 1]
        low, high = (np.zeros((1, queries, len(tables))) for _ in range(2))
        for s, table in enumerate(tables):
            for j in fixed:
                word = self.shape.layout[j]
                low[0, :, s], high[0, :, s] = _sum(low[0, :, s], high[0, :, s], *(end[:, word, j] for end in table))
            at = np.array(self.queries(step))
            own = [end[np.arange(queries), at, -1] for end in table]
            low[0, :, s], high[0, :, s] = _sum(low[0, :, s], high[0, :, s], *own)
        smallest = self.rest(range(step + 1, self.width))[None]
        state = States(np.array([self.sum.first]), {}, low, high, smallest, np.zeros(1, np.int64) if step == 0 else None)
        free = list(range(step + 1, self.width))
        for column in range(step + 1):
            state = self._grown(state, step, column, tables, copied, free if column == step else [])
            if len(state.carry) > MOST_STATES:
                raise LimitError(f"the induction needs more than {MOST_STATES:,} states", "a head that copies fewer tokens")
        return state

    def _grown(self, state: States, step: int, column: int, tables: list[Table], copied: set[int], free: list[int]) -> States:
        """The groups after one more column."""
        digits = self.every(column)
        rows, choices = len(state.carry), len(digits)
        right, carry = self.sum.column(state.carry[:, None], digits[None])
        low, high = (np.repeat(x[:, None], choices, axis=1) for x in (state.low, state.high))
        for s, table in enumerate(tables):
            for ends in self._added(state, step, column, table, digits, right, free):
                low[..., s], high[..., s] = _sum(low[..., s], high[..., s], *ends)
        flat = rows * choices
        low, high = low.reshape(flat, *low.shape[2:]), high.reshape(flat, *high.shape[2:])
        source, choice = np.repeat(np.arange(rows), choices), np.tile(np.arange(choices), rows)
        query = None if state.query is None else state.query[source]
        if column == step - 1:
            query = right.reshape(flat)
            low, high = (x[np.arange(flat), query][:, None] for x in (low, high))
        watched = {key: x[source] for key, x in state.watched.items()}
        for which, name in enumerate(self.sum.strings):
            if copied.intersection(self.places.get((name, column), ())):
                watched[name, column] = digits[choice, which]
        if column == step or (column < step - 1 and self.prompt + column in copied):
            watched["right", column] = right.reshape(flat)
        if column == step:
            watched["carry", column] = state.carry[source]
            watched["sum", column] = (digits @ np.array(list(self.sum.coefficients.values()), np.int64))[choice]
        smallest = state.smallest[source] + digits[choice] * self.sum.base**column if column < self.width else state.smallest[source]
        return _merged(States(carry.reshape(flat), watched, low, high, smallest, query))

    def _added(
        self, state: States, step: int, column: int, table: Table, digits: Array, right: Array, free: list[int]
    ) -> Iterator[list[Array]]:
        """The ends of the terms that each token of a column adds to a sum, of the shape (row, choice, query), and those of free columns."""

        def by_query(x: Array) -> Array:
            return x.T[None] if state.query is None else x[state.query][:, :, None]

        for which, name in enumerate(self.sum.strings):
            for j in self.places.get((name, column), ()):
                yield [by_query(end[:, digits[:, which], j]) for end in table]
            for other in free:
                symbols = self.digits_of(name, other)
                for j in self.places.get((name, other), ()):
                    yield [by_query(x[:, None]) for x in (table[0][:, symbols, j].min(axis=1), table[1][:, symbols, j].max(axis=1))]
        if column < step - 1:
            yield [np.moveaxis(end[:, right, self.prompt + column], 0, -1) for end in table]


def _sum(low: Array, high: Array, more: Array, most: Array) -> tuple[Array, Array]:
    """The ends of a sum, in float64, moved outwards after each addition."""
    wide = outward(low + more, high + most)
    return np.where(more == 0, low, wide[0]), np.where(most == 0, high, wide[1])


def _merged(state: States) -> States:
    """Merge groups with the same carry, query and watched symbols."""
    keys = [state.carry, *([] if state.query is None else [state.query]), *state.watched.values()]
    if len(keys) > 10:
        raise LimitError("heads that copy more than eight symbols", "a head that copies fewer tokens")
    packed = np.zeros(len(state.carry), np.int64)
    for key in keys:
        packed = packed * 64 + key
    _, inverse = np.unique(packed, return_inverse=True)
    order = np.lexsort((*reversed(state.smallest.T), inverse))
    starts = np.flatnonzero(np.diff(inverse[order], prepend=-1))
    first = order[starts]
    low, high = np.minimum.reduceat(state.low[order], starts), np.maximum.reduceat(state.high[order], starts)
    watched = {key: x[first] for key, x in state.watched.items()}
    last = None if state.query is None else state.query[first]
    return States(state.carry[first], watched, low, high, state.smallest[first], last)


Choices = Sequence[Sequence[int]]
"""The symbols and special tokens that each token may be."""


@dataclass(frozen=True)
class Copied:
    """The values of a head that copies one token. token: its place for each query; values: by name, of the shape (query, word)."""

    token: Array
    values: dict[str, Array]


@dataclass(frozen=True)
class Summed:
    """low, high: the ends of each rounded product, by name, of the shape (query, word, token). divisor: the divisor of the sum."""

    low: dict[str, Array]
    high: dict[str, Array]
    divisor: tuple[Array, Array] | None


class Keys:
    """Keys and values of every word at every position, of one layer's heads."""

    def __init__(self, arrays: Arrays, heads: Sequence[Head], columns: Columns, words: int, length: int) -> None:
        self.arrays, self.heads = arrays, heads
        self.shape = (words, length)
        self._query = [arrays.turned(head, head.query, columns, length) for head in heads]
        self._key = [arrays.turned(head, head.key, columns, length) for head in heads]
        self._value = [
            {name: np.broadcast_to(arrays.applied(form, columns), self.shape) for name, form in head.value.items()} for head in heads
        ]

    def given(self, h: int, choices: Choices, queries: Sequence[int]) -> Copied | Summed:
        """The output of head h at the last of the tokens, whose words are ``queries``.

        Raises:
            LimitError: the weights are not bounded in this way.
        """
        head, length = self.heads[h], len(choices)
        scores, seen = self._scores(h, length, queries)
        allowed = np.zeros((1, self.shape[0], length), bool)
        for j, words in enumerate(choices):
            allowed[0, list(words), j] = True
        allowed = np.broadcast_to(allowed, scores.shape).copy()
        last = np.asarray(queries)
        allowed[:, :, -1] = np.arange(self.shape[0])[None] == last[:, None]
        if np.isnan(np.where(allowed & seen, scores, 0)).any():
            raise LimitError("a score is NaN", "another arithmetic")
        infinity = scores.dtype.type(np.inf)
        least = np.where(allowed & seen, scores, infinity).min(axis=1)
        most = np.where(allowed & seen, scores, -infinity).max(axis=1)
        values = {name: value[:, :length] for name, value in self._value[h].items()}
        if any(not np.isfinite(np.where(allowed[0], value, 0)).all() for value in values.values()):
            raise LimitError("a value is not finite", "another arithmetic")
        visible = np.broadcast_to(seen, (len(queries), 1, length))[:, 0]
        token = self._copied(head.entry.kind, least, most, visible)
        if token is not None:
            one = self.arrays.one[0, 0]
            return Copied(token, {name: self._weighted(value[:, token].T * one) for name, value in values.items()})
        if head.entry.kind not in SOFTMAX:
            raise LimitError("hard attention whose choice depends on symbols", "a head that always chooses one token")
        return self._summed(head, scores, allowed & seen, least, most, values, visible)

    def _scores(self, h: int, length: int, queries: Sequence[int]) -> tuple[Array, Array]:
        """Scores of the shape (query, word, token) at the last of ``length`` tokens, and which tokens take part."""
        head, i = self.heads[h], length - 1
        if not any(head.sees(i, j) for j in range(length)):
            raise LimitError("a head sees no token", "a mask that leaves one")
        query = [np.broadcast_to(x, self.shape)[list(queries), i][:, None, None] for x in self._query[h]]
        key = [np.broadcast_to(x, self.shape)[None, :, :length] for x in self._key[h]]
        scores, seen = self.arrays.scores(head, query, key, [i], length)
        scores = np.broadcast_to(scores, (len(queries), self.shape[0], length))
        return scores, np.ones((1, 1, length), bool) if seen is None else seen[None]

    def _copied(self, kind: str, least: Array, most: Array, visible: Array) -> Array | None:
        """The place of the one token that has all weight, for each query."""
        rows = np.arange(len(least))
        token = np.where(visible, least, -np.inf).argmax(axis=1)
        others = visible.copy()
        others[rows, token] = False
        low = least[rows, token][:, None]
        if kind == "softmax" and self.arrays.arithmetic.maximum == "subtracted":
            differences = self.arrays.carrier.rounded(np.where(others, most, low) - low)
            copied = (~others | ((differences < 0) & (self._exp(np.minimum(differences, 0)) == 0))).all()
        elif kind in HARD:
            before = np.arange(least.shape[1])[None] < token[:, None]
            ties = {"leftmost": ~before, "rightmost": before, "average-hard": np.zeros_like(before)}[kind]
            copied = (~others | (most < low) | (ties & (most == low))).all()
        else:
            return None
        return token if copied else None

    def _summed(
        self, head: Head, scores: Array, counted: Array, least: Array, most: Array, values: dict[str, Array], visible: Array
    ) -> Summed:
        arrays, rounded = self.arrays, self.arrays.carrier.rounded
        plus_one = head.entry.kind == "softmax-plus-one"
        low = high = scores
        extra = [arrays.one] * 2
        if arrays.arithmetic.maximum == "subtracted":
            bottom, top = least.max(axis=1, initial=-np.inf, where=visible), most.max(axis=1)
            bottom, top = (np.maximum(x, 0) if plus_one else x for x in (bottom, top))
            low, high = (rounded(scores - x[:, None, None].astype(scores.dtype)) for x in (top, bottom))
            high = np.minimum(high, high.dtype.type(0))
            extra = [self._exp(rounded(-x[:, None].astype(scores.dtype))) for x in (top, bottom)]
        ends = [np.where(counted, self._exp(np.where(counted, x, 0)), 0) for x in (low, high)]
        totals = []
        for end, reduce, first in zip(ends, (np.min, np.max), extra, strict=True):
            hidden = end.dtype.type(np.inf) if reduce is np.min else end.dtype.type(0)
            exponentials = reduce(np.where(counted, end, hidden), axis=1)
            terms = [np.where(visible[:, j], exponentials[:, j], 0)[:, None] for j in range(scores.shape[2])]
            totals.append(arrays.total([*([first] if plus_one else []), *terms]))
        if not ((totals[0] > 0) & np.isfinite(totals[1])).all():
            raise LimitError("a sum of exponentials may be 0 or beyond the format", "another arithmetic")
        divisor = None
        if arrays.arithmetic.division == "output":
            divisor = (totals[0], totals[1])
        else:
            ends = [rounded(end / total[:, :, None]) for end, total in zip(ends, reversed(totals), strict=True)]
        lows, highs = {}, {}
        for name, value in values.items():
            products = [self.arrays.term(end * value[None]) for end in ends]
            lows[name] = np.where(counted, np.minimum(*products), 0)
            highs[name] = np.where(counted, np.maximum(*products), 0)
            if not (np.isfinite(lows[name]).all() and np.isfinite(highs[name]).all()):
                raise LimitError("a weight times a value is not finite", "another arithmetic")
        return Summed(lows, highs, divisor)

    def _exp(self, x: Array) -> Array:
        return self.arrays.looked_up("exp", x)

    def _weighted(self, x: Array) -> Array:
        """The sum with this weight and no other term."""
        return self.arrays.carrier.rounded(self.arrays.term(x))


METHOD = "induction"
MOST_BITS = 60


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why induction does not apply, or empty if it does."""
    file = network.file
    if file.decode is None or file.decode.until:
        return "a network that appends symbols up to a length was expected"
    if arithmetic.exact or arithmetic.rounding == "dot-product":
        return "operations that are rounded each were expected"
    if max(network.input.lengths.values(), default=0) * len(network.input.alphabet).bit_length() > MOST_BITS:
        return f"strings of at most {MOST_BITS} bits were expected"
    if sum(bool(layer.heads) for layer in network.layers) != 1:
        return "one layer with heads was expected"
    if file.input.promise != "none" or digit_sum(network) is None:
        return "right outputs S//B**(k - 1) % B, S a sum of the strings, B the number of symbols, without a promise were expected"
    return ""


@dataclass(frozen=True)
class Cases:
    """The groups at a step: query and right symbol of each, and the outputs of heads as boxes, by head and name.

    last: the groups after all columns.
    """

    query: Array
    right: Array
    given: dict[tuple[int, str], Box]
    last: States


class Induction:
    """A decoding network in an arithmetic, step by step.

    fixed: digits that every input has, by string and column; if it is empty, all inputs.
    """

    def __init__(self, network: Network, arithmetic: Arithmetic, fixed: Mapping[tuple[str, int], int] | None = None) -> None:
        self.network, self.arrays = network, Arrays(network, arithmetic)
        decode = network.file.decode
        assert decode is not None
        self.steps = formulas.integer(decode.steps, network.names)
        found = digit_sum(network)
        assert found is not None
        self.sum: DigitSum = found
        self.digits = DigitColumns(network.input, found, fixed)
        self.width = self.digits.width
        words = len(network.input.words)
        before, self.layer, after = self._parts()
        length = self.digits.prompt + self.steps - 1
        tokens = np.repeat(np.arange(words)[:, None], length, axis=1)
        with np.errstate(all="ignore"):
            columns = self.arrays.embedded(tokens)
            for layer in before:
                columns = self.arrays._layer(layer, columns, length, None)
            norm = self.layer.norms.get("attention")
            wide = {name: np.broadcast_to(x, tokens.shape) for name, x in columns.items()}
            self.logits = LogitBoxes(self.arrays, wide, self.layer, after)
            read = self.arrays.normed(columns, norm) if norm and norm.entry.place == "before" else columns
            self.keys = Keys(self.arrays, self.layer.heads, read, words, length)

    def _parts(self) -> tuple[list[Layer], Layer, list[Layer]]:
        layers = list(self.network.layers)
        at = next(k for k, layer in enumerate(layers) if layer.heads)
        return layers[:at], layers[at], layers[at + 1 :]

    def cases(self, step: int) -> Cases:
        """Every group of inputs at a step, if all earlier outputs are right."""
        choices, queries = self.digits.choices(step), self.digits.queries(step)
        given = [self.keys.given(h, choices, queries) for h in range(len(self.layer.heads))]
        sums = [(h, name) for h, each in enumerate(given) if isinstance(each, Summed) for name in each.low]
        tables = [(_part(given[h]).low[name], _part(given[h]).high[name]) for h, name in sums]
        copied = {j for each in given if isinstance(each, Copied) for j in each.token.tolist()}
        last = self.digits.groups(step, tables, copied, len(queries))
        assert last.query is not None
        found: dict[tuple[int, str], Box] = {}
        for h, each in enumerate(given):
            if isinstance(each, Copied):
                symbols = self.digits.symbols(each.token, step, last.query, last.watched)
                found |= {(h, name): same(table[last.query, symbols]) for name, table in each.values.items()}
        boxes = [self._sum_box(last, s, table, choices) for s, table in enumerate(tables)]
        for box, (h, name) in zip(boxes, sums, strict=True):
            found[h, name] = self.divided(box, _part(given[h]), last.query, len(queries))
        query = np.asarray(queries)[last.query]
        return Cases(query, last.watched["right", step], found, last)

    def _sum_box(self, last: States, s: int, table: Table, choices: list[list[int]]) -> Box:
        """The rounded sums of a head, from the extremes of the exact ones."""
        queries = len(table[0])
        errors = []
        for q in range(queries):
            largest = [max(np.abs(end[q][list(words), j]).max() for end in table) for j, words in enumerate(choices)]
            largest[-1] = max(np.abs(end[q][:, -1]).max() for end in table)
            error = float(rounding_of_sum(self.arrays, [float(x) for x in largest]))
            errors.append(error if error == 0 else float(np.nextafter(error, np.inf)))
        bound = np.array(errors)[last.query]
        low, high = last.low[:, 0, s], last.high[:, 0, s]
        wide_low, wide_high = outward(low - bound, high + bound)
        low, high = np.where(bound == 0, low, wide_low), np.where(bound == 0, high, wide_high)
        return self._settled(low), self._settled(high)

    def divided(self, box: Box, given: Summed, query: Array, queries: int) -> Box:
        """The boxes of sums divided by the divisors of their queries."""
        if given.divisor is None:
            return box
        low, high = (np.broadcast_to(x, (queries, 1))[query] for x in given.divisor)
        return self.logits.boxes.divide(box, (low, high))

    def _settled(self, x: Array) -> Array:
        """An end of a box of sums as a value of the format, because sums are rounded into it and rounding is monotone."""
        return self.arrays.carrier.rounded(x.astype(self.arrays.carrier.dtype))[:, None]

    def judge(self, step: int) -> tuple[Cases, Array]:
        """The groups at a step, with the result of each: its symbol is right (1), wrong for every value of its boxes (−1), or neither
        (0)."""
        with np.errstate(all="ignore"):
            cases = self.cases(step)
            return cases, self.logits.decided(self.digits.prompt + step - 1, cases.query, cases.right, cases.given)


def _part(given: Copied | Summed) -> Summed:
    assert isinstance(given, Summed)
    return given
