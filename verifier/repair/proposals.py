"""Proposals for any table: what closes its gaps, and of one symbol what makes it right, whatever its problem and value columns are.

Every proposal is checked at all points, on every promised input; one that closes the gaps and leaves the table wrong is a proposal, too,
and says so.

The search over pairs (:mod:`verifier.repair.search`) does not do this. It leaves out forms by running thousands of edits at once on a
pair y, z with one value column (:mod:`verifier.repair.pairs`). It stops at a table that answers rightly, whatever expectations fail. Its
repairs are edits alone: it neither adds a clause nor goes on from a form that still has gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from verifier.arithmetic.semantics import Semantics
from verifier.engines.dispatch import decide
from verifier.errata.tables import Source, apply
from verifier.judges.expectations import every_input
from verifier.networks.evaluate import evaluate_at
from verifier.networks.execution import Execution
from verifier.networks.instantiate import complete, instantiate, outside_domain
from verifier.networks.problems import as_pairs
from verifier.networks.records import ConstructionFile
from verifier.networks.tasks import Inputs
from verifier.repair.edits import edits
from verifier.repair.gaps import Change, for_gaps, for_names
from verifier.repair.target import State
from verifier.running.errors import FileDefects, InputError, LimitError

MOST_CHANGES = 3
"""Gaps that are closed one after another."""
MOST_STARTED = 4
"""Of changes that close equally many gaps, so many are gone on from."""
Points = Sequence[Mapping[str, int]]
Advance = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Found:
    """What is the matter with a file at all points together; gaps: how many defects of its tokens, rows and clauses there are.

    broken: the expectations of the file that fail somewhere, of a table that answers rightly.
    """

    state: State
    reason: str = ""
    cases: int = 0
    gaps: int = 0
    broken: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to mend."""
        return self.state is State.RIGHT and not self.broken


@dataclass(frozen=True)
class Proposal:
    """Changes that close every gap, or make a table right; and what is the matter with the table then."""

    changes: tuple[Change, ...]
    found: Found

    @property
    def one_symbol(self) -> bool:
        """Whether it is one edit of one symbol, as the search over pairs has them, too."""
        (first, *others) = self.changes
        return not others and first.edit is not None and " | " not in str(first.edit.repaired)

    @property
    def right(self) -> bool:
        return self.found.state.answers and not self.found.broken


@dataclass
class Proposals:
    """A search: what was the matter, how many candidates were tried, whether all of them were, and what is proposed, the best first."""

    source: Source
    points: Points
    semantics: Semantics
    before: Found
    considered: int = 0
    complete: bool = True
    listed: list[Proposal] = field(default_factory=list)


def beyond_pairs(source: Source, point: Mapping[str, int]) -> bool:
    """Whether the search over pairs of strings is not made for this file: another problem, several value columns, or no value at all."""
    try:
        instance = instantiate(source.file, point)
        as_pairs(instance.task, "repair")
    except InputError:
        return True
    return instance.outputs > 1 or not instance.accept.usual


def points_inside(source: Source, points: Points) -> Points:
    """The points that lie in the file's domain, completed.

    Raises:
        InputError: there is none.
    """
    whole = [complete(source.file, point) for point in points]
    found = [values for values in whole if outside_domain(source.file, values) is None]
    if not found:
        raise InputError(f"{source.file.id}: {outside_domain(source.file, whole[0])}")
    return found


