"""The state of a search for repairs: its results so far, its limits, and its best result as an errata file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from verifier.networks.errata import ERRATA
from verifier.repair.edits import Change, Changes, Clause
from verifier.repair.target import Checked, State, Subject


def errata_text(subject: Subject, state: Search, repairs: Sequence[Repair]) -> str:
    """The first repair as an errata file; those that are as small stand in comments above it. Without one, what closes the gaps."""
    best, also = repairs[0].edits if repairs else state.closed[0][0], repairs[1:]
    checked = "where the repair was checked, on every promised input"
    head = [
        f"# Found by a search over {state.considered:,} edited forms{'' if state.complete else ', which was not finished'}.",
        *([] if repairs else [f"# It is not enough: {state.closed[0][1].state.value}."]),
        *(f"# as small, number {k}: {'; '.join(str(edit) for edit in repair.edits)}" for k, repair in enumerate(also, 2)),
        f"format = {_quoted(ERRATA)}",
        f"construction = {_quoted(subject.source.file.id)}",
        f"semantics = {_quoted(subject.semantics.label)}",
        f"domain = {_quoted(domain_of(subject.points))}",
        f"why_domain = {_quoted(checked if repairs else 'where the changes were tried')}",
    ]
    why = f"as printed: {state.before.state.value}, at {state.before.reason}"
    mended = {edit.at: f"mends {stage.why}" for stage in state.walk.stages for edit in stage.edits} if state.walk and state.by_steps else {}
    for number, edit in enumerate(best, 1):
        reason = mended.get(edit.at, why)
        if isinstance(edit, Clause):
            added = [f"{key} = {_quoted(value)}" for key, value in edit.added.items()]
            head += ["", "[[clause]]", f'name = "added-{number}"', *added, f"why = {_quoted(reason)}"]
        else:
            erratum = edit.erratum(reason)
            head += ["", "[[erratum]]", f"name = {_quoted(erratum.name)}", f"at = {_quoted(edit.at)}"]
            head += [f"printed = {_quoted(edit.printed)}", f"repaired = {_quoted(edit.repaired)}", f"why = {_quoted(erratum.why)}"]
            head += ["ranges = true"] if erratum.ranges else []
    return "\n".join(head) + "\n"


def domain_of(points: Sequence[Mapping[str, int]]) -> str:
    """Exactly these points, as a condition on the parameters: ``p == 8 and n == 34 or p == 9 and n == 38``."""
    return " or ".join(" and ".join(f"{name} == {value}" for name, value in values.items()) for values in points)


def _quoted(value: str | int) -> str:
    """A TOML basic string, or an integer."""
    return json.dumps(value, ensure_ascii=False)


DEFAULT_LIMIT = 2_000_000
"""Forms that are considered before the search gives up."""

Advance = Callable[[str, int, int], None]


class Checking(Protocol):
    """A file with what it is checked at: a construction (:mod:`verifier.repair.target`) or a network."""

    def check(self, edits: Sequence[Change]) -> Checked: ...

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]: ...


class LimitReachedError(Exception):
    """The limit of forms is reached."""


@dataclass(frozen=True)
class Repair:
    """Changes with which the construction is right at all points; ``state`` is RIGHT or LACKING.

    broken: the expectations of the file that fail all the same.
    """

    edits: Changes
    state: State
    cases: int
    broken: tuple[str, ...] = ()

    @property
    def symbols(self) -> int:
        return sum(edit.symbols for edit in self.edits)


@dataclass(frozen=True)
class Stage:
    """Edits made for one reason: a sentence that failed, or the part that has entries that the precision lacks.

    others: edits that would have served as well: as many symbols, and as many sentences kept.
    """

    why: str
    edits: Changes
    others: tuple[Changes, ...] = ()


@dataclass
class Walk:
    """A repair step by step, as far as it went.

    edits: all of them, of the file as written; checked: the state with them; failing: the sentences that fail all the same; before, kept:
    how many sentences are true as written and with the edits.
    """

    before: int
    sentences: int
    kept: int = 0
    stages: list[Stage] = field(default_factory=list)
    edits: Changes = ()
    checked: Checked | None = None
    failing: tuple[str, ...] = ()


@dataclass
class Search:
    """The results so far: usable at any moment, also after an interruption.

    It counts forms, not seconds, so that a limit ends it at the same place on every machine.

    complete: whether every form of at most ``symbols`` symbols was considered; considered: how many forms were; undecided: how many of
    those an engine did not decide within its limit; walk: the repair step by step, where one was tried; by_steps: whether what was
    found was found so; broken: the expectations of the file that fail, where it answers rightly; closed: changes that close all gaps, or
    put a name for one that nothing has, and are not enough, each with what is the matter then.
    """

    before: Checked
    limit: int = DEFAULT_LIMIT
    symbols: int = 0
    considered: int = 0
    undecided: int = 0
    complete: bool = False
    broken: tuple[str, ...] = ()
    found: list[Repair] = field(default_factory=list)
    closed: list[tuple[Changes, Checked]] = field(default_factory=list)
    walk: Walk | None = None
    by_steps: bool = False

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to mend."""
        return self.before.state is State.RIGHT and not self.broken

    def spend(self, forms: int) -> None:
        """Count so many forms that are about to be considered.

        Raises:
            LimitReachedError: that is more than the limit.
        """
        if self.considered + forms > self.limit:
            raise LimitReachedError
        self.considered += forms

    def repairs(self, subject: Checking, edits: Changes, checked: Checked, whole: bool = False) -> Iterator[Repair]:
        """These edits, if they are a repair; where the file is right as written, they have to mend what is expected of it.

        whole: whether an entry that the precision lacks makes it none.
        """
        self.undecided += checked.state is State.UNDECIDED
        if checked.state is State.RIGHT or (checked.state.answers and not whole):
            broken = subject.broken(edits)
            if self.before.state is not State.RIGHT or (checked.state is State.RIGHT and len(broken) < len(self.broken)):
                yield Repair(edits, checked.state, checked.cases, broken)
