"""Search for repairs of a file, a construction or a network: first all small edits, then step by step. The state can be read at any moment.

Every edit of one symbol is tried first. If none is enough, the gaps of a table, if any, are closed one after another; if the file states
more than its answers, or the precision lacks entries, stages of such searches follow each other (:meth:`Subject.walk`). If that finds
nothing, every edit of two symbols is tried.

The repairs found are ranked as a reader would choose. A repair serves the author's intention: the author means numbers of the
format, the table at every parameter of its domain, and every reading of the arithmetic that the text supports. So a repair that is also
right at further parameters comes first, among them the parameters of the file's ``[check]``. Then come, in this order, the repair with the
fewest entries that the precision lacks, with the fewest failing expectations, with the most true sentences, right under the most readings,
with the fewest added ranges and clauses, with the fewest changed entries that every row has in the same place, with the fewest different
slips, and with the smallest change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice, product
from typing import Any

from verifier.repair.edits import Change, Changes, Clause, Edit, together
from verifier.repair.proof_sentences import Sentence
from verifier.running.limits import Advance, silent
from verifier.running.notebooks import Facts
from verifier.weights.toml_text import toml_text

DEFAULT_LIMIT = 2_000_000
"""Forms that are considered before the search gives up."""


class LimitReachedError(Exception):
    """The limit of forms is reached."""


class State(Enum):
    """The kinds of faults of a file, in order of severity."""

    UNREADABLE = "unreadable"
    ILL_FORMED = "ill-formed"
    WRONG = "wrong"
    LACKING = "right except for entries that are not representable"
    RIGHT = "right"
    UNDECIDED = "more than an engine may visit"

    @property
    def answers(self) -> bool:
        """Whether every promised input gets the function's value."""
        return self in (State.LACKING, State.RIGHT)


@dataclass(frozen=True)
class Checked:
    """The result for an edited form at all points: its state, and its first departure.

    reason: in words; point: for a table, the number of the point.
    """

    state: State
    reason: str = ""
    cases: int = 0
    point: int = 0


@dataclass(frozen=True, repr=False)
class Repair(Facts):
    """Changes with which the file is right at all points; ``state`` is RIGHT or LACKING.

    broken: the expectations of the file that still fail. The other fields are known once the repairs of a table are ranked. further: the
    values of the first parameter tried beyond those checked, and whether it is right there; survives: the readings under which it is right
    at the first point, of ``readings``; lacking: the number of entries that the precision lacks; kept: the number of true sentences;
    uniform: the number of changed entries that every row has in the same place.
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

    def caption(self) -> str:
        return "; ".join(map(str, self.edits))

    def facts(self) -> dict[str, str | None]:
        shown = {"also right at": self.also, "expectations that fail": ", ".join(self.broken)}
        return {"state": self.state.value, "inputs": f"{self.cases:,}", **shown}

    @property
    def also(self) -> str:
        """The further values at which it is right, in words."""
        return " and ".join(f"{name} = {value}" for name, value, right in self.further if right)

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
    """Edits made for one reason: a sentence that failed, or a part with entries that the precision lacks.

    others: equally good edits: with as many symbols and as many true sentences.
    """

    why: str
    edits: Changes
    others: tuple[Changes, ...] = ()


@dataclass
class Walk:
    """A step-by-step repair, as far as it went.

    edits: all of them, of the file as written; checked: the state with them, None if nothing was repaired; failing: the sentences that
    still fail; before, kept: the numbers of true sentences as written and with the edits.
    """

    before: int = 0
    sentences: int = 0
    kept: int = 0
    stages: list[Stage] = field(default_factory=list)
    edits: Changes = ()
    checked: Checked | None = None
    failing: tuple[str, ...] = ()


class Subject:
    """A file with the points at which it is checked, the possible changes, and the order in which changes follow each other.

    pairs_where_right: whether two symbols are changed together even if the answers are right and only expectations fail; why: the reason
    for an edit in a file of errata, filled in with the state as written.
    """

    pairs_where_right = True
    why = "as written: {0.reason}"

    def check(self, edits: Sequence[Change]) -> Checked:
        """The state of the file with these edits, at all points."""
        raise NotImplementedError

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that fail with these edits."""
        raise NotImplementedError

    def near(self, search: Search) -> tuple[Iterator[Repair], Iterator[Repair]]:
        """The repairs among the edits of one symbol, or what counts as one mistake, and among those of two."""
        raise NotImplementedError

    def errata_head(self, name: str, found: bool) -> dict[str, Any]:
        """The head of an errata file for the file ``name``: the points of the check, before the list of changes."""
        raise NotImplementedError

    def start(self, before: Checked) -> tuple[str, ...]:
        """The expectations that fail in the file as written; ``before`` is the state of its answers."""
        return self.broken(())

    def names(self, search: Search) -> Iterator[Changes] | None:
        """For a file that cannot be read, changes that may make it readable, or None if it is searched like any other."""
        return None

    def gaps(self, search: Search) -> Iterator[Changes]:
        """For an ill-formed file, changes that make it well-formed."""
        return iter(())

    def walk(self, search: Search, sentences: Sequence[Sentence]) -> None:
        """Repair step by step with ``search.walk`` if a sentence fails or the table lacks an entry, until nothing remains to repair."""

    def ranked(self, search: Search, sentences: Sequence[Sentence]) -> list[Repair]:
        """The repairs with the results on each, the best first; equal ones in the order in which they were found."""
        return by_rank(search.found)


