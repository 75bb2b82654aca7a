"""The state of a search for repairs: its results so far and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from verifier.repair.edits import Change, Changes
from verifier.repair.target import Checked, State

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
