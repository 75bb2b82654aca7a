"""The MLP's answer to every possible output of the attention, as runs of neighbouring values with the same answer.

Each hidden node is monotone in its one input, and so is each term of the output node. So the two ends of an interval of values bound the
output over it; an interval is divided until its bounds have one answer, or until it is so short that each of its values is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, ArrayMachine, Lattice, States, Truths
from verifier.arithmetic.formats import units_of
from verifier.arithmetic.numbers import Number, Special, less
from verifier.engines.program import NO, OnStates, Program
from verifier.engines.search import NotApplicableError
from verifier.transformers.evaluate import after
from verifier.transformers.formulas import Constant
from verifier.transformers.tables import OUTPUT

MOST_RUNS = 4096
SHORT = 256
PARTS = 16
MOST_AT_ONCE = 1 << 12
UNDECIDED = -1


@dataclass(frozen=True)
class Run:
    """Every value of the format in [first, last], as states, gets the answer ``answer``; inf and NaN sort above all others."""

    answer: int
    first: int
    last: int


def _divided(first: States, last: States) -> tuple[States, States]:
    """Cut each interval into sixteen parts, without the empty ones."""
    size = -(-(last - first + 1) // PARTS)[:, None]
    starts = first[:, None] + np.arange(PARTS) * size
    ends = np.minimum(starts + size - 1, last[:, None])
    return starts[starts <= ends], ends[starts <= ends]


def _listed(first: States, last: States) -> States:
    """All numbers of some intervals, interval by interval."""
    count = last - first + 1
    return np.asarray(np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count))


def numbered(lattice: ArrayMachine, numbers: States) -> States:
    """The states of values by number: 0 is that of 0, 1 that of the smallest positive value, −1 that of its negative."""
    return np.asarray(np.sign(numbers) * units_of(lattice.machine.form, np.abs(numbers))) if isinstance(lattice, Lattice) else numbers


def every_state(lattice: ArrayMachine) -> States:
    """All states, which are −inf, the finite values in ascending order, inf and NaN."""
    most = lattice.machine.form.ordinal(lattice.machine.form.top)
    return np.concatenate([[-INFINITE], numbered(lattice, np.arange(-most, most + 1)), [INFINITE, NOT_A_NUMBER]])


def answer_runs(program: Program) -> tuple[Run, ...]:
    """The runs whose answer is not NO, ascending. An interval here is an interval of value numbers.

    Raises:
        NotApplicableError: more than 4,096 runs, too many for the search by monotonicity.
    """
    special, form = np.array([-INFINITE, INFINITE, NOT_A_NUMBER]), program.lattice.machine.form
    found = [(special, special, program.answers(special))]
    last = np.array([form.ordinal(form.top)])
    first = -last
    while len(first):
        ends = numbered(program.lattice, first), numbered(program.lattice, last)
        answer = _common_answers(program, *ends)
        decided = answer != UNDECIDED
        found.append((ends[0][decided], ends[1][decided], answer[decided]))
        first, last = first[~decided], last[~decided]
        short = last - first < SHORT
        for k in range(0, int(short.sum()), MOST_AT_ONCE):
            found.append(_one_by_one(program, first[short][k : k + MOST_AT_ONCE], last[short][k : k + MOST_AT_ONCE]))
        first, last = _divided(first[~short], last[~short])
    return _runs(*(np.concatenate(each) for each in zip(*found, strict=True)))


def answers_by(runs: tuple[Run, ...], outputs: States) -> States:
    """The answers to outputs by runs in ascending order; NO for outputs outside all runs."""
    if not runs:
        return np.zeros(outputs.shape, dtype=np.int64)
    first, last, answer = (np.array([getattr(run, name) for run in runs]) for name in ("first", "last", "answer"))
    at = np.maximum(np.searchsorted(first, outputs, "right") - 1, 0)
    return np.where((first[at] <= outputs) & (outputs <= last[at]), answer[at], NO)


def _one_by_one(program: Program, first: States, last: States) -> tuple[States, States, States]:
    """The answers to the values, in runs of neighbours within an interval that have the same answer. A run has its first and last value and
    its answer.
    """
    states = numbered(program.lattice, _listed(first, last))
    answers = program.answers(states)
    new = np.diff(answers, prepend=-1) != 0
    new[np.cumsum(last - first + 1) - (last - first + 1)] = True
    starts = np.flatnonzero(new)
    return states[starts], states[[*(starts[1:] - 1), len(states) - 1]], answers[starts]


def _runs(first: States, last: States, answer: States) -> tuple[Run, ...]:
    """Neighbouring intervals with one answer, joined; intervals with NO are left out."""
    order = np.argsort(first)
    first, last, answer = first[order], last[order], answer[order]
    starts = np.flatnonzero(np.diff(answer, prepend=-1))
    ends = [*(starts[1:] - 1), len(answer) - 1]
    if len(starts) > MOST_RUNS:
        raise NotApplicableError(f"the MLP's answer changes more than {MOST_RUNS:,} times along the attention's output")
    runs = (Run(int(answer[a]), int(first[a]), int(last[b])) for a, b in zip(starts, ends, strict=True))
    return tuple(run for run in runs if run.answer != NO)


@dataclass(frozen=True)
class Bounds:
    """The states between which a quantity lies on each interval; ``sound`` if neither a NaN nor an unordered value can arise."""

    low: States
    high: States
    sound: Truths


def _common_answers(program: Program, first: States, last: States) -> States:
    """NO, YES or NEITHER if all values from first to last have that answer, else undecided.

    Bounds may be too wide: undecided intervals are divided, and in the end answered value by value.
    """
    every, rectified = np.ones(len(first), dtype=np.bool_), program.execution.instance.accept.rectified
    operations: Any = OnBounds(program.execution.context, program.lattice)
    given = dict.fromkeys(program.execution.head.value, Bounds(first, last, every))
    _, hidden, values = after(program.execution.layer, {}, [given], operations)
    output: Bounds = operations.rectified(values[OUTPUT]) if rectified else values[OUTPUT]
    low, high = (np.broadcast_to(x, first.shape) for x in (output.low, output.high))
    sound = np.broadcast_to(output.sound, first.shape)
    answer = np.full(len(first), UNDECIDED, dtype=np.int64)
    same = sound & _undivided(program, low, high)
    answer[same] = program.accepted(low[same])
    constant = np.all([every, *(h.sound & (h.low == h.high) for h in hidden.values())], axis=0)
    answer[constant] = program.answers(first[constant])
    return answer


def _undivided(program: Program, low: States, high: States) -> Truths:
    """Whether all values from low to high lie on one side of each number with which the output is compared, and so have one answer."""
    numbers = program.execution.instance.accept.thresholds

    def sides(states: States) -> list[tuple[int, int]]:
        found = program.lattice.decoded(states)
        return [(sum(less(t, x) for t in numbers), sum(less(x, t) for t in numbers)) for x in found]

    return np.array([a == b for a, b in zip(sides(low), sides(high), strict=True)], np.bool_)


class OnBounds(OnStates):
    """The same operations on bounds. A rounded product with a constant is monotone, and a rounded sum is monotone in both terms."""

    def dot(self, terms: Sequence[tuple[Number, Bounds] | None], constant: Constant | None = None, name: str = "") -> Bounds:
        total = Bounds(np.zeros((), np.int64), np.zeros((), np.int64), np.ones((), np.bool_))
        for factor, x in filter(None, terms):
            ends = self.lattice.multiply_constant(x.low, factor), self.lattice.multiply_constant(x.high, factor)
            ordered = x.sound & (not isinstance(factor, Special)) & (ends[1] != NOT_A_NUMBER)  # inf · 0: no input is −inf
            total = _sum(self.lattice, total, Bounds(np.minimum(*ends), np.maximum(*ends), ordered))
        if constant is None:
            return total
        bias = self.constant(constant)
        low, high = self.lattice.add_constant(total.low, bias), self.lattice.add_constant(total.high, bias)
        return Bounds(low, high, total.sound & (not isinstance(bias, Special)))

    def rectified(self, x: Bounds) -> Bounds:
        return Bounds(self.lattice.rectify(x.low), self.lattice.rectify(x.high), x.sound)


def _sum(lattice: ArrayMachine, a: Bounds, b: Bounds) -> Bounds:
    """Bounds of the rounded sum, if opposite infinities cannot meet."""
    opposite = ((a.low == -INFINITE) & (b.high == INFINITE)) | ((a.high == INFINITE) & (b.low == -INFINITE))
    return Bounds(lattice.add(a.low, b.low), lattice.add(a.high, b.high), a.sound & b.sound & ~opposite)
