"""All inputs of a block at once: the sets of states reached after each stage, split by how z compares with y so far.

equal:  z agrees with y on the positions read; one state for each y (:class:`Agreeing`).
less:   y < z already; these merge, only their number is kept.
every:  all pairs of the block, for the positions behind one where y < z; these merge too.
Pairs with y > z break the promise and are left out of ``equal`` and ``less``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import ArrayMachine, States
from verifier.engines.multiset import Indices, Multiset, empty, merged, union
from verifier.engines.program import RunningSum
from verifier.engines.stages import Plan, Stage, StagingError
from verifier.engines.sum_values import by_position, restricted
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError

Step = Callable[[States, int], States]
"""The rows (n, columns) after a stage with its bits of z set to a value."""


@dataclass(frozen=True)
class Agreeing:
    """z = y on the positions read; y is a beginning (the positions read) and the rest behind it.

    rows:  (groups, rests, columns); group: (beginnings,), whose rows are those of a beginning.

    Where z takes away what y added, all beginnings lead to the same rows, and a stage costs half of the one before.
    """

    rows: States
    group: Indices

    @property
    def sizes(self) -> States:
        """How many beginnings a group has."""
        return np.bincount(self.group, minlength=len(self.rows)).astype(np.int64)

    @property
    def counts(self) -> States:
        """How many y each row of :meth:`flat` stands for."""
        return np.repeat(self.sizes, self.rows.shape[1])

    def flat(self) -> States:
        """All rows, (groups · rests, columns)."""
        return self.rows.reshape(-1, self.rows.shape[2])

    def of_each_y(self) -> Indices:
        """The row in :meth:`flat` of each y."""
        rests = self.rows.shape[1]
        index: Indices = (self.group[:, None] * rests + np.arange(rests)).reshape(-1)
        return index

    def part(self, value: int, width: int) -> States:
        """The rows (groups, rests behind the next ``width`` positions, columns) of the y that have ``value`` there."""
        groups, rests, columns = self.rows.shape
        return self.rows.reshape(groups, 1 << width, rests >> width, columns)[:, value]

    def stepped(self, step: Step, value: int, by: int, width: int) -> States:
        """:meth:`part` of ``value`` after a stage in which z's bits are ``by``, flat."""
        return step(self.part(value, width).reshape(-1, self.rows.shape[2]), by)

    def next(self, step: Step, width: int) -> Agreeing:
        """After a stage of ``width`` positions in which z agrees with y."""
        groups, rests, columns = self.rows.shape
        each = [self.stepped(step, value, value, width).reshape(groups, rests >> width, columns) for value in range(1 << width)]
        children = np.stack(each, axis=1).reshape(groups << width, rests >> width, columns)
        first, same = _alike(children)
        beginnings = (self.group[:, None] << width) + np.arange(1 << width)
        return Agreeing(children[first], same[beginnings.reshape(-1)])


def _alike(children: States) -> tuple[Indices, Indices]:
    """One child of each kind, and the kind of each child; equal sums of a hash are compared row by row.

    The factors may be any, as agreement is compared.
    """
    flat = children.reshape(len(children), -1)
    odd = np.random.default_rng(flat.shape[1]).integers(0, 1 << 62, flat.shape[1], dtype=np.int64) * 2 + 1
    _, first, kind = np.unique(flat @ odd, return_index=True, return_inverse=True)
    if np.array_equal(flat, flat[first[kind]]):
        return first, kind
    return np.arange(len(children)), np.arange(len(children))


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
