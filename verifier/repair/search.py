"""The search for repairs of a file, a construction or a network: exhaustive near by, then step by step; and its state at any moment.

Every edit of one symbol is tried first. Where none is enough, the gaps of a table that has some are closed one after another
(:class:`verifier.repair.around_tables.Closing`); where more is said of the file than what it answers, or the precision lacks entries,
stages of such searches follow each other (:class:`verifier.repair.around_tables.StepByStep`,
:class:`verifier.repair.around_networks.ByExpectations`). Where that finds nothing, every edit of two symbols is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Protocol

from verifier.repair.edits import Change, Changes, together
from verifier.repair.proof_sentences import Sentence
from verifier.repair.target import Checked, State, Table

DEFAULT_LIMIT = 2_000_000
"""Forms that are considered before the search gives up."""

Advance = Callable[[str, int, int], None]


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


def as_small(repairs: Sequence[Repair]) -> list[str]:
    """The repairs after the first, a line each, for a comment above it."""
    return [f"as small, number {k}: {'; '.join(map(str, repair.edits))}" for k, repair in enumerate(repairs, 2)]


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

    def repairs(self, subject: Subject | Table, edits: Changes, checked: Checked, whole: bool = False) -> Iterator[Repair]:
        """These edits, if they are a repair; where the file is right as written, they have to mend what is expected of it.

        whole: whether an entry that the precision lacks makes it none.
        """
        self.undecided += checked.state is State.UNDECIDED
        if checked.state is State.RIGHT or (checked.state.answers and not whole):
            broken = subject.broken(edits)
            if self.before.state is not State.RIGHT or (checked.state is State.RIGHT and len(broken) < len(self.broken)):
                yield Repair(edits, checked.state, checked.cases, broken)


MOST_SYMBOLS = 2
FEW_STAGES = 2
MOST_TRIED = 64
"""Of a repair of so few stages, so many are tried that take other edits which would have served as well."""


class Near(Protocol):
    """The forms near a file: those that are repairs, of edits of one symbol and of two."""

    def one(self) -> Iterator[Repair]: ...

    def two(self) -> Iterator[Repair]: ...


class Steps(Protocol):
    """A walk step by step, and what was found on it."""

    walk: Walk

    def run(self) -> Walk: ...


class Subject(Protocol):
    """A file with what it is checked at, what may be changed of it, and what leads from one change to the next.

    pairs_where_right: whether two symbols are changed together also where the answers are right and only expectations fail.
    """

    pairs_where_right: bool

    def check(self, edits: Sequence[Change]) -> Checked:
        """The state of the file with these edits, wherever it is checked."""
        ...

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that fail with these edits."""
        ...

    def start(self, before: Checked) -> tuple[str, ...]:
        """The expectations of the file that fail as it is written; ``before`` says what it answers."""
        ...

    def names(self, state: Search, advance: Advance) -> Iterator[Changes] | None:
        """Of a file that cannot be read, changes that may make it readable; None where it is searched like any other."""
        ...

    def gaps(self, state: Search, advance: Advance) -> Iterator[Changes]:
        """Of an ill-formed file, changes that make it well-formed."""
        ...

    def near(self, state: Search, advance: Advance) -> Near: ...

    def steps(self, sentences: Sequence[Sentence], state: Search, advance: Advance) -> Steps | None:
        """None where nothing leads, or where nothing is left to mend."""
        ...


