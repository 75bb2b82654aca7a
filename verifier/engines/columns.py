"""Constructions whose numerator is added up from many columns of A X, each about one position of the strings: a count over states.

Where every column sum depends on one position at most, the denominator on none, and the columns come in the order of their
positions, last position first, the numerator is a walk over the positions: its state is the partial numerator, how y compares with z
on the positions seen, and the bits seen of each condition of the promise that is not yet decided. Counting the pairs in each state
decides all pairs in time linear in the length; nothing is sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby

import numpy as np

from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number
from verifier.engines.failure_counts import Census
from verifier.engines.program import DENOMINATOR, Program, program_of
from verifier.engines.sum_values import all_sums
from verifier.networks.evaluate import decide
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit
from verifier.networks.problems import Problem

Contents = tuple[int, ...]
State = tuple[Number, int, Contents]
"""The partial numerator, the sign of y − z on the positions seen so far, and what was seen of each condition of the promise."""

METHOD = "column automaton"
WIDEST_CONDITION = 16


def walk_columns(execution: Execution) -> Census | None:
    """The census over all promised pairs for EQ; None where the construction does not have this form.

    The smallest failing pair is not found by counting: with failures the census has none, and enumeration is to find it.
    """
    instance = execution.instance
    problem = instance.problem
    if execution.semantics.order != "ax" or problem.function != "EQ" or instance.defects:
        return None
    if any(part.last - part.first >= WIDEST_CONDITION for part in problem.conditions.parts):
        return None
    program = program_of(execution)
    sums = [program.sums[name] for name in program.numerator_sums]
    places = [{b.index for b in s.bits} for s in sums]
    if any(len(p) > 1 for p in places) or (execution.kernel.normalised and program.sums[DENOMINATOR].bits):
        return None
    order = [min(p, default=1) for p in places]  # a constant column goes with the first position
    if order != sorted(order, reverse=True):
        return None
    walk = Walk(problem)
    columns = list(zip(order, program.numerator_sums, execution.columns, strict=True))
    for position, group in groupby(columns, key=lambda c: c[0]):
        walk.unread_down_to(position)
        walk.read(
            _moved(execution, [(column_values(program, name, position), execution.value_weights[column]) for _, name, column in group])
        )
    walk.unread_down_to(0)
    return _census(execution, program, walk.states)


def column_values(program: Program, name: str, position: int) -> dict[tuple[int, int], Number]:
    """A column sum for each setting of (y_i, z_i)."""
    axes, states = all_sums(program.lattice, program.sums[name], {})
    values = {}
    for y in (0, 1):
        for z in (0, 1):
            bits = {Bit("y", position): y, Bit("z", position): z}
            values[y, z] = program.lattice.decode(np.int64(states[tuple(bits[b] for b in axes)]))
    return values


Move = Callable[[Number, int, int], Number]
"""The new partial numerator at the bits (y_i, z_i) of one position."""


def _moved(execution: Execution, members: list[tuple[dict[tuple[int, int], Number], Number]]) -> Move:
    """One position: its columns are multiplied by their value weights and added, each operation rounded."""
    machine = execution.machine

    def moved(total: Number, y: int, z: int) -> Number:
        for values, weight in members:
            total = machine.add(total, machine.multiply(values[y, z], weight))
        return total

    return moved


class Walk:
    """How many settings of the positions read lead to each state; those that break a condition of the promise are dropped."""

    def __init__(self, problem: Problem) -> None:
        self.ordered, self.parts = problem.conditions.ordered, problem.conditions.parts
        self.kept = [part.contents() for part in self.parts]
        self.position = problem.length
        self.states: Counter[State] = Counter({(ZERO, 0, (0,) * len(self.parts)): 1})

    def unread_down_to(self, position: int) -> None:
        """The positions before ``position`` is reached: no column reads them."""
        while self.position > position:
            self.read(lambda total, y, z: total)

    def read(self, move: Move) -> None:
        """The next position, with every setting of its bits."""
        after: Counter[State] = Counter()
        for (total, compared, contents), count in self.states.items():
            for y in (0, 1):
                for z in (0, 1):
                    seen = self._seen(contents, {"y": y, "z": z})
                    if seen is not None:
                        after[move(total, y, z), y - z or compared, seen] += count
        self.position -= 1
        last = self.ordered and self.position == 0
        self.states = Counter({state: count for state, count in after.items() if not (last and state[1] > 0)})

    def _seen(self, contents: Contents, bits: dict[str, int]) -> Contents | None:
        """The bits of each condition with this position's added, forgotten once it is decided; None where one is broken."""
        seen = []
        for part, kept, content in zip(self.parts, self.kept, contents, strict=True):
            if part.first <= self.position <= part.last:
                content |= bits[part.string] << part.last - self.position
            if self.position == part.first:
                if not kept[content]:
                    return None
                content = 0
            seen.append(content)
        return tuple(seen)


def _census(execution: Execution, program: Program, states: Counter[State]) -> Census:
    normalised = execution.kernel.normalised
    denominator = program.lattice.decode(np.int64(all_sums(program.lattice, program.sums[DENOMINATOR], {})[1])) if normalised else ONE
    cases = failures = nans = 0
    for (numerator, compared, _), count in states.items():
        made = decide(execution, execution.machine.divide(numerator, denominator))
        cases += count
        failures += count * (made.answer != int(compared == 0))
        nans += count * (made.output is NAN)
    return Census(cases, failures, nans, None, METHOD, f"{len(states)} states, column by column")
