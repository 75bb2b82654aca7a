"""States of sums, read in any order of the bits, hold what the sums hold after each input, and stand for as many inputs as lead there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from tests.artificial import random_instance
from verifier.arithmetic.arrays import Lattice
from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.semantics import NAMED
from verifier.engines.blocks import Block
from verifier.engines.program import Addend, Program, RunningSum
from verifier.engines.search import Budget, Columns, NotApplicableError, Rows, States, Step, locate, merge, search
from verifier.networks.indices import Bit
from verifier.transformers.tables import Execution

LATTICE = Lattice(Machine(free_point(4)))


PROGRAM = Program(Execution(random_instance("ordered", Random(1)), NAMED["a4"]))
PROGRAM.lattice = LATTICE


def test_eight_positions_at_most_are_taken_together() -> None:
    """Where z is read backwards."""
    backwards = [Addend((Bit("z", k),), np.array([0, 1])) for k in range(9, 0, -1)]
    assert Block(1, 8, (RunningSum("sum", tuple(backwards[1:])),)).sides(PROGRAM, Budget(1 << 20), with_every=False)
    with pytest.raises(NotApplicableError, match="not read in ascending order; at most 8"):
        Block(1, 9, (RunningSum("sum", tuple(backwards)),)).sides(PROGRAM, Budget(1 << 20), with_every=False)


def test_states_are_merged_by_value() -> None:
    """Zero has no sign, and there is one NaN."""
    columns = {"a": np.array([0.0, -0.0, np.nan, 1.0, -np.nan]), "b": np.array([1, 1, 2, 1, 2])}
    merged, place = merge(Rows(columns, np.array([1, 2, 4, 8, 16])))
    assert sorted(merged.count.tolist()) == [3, 8, 20]
    assert merged.count[place].tolist() == [3, 3, 20, 8, 20]
    assert locate(merged.columns, columns).tolist() == place.tolist()
    assert locate(merged.columns, {"a": np.array([2.0]), "b": np.array([1])}).tolist() == [-1]


@pytest.mark.parametrize("spread", [1, 1 << 58, 1 << 62])
def test_states_of_wide_columns_are_told_apart(spread: int) -> None:
    columns = {"a": np.array([0, 1, 0, 1, 0]), "b": np.array([spread, 0, 0, spread, spread])}
    merged, place = merge(Rows(columns, np.array([1, 2, 4, 8, 16])))
    assert merged.count[place].tolist() == [17, 2, 4, 8, 17]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kinds", [1, 3])
def test_counts_of_equal_states_are_added(kinds: int) -> None:
    """Counts of one kind or of three beside each other, and those that 64 bits do not hold."""
    random = np.random.default_rng(kinds)
    for size in range(1, 40):
        columns = {"a": random.integers(-2, 3, size), "b": random.integers(0, 2, size), "c": random.integers(0, 2, size).astype(np.int8)}
        count = random.integers(0, 1 << 40, (size, kinds) if kinds > 1 else size)
        for given in (count, count.astype(object) << 40):
            merged, place = merge(Rows(columns, given))
            wanted = Counter[tuple[int, ...]]()
            for k, row in enumerate(zip(*(x.tolist() for x in columns.values()), strict=True)):
                for kind in range(kinds):
                    wanted[*row, kind] += int(given[k] if kinds == 1 else given[k, kind])
            rows = list(zip(*(x.tolist() for x in merged.columns.values()), strict=True))
            assert len(set(rows)) == len(rows)
            assert [rows[k] for k in place] == list(zip(*(x.tolist() for x in columns.values()), strict=True))
            found = merged.count.reshape(len(rows), kinds)
            assert {(*row, kind): int(found[k, kind]) for k, row in enumerate(rows) for kind in range(kinds)} == wanted


class _Nothing(States):
    """Inputs of which nothing is kept."""

    symbols = [(0, 1)] * 5

    def start(self) -> dict[str, Columns]:
        return {"": {}}

    def step(self, position: int, kind: str, symbol: int, columns: Columns) -> Iterator[Step]:
        yield "", None, {}


def test_states_without_columns_are_one() -> None:
    assert search(_Nothing()).ends[""].count.tolist() == [32]
