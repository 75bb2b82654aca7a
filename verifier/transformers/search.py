"""One search through the positions of an input, from left to right: prefixes that nothing behind them can tell apart are one row.

A row of integers and numbers stands for all prefixes that lead to it, with their number and the smallest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.running.errors import LimitError

MOST_ROWS = 1 << 16
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Step = Callable[[int, Array, list[Array]], tuple[list[Array], Array | None]]
"""At a position, for each row the word that follows and the columns before it: the columns after it, and where the row is kept at all;
None where every row is."""


@dataclass(frozen=True)
class Position:
    """One position of a search. before, word: of each row tried, the row that it continues; group: its number now; first: of each group."""

    before: Array
    word: Array
    group: Array
    first: Array


@dataclass(frozen=True)
class Rows:
    """What the inputs lead to: the columns, how many inputs lead to each row, and how they came there."""

    columns: list[Array]
    count: Array
    positions: list[Position]

    def __len__(self) -> int:
        return len(self.count)

    def where(self, kept: Array) -> Rows:
        """Some of the rows at the end, by their numbers."""
        *before, last = self.positions
        ends = Position(last.before, last.word, last.group, last.first[kept])
        return Rows([x[kept] for x in self.columns], self.count[kept], [*before, ends])

    def smallest(self) -> Array:
        """The words of the smallest input of each row, of the shape (row, position)."""
        words = np.zeros((len(self), len(self.positions)), np.int64)
        row = np.arange(len(self))
        for j in reversed(range(len(self.positions))):
            at = self.positions[j].first[row]
            words[:, j], row = self.positions[j].word[at], self.positions[j].before[at]
        return words


def search(start: list[Array], words: Sequence[int], step: Step, most: int = MOST_ROWS) -> Rows:
    """Every input, position by position.

    Args:
        start: the columns of the rows before the first position, one array each.
        words: how many words may stand at each position, numbered from 0.

    Raises:
        LimitError: more than ``most`` rows after a position.
    """
    columns, count, positions = start, np.ones(len(start[0]), object), list[Position]()
    for j, several in enumerate(words):
        before, word = np.divmod(np.arange(len(count) * several), several)
        columns, kept = step(j, word, [x[before] for x in columns] if several > 1 else columns)
        if kept is not None and not kept.all():
            before, word, columns = before[kept], word[kept], [x[kept] for x in columns]
        first, group = groups(columns)
        if len(first) > most:
            raise LimitError(f"more than {most:,} states", "a smaller length")
        if len(first) < len(before):
            columns, total = [x[first] for x in columns], np.zeros(len(first), object)
            np.add.at(total, group, count[before])
            count = total
        else:
            count = count[before]
        positions.append(Position(before, word, group, first))
    return Rows(columns, count, positions)


def key(x: Array) -> Array:
    """Numbers as integers that are equal where the numbers are: zero has no sign, and there is one NaN."""
    if x.dtype.kind in "iub":
        return x.astype(np.int64)
    wide = x.astype(np.float64) + 0.0
    return np.where(np.isnan(wide), np.nan, wide).view(np.int64)


def groups(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The first row of each group of equal rows, in their order, and the group of each row."""
    keys = [key(x) for x in columns]
    mixed = keys[0].view(np.uint64) if len(keys) == 1 else _mixed(keys)
    first, group = _alike(mixed)
    if len(keys) > 1 and any((x != x[first[group]]).any() for x in keys):  # two rows that differ have one mixed number
        _, whole = np.unique(np.stack(keys), axis=1, return_inverse=True)
        first, group = _alike(whole.reshape(-1))
    return first, group


def _mixed(keys: Sequence[Array]) -> Array:
    """One number for each row, most often another one for other rows."""
    mixed = np.zeros(len(keys[0]), np.uint64)
    for column in keys:
        mixed = (mixed ^ column.view(np.uint64)) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _alike(x: Array) -> tuple[Array, Array]:
    """The first place of each distinct number, ascending, and for each place the number of its group."""
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    new = np.ones(len(x), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    first = order[new]
    by_place = np.argsort(first)
    rank = np.empty_like(by_place)
    rank[by_place] = np.arange(len(by_place))
    group = np.empty_like(order)
    group[order] = rank[np.cumsum(new) - 1]
    return first[by_place], group
