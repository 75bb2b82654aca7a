"""One search through the positions of an input. Inputs that no later position can distinguish are one state.

An abstraction (:class:`States`) defines the states: running sums of a table, of one block of its positions or of every length; prefixes of
a network's input. A state is a row of columns, integers or floats, and belongs to a kind (such as: z is still equal to y; y < z already);
each kind has its own columns, those still in use. The number of inputs that lead to a state is exact.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States as Codes
from verifier.arithmetic.arrays import Truths
from verifier.arithmetic.floats import Array
from verifier.running.errors import LimitError

Indices = npt.NDArray[np.signedinteger]
Columns = Mapping[str, Array]
"""The columns of some states by name; columns of one length."""
Marks = Mapping[str, Truths]
"""The states that are meant, for each kind."""
NO_LIMIT = 1 << 62


class NotApplicableError(Exception):
    """An engine cannot handle this network or question; another one must."""


@dataclass(frozen=True)
class Rows:
    """States of one kind, and the number of inputs that lead to each."""

    columns: Columns
    count: Array

    def __len__(self) -> int:
        return len(self.count)


Layer = Mapping[str, Rows]
"""The states after a position, by kind."""
Step = tuple[str, Indices | None, Columns]
"""A kind of states after a position; which states before it lead there (None: all); the columns after it."""


class States(ABC):
    """An abstraction of inputs.

    symbols: the symbols that may stand at each position, in the order in which the search reads them.
    together: whether a step takes all symbols at once, each state with each symbol, or one symbol after another.
    """

    symbols: Sequence[Sequence[int]]
    together = False

    @abstractmethod
    def start(self) -> dict[str, Columns]:
        """The states before the first position; each stands for one input."""

    @abstractmethod
    def step(self, position: int, kind: str, symbol: Any, columns: Columns) -> Iterable[Step]:
        """The successors of states of one kind under a symbol, or under a symbol for each state. A state has at most one successor."""


@dataclass(frozen=True)
class Move:
    """A move between kinds of states: some or all states of one kind go with a symbol to states of a kind at the next position."""

    kind: str
    symbol: int
    source: Indices | None
    to: str
    target: Indices

    def leading(self, marks: Marks) -> Truths:
        """The states that lead to marked ones."""
        return marks[self.to][self.target]


class Budget:
    """The number of states that may still be visited."""

    def __init__(self, limit: int) -> None:
        self.limit, self.spent = limit, 0

    def spend(self, states: int) -> None:
        """Raise LimitError beyond the limit."""
        self.spent += states
        if self.spent > self.limit:
            raise LimitError(f"reachable sets have visited {self.spent:,} states, the limit is {self.limit:,}", "--limit")


@dataclass(frozen=True)
class Reached:
    """The states after each position, the start first, and the moves between them. If moves are not kept, only the last states."""

    states: States
    layers: Sequence[Layer]
    moves: Sequence[Sequence[Move]]

    @property
    def ends(self) -> Layer:
        return self.layers[-1]

    def leading(self, marks: Marks) -> Sequence[Marks]:
        """The states before each position and at the end from which some symbols lead to a marked end."""
        found: list[Marks] = [{kind: marks.get(kind, np.zeros(len(rows), bool)) for kind, rows in self.ends.items()}]
        for layer, moves in zip(reversed(self.layers[:-1]), reversed(self.moves), strict=True):
            here = {kind: np.zeros(len(rows), bool) for kind, rows in layer.items()}
            for move in moves:
                if move.source is None:
                    here[move.kind] |= move.leading(found[-1])
                else:
                    here[move.kind][move.source] |= move.leading(found[-1])
            found.append(here)
        return found[::-1]

    def inputs(self) -> Array:
        """Symbols that lead to each end, of the shape (end, position), for states of one kind."""
        (ends,) = self.ends.values()
        found, row = np.zeros((len(ends), len(self.moves)), np.int64), np.arange(len(ends))
        for position in reversed(range(len(self.moves))):
            (after,) = self.layers[position + 1].values()
            source, symbol = np.zeros((2, len(after)), np.int64)
            for move in self.moves[position]:
                source[move.target] = np.arange(len(move.target)) if move.source is None else move.source
                symbol[move.target] = move.symbol
            found[:, position], row = symbol[row], source[row]
        return found

    def smallest(self, marks: Marks, positions: int | None = None) -> list[int] | None:
        """The least symbols, in the order in which they are read, that lead to a marked end, or None if none do.

        positions: only the first ones are determined; the others may be anything.
        """
        leading = self.leading(marks)
        here: dict[str, Truths] = {kind: marked.copy() for kind, marked in leading[0].items()}
        if not any(marked.any() for marked in here.values()):
            return None
        found = []
        for moves, behind, symbols in zip(self.moves[:positions], leading[1:], self.states.symbols, strict=False):
            for symbol in symbols:
                after = {kind: np.zeros(len(marked), bool) for kind, marked in behind.items()}
                for move in moves:
                    if move.symbol == symbol:
                        after[move.to][move.target[here[move.kind] if move.source is None else here[move.kind][move.source]]] = True
                after = {kind: reached & behind[kind] for kind, reached in after.items()}
                if any(reached.any() for reached in after.values()):
                    break
            found.append(symbol)
            here = after
        return found


def search(states: States, budget: Budget | None = None, keep: bool = False, most: int | None = None) -> Reached:
    """Search all inputs, position by position.

    Args:
        budget: the number of states that may be visited in all; most: the number allowed after one position.
        keep: whether all layers and moves are kept; otherwise only the last layer.

    Raises:
        LimitError: more states than that.
    """
    layers, every = list[Layer](), list[list[Move]]()
    for layer, moves in reached(states, budget or Budget(NO_LIMIT), keep):
        if most is not None and any(len(rows) > most for rows in layer.values()):
            raise LimitError(f"the search needs more than {most:,} states", "a smaller length")
        if keep:
            layers.append(layer)
            every.append(moves)
    return Reached(states, layers or [layer], every[1:])


def reached(states: States, budget: Budget, moved: bool = False) -> Iterator[tuple[Layer, list[Move]]]:
    """The states before the first position and after each one. If ``moved``, also the moves between them."""
    counted = np.int64 if prod(map(len, states.symbols)) < 1 << 62 else object
    layer: Layer = {kind: Rows(columns, np.ones(length(columns), counted)) for kind, columns in states.start().items()}
    yield layer, []
    for position, symbols in enumerate(states.symbols):
        parts: dict[str, list[_Part]] = {}
        for kind, rows in layer.items():
            for part in _stepped(states, position, kind, symbols, rows):
                parts.setdefault(part.to, []).append(part)
        budget.spend(sum(len(part.rows) for each in parts.values() for part in each))
        after, moves = dict[str, Rows](), list[Move]()
        for to, each in parts.items():
            after[to], targets = _union([part.rows for part in each], moved)
            moves += [move for part, target in zip(each, targets, strict=False) for move in part.moves(len(layer[part.kind]), target)]
        layer = after
        yield layer, moves


@dataclass(frozen=True)
class _Part:
    """The successors of states of a kind with some symbols. source: the states, if not all; they are repeated for each symbol."""

    kind: str
    symbols: Sequence[int]
    source: Indices | None
    to: str
    rows: Rows

    def moves(self, size: int, target: Indices) -> Iterator[Move]:
        """The moves for each symbol; size: the number of states of the kind."""
        if len(self.symbols) == 1:
            yield Move(self.kind, self.symbols[0], self.source, self.to, target)
            return
        for k, symbol in enumerate(self.symbols):
            if self.source is None:
                yield Move(self.kind, symbol, None, self.to, target[k * size : (k + 1) * size])
            else:
                first, last = np.searchsorted(self.source, (k * size, (k + 1) * size))
                yield Move(self.kind, symbol, self.source[first:last] - k * size, self.to, target[first:last])


def _stepped(states: States, position: int, kind: str, symbols: Sequence[int], rows: Rows) -> Iterator[_Part]:
    """The successors of the states of a kind."""
    given: list[tuple[Sequence[int], Any, Rows]] = [([symbol], symbol, rows) for symbol in symbols]
    if states.together and len(symbols) > 1:
        repeated: Columns = {name: np.concatenate([x] * len(symbols)) for name, x in rows.columns.items()}
        given = [(symbols, np.repeat(symbols, len(rows)), Rows(repeated, np.concatenate([rows.count] * len(symbols))))]
    for read, symbol, each in given:
        for to, source, columns in states.step(position, kind, symbol, each.columns):
            made = Rows(columns, each.count if source is None else each.count[source])
            if len(made):
                yield _Part(kind, read, source, to, made)


def length(columns: Columns) -> int:
    """The number of states; one state has no columns."""
    return len(next(iter(columns.values()))) if columns else 1


def _union(parts: Sequence[Rows], keep: bool) -> tuple[Rows, list[Indices]]:
    """The states of all parts, equal ones merged; if ``keep``, also the place of each state of each part."""
    columns = {name: np.concatenate([rows.columns[name] for rows in parts]) for name in parts[0].columns}
    merged, group = merge(Rows(columns, np.concatenate([rows.count for rows in parts])), keep)
    ends = [0, *accumulate(len(rows) for rows in parts)]
    return merged, [group[first:last] for first, last in pairwise(ends)] if keep else []


def merge(rows: Rows, placed: bool = True) -> tuple[Rows, Indices]:
    """Merge equal states and add their counts. If ``placed``, also return the place of each state in the result."""
    if not rows.columns:
        return Rows({}, rows.count.sum(axis=0, keepdims=True)), np.zeros(len(rows), np.int32)
    keys = [key(x) for x in rows.columns.values()]
    order = np.lexsort(keys)
    new = np.logical_or.reduce([_changes(x[order]) for x in keys])
    starts = np.flatnonzero(new)
    first = order[starts]
    count = rows.count[first] if len(starts) == len(order) else _sums(rows.count, order, starts)
    group = np.zeros(0, np.int32)
    if placed:
        group = np.empty(len(order), np.int32)
        group[order] = np.cumsum(new, dtype=np.int32) - 1
    return Rows({name: x[first] for name, x in rows.columns.items()}, count), group


def _sums(count: Array, order: Indices, starts: Indices) -> Array:
    """Add up the counts of each group. Whole counts use differences of running sums, which are right even if the sums overflow."""
    if count.dtype != np.int64:
        return np.asarray(np.add.reduceat(count[order], starts, axis=0))
    if count.ndim > 1:
        return np.stack([_sums(column, order, starts) for column in count.T], axis=1)
    until = np.cumsum(count[order])[np.append(starts[1:], len(order)) - 1]
    return np.diff(until, prepend=0)


def key(x: Array) -> Codes:
    """Map numbers to integers, so that equal numbers have equal integers. Both zeros have one integer, and all NaN have one."""
    if x.dtype.kind in "iub":
        keys: Codes = x.astype(np.int64, copy=False)
    else:
        wide = x.astype(np.float64) + 0.0
        wide[np.isnan(wide)] = np.nan
        keys = wide.view(np.int64)
    return keys


def _changes(x: Array) -> Truths:
    """The elements that differ from the one before; the first counts as one."""
    new = np.ones(len(x), bool)
    np.not_equal(x[1:], x[:-1], out=new[1:])
    return new


def locate(table: Columns, rows: Columns) -> Indices:
    """The place of each state in a table of different states, −1 if it is missing."""
    size = length(table)
    both = {name: np.concatenate([x, rows[name]]) for name, x in table.items()}
    merged, group = merge(Rows(both, np.zeros(size + length(rows), np.int64)))
    place = np.full(len(merged), -1, np.intp)
    place[group[:size]] = np.arange(size)
    return place[group[size:]]