def by_rank(found: Iterable[Repair]) -> list[Repair]:
    """The repairs, the best first; equal ones in the order in which they were found."""
    return sorted(found, key=lambda repair: repair.rank)


MOST_SYMBOLS = 2
FEW_STAGES = 2
MOST_TRIED = 64
"""For a repair with few stages, the number of variants that are tried with other edits of equal merit."""


class Search:
    """One search around one file: the results so far, usable at any moment, also after an interruption.

    It counts forms, not seconds, so a limit ends it at the same place on every machine.

    complete: whether every form of at most ``symbols`` symbols was considered; considered: the number of forms; undecided: the number of
    those that an engine did not decide within its limit; walk: the step-by-step repair, if one was tried; by_steps: whether it found the
    result; broken: the expectations of the file that fail as written; breaking: the number of forms that answer every input rightly, but
    break another expectation, and so are no repairs; closed: changes that close all gaps, or replace an undefined name, and are not enough,
    each with the remaining fault.
    """

    def __getstate__(self) -> dict[str, Any]:
        """What was found, for another process: without a receiver of progress."""
        return {**self.__dict__, "advance": silent}

    def __init__(self, subject: Subject, limit: int = DEFAULT_LIMIT, advance: Advance = silent) -> None:
        self.subject, self.limit, self.advance = subject, limit, advance
        self.before = subject.check(())
        self.broken = subject.start(self.before)
        self.symbols = self.considered = self.undecided = self.breaking = 0
        self.complete = self.by_steps = False
        self.found: list[Repair] = []
        self.closed: list[tuple[Changes, Checked]] = []
        self.walk: Walk | None = None

    @property
    def nothing(self) -> bool:
        """Whether nothing has to be repaired."""
        return self.before.state is State.RIGHT and not self.broken

    def spend(self, forms: int) -> None:
        """Count this many forms that are about to be considered.

        Raises:
            LimitReachedError: that is more than the limit.
        """
        if self.considered + forms > self.limit:
            raise LimitReachedError
        self.considered += forms

    def repairs(self, edits: Changes, checked: Checked, whole: bool = False, of: Subject | None = None) -> Iterator[Repair]:
        """Return these edits if they are a repair. If the answers of the file are right as written, a repair must make its expectations
        hold.

        whole: whether an entry that the precision lacks disqualifies it; of: the edited file, if that is an intermediate stage.
        """
        self.undecided += checked.state is State.UNDECIDED
        if checked.state is State.RIGHT or (checked.state.answers and not whole):
            broken = (of or self.subject).broken(edits)
            if self.before.state is not State.ILL_FORMED and not set(broken) <= set(self.broken):
                self.breaking += 1
            elif self.before.state is not State.RIGHT or (checked.state is State.RIGHT and len(broken) < len(self.broken)):
                yield Repair(edits, checked.state, checked.cases, broken)

    def run(self, sentences: Sequence[Sentence] = (), most: int = MOST_SYMBOLS, every: bool = False) -> Search:
        """Search within the limit.

        Args:
            sentences: the sentences about the construction.
            most: the number of symbols, 1 or 2, that are changed together when every edit is tried.
            every: whether nothing is tried step by step, so that all repairs of two symbols are found.
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
        if (
            most > 1
            and all(repair.broken for repair in self.found)
            and (self.subject.pairs_where_right or self.before.state is not State.RIGHT)
        ):
            self.symbols = 2
            self._gather(two)

    def _judge(self, proposed: Iterator[Changes]) -> None:
        """Changes that make the file a table, with the repairs or the remaining fault."""
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
            if all(repair.edits != other.edits for other in self.found):
                self.found.append(repair)

    def _take_walk(self) -> None:
        """Add a repair of several stages to those that are right already; it replaces those with entries that the precision lacks."""
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
        """Repairs as right as the first, from the equally good edits of some stage."""
        texts = [set(map(str, first.edits))]
        for chosen in islice(product(*((stage.edits, *stage.others) for stage in stages)), MOST_TRIED):
            edits = together([edit for each in chosen for edit in each])
            if (text := set(map(str, edits))) not in texts:
                checked = self.subject.check(edits)
                if checked.state is first.state:
                    texts.append(text)
                    yield Repair(edits, checked.state, checked.cases, self.subject.broken(edits))

    def errata(self, name: str) -> str | None:
        """The best repair as a file of errata of the file ``name``; equally small ones stand in comments above it.

        The changes that close the gaps, if no repair was found.
        """
        if not (self.found or self.closed):
            return None
        best = self.found[0].edits if self.found else self.closed[0][0]
        why = self.subject.why.format(self.before) if self.before.state is not State.RIGHT else "as printed: an expectation fails"
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
