"""Judging statements on the attention's output, on every promise pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, Lattice, States, Truths
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.engines.answer_runs import Run
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.engines.program import EITHER, NEITHER, NO, YES, Faults, Program, program_of
from verifier.engines.search import NotApplicableError
from verifier.judges.fields import Output
from verifier.judges.partial_sum import table_names
from verifier.judges.tables import well_formed
from verifier.judges.wording import contradicted, failing, held, located
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.syntax import names_in
from verifier.language.tree import Comparison, Logic, Name, Node, walk
from verifier.networks.problems import Problem
from verifier.running.limits import Limits
from verifier.running.printable import assignment
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

Advance = Callable[[int, int], None]
FEW_PAIRS = 1 << 20
"""Up to this number, pairs of strings are always judged one by one."""


@by_edition
def judge(query: Query, fields: Output) -> Outcome:
    """Judge the condition on the output ``v`` on every promise pair of the kind that it covers. The formula may use the parameters, but not
    y and z.
    """
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    says = fields.holds or f"v == {fields.is_}"
    label = f"{query.claim.name} at {assignment(instance.parameters)}"
    wrong = Wrong.of(says, fields, query.claim.lets, table_names(query, instance))
    census = _census(execution, wrong, query.limits, lambda done, total: query.advance(label, done, total))
    yes = _equal_pairs(instance.problem)
    on = fields.on if fields.otherwise is None else "all"
    cases = {"yes": yes, "no": census.cases - yes, "all": census.cases}[on]
    kind = "" if on == "all" else f"{on.upper()} "
    said = fields.is_ or says
    if fields.otherwise is not None:
        says = said = f"{says} on {fields.on.upper()} inputs, else {fields.otherwise}"
    at = located(instance)
    if cases == 0:
        return declined(f"there are no {kind}inputs at {at}")
    scope = Scope(f"all {cases:,} {kind}inputs at {at}: {says}", cases, census.method)
    if not census.failures:
        return held(execution, scope, witness)
    if census.smallest is None:  # nobody asked for it
        return failing(scope, witness, census.failures)
    y, z = census.smallest
    found = evaluate(execution, y, z).attention
    return contradicted(query, execution, scope, witness, (y, z), found, "the output", said, census.failures)


def _census(execution: Execution, wrong: Wrong, limits: Limits, advance: Advance) -> Census:
    """Count by states if pairs are many and states apply, or else pair by pair."""
    if 4**execution.instance.m > FEW_PAIRS:
        runs = None
        with suppress(NotApplicableError):
            runs = wrong.runs(program_of(execution))
        with suppress(NotApplicableError):
            return by_states(execution, limits.states, advance, wrong.criterion, runs, limits.smallest)
    return enumerate_inputs(execution, limits.states, advance, wrong.criterion)


def _equal_pairs(problem: Problem) -> int:
    """The number of promised pairs with y = z."""
    if problem.promise.replace(" ", "") == "y<=z":
        return 1 << problem.length
    equal = problem.occurring("y")
    return int(np.count_nonzero(problem.promises(equal, equal)))


@dataclass(frozen=True)
class Wrong:
    """The conditions on the outputs of NO and of YES inputs, where they apply. Their names are those of numbers."""

    on_no: Node | None
    on_yes: Node | None
    names: Mapping[str, Fraction]

    @classmethod
    def of(cls, says: str, fields: Output, lets: Mapping[str, str], names: Mapping[str, Fraction]) -> Wrong:
        tree = inlined_text(says, lets)
        other = None if fields.otherwise is None else inlined_text(fields.otherwise, lets)
        return cls(other if fields.on == "yes" else tree, other if fields.on == "no" else tree, names)

    def _fails(self, condition: Node | None, output: Number) -> bool:
        return condition is not None and not exact.truth(condition, {**self.names, "v": output})

    def criterion(self, program: Program, attention: States) -> Faults:
        """Test where they fail, once for each value of the output other than NaN."""
        states, places = np.unique(attention, return_inverse=True)
        outputs = [program.lattice.decode(s) for s in states]

        def failing(condition: Node | None) -> Truths:
            wrong = np.asarray([self._fails(condition, v) for v in outputs])
            return np.asarray(wrong[places].reshape(attention.shape))

        return Faults(failing(self.on_no), failing(self.on_yes), invalid=np.zeros(attention.shape, dtype=bool))

    def runs(self, program: Program) -> tuple[Run, ...]:
        """The outputs as runs with one result each, right or wrong as YES and as NO.

        Raises:
            NotApplicableError: the machine is not fixed point, or a condition does more than compare the output with numbers.
        """
        lattice = program.lattice
        if not isinstance(lattice, Lattice) or not lattice.machine.form.fixed_point:
            raise NotApplicableError("runs of outputs are for fixed point")
        ends = {0}
        for condition in (self.on_no, self.on_yes):
            for number in self._compared(condition) if condition is not None else ():
                count = number / lattice.unit
                ends |= {math.floor(count), math.ceil(count), math.floor(count) + 1}
        top = lattice.largest
        starts = sorted({-top, *(end for end in ends if -top < end <= top)})
        pieces = [(a, b - 1) for a, b in zip(starts, [*starts[1:], top + 1], strict=True)]
        special = [(int(state), int(state)) for state in (INFINITE, NOT_A_NUMBER)]
        every = [(-int(INFINITE), -int(INFINITE)), *pieces, *special]
        found = (Run(self._answer(lattice.decode(first)), first, last) for first, last in every)
        return tuple(run for run in found if run.answer != NO)

    def _answer(self, output: Number) -> int:
        on_no, on_yes = self._fails(self.on_no, output), self._fails(self.on_yes, output)
        return (NEITHER if on_yes else YES) if on_no else NO if on_yes else EITHER

    def _compared(self, condition: Node) -> Iterator[Fraction]:
        """The numbers with which the output is compared.

        Raises:
            NotApplicableError: it is used otherwise.
        """
        match condition:
            case Logic(parts=parts):
                for part in parts:
                    yield from self._compared(part)
            case Comparison(left=left, others=others):
                for side in (left, *others):
                    if "v" not in names_in(side):
                        yield from self._number(side)
                    elif not isinstance(side, Name):
                        raise NotApplicableError("the output is compared by more than its value")
            case _:
                if "v" in names_in(condition):
                    raise NotApplicableError("the output is not compared with numbers")

    def _number(self, side: Node) -> Iterator[Fraction]:
        """The number of a side. Infinity has no number, because infinite outputs form a separate run."""
        if not any(isinstance(node, Name) and node.name == "inf" for node in walk(side)):
            yield exact.rational(side, self.names)
