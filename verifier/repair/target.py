"""What is to be mended: a construction file with what it is checked at, and what is known of it and of its edited forms."""

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
from verifier.engines.failure_counts import Census, Solved
from verifier.engines.program import program_of
from verifier.errata.tables import Source, apply
from verifier.networks.evaluate import decide as decide_output
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.networks.instantiate import complete, instantiate, outside_domain
from verifier.networks.problems import as_pairs, bits_of
from verifier.networks.records import ConstructionFile
from verifier.repair.edits import Edit
from verifier.repair.instances import instance_after
from verifier.running.errors import InputError, LimitError

STATES = 1 << 22
"""The most states that an engine visits for one form: what the fast engines decide, they decide with fewer."""


class State(Enum):
    """What is the matter with a construction, the worst first."""

    UNREADABLE = "unreadable"
    ILL_FORMED = "ill-formed"
    WRONG = "wrong"
    LACKING = "right but for entries that the precision lacks"
    RIGHT = "right"
    UNDECIDED = "more than an engine may visit"

    @property
    def answers(self) -> bool:
        """Whether every promised input is answered with the function's value."""
        return self in (State.LACKING, State.RIGHT)


@dataclass(frozen=True)
class Checked:
    """What was found of an edited form at all points: its state, and where it first departs.

    reason: in words; point: the number of the point; input: the input that is answered wrongly, y before z.
    """

    state: State
    reason: str = ""
    cases: int = 0
    point: int = 0
    input: tuple[int, int] | None = None


