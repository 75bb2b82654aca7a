"""The vectorised machine on chosen inputs: which of a list of pairs (y, z) are answered wrongly."""

from __future__ import annotations

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.failure_counts import Solved
from verifier.engines.program import Program, program_of
from verifier.networks.problems import Problem
from verifier.networks.tasks import Integers
from verifier.transformers.tables import Execution

SAMPLE = 1 << 11
LONGEST = 62
"""Longer strings are no integers of 64 bits."""


def wrong_on(program: Program, y: Integers, z: Integers) -> Truths:
    """For each pair, whether it keeps the promise and is answered wrongly. ``y``, ``z``: integers, one pair at each place."""
    problem, length = program.execution.instance.problem, program.execution.instance.m
    strings = {"y": y, "z": z}
    sums: dict[str, States] = {}
    for name, total in program.sums.items():
        states: States = np.zeros(y.shape, dtype=np.int64)
        for addend in total.addends:
            index: States = np.zeros(y.shape, dtype=np.int64)
            for bit in addend.reads:
                index = 2 * index + (strings[bit.string] >> (length - bit.index) & 1)
            states = program.lattice.add(states, addend.table.reshape(-1)[index])
        sums[name] = states
    faults = program.faults(*(np.broadcast_to(each, y.shape) for each in program.attentions(sums)))
    wrong: Truths = problem.promises(y, z) & np.where(problem.values(y, z), faults.on_yes, faults.on_no)
    return wrong


def sampled_failure(program: Program) -> tuple[int, int] | None:
    """A failing pair among some thousands: z = y, its neighbours, one bit turned, and any; None where they are all right.

    The same pairs in every run. It proves a construction wrong, never right.
    """
    length = program.execution.instance.m
    random = np.random.default_rng(0)
    y = random.integers(0, 1 << length, SAMPLE, dtype=np.int64)
    turned = y ^ (np.int64(1) << random.integers(0, length, SAMPLE, dtype=np.int64))
    others = (y, np.minimum(y + 1, (1 << length) - 1), turned, random.integers(0, 1 << length, SAMPLE, dtype=np.int64))
    for other in others:
        low, high = np.minimum(y, other), np.maximum(y, other)
        wrong = wrong_on(program, low, high)
        if wrong.any():
            k = int(wrong.argmax())
            return int(low[k]), int(high[k])
    return None


def one_failure(execution: Execution) -> Solved | None:
    """A failing pair among those of :func:`sampled_failure`; None where there is none, or the inputs are no pairs."""
    instance = execution.instance
    if not isinstance(instance.task, Problem) or instance.outputs > 1 or instance.m > LONGEST:
        return None
    found = sampled_failure(program_of(execution))
    return None if found is None else Solved(instance.task.pairs(), found, "chosen inputs", "some thousands of pairs")
