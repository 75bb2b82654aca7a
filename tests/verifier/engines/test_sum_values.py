"""All values of a running sum at once, against the sum over the tokens for one input at a time."""

from __future__ import annotations

from random import Random

import numpy as np

from verifier.arithmetic.arrays import Lattice
from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import ZERO, Number
from verifier.engines.program import Addend, RunningSum
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