class Searching:
    """One search around one file; ``state`` has what was found at any moment, also after an interruption."""

    def __init__(
        self,
        subject: Subject,
        limit: int = DEFAULT_LIMIT,
        advance: Advance = lambda *_: None,
        told: Callable[[Search], None] = lambda state: None,
    ) -> None:
        self.subject, self.advance, self.told = subject, advance, told
        before = subject.check(())
        self.state = Search(before, limit, broken=subject.start(before))

    def run(self, sentences: Sequence[Sentence] = (), most: int = MOST_SYMBOLS, every: bool = False) -> Search:
        """What is found.

        Args:
            sentences: what is said of the construction.
            most: symbols of one edit, or of two, that are changed together where every edit is tried.
            every: whether nothing is tried step by step, so that all the repairs of two symbols are found.
        """
        state = self.state
        if state.nothing or state.before.state is State.UNDECIDED:
            return state
        try:
            names = self.subject.names(state, self.advance) if state.before.state is State.UNREADABLE else None
            if names is not None:
                self._judge(names)
            else:
                self._search(sentences, most, every)
            state.complete = True
        except LimitReachedError:
            pass
        return state

    def _search(self, sentences: Sequence[Sentence], most: int, every: bool) -> None:
        state = self.state
        near = self.subject.near(state, self.advance)
        state.symbols = 1
        self._gather(near.one())
        if state.before.state is State.ILL_FORMED and not state.found:
            self._judge(self.subject.gaps(state, self.advance))
        steps = self.subject.steps(sentences, state, self.advance) if most > 1 and not every else None
        if steps is not None:
            self._step_by_step(steps)
        if most > 1 and not state.found and (self.subject.pairs_where_right or state.before.state is not State.RIGHT):
            state.symbols = 2
            self._gather(near.two())

    def _judge(self, proposed: Iterator[Changes]) -> None:
        """Changes with which the file is a table: repairs, or what is the matter with it then."""
        seen: set[frozenset[Change]] = set()
        for changes in proposed:
            if frozenset(changes) in seen:
                continue
            seen.add(frozenset(changes))
            checked = self.subject.check(changes)
            if checked.state.answers:
                self._gather(iter([Repair(changes, checked.state, checked.cases, self.subject.broken(changes))]))
            elif checked.state is not State.UNREADABLE:
                self.state.closed.append((changes, checked))
        worst = list(State)
        self.state.closed.sort(key=lambda each: (-worst.index(each[1].state), len(each[0]), sum(change.adds for change in each[0])))

    def _gather(self, repairs: Iterator[Repair]) -> None:
        for repair in repairs:
            self.state.found.append(repair)
            self.told(replace(self.state))

    def _step_by_step(self, steps: Steps) -> None:
        """A repair of several stages joins what is right already, and takes the place of what rests on entries that the precision lacks."""
        state = self.state
        state.walk = steps.walk
        checked = steps.run().checked
        if checked is None or not checked.state.answers:
            return
        if checked.state is State.LACKING and (state.before.state is State.LACKING or state.found):
            return
        broken = self.subject.broken(state.walk.edits)
        if state.before.state is State.RIGHT and (checked.state is not State.RIGHT or len(broken) >= len(state.broken)):
            return
        state.by_steps = True
        right = [repair for repair in state.found if repair.state is State.RIGHT]
        state.found.clear()
        self._gather(iter([Repair(state.walk.edits, checked.state, checked.cases, broken)]))
        if len(state.walk.stages) <= FEW_STAGES:
            self._gather(self._as_small(state.walk.stages, state.found[0]))
        fewest = min(repair.symbols for repair in state.found)
        state.found[:] = [*right, *(repair for repair in state.found if repair.symbols == fewest)]

    def _as_small(self, stages: Sequence[Stage], first: Repair) -> Iterator[Repair]:
        """Repairs as right as the first, of the edits that would have served as well at some stage."""
        texts = [_text(first.edits)]
        for chosen in islice(product(*((stage.edits, *stage.others) for stage in stages)), MOST_TRIED):
            edits = together([edit for each in chosen for edit in each])
            if _text(edits) not in texts:
                checked = self.subject.check(edits)
                if checked.state is first.state:
                    texts.append(_text(edits))
                    yield Repair(edits, checked.state, checked.cases, self.subject.broken(edits))


def _text(edits: Changes) -> set[str]:
    return {str(edit) for edit in edits}
