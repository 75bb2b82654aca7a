"""The target of a repair: a construction file, the points at which it is checked, and the results for its edited forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.engines.chosen_inputs import sampled_failure
from verifier.engines.dispatch import decide
from verifier.engines.program import program_of
from verifier.errata.tables import Source, apply
from verifier.judges.expectations import every_input
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, bits_of
from verifier.networks.record_base import complete, outside_domain
from verifier.networks.records import ConstructionFile
from verifier.repair.edits import Change, Clause, Edit
from verifier.repair.instances import instance_after
from verifier.running.errors import FileDefects, InputError, LimitError
from verifier.transformers.table_traces import decide as decide_output
from verifier.transformers.table_traces import evaluate_at
from verifier.transformers.tables import Execution

STATES = 1 << 22
"""The most states that an engine visits for one form: what the fast engines decide, they decide with fewer."""


class State(Enum):
    """The kinds of faults of a construction, the worst first."""

    UNREADABLE = "unreadable"
    ILL_FORMED = "ill-formed"
    WRONG = "wrong"
    LACKING = "right except for entries that are not representable"
    RIGHT = "right"
    UNDECIDED = "more than an engine may visit"

    @property
    def answers(self) -> bool:
        """Whether every promised input is answered with the function's value."""
        return self in (State.LACKING, State.RIGHT)


@dataclass(frozen=True)
class Checked:
    """The result for an edited form at all points: its state, and where it first departs.

    reason: in words; point: the number of the point; input: the strings that are answered wrongly, in the order of the task.
    """

    state: State
    reason: str = ""
    cases: int = 0
    point: int = 0
    input: tuple[int, ...] | None = None


