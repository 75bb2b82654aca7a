"""What the MLP answers to every value that the attention's output can have, as runs of neighbouring values with one answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.formats import FreePoint
from verifier.engines.lattice import INFINITE, NOT_A_NUMBER, States
from verifier.engines.program import NO, Program
from verifier.engines.stages import StagingError
from verifier.engines.vectorised import Arithmetic

AT_ONCE = 1 << 20
MOST_RUNS = 4096


@dataclass(frozen=True)
class Run:
    """Every value of the format in [first, last], as states, is answered with ``answer``; inf and NaN sort above all others."""

    answer: int
    first: int
    last: int


def values(lattice: Arithmetic) -> Iterator[States]:
    """Every state of the lattice ascending, −inf first, inf and NaN last, in arrays of at most 2^20."""
    yield np.array([-INFINITE], dtype=np.int64)
    magnitudes = list(_magnitudes(lattice))
    for part in reversed(magnitudes):
        yield -part[::-1][: len(part) - int(part[0] == 0)]
    yield from magnitudes
    yield np.array([INFINITE, NOT_A_NUMBER], dtype=np.int64)


def _magnitudes(lattice: Arithmetic) -> Iterator[States]:
    """0 and the positive states, ascending: spacing 1, but for a free point doubling with each binade from 2^digits on."""
    form = lattice.machine.form
    edges = [(0, lattice.largest + 1, 1)]
    if isinstance(form, FreePoint):
        digits = form.digits
        edges = [(0, 1 << digits, 1)]
        edges += [(1 << digits + k - 1, 1 << digits + k, 1 << k) for k in range(1, digits + 1)]
    for start, end, step in edges:
        for first in range(start, end, AT_ONCE * step):
            yield np.arange(first, min(end, first + AT_ONCE * step), step, dtype=np.int64)


def answer_runs(program: Program) -> tuple[Run, ...]:
    """The runs whose answer is not NO, ascending.

    Raises:
        StagingError: more than 4,096 runs, which the search by monotonicity is not made for.
    """
    runs: list[Run] = []
    for states in values(program.lattice):
        answers = program.answers(states)
        starts = np.flatnonzero(np.diff(answers, prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(answers)], strict=True):
            found = Run(int(answers[start]), int(states[start]), int(states[end - 1]))
            if runs and start == 0 and runs[-1].answer == found.answer:
                found = Run(found.answer, runs.pop().first, found.last)
            runs.append(found)
        if len(runs) > MOST_RUNS:
            raise StagingError(f"the MLP's answer changes more than {MOST_RUNS:,} times along the attention's output")
    return tuple(run for run in runs if run.answer != NO)
