"""Multisets of rows against counting in a dictionary."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from verifier.arithmetic.arrays import States
from verifier.engines import multiset
from verifier.engines.multiset import Multiset, empty, holds, locate, merged, union


def rows_of(rng: Random, count: int, columns: int) -> States:
    return np.array([[rng.randrange(-3, 4) for _ in range(columns)] for _ in range(count)], dtype=np.int64).reshape(count, columns)


def counted(parts: list[tuple[States, States]]) -> Counter[tuple[int, ...]]:
    found: Counter[tuple[int, ...]] = Counter()
    for rows, counts in parts:
        for row, count in zip(rows.tolist(), counts.tolist(), strict=True):
            found[tuple(row)] += count
    return found


def as_counter(found: Multiset) -> Counter[tuple[int, ...]]:
    keys = [tuple(row) for row in found.states.tolist()]
    assert keys == sorted(set(keys))
    return Counter(dict(zip(keys, found.counts.tolist(), strict=True)))


@pytest.mark.parametrize("at_once", [1, 3, 1 << 14])
@pytest.mark.parametrize("columns", [0, 1, 2, 3])
@pytest.mark.parametrize("in_order", [True, False])
def test_union_merged_locate_and_holds(columns: int, at_once: int, in_order: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiset, "MERGED_AT_ONCE", at_once)
    for seed in range(12):
        rng = Random(f"{columns} {seed}")
        parts = [(rows_of(rng, n, columns), np.array([rng.randrange(1, 5) for _ in range(n)], dtype=np.int64)) for n in (0, 1, 7, 20)]
        if in_order:
            parts = [(rows[np.lexsort(rows.T[::-1])] if columns else rows, counts) for rows, counts in parts]
        parts = rng.sample(parts, rng.randrange(5))
        found = union(iter(parts), columns)
        assert as_counter(found) == counted(parts)
        assert found.states.shape == (len(found), columns)
        assert found.total == sum(int(counts.sum()) for _, counts in parts)
        for rows, counts in parts:
            assert as_counter(merged(rows, counts)) == counted([(rows, counts)])
        asked, place = rows_of(rng, 9, columns) + rng.choice((-2, 0, 2)), {tuple(row): k for k, row in enumerate(found.states.tolist())}
        assert locate(found.states, asked).tolist() == [place.get(tuple(row), -1) for row in asked.tolist()]
        marked = np.array([rng.random() < 0.5 for _ in range(len(found))], dtype=bool)
        assert holds(found.states, marked, asked).tolist() == [tuple(r) in place and bool(marked[place[tuple(r)]]) for r in asked.tolist()]


def test_several_counts_for_each_row() -> None:
    found = merged(np.array([[2], [1], [2]]), np.array([[1, 10], [2, 20], [3, 30]]))
    assert (found.states.tolist(), found.counts.tolist()) == ([[1], [2]], [[2, 20], [4, 40]])
    again = union([(empty(1).states, empty(1).counts), (found.states, found.counts)], 1)
    assert (again.states.tolist(), again.counts.tolist()) == ([[1], [2]], [[2, 20], [4, 40]])
    assert (len(empty(2)), empty(2).total, empty(2).states.shape) == (0, 0, (0, 2))
