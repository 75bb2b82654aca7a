"""All values of a running sum at once, against the sum over the tokens for one input at a time."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from verifier.arithmetic.arrays import Lattice
from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import ZERO, Number
from verifier.engines.program import Addend, RunningSum, _essential
from verifier.engines.sum_values import all_sums, by_position
from verifier.networks.indices import Bit

FIRST, LAST = 2, 4
BITS = [Bit(string, k) for string in "yz" for k in range(FIRST, LAST + 1)]
LATTICE = Lattice(Machine(free_point(4)))


def random_sum(rng: Random, bits: list[Bit]) -> RunningSum:
    """Addends that read up to three of the bits, in any order."""
    addends = []
    for _ in range(rng.randint(0, 4)):
        reads = tuple(rng.sample(bits, rng.randint(0, min(3, len(bits)))))
        table = np.array([rng.randint(-9, 9) for _ in range(2 ** len(reads))], dtype=np.int64)
        addends.append(Addend(reads, table.reshape((2,) * len(reads))))
    return RunningSum("sum", tuple(addends))


def at(total: RunningSum, given: dict[Bit, int]) -> Number:
    """The sum for one input, rounded after each token by the scalar machine."""
    result: Number = ZERO
    for addend in total.addends:
        result = LATTICE.machine.add(result, LATTICE.decode(addend.table[tuple(given[bit] for bit in addend.reads)]))
    return result


@pytest.mark.parametrize("read", [BITS, BITS[:3], BITS[3:], BITS[1:2], [BITS[0], BITS[4]]], ids=len)
def test_every_input_has_the_value_of_its_sum(read: list[Bit]) -> None:
    rng = Random(f"tree {read}")
    for _ in range(6):
        total, known = random_sum(rng, read), rng.choice([rng.sample(BITS, rng.randint(0, 3)), BITS[:3], BITS[3:]])
        fixed = {bit: rng.randint(0, 1) for bit in known}
        axes, states = all_sums(LATTICE, total, fixed)
        free = [[bit for bit in BITS if bit.string == string and bit not in fixed] for string in "yz"]
        table = np.broadcast_to(by_position(LATTICE, total, FIRST, LAST, fixed), tuple(2 ** len(bits) for bits in free))
        for row, column in np.ndindex(table.shape):
            given = dict(fixed)
            for bits, number in zip(free, (row, column), strict=True):
                given |= {bit: number >> (len(bits) - 1 - k) & 1 for k, bit in enumerate(bits)}
            assert LATTICE.decode(table[row, column]) == LATTICE.decode(states[tuple(given[bit] for bit in axes)]) == at(total, given)


@pytest.mark.parametrize("reads", ["", "a", "ab", "aa", "aba", "abb", "abca"])
def test_an_addend_reads_the_bits_that_matter_each_once(reads: str) -> None:
    """Whatever a table holds where a bit that is read twice would have two values."""
    rng, every = Random(reads), {name: Bit("y", k) for k, name in enumerate("abc", 1)}
    for _ in range(12):
        table = np.array([rng.randint(0, 1) * 3 for _ in range(2 ** len(reads))], dtype=np.int64)
        found = _essential(tuple(every[name] for name in reads), table)
        names = sorted(set(reads))
        values = {}
        for contents in product((0, 1), repeat=len(names)):
            given = dict(zip(names, contents, strict=True))
            values[contents] = int(table[int("0" + "".join(str(given[name]) for name in reads), 2)])
            assert found.table[tuple(given[name] for name in names if every[name] in found.reads)] == values[contents]
        turned = {name: [v != values[(*c[:k], 1 - c[k], *c[k + 1 :])] for c, v in values.items()] for k, name in enumerate(names)}
        assert [*found.reads] == sorted(every[name] for name, changes in turned.items() if any(changes))