class Table:
    """A construction file under one reading at given points.

    Every edited form is checked from the cheapest question to the dearest: can it be read, is it well-formed, is it right on the inputs
    on which another form was wrong, and last the engine, on every promised input. An input on which the engine finds one wrong is kept.
    """

    def __init__(self, source: Source, points: Sequence[Mapping[str, int]], semantics: Semantics, states: int) -> None:
        """``states``: the most that an engine may visit for one form at one point.

        Raises:
            InputError: no point within the file's domain.
        """
        self.source, self.semantics, self.states = source, semantics, states
        whole = [complete(source.file, point) for point in points]
        self.given = [dict(point) for point in points]
        self.points = [values for values in whole if outside_domain(source.file, values) is None]
        if not self.points:
            raise InputError(f"{source.file.id}: {outside_domain(source.file, whole[0])}")
        self.inputs: list[list[tuple[int, ...]]] = [[] for _ in self.points]
        self._attended: tuple[tuple[object, ...], dict[tuple[int, ...], tuple[Number, ...]]] = (), {}

    def file(self, edits: Sequence[Change]) -> ConstructionFile:
        """The file with these changes made."""
        added = [edit.added for edit in edits if isinstance(edit, Clause)]
        raw = {**self.source.raw, "input": [*self.source.raw["input"], *added]}
        return apply(raw, [edit.erratum("") for edit in edits if isinstance(edit, Edit)], self.source.file.id)

    def instance(self, edits: Sequence[Change], point: int) -> Instance | None:
        """The edited construction at a point; None where it cannot be read."""
        return _instance(self.file(edits), self.points[point])

    def after(self, edit: Edit, before: Instance) -> Instance | None:
        """The construction after one edit at the first point, where ``before`` is without; None where it cannot be read."""
        if edit.ranges or before.defects:
            return self.instance((edit,), 0)
        return instance_after(edit, self.file((edit,)), before)

    def open_gaps(self, edits: Sequence[Change]) -> int | None:
        """How many defects the tokens, rows and clauses have, at all points together; None where an expression has no value."""
        try:
            file = self.file(edits)
        except InputError:
            return None
        made = [_instance(file, values) for values in self.points]
        return None if None in made else sum(len(instance.defects) for instance in made if instance is not None)

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that some promised input departs from at some point, of a construction that is well-formed."""
        file, found = self.file(edits), dict[str, None]()
        for values in self.points:
            instance = instantiate(file, values)
            if not instance.expectations:
                continue
            try:
                met = every_input(Execution(instance, self.semantics), self.states)
            except (InputError, LimitError):
                continue
            found |= {each.name: None for each, seen in zip(instance.expectations, met, strict=True) if seen.failures}
        return tuple(found)

    def check(self, edits: Sequence[Change], first: Instance | None = None, whole: bool = False) -> Checked:
        """The state of the construction with these edits, at all points together.

        Args:
            first: the edited construction at the first point, where it is known.
            whole: whether a form with entries that the precision lacks is of no use, so that no more is asked of it.
        """
        try:
            file = None if first is not None else self.file(edits)
        except InputError as error:
            return Checked(State.UNREADABLE, str(error))
        cases = where = 0
        lacking: list[str] = []
        for point, values in enumerate(self.points):
            if first is not None and not point:
                instance: Instance | None = first
            else:
                file = file or self.file(edits)
                try:
                    instance = instantiate(file, values)
                except (InputError, LimitError) as error:
                    return Checked(State.UNREADABLE, str(error.each[0] if isinstance(error, FileDefects) else error), point=point)
            assert instance is not None
            if instance.defects:
                return Checked(State.ILL_FORMED, f"{_at(values)}: {instance.defects[0]}", point=point)
            execution = Execution(instance, self.semantics)
            if whole and execution.assumptions:
                return Checked(State.LACKING, "", point=point)
            try:
                wrong = self._wrong_on(execution, self.inputs[point])
                found = None if wrong else decide(execution, limit=self.states)
            except InputError as error:
                return Checked(State.UNREADABLE, str(error), point=point)
            except LimitError as error:
                pairs = isinstance(instance.task, Problem) and instance.outputs == 1
                wrong, found = sampled_failure(program_of(execution)) if pairs else None, None
                if wrong is None:
                    return Checked(State.UNDECIDED, str(error), point=point)
                self.inputs[point].append(wrong)
            if found is not None and found.smallest is not None:
                wrong = found.smallest
                self.inputs[point].append(wrong)
            if wrong is not None:
                return Checked(State.WRONG, _input(execution, wrong), point=point, input=wrong)
            assert found is not None
            cases += found.cases
            if execution.assumptions:
                where = where if lacking else point
                lacking.append(f"{_at(values)}: {', '.join(execution.unrepresentable or execution.assumptions)}")
        return Checked(State.LACKING if lacking else State.RIGHT, "; ".join(lacking), cases, where)

    def edited(self, edits: Sequence[Change]) -> Table:
        """A target of the edited file, at the same points in their order and under the same reading."""
        file = self.file(edits)
        made = Table(Source(file, msgspec.to_builtins(file)), self.given, self.semantics, self.states)
        made.points = list(self.points)
        return made

    def ask_first(self, point: int) -> None:
        """Ask this point first from now on: forms that are wrong are wrong there most of the time."""
        self.points.insert(0, self.points.pop(point))
        self.inputs.insert(0, self.inputs.pop(point))

    def _wrong_on(self, execution: Execution, known: list[tuple[int, ...]]) -> tuple[int, ...] | None:
        """The first known input with a wrong answer, which is asked first of the next form: neighbours fail on the same inputs."""
        for strings in known:
            if not self._correct(execution, strings):
                known.remove(strings)
                known.insert(0, strings)
                return strings
        return None

    def _correct(self, execution: Execution, strings: tuple[int, ...]) -> bool:
        """Whether a promised input is answered rightly. Forms that differ in the MLP alone share what the attention gives."""
        instance = execution.instance
        inputs = dict(zip(instance.task.strings, strings, strict=True))
        parts = (instance.tokens, instance.query, instance.key, instance.value, instance.names)
        of, found = self._attended
        if len(of) != len(parts) or any(one is not other for one, other in zip(of, parts, strict=True)):
            self._attended = parts, (found := {})
        if strings not in found:
            trace = evaluate_at(execution, inputs)
            found[strings] = trace.attentions
            return trace.correct
        return decide_output(execution, *found[strings]).answer == instance.task.value_at(inputs)

    def lacking(self, edits: Sequence[Change]) -> int:
        """How many entries of the edited construction the precision lacks at the first point."""
        instance = self.instance(edits, 0)
        assert instance is not None, "a form that cannot be read is not a repair"
        return len(Execution(instance, self.semantics).unrepresentable)

    def complete(self, given: Mapping[str, int]) -> dict[str, int]:
        """Parameters with the defaults of those that are not given."""
        return complete(self.source.file, given)

    def right_at(self, edits: Sequence[Change], values: Mapping[str, int], semantics: Semantics) -> bool:
        """Whether the edited construction is right on every input at parameters and under a reading of one's choice."""
        try:
            instance = instantiate(self.file(edits), values)
            return not instance.defects and decide(Execution(instance, semantics), limit=self.states).smallest is None
        except (InputError, LimitError):
            return False


def _instance(file: ConstructionFile, values: Mapping[str, int]) -> Instance | None:
    try:
        return instantiate(file, values)
    except (InputError, LimitError):
        return None


def _input(execution: Execution, strings: tuple[int, ...]) -> str:
    shown = (f"{name} = {bits_of(x, length)}" for (name, length), x in zip(execution.instance.task.strings.items(), strings, strict=True))
    return f"{_at(execution.instance.parameters)}: {', '.join(shown)}"


def _at(values: Mapping[str, int | Fraction]) -> str:
    return ", ".join(f"{k} = {v}" for k, v in values.items())
