"""Sets of states with multiplicities: one row for each distinct state, one exact count for each row.

Counts are 64-bit integers: an engine that carries them keeps 4^positions below 2^62.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States, Truths

Indices = npt.NDArray[np.intp]
MERGED_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Multiset:
    """``states``: (n, columns), distinct rows in lexicographic order; ``counts``: (n,) or (n, kinds), how often each occurs."""

    states: States
    counts: States

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> int:
        return int(self.counts.sum())


def empty(columns: int) -> Multiset:
    """The multiset without states."""
    return Multiset(np.zeros((0, columns), dtype=np.int64), np.zeros(0, dtype=np.int64))


def _sorted_order(rows: States) -> tuple[Indices, Indices]:
    """An order that sorts the rows, and where in that order each distinct row starts."""
    if rows.shape[1] == 1:
        order = np.argsort(rows[:, 0], kind="stable")
    elif rows.shape[1] == 0:
        order = np.arange(len(rows))
    else:
        order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return order, np.flatnonzero(new)


def merged(rows: States, counts: States) -> Multiset:
    """Equal rows made one, their counts added."""
    order, starts = _sorted_order(rows)
    return Multiset(rows[order[starts]], np.add.reduceat(counts[order], starts, axis=0))


def union(parts: Iterable[tuple[States, States]], columns: int) -> Multiset:
    """The rows and counts of all parts, merged."""
    listed = [(rows, counts) for rows, counts in parts if len(rows)]
    if not listed:
        return empty(columns)
    if columns == 1:
        listed = [_ascending(rows, counts) for rows, counts in listed]
        merges = [merged(np.concatenate(rows), np.concatenate(counts)) for rows, counts in _ranges(listed)]
        return Multiset(np.concatenate([m.states for m in merges]), np.concatenate([m.counts for m in merges]))
    return merged(np.concatenate([r for r, _ in listed]), np.concatenate([c for _, c in listed]))


def _ascending(rows: States, counts: States) -> tuple[States, States]:
    """A part of one column in ascending order: as it is where a rounded sum kept the order."""
    if (rows[1:] >= rows[:-1]).all():
        return rows, counts
    order = np.argsort(rows[:, 0], kind="stable")
    return rows[order], counts[order]


def _ranges(parts: Sequence[tuple[States, States]]) -> Iterator[tuple[list[States], list[States]]]:
    """The parts cut at the same values, range by range: what is merged together fits the processor's cache."""
    longest = max((rows for rows, _ in parts), key=len)
    pivots = longest[MERGED_AT_ONCE::MERGED_AT_ONCE, 0]
    cuts = [[0, *np.searchsorted(rows[:, 0], pivots).tolist(), len(rows)] for rows, _ in parts]
    for k in range(len(pivots) + 1):
        pieces = [slice(cut[k], cut[k + 1]) for cut in cuts]
        yield (
            [rows[p] for p, (rows, _) in zip(pieces, parts, strict=True)],
            [counts[p] for p, (_, counts) in zip(pieces, parts, strict=True)],
        )


def locate(table: States, rows: States) -> Indices:
    """For each row its index in ``table`` (distinct rows in lexicographic order), −1 where it is not there."""
    if not len(table) or not len(rows):
        return np.full(len(rows), -1, dtype=np.intp)
    if table.shape[1] == 1:
        where = np.minimum(np.searchsorted(table[:, 0], rows[:, 0]), len(table) - 1)
        return np.where(table[where, 0] == rows[:, 0], where, -1)
    everything = np.concatenate([table, rows])
    order, starts = _sorted_order(everything)
    group = np.empty(len(everything), dtype=np.intp)
    group[order] = np.repeat(np.arange(len(starts)), np.diff([*starts, len(order)]))
    index = np.full(len(starts), -1, dtype=np.intp)
    index[group[: len(table)]] = np.arange(len(table))
    return index[group[len(table) :]]


def holds(table: States, marked: Truths, rows: States) -> Truths:
    """For each row whether it is in ``table`` and marked there."""
    where = locate(table, rows)
    found: Truths = where >= 0
    found[found] = marked[where[found]]
    return found
