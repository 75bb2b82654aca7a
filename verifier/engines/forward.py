"""All inputs of a block at once: the sets of states reached after each stage, split by how z compares with y so far.

equal:  z agrees with y on the positions read; one state for each y (:class:`verifier.engines.agreeing_pairs.Agreeing`).
less:   y < z already; these merge, only their number is kept.
every:  all pairs of the block, for the positions behind one where y < z; these merge too.
Pairs with y > z break the promise and are left out of ``equal`` and ``less``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import ArrayMachine, States
from verifier.engines.agreeing_pairs import Agreeing
from verifier.engines.multiset import Multiset, empty, merged, union
from verifier.engines.program import RunningSum
from verifier.engines.stages import Plan, Stage, StagingError
from verifier.engines.sum_values import by_position, restricted
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError

WIDEST_BLOCK = 28


@dataclass(frozen=True)
class Layer:
    """The states before the first stage (``layers[0]``) or after a stage."""

    equal: Agreeing
    less: Multiset
    every: Multiset


class Walk:
    """A plan run on a lattice: the step from one layer to the next, and the outcomes of single inputs.

    A row has a column for each sum and, where later tokens read bits of y, one more that holds those bits.
    """

    def __init__(self, lattice: ArrayMachine, plan: Plan, budget: Budget) -> None:
        width = plan.block.width
        if not lattice.machine.form.fixed_point:
            raise StagingError("reachable sets are held for fixed point, not for floating point")
        if width > WIDEST_BLOCK:
            raise LimitError(f"{width} positions together; reachable sets take at most {WIDEST_BLOCK}", "a smaller precision")
        self.lattice, self.plan, self.budget = lattice, plan, budget
        self.width, self.size = width, 1 << width
        self.sums = len(plan.start)
        self.columns = self.sums + bool(plan.late)

    def layers(self, with_every: bool) -> Iterator[Layer]:
        """The layer of each stage, the start first."""
        self.budget.spend(self.size)
        start = self._start()
        every = merged(start, np.ones(self.size, dtype=np.int64)) if with_every else empty(self.columns)
        layer = Layer(Agreeing(start[None], np.zeros(1, dtype=np.intp)), empty(self.columns), every)
        yield layer
        for stage in self.plan.stages:
            layer = self._next(layer, stage)
            yield layer

    def last(self, with_every: bool) -> Layer:
        """The layer after the last stage; earlier ones are not kept."""
        layer = None
        for layer in self.layers(with_every):  # noqa: B007  # the last one is wanted
            pass
        assert layer is not None
        return layer

    def of_y(self, y: int) -> States:
        """The final rows for one y and every z of the block, z ascending: (2^width, columns)."""
        fixed = {Bit("y", k): y >> (self.plan.block.last - k) & 1 for k in range(self.plan.block.first, self.plan.block.last + 1)}
        rows = np.zeros((self.size, self.columns), dtype=np.int64)
        for k, total in enumerate(self.plan.block.sums):
            rows[:, k] = by_position(self.lattice, total, self.plan.block.first, self.plan.block.last, fixed).reshape(-1)
        rows[:, self.sums :] = self._late(np.array([y], dtype=np.int64))
        return rows

    def step(self, stage: Stage, rows: States, value: int) -> States:
        """The rows after ``stage`` with z's bits ``value``; the same array where the stage adds nothing."""
        late = self.plan.late
        fixed = {Bit("z", k): value >> (stage.last - k) & 1 for k in range(stage.first, stage.last + 1)}
        result = rows
        for k, addends in enumerate(stage.addends):
            for addend in addends:
                reads, table = restricted(addend, fixed)
                if not table.any():
                    continue
                index: States = np.zeros((), dtype=np.int64)
                for bit in reads:
                    index = 2 * index + (rows[:, -1] >> (len(late) - 1 - late.index(bit)) & 1)
                result = result.copy() if result is rows else result
                result[:, k] = self.lattice.add(result[:, k], table.reshape(-1)[index])
        return result

    def _start(self) -> States:
        rows = np.zeros((self.size, self.columns), dtype=np.int64)
        for k, total in enumerate(self.plan.start):
            rows[:, k] = self._of_all_y(total)
        rows[:, self.sums :] = self._late(np.arange(self.size, dtype=np.int64))
        return rows

    def _of_all_y(self, total: RunningSum) -> States:
        return by_position(self.lattice, total, self.plan.block.first, self.plan.block.last, {}).reshape(-1)

    def _late(self, y: States) -> States:
        """The column of late bits, for no columns or one."""
        packed = np.zeros_like(y)
        for bit in self.plan.late:
            packed = 2 * packed + (y >> (self.plan.block.last - bit.index) & 1)
        return packed[:, None]

    def _next(self, layer: Layer, stage: Stage) -> Layer:
        step = partial(self.step, stage)
        less: list[tuple[States, States]] = []
        every: list[tuple[States, States]] = []
        for value in range(1 << stage.width):
            for smaller in range(value):
                fresh = layer.equal.stepped(step, smaller, value, stage.width)
                less.append((fresh, np.repeat(layer.equal.sizes, len(fresh) // len(layer.equal.rows))))
            less.append((step(layer.less.states, value), layer.less.counts))
            every.append((step(layer.every.states, value), layer.every.counts))
        self.budget.spend(len(layer.equal.flat()) + sum(len(r) for r, _ in less + every))
        return Layer(layer.equal.next(step, stage.width), union(less, self.columns), union(every, self.columns))


class Budget:
    """How many states may still be visited."""

    def __init__(self, limit: int) -> None:
        self.limit, self.spent = limit, 0

    def spend(self, states: int) -> None:
        """Raises LimitError beyond the limit."""
        self.spent += states
        if self.spent > self.limit:
            raise LimitError(f"reachable sets have visited {self.spent:,} states, the limit is {self.limit:,}", "--limit")
