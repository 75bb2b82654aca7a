"""The search for repairs of a file, a construction or a network: exhaustive near by, then step by step; and its state at any moment.

Every edit of one symbol is tried first. Where none is enough, the gaps of a table that has some are closed one after another; where more
is said of the file than what it answers, or the precision lacks entries, stages of such searches follow each other (:meth:`Subject.walk`).
Where that finds nothing, every edit of two symbols is tried.

What was found is ranked by the repair that a reader would choose. A repair serves the author's intention: the author means numbers of the
format, the table at every parameter of its domain, and every reading of the arithmetic that the text supports. So a repair that is right
at more parameters beyond those that were checked goes first, among them those of the file's ``[check]``; then the one with the fewest
entries that the precision lacks, then the one after which the fewest expectations fail, then the one that keeps more of what is said of
the construction on the way, then one that is right under more readings, then the one that adds fewer ranges and clauses, then the one that
leaves entries alone that every row has in their place, then the one of fewer different slips, then the smaller change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice, product
from typing import Any

from verifier.repair.edits import Change, Changes, Clause, Edit, together
from verifier.repair.proof_sentences import Sentence
from verifier.running.limits import Advance, silent
from verifier.weights.toml_text import toml_text

DEFAULT_LIMIT = 2_000_000
"""Forms that are considered before the search gives up."""


class LimitReachedError(Exception):
    """The limit of forms is reached."""


class State(Enum):
    """The kinds of faults of a file, the worst first."""

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
    """The result for an edited form wherever it is checked: its state, and where it first departs.

    reason: in words; point: of a table, the number of the point.
    """

    state: State
    reason: str = ""
    cases: int = 0
    point: int = 0


@dataclass(frozen=True)
class Repair:
    """Changes with which the file is right wherever it is checked; ``state`` is RIGHT or LACKING.

    broken: the expectations of the file that fail all the same. The others are known once the repairs of a table are ranked. further: the
    values of the first parameter tried behind those checked, and whether it is right there; survives: the readings under which it is right
    at the first point, of ``readings``; lacking: how many entries the precision lacks; kept: how many sentences are true with it;
    uniform: how many entries it changes that every row has in the same place.
    """

    edits: Changes
    state: State
    cases: int
    broken: tuple[str, ...] = ()
    further: tuple[tuple[str, int, bool], ...] = ()
    survives: tuple[str, ...] = ()
    readings: int = 0
    lacking: int = 0
    kept: int = 0
    uniform: int = 0

    def __repr__(self) -> str:
        also = ", ".join(f"{name} = {value}" for name, value, right in self.further if right)
        lines = ["; ".join(map(str, self.edits)), f"{self.state.value}: {self.cases:,} inputs{f', also at {also}' if also else ''}"]
        return "\n  ".join([*lines, *([f"expectations that fail: {', '.join(self.broken)}"] if self.broken else ())])

    @property
    def symbols(self) -> int:
        return sum(edit.symbols for edit in self.edits)

    @property
    def rank(self) -> tuple[int, ...]:
        """Smaller is better."""
        beyond = sum(right for _, _, right in self.further)
        change = sum(edit.change for edit in self.edits)
        longer = sum(edit.longer for edit in self.edits)
        slips = len({edit.slip for edit in self.edits})  # an author repeats them
        added = sum(edit.adds for edit in self.edits)
        return -beyond, self.lacking, len(self.broken), -self.kept, -len(self.survives), added, self.uniform, slips, change, longer


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

    edits: all of them, of the file as written; checked: the state with them, None where nothing was mended; failing: the sentences that
    fail all the same; before, kept: how many sentences are true as written and with the edits.
    """

    before: int = 0
    sentences: int = 0
    kept: int = 0
    stages: list[Stage] = field(default_factory=list)
    edits: Changes = ()
    checked: Checked | None = None
    failing: tuple[str, ...] = ()


