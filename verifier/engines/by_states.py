"""Count all inputs of a table by states of its sums, for any function that depends on few bits, numbers of ones, or the order of y and z.

Exhaustive and exact: every input is counted, in whichever merged state it lies. If the sums separate into two blocks of positions, each
block runs separately and their outcomes are combined (:mod:`verifier.engines.blocks`). Otherwise all bits are read together.

The bits are read in the order that holds the fewest of them at once: string by string, or position by position from the first or the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import accumulate, zip_longest
from typing import Any

import numpy as np

from verifier.arithmetic.arrays import Interned, States, Truths
from verifier.engines.answer_runs import Run, answers_by
from verifier.engines.blocks import METHOD, MOST_SUMS, RIGHT, WRONG, of_two_blocks
from verifier.engines.enumerate import DEFAULT_LIMIT, Judged, asked, no_input
from verifier.engines.failure_counts import Census
from verifier.engines.program import DENOMINATOR, INVALID, Criterion, Faults, Program, sums_of
from verifier.engines.search import Budget, NotApplicableError, Rows, search
from verifier.engines.table_states import EQUAL, GREATER, HELD, ONES, TOTAL, Asked, TableStates
from verifier.language.string_use import use_of_string
from verifier.networks.indices import Bit
from verifier.networks.problems import NO_PROMISE, Problem, Task
from verifier.transformers.tables import Execution

WIDEST = 24
"""The most bits that are held at once, with the sums that have begun."""
WIDEST_IN_TURN = 30
"""The same where y is read before z."""
WIDEST_INTERNED = 8
"""The same where values are looked up one by one."""
WIDEST_CONDITION = 16
LONGEST = 1 << 13
"""Bits of an input, at most: the number of inputs has to be written."""


class Question:
    """A table's task, the facts about the strings that it uses, and the test for a failure: by default a wrong answer.

    Raises:
        NotApplicableError: it asks for more than states tell.
    """

    def __init__(self, execution: Execution, criterion: Criterion = Program.faults) -> None:
        self.execution, self.task, self.criterion = execution, execution.instance.task, criterion
        if self.task.bits > LONGEST:
            raise NotApplicableError(f"the inputs have {self.task.bits:,} bits; the limit is {LONGEST:,}")
        self.asked = _of_pairs(self.task) if isinstance(self.task, Problem) else _of_formulas(self.task)
        self.bits = tuple(Bit(name, k) for name, length in self.task.strings.items() for k in range(1, length + 1))

    @cached_property
    def program(self) -> Program:
        """The sums of all rows."""
        return sums_of(self.execution)

    def states(self) -> TableStates:
        """The states, with the strings read in the order that needs the fewest bits. For EQ under y ≤ z with few sums, y before z needs
        fewer states.

        Raises:
            NotApplicableError: too many in every order.
        """
        found = [TableStates(self.program, order, self.asked) for order in self.orders()]
        if self.asked.ordered and self.task.function == "EQ" and len(self.program.sums) <= MOST_SUMS and found[0].width <= WIDEST_IN_TURN:
            return found[0]
        best = min((states for states in found if states.comparable), key=lambda states: states.width)
        most = WIDEST_INTERNED if isinstance(self.program.lattice, Interned) else WIDEST
        if best.width > most:
            raise NotApplicableError(f"the states hold {best.width} bits or sums at once; the limit is {most}")
        return best

    def orders(self) -> Iterator[Sequence[Bit]]:
        """Orders of the bits: string by string, and position by position from the first and from the last."""
        yield self.bits
        strings = [[bit for bit in self.bits if bit.string == name] for name in self.task.strings]
        if len(strings) > 1:
            ascending = [bit for each in zip_longest(*strings) for bit in each if bit is not None]
            yield ascending
        yield [bit for each in zip_longest(*(string[::-1] for string in strings)) for bit in each if bit is not None]

    def judged(self, kind: str, rows: Rows, held: Sequence[Bit]) -> Judged:
        """The results for the inputs of some states at the end. held: the bits that these still hold."""
        faults = self._faults(rows)
        if isinstance(self.task, Problem):
            promised, yes = np.ones(len(rows), bool), np.full(len(rows), kind == (EQUAL if self.task.function == "EQ" else GREATER))
        else:
            promised, yes = self._values(rows, held)
        return Judged(promised, yes, promised & np.where(yes, faults.on_yes, faults.on_no), promised & faults.invalid)

    def _faults(self, rows: Rows) -> Faults:
        program, columns = self.program, rows.columns
        if TOTAL in columns:
            divided = self.execution.normalised
            outputs = [program.lattice.divide(columns[TOTAL], columns[DENOMINATOR]) if divided else columns[TOTAL]]
        else:
            outputs = program.attentions(columns)
        return self.criterion(program, *(np.broadcast_to(x, (len(rows),)) for x in outputs))

    def _values(self, rows: Rows, held: Sequence[Bit]) -> tuple[Truths, Truths]:
        """Whether the promise holds, and the function's value: evaluated on one input for all with the same number of ones and the same
        bits."""
        names = [name for name in rows.columns if name == HELD or name.startswith(ONES)]
        table, places = np.zeros((1, 0), np.int64), np.zeros(len(rows), np.int64)
        if names:
            table, places = np.unique(np.stack([rows.columns[name] for name in names], axis=1), axis=0, return_inverse=True)
        columns, inputs = dict(zip(names, table.T, strict=True)), {}
        for name, length in self.task.strings.items():
            bits = {bit.index: columns[HELD] >> len(held) - 1 - k & 1 for k, bit in enumerate(held) if bit.string == name}
            none = sum(bits.values(), np.zeros(len(table), np.int64))
            inputs[name] = numbers_of(columns.get(ONES + name, none), bits, range(1, length + 1), length)
        promised, yes = asked(self.task, inputs)
        return promised[places.reshape(-1)], yes[places.reshape(-1)]


def numbers_of(ones: States, bits: Mapping[int, States], read: range, length: int) -> Any:
    """Strings that lead to some states, as integers: these bits, and the remaining ones on the first other bits that are read."""
    firsts = [0, *accumulate(1 << length - k for k in read if k not in bits)]
    numbers = np.array(firsts, object)[ones - sum(bits.values())]
    for k, bit in bits.items():
        numbers = numbers + (bit.astype(object) << length - k)
    return numbers


def _of_pairs(task: Problem) -> Asked:
    conditions = task.conditions
    if any(part.last - part.first >= WIDEST_CONDITION for part in conditions.parts):
        raise NotApplicableError(f"a condition of the promise reads more than {WIDEST_CONDITION} bits")
    return Asked((1, task.length), conditions.ordered, parts=conditions.parts)


def _of_formulas(task: Task) -> Asked:
    counted, bits = set[str](), set[Bit]()
    for formula in (task.function, *([task.promise] if task.promise != NO_PROMISE else [])):
        for name, length in task.strings.items():
            use = use_of_string(formula, name, {})
            if use is None or not all(1 <= bit <= length for bit in use.bits):
                raise NotApplicableError(f"{formula} reads more of {name} than some bits and the number of ones")
            counted |= {name} if use.ones else set()
            bits |= {Bit(name, bit) for bit in use.bits}
    return Asked(counted=frozenset(counted), bits=frozenset(bits))


def by_states(
    execution: Execution,
    limit: int = DEFAULT_LIMIT,
    advance: Callable[[int, int], None] = lambda done, total: None,
    criterion: Criterion | None = None,
    runs: tuple[Run, ...] | None = None,
    smallest: bool = True,
) -> Census:
    """The census over all promised inputs of a well-formed instance: by two blocks of positions if possible, else by all positions
    together.

    Args:
        limit: the largest number of states to visit.
        criterion: the test for a failure; None: a wrong answer of the transformer.
        runs: the same test as runs of outputs.
        smallest: whether to look for the smallest failure, which takes longer than to count them.

    Raises:
        NotApplicableError: a construction that states do not decide; enumeration can.
        LimitError: more work than ``limit``.
        InputError: a promise that no input keeps.
        ValueError: an ill-formed instance.
    """
    instance = execution.instance
    if instance.defects:
        raise ValueError(f"{instance.id} is ill-formed: {instance.defects[0]}")
    question = Question(execution, partial(_faults, runs) if runs is not None else criterion or Program.faults)
    if not question.program.sums:
        raise NotApplicableError("states consist of sums; linear attention with W^V = 0 has none")
    found = None
    if isinstance(instance.task, Problem) and instance.outputs == 1:
        with suppress(NotApplicableError):
            found = of_two_blocks(question.program, limit, advance, criterion, runs, smallest)
    if found is None:
        found = together(question, question.states(), limit, smallest)
    if not found.cases:
        raise no_input(instance.task)
    every = isinstance(instance.task, Problem) and not instance.task.conditions.parts
    assert not every or found.cases == instance.problem.pairs(), "pairs were lost or counted twice"
    return found


def _faults(runs: tuple[Run, ...], program: Program, attention: States) -> Faults:
    """The outputs that are right or wrong as YES and as NO, by runs."""
    answers = answers_by(runs, attention)
    return Faults(np.isin(answers, WRONG), ~np.isin(answers, RIGHT), answers == INVALID)


def together(question: Question, states: TableStates, limit: int, smallest: bool = True) -> Census:
    """The census by the states of all positions together.

    Raises:
        LimitError: more states than ``limit``.
    """
    budget = Budget(limit)
    ends = search(states, budget).ends
    cases = failures = nans = yes = missed = 0
    for kind, rows in ends.items():
        judged, count = question.judged(kind, rows, states.held(len(states.order), kind)), rows.count
        cases += _sum(count[judged.promised])
        failures += _sum(count[judged.wrong])
        nans += _sum(count[judged.invalid])
        yes += _sum(count[judged.promised & judged.yes])
        missed += _sum(count[judged.wrong & judged.yes])
    first = _smallest(question, states) if failures and smallest else None
    return Census(cases, failures, nans, first, METHOD, yes, missed, budget.spent)


def _sum(counts: States) -> int:
    return int(counts.sum())


def _smallest(question: Question, states: TableStates) -> tuple[int, ...]:
    """Find the first failing input: through the states that lead to failures if the bits are read in their order, else bit by bit."""
    if states.order == question.bits:
        reached = search(states, Budget(1 << 62), keep=True)
        marks = {kind: _wrong(question, states, kind, rows) for kind, rows in reached.ends.items()}
        bits = reached.smallest(marks)
        assert bits is not None, "failures were counted, none was found"
        fixed = dict(zip(question.bits, bits, strict=True))
    else:
        fixed = {}
        for bit in question.bits:
            zero = TableStates(question.program, states.order, question.asked, fixed={**fixed, bit: 0})
            ends = search(zero, Budget(1 << 62)).ends
            fixed[bit] = int(not any(_wrong(question, zero, kind, rows).any() for kind, rows in ends.items()))
    return tuple(
        int("0" + "".join(str(fixed[Bit(name, k)]) for k in range(1, length + 1)), 2) for name, length in question.task.strings.items()
    )


def _wrong(question: Question, states: TableStates, kind: str, rows: Rows) -> Truths:
    return question.judged(kind, rows, states.held(len(states.order), kind)).wrong
