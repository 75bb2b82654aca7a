"""The MLP's answer to every possible output of the attention, as runs of neighbouring values with one answer.

Each hidden node is monotone in its one input, and so is each term of the output node. So the two ends of an interval of values bound
the output over it; an interval is divided until its bounds have one answer, or it is so short that each of its values is looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, ArrayMachine, Lattice, States, Truths
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, Special
from verifier.engines.program import NEITHER, NO, YES, Program
from verifier.engines.search import NotApplicableError
from verifier.networks.acceptance import Acceptance
from verifier.networks.instance import Node

MOST_RUNS = 4096
SHORT = 256
PARTS = 16
MOST_AT_ONCE = 1 << 12
UNDECIDED = -1


@dataclass(frozen=True)
class Run:
    """Every value of the format in [first, last], as states, is answered with ``answer``; inf and NaN sort above all others."""

    answer: int
    first: int
    last: int


@dataclass(frozen=True)
class Intervals:
    """The states first, first + step, …, count of them, for each row."""

    first: States
    step: States
    count: States

    @property
    def last(self) -> States:
        """The last value of each; bounds that include values behind it would also hold."""
        return self.first + (self.count - 1) * self.step

    def __len__(self) -> int:
        return len(self.first)

    def where(self, chosen: Truths) -> Intervals:
        return Intervals(self.first[chosen], self.step[chosen], self.count[chosen])

    def divided(self) -> Intervals:
        """Each in sixteen parts, some of them empty and left out."""
        size = -(-self.count // PARTS)
        start = np.arange(PARTS) * size[:, None]
        count = np.clip(self.count[:, None] - start, 0, size[:, None])
        first, step = self.first[:, None] + start * self.step[:, None], np.broadcast_to(self.step[:, None], count.shape)
        return Intervals(first.reshape(-1), step.reshape(-1), count.reshape(-1)).where(count.reshape(-1) > 0)

    def states(self) -> States:
        """All of them, one after the other."""
        before = np.repeat(np.cumsum(self.count) - self.count, self.count)
        return np.repeat(self.first, self.count) + (np.arange(len(before)) - before) * np.repeat(self.step, self.count)


def binades(lattice: ArrayMachine) -> Intervals:
    """Every finite state: one interval of codes; of units, spacing 1 around 0, which doubles with each binade from 2^precision on."""
    form = lattice.machine.form
    found = [(-lattice.largest, 1, 2 * lattice.largest + 1)]
    if isinstance(lattice, Lattice):
        half, units = form.unit / lattice.unit, [(0, 1, 1)]
        for k in range(form.binades + 1):
            first = (1 << form.precision >> 1) << k if k else form.first
            units.append((first, 1 << k, max(0, (min(form.top, (1 << form.precision + k) - 1) - first >> k) + 1)))
        mirrored = [(-(first + (count - 1) * step), step, count) for first, step, count in units[1:]]
        found = [(int(first * half), int(step * half), count) for first, step, count in (*units, *mirrored) if count]
    first, step, count = np.array(found, dtype=np.int64).T
    return Intervals(first, step, count)


def every_state(lattice: ArrayMachine) -> States:
    """Every output that there is: −inf, the finite values ascending, inf and NaN."""
    ends = [[lattice.encode(NEG_INF)], [lattice.encode(INF)], [lattice.encode(NAN)]]
    return np.concatenate([ends[0], np.sort(binades(lattice).states()), *ends[1:]])


def answer_runs(program: Program) -> tuple[Run, ...]:
    """The runs whose answer is not NO, ascending.

    Raises:
        NotApplicableError: more than 4,096 runs, which the search by monotonicity is not made for.
    """
    special = np.array([-INFINITE, INFINITE, NOT_A_NUMBER])
    found = [(special, special, program.answers(special))]
    intervals = binades(program.lattice)
    while len(intervals):
        answer = _common_answers(program, intervals)
        decided = answer != UNDECIDED
        found.append((intervals.first[decided], intervals.last[decided], answer[decided]))
        intervals = intervals.where(~decided)
        short = intervals.where(intervals.count <= SHORT)
        for k in range(-(-len(short) // MOST_AT_ONCE)):
            found.append(_one_by_one(program, short.where(np.arange(len(short)) // MOST_AT_ONCE == k)))
        intervals = intervals.where(intervals.count > SHORT).divided()
    first, last, answer = (np.concatenate(each) for each in zip(*found, strict=True))
    return _runs(first, last, answer)


def answers_by(runs: tuple[Run, ...], outputs: States) -> States:
    """The answers to outputs by runs in ascending order; NO to those in none of them."""
    if not runs:
        return np.zeros(outputs.shape, dtype=np.int64)
    first, last, answer = (np.array([getattr(run, name) for run in runs]) for name in ("first", "last", "answer"))
    at = np.maximum(np.searchsorted(first, outputs, "right") - 1, 0)
    return np.where((first[at] <= outputs) & (outputs <= last[at]), answer[at], NO)


def _one_by_one(program: Program, intervals: Intervals) -> tuple[States, States, States]:
    """Each value answered; first, last and answer of the neighbours within an interval that agree."""
    states = intervals.states()
    answers = program.answers(states)
    new = np.diff(answers, prepend=-1) != 0
    new[np.cumsum(intervals.count) - intervals.count] = True
    starts = np.flatnonzero(new)
    return states[starts], states[[*(starts[1:] - 1), len(states) - 1]], answers[starts]


def _runs(first: States, last: States, answer: States) -> tuple[Run, ...]:
    """Neighbouring intervals with one answer made one, NO left out."""
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
    """Between which states a quantity lies on each interval; ``sound`` where neither a NaN nor an unordered value can arise."""

    low: States
    high: States
    sound: Truths


def _common_answers(program: Program, intervals: Intervals) -> States:
    """NO, YES or NEITHER where all values of an interval have that answer, else undecided.

    Bounds may be too wide: what they leave undecided is divided, and answered value by value in the end.
    """
    every = np.ones(len(intervals), dtype=np.bool_)
    x = Bounds(intervals.first, intervals.last, every)
    instance = program.execution.instance
    hidden = [_node(program, node, [x], len(intervals)) for node in instance.hidden]
    output = _node(program, instance.output, hidden, len(intervals), instance.accept.rectified)
    low, high, sound = output.low, output.high, output.sound
    answer = np.full(len(intervals), UNDECIDED, dtype=np.int64)
    if not instance.accept.usual:
        same = sound & _undivided(program, instance.accept, low, high)
        answer[same] = program.accepted(low[same])
    else:
        one = program.lattice.encode(ONE) if program.execution.machine.form.contains(ONE) else None
        answer[sound & (high == 0)] = NO
        if one is not None:
            answer[sound & (low == one) & (high == one)] = YES
        between = (low > 0) if one is None else (low > one) | (low > 0) & (high < one)
        answer[sound & between] = NEITHER
    constant = np.all([every, *(h.sound & (h.low == h.high) for h in hidden)], axis=0)
    answer[constant] = program.answers(intervals.first[constant])
    return answer


def _undivided(program: Program, accept: Acceptance, low: States, high: States) -> Truths:
    """Where no threshold of the acceptance lies from low to high, so that both and all between them have one answer."""
    unit = program.lattice.decode(1)
    assert not isinstance(unit, Special)
    quotients = [x / unit for x in accept.thresholds]
    most = int(INFINITE) - 1
    below, above = (np.array([min(max(f(q), -most), most) for q in quotients], dtype=np.int64) for f in (math.floor, math.ceil))
    same: Truths = np.searchsorted(below, low, "left") == np.searchsorted(above, high, "right")
    return same


def _node(program: Program, node: Node, inputs: list[Bounds], count: int, rectify: bool = True) -> Bounds:
    """A node's bounds from those of its inputs: a rounded product by a constant is monotone, a rounded sum in both terms."""
    lattice = program.lattice
    total = Bounds(np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.bool_))
    for weight, x in zip(node.weights, inputs, strict=True):
        factor = program.execution.entry(weight)
        ends = lattice.multiply_constant(x.low, factor), lattice.multiply_constant(x.high, factor)
        ordered = x.sound & (not isinstance(factor, Special)) & (ends[1] != NOT_A_NUMBER)  # inf · 0: no input is −inf
        product = Bounds(np.minimum(*ends), np.maximum(*ends), ordered)
        total = _sum(lattice, total, product)
    bias = program.execution.entry(node.bias)
    low, high = lattice.add_constant(total.low, bias), lattice.add_constant(total.high, bias)
    if rectify:
        low, high = lattice.rectify(low), lattice.rectify(high)
    return Bounds(low, high, total.sound & (not isinstance(bias, Special)))


def _sum(lattice: ArrayMachine, a: Bounds, b: Bounds) -> Bounds:
    """Bounds of the rounded sum, where opposite infinities cannot meet."""
    opposite = ((a.low == -INFINITE) & (b.high == INFINITE)) | ((a.high == INFINITE) & (b.low == -INFINITE))
    return Bounds(lattice.add(a.low, b.low), lattice.add(a.high, b.high), a.sound & b.sound & ~opposite)
