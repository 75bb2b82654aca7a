"""The engine for any task: every input of any strings, any number of value columns, no Python in the inner loop, in chunks of bounded size.

An input is a number of as many digits as there are bits in all strings, the first string in front; inputs are visited ascending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.failure_counts import Census
from verifier.engines.program import Program
from verifier.engines.sum_values import all_sums
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit
from verifier.networks.tasks import Integers, Task, split_inputs
from verifier.running.errors import InputError, LimitError, amount

CHUNK_BITS = 18
MOST_BITS = 60
"""Longer inputs are not machine words."""
DEFAULT_LIMIT = 1 << 31
Advance = Callable[[int, int], None]


@dataclass(frozen=True)
class Chunk:
    """The inputs that begin with the same bits: ``fixed``, by name; the free bits are the axes of an array, in order."""

    numbers: Integers
    fixed: Mapping[Bit, int]
    free: tuple[Bit, ...]

    def spread(self, axes: list[Bit], states: States) -> States:
        """States over some of the free bits as an array over all inputs of the chunk."""
        order = sorted(range(len(axes)), key=lambda k: self.free.index(axes[k]))
        shape = tuple(2 if bit in axes else 1 for bit in self.free)
        return np.broadcast_to(states.transpose(order).reshape(shape), (2,) * len(self.free)).reshape(-1)


def chunks(task: Task, limit: int) -> Iterator[tuple[int, int, Chunk]]:
    """Every input of a task in chunks, ascending: which chunk of how many.

    Raises:
        LimitError: more inputs than ``limit``, or than machine words count.
    """
    if task.bits > MOST_BITS or 1 << task.bits > limit:
        inputs = amount(1 << task.bits) if task.bits <= MOST_BITS else f"2^{task.bits}"
        raise LimitError(f"enumeration visits {inputs} inputs ({task.described}), the limit is {limit:,}", "--limit")
    bits = [Bit(name, k) for name, length in task.strings.items() for k in range(1, length + 1)]
    prefix = max(0, len(bits) - CHUNK_BITS)
    rest = len(bits) - prefix
    for value in range(1 << prefix):
        fixed = {bit: value >> (prefix - k) & 1 for k, bit in enumerate(bits[:prefix], 1)}
        yield value, 1 << prefix, Chunk(np.arange(1 << rest, dtype=np.int64) + (value << rest), fixed, tuple(bits[prefix:]))


def enumerate_inputs(execution: Execution, limit: int = DEFAULT_LIMIT, advance: Advance = lambda done, total: None) -> Census:
    """Every promised input of a well-formed instance.

    Raises:
        LimitError: more inputs than ``limit``.
        InputError: a promise that no input keeps, or a function or promise without a value at some input.
        ValueError: an ill-formed instance.
    """
    instance = execution.instance
    if instance.defects:
        raise ValueError(f"{instance.id} is ill-formed: {instance.defects[0]}")
    task, program = instance.task, Program(execution)
    cases = failures = nans = yes = missed = 0
    smallest: tuple[int, ...] | None = None
    for done, total, chunk in chunks(task, limit):
        promised, values = asked(task, chunk)
        if promised.any():
            sums = {s.name: chunk.spread(*all_sums(program.lattice, s, chunk.fixed)) for s in program.sums.values()}
            faults = program.faults(*program.attentions(sums))
            wrong = promised & np.where(values, faults.on_yes, faults.on_no)
            cases += int(promised.sum())
            failures += int(wrong.sum())
            yes += int(values.sum())
            missed += int((wrong & values).sum())
            nans += int((promised & faults.invalid).sum())
            if smallest is None and wrong.any():
                smallest = input_at(task, chunk, int(wrong.argmax()))
        advance(done + 1, total)
    if not cases:
        raise InputError(f"problem.promise: no input keeps {task.promise} ({task.described})")
    return Census(cases, failures, nans, smallest, "enumeration", "every input on its own", yes, missed)


def asked(task: Task, chunk: Chunk) -> tuple[Truths, Truths]:
    """Which inputs of a chunk keep the promise, and the function's values; it is asked of those inputs only, and 0 at others."""
    inputs = split_inputs(task, chunk.numbers)
    promised = task.promises_at(inputs)
    values = np.zeros_like(promised)
    if promised.any():
        values[promised] = task.values_at({name: each[promised] for name, each in inputs.items()})
    return promised, values


def input_at(task: Task, chunk: Chunk, place: int) -> tuple[int, ...]:
    """One input of a chunk, its strings in their order."""
    return tuple(int(each[0]) for each in split_inputs(task, chunk.numbers[place : place + 1]).values())