class Subject:
    """A construction file under one reading at given points.

    Every edited form is checked from the cheapest question to the dearest: can it be read, is it well-formed, is it right on the inputs
    on which another form was wrong, and last the engine, on every promised input. An input on which the engine finds one wrong is kept.
    """

    def __init__(self, source: Source, points: Sequence[Mapping[str, int]], semantics: Semantics, states: int) -> None:
        """``states``: the most that an engine may visit for one form at one point.

        Raises:
            InputError: no point within the file's domain, or a construction of other inputs than pairs.
        """
        self.source, self.semantics, self.states = source, semantics, states
        whole = [complete(source.file, point) for point in points]
        self.given = [dict(point) for point in points]
        self.points = [values for values in whole if outside_domain(source.file, values) is None]
        if not self.points:
            raise InputError(f"{source.file.id}: {outside_domain(source.file, whole[0])}")
        first = _instance(source.file, self.points[0])
        if first is not None:
            as_pairs(first.task, "repair")
        if first is not None and first.outputs > 1:
            raise InputError(f"repair: one value column was expected, W^V has {first.outputs}")
        self.inputs: list[list[tuple[int, int]]] = [[] for _ in self.points]
        self.engine_runs = 0
        self._attended: tuple[tuple[object, ...], dict[tuple[int, int], Number]] = (), {}

    def file(self, edits: Sequence[Edit]) -> ConstructionFile:
        """The file with these edits made."""
        return apply(self.source.raw, [edit.erratum("") for edit in edits], self.source.file.id)

    def instance(self, edits: Sequence[Edit], point: int) -> Instance | None:
        """The edited construction at a point; None where it cannot be read."""
        return _instance(self.file(edits), self.points[point])

    def after(self, edit: Edit, before: Instance) -> Instance | None:
        """The construction after one edit at the first point, where ``before`` is without; None where it cannot be read."""
        if edit.ranges or before.defects:
            return self.instance((edit,), 0)
        return instance_after(edit, self.file((edit,)), before)

    def check(self, edits: Sequence[Edit], first: Instance | None = None, whole: bool = False) -> Checked:
        """The state of the construction with these edits, at all points together.

        Args:
            first: the edited construction at the first point, where it is known.
            whole: whether a form with entries that the precision lacks is of no use, so that no more is asked of it.
        """
        file = None if first is not None else self.file(edits)
        cases = where = 0
        lacking: list[str] = []
        for point, values in enumerate(self.points):
            if first is not None and not point:
                instance: Instance | None = first
            else:
                file = file or self.file(edits)
                instance = _instance(file, values)
            if instance is None:
                return Checked(State.UNREADABLE, "an expression has no value", point=point)
            if instance.defects:
                return Checked(State.ILL_FORMED, f"{_at(values)}: {instance.defects[0]}", point=point)
            execution = Execution(instance, self.semantics)
            if whole and execution.assumptions:
                return Checked(State.LACKING, "", point=point)
            try:
                wrong = self._wrong_on(execution, self.inputs[point])
                found = None if wrong else self._census(execution)
            except InputError as error:
                return Checked(State.UNREADABLE, str(error), point=point)
            except LimitError as error:
                wrong, found = sampled_failure(program_of(execution)), None
                if wrong is None:
                    return Checked(State.UNDECIDED, str(error), point=point)
                self.inputs[point].append(wrong)
            if found is not None and found.smallest is not None:
                y, z = found.smallest
                wrong = y, z
                self.inputs[point].append(wrong)
            if wrong is not None:
                return Checked(State.WRONG, _input(execution, wrong), point=point, input=wrong)
            assert found is not None
            cases += found.cases
            if execution.assumptions:
                where = where if lacking else point
                lacking.append(f"{_at(values)}: {', '.join(execution.unrepresentable or execution.assumptions)}")
        return Checked(State.LACKING if lacking else State.RIGHT, "; ".join(lacking), cases, where)

    def edited(self, edits: Sequence[Edit]) -> Subject:
        """A subject of the edited file, at the same points in their order and under the same reading."""
        file = self.file(edits)
        made = Subject(Source(file, msgspec.to_builtins(file)), self.given, self.semantics, self.states)
        made.points = list(self.points)
        return made

    def start(self, point: int) -> None:
        """Ask this point first from now on: forms that are wrong are wrong there most of the time."""
        self.points.insert(0, self.points.pop(point))
        self.inputs.insert(0, self.inputs.pop(point))

    def _census(self, execution: Execution) -> Census | Solved:
        self.engine_runs += 1
        return decide(execution, limit=self.states)

    def _wrong_on(self, execution: Execution, known: list[tuple[int, int]]) -> tuple[int, int] | None:
        """The first known input with a wrong answer, which is asked first of the next form: neighbours fail on the same inputs."""
        for pair in known:
            if not self._correct(execution, pair):
                known.remove(pair)
                known.insert(0, pair)
                return pair
        return None

    def _correct(self, execution: Execution, pair: tuple[int, int]) -> bool:
        """Whether a promised input is answered rightly. Forms that differ in the MLP alone share what the attention gives."""
        instance = execution.instance
        parts = (instance.tokens, instance.query, instance.key, instance.value, instance.names)
        of, found = self._attended
        if len(of) != len(parts) or any(one is not other for one, other in zip(of, parts, strict=True)):
            self._attended = parts, (found := {})
        if pair not in found:
            trace = evaluate(execution, *pair)
            found[pair] = trace.attention
            return trace.correct
        return decide_output(execution, found[pair]).answer == instance.problem.value(*pair)

    def lacking(self, edits: Sequence[Edit]) -> int:
        """How many entries of the edited construction the precision lacks at the first point."""
        instance = self.instance(edits, 0)
        assert instance is not None, "a form that cannot be read is no repair"
        return len(Execution(instance, self.semantics).unrepresentable)

    def complete(self, given: Mapping[str, int]) -> dict[str, int]:
        """Parameters with the defaults of those that are not given."""
        return complete(self.source.file, given)

    def right_at(self, edits: Sequence[Edit], values: Mapping[str, int], semantics: Semantics) -> bool:
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


def _input(execution: Execution, pair: tuple[int, int]) -> str:
    y, z = (bits_of(x, execution.instance.m) for x in pair)
    return f"{_at(execution.instance.parameters)}: y = {y}, z = {z}"


def _at(values: Mapping[str, int | Fraction]) -> str:
    return ", ".join(f"{k} = {v}" for k, v in values.items())