class Subject:
    """A file with what it is checked at, what may be changed of it, and what leads from one change to the next.

    pairs_where_right: whether two symbols are changed together also where the answers are right and only expectations fail; why: what a
    file of errata says of an edit, filled in with the state as written.
    """

    pairs_where_right = True
    why = "as written: {0.reason}"

    def check(self, edits: Sequence[Change]) -> Checked:
        """The state of the file with these edits, wherever it is checked."""
        raise NotImplementedError

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that fail with these edits."""
        raise NotImplementedError

    def near(self, search: Search) -> tuple[Iterator[Repair], Iterator[Repair]]:
        """The repairs among the edits of one symbol, and among those of two."""
        raise NotImplementedError

    def errata_head(self, name: str, found: bool) -> dict[str, Any]:
        """What a file of errata says of the file ``name`` and of where it was checked, before it lists the changes."""
        raise NotImplementedError

    def start(self, before: Checked) -> tuple[str, ...]:
        """The expectations of the file that fail as it is written; ``before`` says what it answers."""
        return self.broken(())

    def names(self, search: Search) -> Iterator[Changes] | None:
        """Of a file that cannot be read, changes that may make it readable; None where it is searched like any other."""
        return None

    def gaps(self, search: Search) -> Iterator[Changes]:
        """Of an ill-formed file, changes that make it well-formed."""
        return iter(())

    def walk(self, search: Search, sentences: Sequence[Sentence]) -> None:
        """Go step by step, as ``search.walk``, if something leads and something is left to mend."""

    def ranked(self, search: Search, sentences: Sequence[Sentence]) -> list[Repair]:
        """The repairs with what is known of them, the best first; equal ones in the order in which they were found."""
        return by_rank(search.found)


def by_rank(found: Iterable[Repair]) -> list[Repair]:
    """The repairs, the best first; equal ones in the order in which they were found."""
    return sorted(found, key=lambda repair: repair.rank)


MOST_SYMBOLS = 2
FEW_STAGES = 2
MOST_TRIED = 64
"""Of a repair of so few stages, so many are tried that take other edits which would have served as well."""


class Search:
    """One search around one file: the results so far, usable at any moment, also after an interruption.

    It counts forms, not seconds, so that a limit ends it at the same place on every machine.

    complete: whether every form of at most ``symbols`` symbols was considered; considered: how many forms were; undecided: how many of
    those an engine did not decide within its limit; walk: the repair step by step, where one was tried; by_steps: whether what was
    found was found so; broken: the expectations of the file that fail, where it answers rightly; closed: changes that close all gaps, or
    put a name for one that nothing has, and are not enough, each with what is the matter then.
    """

    def __init__(
        self,
        subject: Subject,
        limit: int = DEFAULT_LIMIT,
        advance: Advance = silent,
        told: Callable[[Search], object] = lambda search: None,
    ) -> None:
        """``told`` is given the search whenever a repair is found."""
        self.subject, self.limit, self.advance, self._told = subject, limit, advance, told
        self.before = subject.check(())
        self.broken = subject.start(self.before)
        self.symbols = self.considered = self.undecided = 0
        self.complete = self.by_steps = False
        self.found: list[Repair] = []
        self.closed: list[tuple[Changes, Checked]] = []
        self.walk: Walk | None = None

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

    def repairs(self, edits: Changes, checked: Checked, whole: bool = False, of: Subject | None = None) -> Iterator[Repair]:
        """These edits, if they are a repair; where the file is right as written, they have to mend what is expected of it.

        whole: whether an entry that the precision lacks makes it none; of: the file that is edited, where that is a stage on the way.
        """
        self.undecided += checked.state is State.UNDECIDED
        if checked.state is State.RIGHT or (checked.state.answers and not whole):
            broken = (of or self.subject).broken(edits)
            if self.before.state is not State.RIGHT or (checked.state is State.RIGHT and len(broken) < len(self.broken)):
                yield Repair(edits, checked.state, checked.cases, broken)

    def run(self, sentences: Sequence[Sentence] = (), most: int = MOST_SYMBOLS, every: bool = False) -> Search:
        """Search, as far as the limit goes.

        Args:
            sentences: what is said of the construction.
            most: symbols of one edit, or of two, that are changed together where every edit is tried.
            every: whether nothing is tried step by step, so that all the repairs of two symbols are found.
        """
        if self.nothing or self.before.state is State.UNDECIDED:
            return self
        try:
            names = self.subject.names(self) if self.before.state is State.UNREADABLE else None
            if names is not None:
                self._judge(names)
            else:
                self._search(sentences, most, every)
            self.complete = True
        except LimitReachedError:
            pass
        return self

    def rank(self, sentences: Sequence[Sentence]) -> None:
        """Put the best repair first; an interruption leaves them in the order in which they were found."""
        self.found = self.subject.ranked(self, sentences)

    def _search(self, sentences: Sequence[Sentence], most: int, every: bool) -> None:
        one, two = self.subject.near(self)
        self.symbols = 1
        self._gather(one)
        if self.before.state is State.ILL_FORMED and not self.found:
            self._judge(self.subject.gaps(self))
        if most > 1 and not every:
            self.subject.walk(self, sentences)
            self._take_walk()
        if most > 1 and not self.found and (self.subject.pairs_where_right or self.before.state is not State.RIGHT):
            self.symbols = 2
            self._gather(two)

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
                self.closed.append((changes, checked))
        worst = list(State)
        self.closed.sort(key=lambda each: (-worst.index(each[1].state), len(each[0]), sum(change.adds for change in each[0])))

    def _gather(self, repairs: Iterator[Repair]) -> None:
        for repair in repairs:
            self.found.append(repair)
            self._told(self)

    def _take_walk(self) -> None:
        """A repair of several stages joins what is right already, and takes the place of what rests on entries that the precision lacks."""
        walk = self.walk
        if walk is None or (checked := walk.checked) is None or not checked.state.answers:
            return
        if checked.state is State.LACKING and (self.before.state is State.LACKING or self.found):
            return
        broken = self.subject.broken(walk.edits)
        if self.before.state is State.RIGHT and (checked.state is not State.RIGHT or len(broken) >= len(self.broken)):
            return
        self.by_steps = True
        right = [repair for repair in self.found if repair.state is State.RIGHT]
        self.found.clear()
        self._gather(iter([Repair(walk.edits, checked.state, checked.cases, broken)]))
        if len(walk.stages) <= FEW_STAGES:
            self._gather(self._as_small(walk.stages, self.found[0]))
        fewest = min(repair.symbols for repair in self.found)
        self.found[:] = [*right, *(repair for repair in self.found if repair.symbols == fewest)]

    def _as_small(self, stages: Sequence[Stage], first: Repair) -> Iterator[Repair]:
        """Repairs as right as the first, of the edits that would have served as well at some stage."""
        texts = [set(map(str, first.edits))]
        for chosen in islice(product(*((stage.edits, *stage.others) for stage in stages)), MOST_TRIED):
            edits = together([edit for each in chosen for edit in each])
            if (text := set(map(str, edits))) not in texts:
                checked = self.subject.check(edits)
                if checked.state is first.state:
                    texts.append(text)
                    yield Repair(edits, checked.state, checked.cases, self.subject.broken(edits))

    def errata(self, name: str) -> str | None:
        """The best repair as a file of errata of the file ``name``; those that are as small stand in comments above it.

        Without a repair, what closes the gaps.
        """
        if not (self.found or self.closed):
            return None
        best = self.found[0].edits if self.found else self.closed[0][0]
        why = self.subject.why.format(self.before)
        stages = self.walk.stages if self.walk and self.by_steps else ()
        mended = {edit.at: f"mends {stage.why}" for stage in stages for edit in stage.edits}
        clauses: list[Mapping[str, Any]] = [
            {"name": f"added-{number}", **change.added, "why": mended.get(change.at, why)}
            for number, change in enumerate(best, 1)
            if isinstance(change, Clause)
        ]
        entries = [change.entry(mended.get(change.at, why)) for change in best if isinstance(change, Edit)]
        record = {**self.subject.errata_head(name, bool(self.found)), "clause": clauses, "erratum": entries}
        said = [f"Found by a search over {self.considered:,} edited forms{'' if self.complete else ', which was not finished'}."]
        said += [] if self.found else [f"It is not enough: {self.closed[0][1].state.value}."]
        said += [f"as small, number {k}: {'; '.join(map(str, repair.edits))}" for k, repair in enumerate(self.found[1:], 2)]
        return toml_text(record, "\n".join(said))
