"""All values of a running sum at once: one array with an axis of length 2 for every input bit met so far.

Reading a new bit doubles the array, so inputs that agree so far share their work.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from verifier.arithmetic.arrays import ArrayMachine, States
from verifier.engines.program import Addend, RunningSum
from verifier.networks.indices import Bit


def restricted(addend: Addend, fixed: Mapping[Bit, int]) -> tuple[list[Bit], States]:
    """The addend's table with the fixed bits put in."""
    table, reads = addend.table, list(addend.reads)
    for bit in addend.reads:
        if bit in fixed:
            table = np.asarray(table.take(fixed[bit], reads.index(bit)))
            reads.remove(bit)
    return reads, table


def all_sums(lattice: ArrayMachine, total: RunningSum, fixed: Mapping[Bit, int]) -> tuple[list[Bit], States]:
    """The final values of ``total`` over all settings of the bits not fixed: the bits in the order of the axes, and the array."""
    axes: list[Bit] = []
    states: States = np.zeros((), dtype=np.int64)
    for addend in total.addends:
        reads, table = restricted(addend, fixed)
        new = [b for b in reads if b not in axes]
        axes += new
        states = states.reshape(states.shape + (1,) * len(new))
        order = sorted(range(len(reads)), key=lambda k: axes.index(reads[k]))
        shape = tuple(2 if b in reads else 1 for b in axes)
        states = lattice.add(states, table.transpose(order).reshape(shape))
    return axes, states


def by_position(lattice: ArrayMachine, total: RunningSum, first: int, last: int, fixed: Mapping[Bit, int]) -> States:
    """The final values as an array over (y, z): the bits first … last of y, then those of z, fixed bits left out.

    Bits on which the sum does not depend have an axis of length 1 each, merged: the result broadcasts to (2^a, 2^b).
    """
    axes, states = all_sums(lattice, total, fixed)
    wanted = [Bit(s, k) for s in "yz" for k in range(first, last + 1) if Bit(s, k) not in fixed]
    order = [axes.index(b) for b in wanted if b in axes]
    shape = tuple(2 if b in axes else 1 for b in wanted)
    cube = states.transpose(order).reshape(shape)
    free_y = sum(1 for b in wanted if b.string == "y")
    sides = [shape[:free_y], shape[free_y:]]
    full = [() if all(s == 1 for s in side) else (2,) * len(side) for side in sides]
    target = tuple(side if grown == () else grown for side, grown in zip(sides, full, strict=True))
    cube = np.broadcast_to(cube, target[0] + target[1])
    rows = int(np.prod(target[0], dtype=np.int64))
    return np.ascontiguousarray(cube).reshape(rows, -1)