class Proposing:
    """One search on one file under one reading."""

    def __init__(self, source: Source, points: Points, semantics: Semantics, states: int, limit: int, advance: Advance) -> None:
        self.source, self.points, self.semantics, self.states, self.limit, self.advance = source, points, semantics, states, limit, advance
        self._known: list[tuple[int, Inputs]] = []
        self.made = Proposals(source, points, semantics, self.examine(()))

    def run(self) -> Proposals:
        """The proposals; none where there is nothing to mend."""
        made = self.made
        match made.before.state:
            case State.UNREADABLE:
                self._names()
            case State.ILL_FORMED:
                self._gaps((), self.made.before, 1)
            case State.WRONG | State.LACKING | State.RIGHT if not made.before.nothing:
                self._each("one symbol", ((Change(edit),) for edit in edits(self.source.raw)))
        best = {proposal.changes: proposal for proposal in made.listed}
        made.listed = sorted(best.values(), key=_rank)
        return made

    def file(self, changes: Iterable[Change]) -> ConstructionFile:
        """The file with these changes made."""
        changes = list(changes)
        added = [change.clause.added for change in changes if change.clause is not None]
        raw = {**self.source.raw, "input": [*self.source.raw["input"], *added]}
        return apply(raw, [change.edit.erratum("") for change in changes if change.edit is not None], self.source.file.id)

    def examine(self, changes: Sequence[Change]) -> Found:
        """The state of the file with these changes, at all points."""
        try:
            return self._examined(self.file(changes))
        except FileDefects as error:
            return Found(State.UNREADABLE, str(error.each[0]))
        except InputError as error:
            return Found(State.UNREADABLE, str(error))

    def _examined(self, file: ConstructionFile) -> Found:
        instances = [instantiate(file, point) for point in self.points]
        gaps = [(k, defect) for k, instance in enumerate(instances) for defect in instance.defects]
        if gaps:
            number, first = gaps[0]
            return Found(State.ILL_FORMED, f"{self._at(number)}: {first}", gaps=len(gaps))
        executions = [Execution(instance, self.semantics) for instance in instances]
        for number, inputs in self._known:
            if not evaluate_at(executions[number], inputs).correct:
                return Found(State.WRONG, self._wrong(number, inputs, executions[number]))
        cases, lacking = 0, list[str]()
        for number, execution in enumerate(executions):
            try:
                census = decide(execution, limit=self.states)
            except (LimitError, InputError) as error:
                return Found(State.UNDECIDED, str(error))
            if census.smallest is not None:
                inputs = dict(zip(execution.instance.task.strings, census.smallest, strict=True))
                self._known.insert(0, (number, inputs))
                return Found(State.WRONG, self._wrong(number, inputs, execution))
            cases += census.cases
            lacking += [f"{self._at(number)}: {', '.join(execution.unrepresentable)}"] if execution.assumptions else []
        broken = dict.fromkeys(name for execution in executions for name in self._broken(execution))
        return Found(State.LACKING if lacking else State.RIGHT, "; ".join(lacking), cases, broken=tuple(broken))

    def _broken(self, execution: Execution) -> list[str]:
        """The expectations that some promised input departs from."""
        if not execution.instance.expectations:
            return []
        met = every_input(execution, self.states)
        return [each.name for each, seen in zip(execution.instance.expectations, met, strict=True) if seen.failures]

    def _gaps(self, already: tuple[Change, ...], before: Found, depth: int) -> None:
        """Changes that close all gaps, else those that close the most, and on from there."""
        strings = self.source.file.problem.strings or {"y": "", "z": ""}
        fewest, best = before.gaps, list[tuple[tuple[Change, ...], Found]]()
        candidates = list(for_gaps(self.source.raw, strings))
        for number, change in enumerate(candidates, 1):
            if any(_same_place(change, other) for other in already) or not self._spend():
                continue
            found = self.examine((*already, change))
            closed = found.state is not State.UNREADABLE and found.gaps < fewest
            if closed or (best and found.state is not State.UNREADABLE and found.gaps == fewest):
                best = [*([] if closed else best), ((*already, change), found)]
                fewest = found.gaps
            self.advance("gaps", number, len(candidates))
        if not fewest:
            self.made.listed += [Proposal(changes, found) for changes, found in best]
        elif depth < MOST_CHANGES:
            for changes, found in best[:MOST_STARTED]:
                self._gaps(changes, found, depth + 1)

    def _names(self) -> None:
        """Names that there are in place of one that there is not; a file that then has gaps or is wrong is proposed as that."""
        try:
            instantiate(self.file(()), self.points[0])
        except FileDefects as error:
            self._each("a name", ((change,) for change in for_names(self.source.raw, error.each)), readable=True)
        except InputError:
            pass

    def _each(self, label: str, candidates: Iterable[tuple[Change, ...]], readable: bool = False) -> None:
        listed = list(candidates)
        for number, changes in enumerate(listed, 1):
            if not self._spend():
                return
            found = self.examine(changes)
            if self._better(found) or (readable and found.state is not State.UNREADABLE):
                self.made.listed.append(Proposal(changes, found))
            self.advance(label, number, len(listed))

    def _better(self, found: Found) -> bool:
        """Whether a table that answers is better than what there was: it answers at all, or it keeps more of what is said of it."""
        before = self.made.before
        if not found.state.answers or (before.state is State.RIGHT and found.state is State.LACKING):
            return False
        return not before.state.answers or (found.state is State.RIGHT, -len(found.broken)) > (
            before.state is State.RIGHT,
            -len(before.broken),
        )

    def _spend(self) -> bool:
        self.made.complete = self.made.complete and self.made.considered < self.limit
        self.made.considered += self.made.complete
        return self.made.complete

    def _at(self, number: int) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.points[number].items())

    def _wrong(self, number: int, inputs: Inputs, execution: Execution) -> str:
        lengths = execution.instance.task.strings
        shown = ", ".join(f"{name} = {inputs[name]:0{length}b}" for name, length in lengths.items())
        return f"{self._at(number)}: {shown}"


def _same_place(one: Change, other: Change) -> bool:
    if one.edit is not None and other.edit is not None:
        return one.edit.at == other.edit.at
    return one.clause is not None and one.clause == other.clause


def _rank(proposal: Proposal) -> tuple[int, ...]:
    """What makes the table right first, and of that what the precision holds and what keeps the expectations; then fewer changes, edits
    before additions, and smaller edits before larger ones.
    """
    each, found = proposal.changes, proposal.found
    added = sum(change.clause is not None or " | " in str(change.edit and change.edit.repaired) for change in each)
    state = list(State)[::-1].index(found.state)
    return (
        not found.state.answers,
        state,
        len(found.broken),
        len(each),
        added,
        sum(change.edit.change for change in each if change.edit is not None),
    )
