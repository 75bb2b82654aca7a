"""Inputs of a decoding network in groups, column of digits by column, from the last one.

A group keeps what the next output depends on: the carry, the symbols that heads copy, and for heads that sum over tokens the extremes of
their sums, by dynamic programming over carries.

**Right outputs.** Right outputs that are the digits of a sum: a recurrence over columns in place of a formula over whole strings.

Let S = c + Σ c_s·s, with integers c, c_s >= 0, of strings read as numbers in base B, the number of symbols. With carry 0 = c, and
t = carry i + Σ c_s·(digit i of s, from the least), digit i of S is t mod B and carry i + 1 is ⌊t/B⌋: this is addition in columns, and
holds for every length by induction. A decoding network whose right symbol k is ``S//B**(k - 1) % B`` is judged by it.

**Sums over tokens.** The extremes of a rounded sum over tokens, from those of the exact sum: how much the rounding of partial sums may add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import integer
from verifier.language.syntax import names_in, parse, tree_of
from verifier.language.tree import Node, Operation
from verifier.running.errors import InputError, LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import fold
from verifier.transformers.formulas import linear
from verifier.transformers.inputs import InputShape
from verifier.transformers.network import Network


def outward(low: Array, high: Array) -> tuple[Array, Array]:
    """Ends that hold what two float64 operations may have rounded away."""
    return np.nextafter(low, -np.inf), np.nextafter(high, np.inf)


def rounding_of_sum(arrays: Arrays, largest: list[float]) -> Fraction:
    """How far the sum of terms of at most these magnitudes, in the network's order, may be from the exact sum.

    Each addition rounds by at most half the distance of neighbours at the largest magnitude that it may have, or to 0 from below the normal
    numbers where these are flushed. A sum with one term that is not 0 is exact, if products are rounded before.

    Raises:
        LimitError: a partial sum may be beyond the format.
    """
    form = arrays.arithmetic.accumulator()
    flushed = form.form.spacing(Fraction(0)) if arrays.arithmetic.underflow == "flush" else Fraction(0)

    def added(x: Any, y: Any) -> Any:
        (magnitude, error), (other, more) = x, y
        total = magnitude + other
        if total > form.form.largest:
            raise LimitError("a sum that may be beyond the format", "another format")
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
    """coefficients: of the strings, by name; first: the carry into the last digit; digits: the choices of one column, a row each."""

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
    """The recurrence of a decoding network's right outputs, or None where the formula is not of this form."""
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
    if any(c.denominator != 1 or c < 0 for c in (*weights.values(), form.constant)):  # type: ignore[union-attr,operator]
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
Table = tuple[Array, Array]
"""The lower and the upper end of what a token adds to a sum, of the shape (query, word, token)."""


@dataclass
class States:
    """Inputs up to a column, in groups. A row of an array is a group.

    carry: into the next column. watched: symbols, by (string or "", column). low, high: of the sums so far, of the shape (row, query, sum).
    smallest: the smallest input of a row, each string as a number. before: for each end of each sum the row and the choice of digits that
    it came from, of the shape (row, query).
    """

    carry: Array
    watched: dict[tuple[str, int], Array]
    low: Array
    high: Array
    smallest: Array
    query: Array | None = None
    before: list[tuple[Array, Array]] = field(default_factory=list)


class DigitColumns:
    """The columns of digits that the tokens of an input spell, and the groups that a pass over them makes.

    fixed: digits that every input has, by string and column; all inputs if it is empty.
    """

    def __init__(self, shape: InputShape, digit_sum: DigitSum, fixed: Mapping[tuple[str, int], int] | None = None) -> None:
        self.shape, self.sum, self.fixed = shape, digit_sum, fixed or {}
        self.prompt = len(shape.layout)
        self.width = next(iter(shape.lengths.values()))

    @cached_property
    def places(self) -> dict[tuple[str, int], list[int]]:
        """Where a digit stands in the input: (string, column), columns from the last symbol of a string."""
        found: dict[tuple[str, int], list[int]] = {}
        for j, entry in enumerate(self.shape.layout):
            if not isinstance(entry, int):
                found.setdefault((entry[0], self.width - 1 - entry[1]), []).append(j)
        return found

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
        """The fixed digits of these columns, of each string as a number."""
        return np.array([sum(self.fixed.get((name, c), 0) * self.sum.base**c for c in columns) for name in self.sum.strings], np.int64)

    def queries(self, step: int) -> list[int]:
        if step == 0 and not isinstance(self.shape.layout[-1], int):
            raise LimitError("the input ends with a digit", "a special token at its end")
        return self.choices(step)[-1]

    def symbols(self, token: Array, step: int, last: States) -> Array:
        """The word of the token that a head copies, for each row."""
        assert last.query is not None
        layout = self.shape.layout
        found = np.zeros(len(last.query), np.int64)
        for q, j in enumerate(token.tolist()):
            rows = last.query == q
            if j == self.prompt + step - 1:
                found[rows] = self.queries(step)[q]
            elif j >= self.prompt:
                found[rows] = last.watched["right", j - self.prompt][rows]
            else:
                entry = layout[j]
                if not isinstance(entry, int) and (entry[0], self.width - 1 - entry[1]) not in last.watched:
                    raise LimitError("a head copies a digit of a later column", "a head that copies digits of columns so far")
                found[rows] = entry if isinstance(entry, int) else last.watched[entry[0], self.width - 1 - entry[1]][rows]
        return found

    def path(self, step: int, tables: list[Table], copied: set[int], queries: int) -> Iterator[States]:
        """The groups after each column, those of the right output of this step at the end."""
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
        yield state
        free = list(range(step + 1, self.width))
        for column in range(step + 1):
            state = self._grown(state, step, column, tables, copied, free if column == step else [])
            if len(state.carry) > MOST_STATES:
                raise LimitError(f"more than {MOST_STATES:,} states", "a head that copies fewer tokens")
            yield state

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
        return _merged(States(carry.reshape(flat), watched, low, high, smallest, query), source, choice)

    def _added(
        self, state: States, step: int, column: int, table: Table, digits: Array, right: Array, free: list[int]
    ) -> Iterator[list[Array]]:
        """The ends of what each token of a column adds to a sum, of the shape (row, choice, query), and those of free columns."""

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
    """The ends of a sum, in float64, moved outwards where something is added."""
    wide = outward(low + more, high + most)
    return np.where(more == 0, low, wide[0]), np.where(most == 0, high, wide[1])


def _merged(state: States, source: Array, choice: Array) -> States:
    """Groups with the same carry, query and watched symbols as one."""
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
    before = []
    for s in range(state.low.shape[2]):
        for values, extreme in ((state.low, low), (state.high, high)):
            chosen = np.zeros((len(first), state.low.shape[1]), np.int64)
            row, query = np.nonzero(values[:, :, s] == extreme[inverse, :, s])
            chosen[inverse[row], query] = row
            before.append((source[chosen], choice[chosen]))
    before = before or [(source[first][:, None], choice[first][:, None])]
    watched = {key: x[first] for key, x in state.watched.items()}
    last = None if state.query is None else state.query[first]
    return States(state.carry[first], watched, low, high, state.smallest[first], last, before)
