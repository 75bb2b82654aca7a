"""The search for repairs of a construction: exhaustive near by, then step by step.

Every edit of one symbol is tried first. Where none is enough, the gaps of a table that has some are closed one after another
(:mod:`verifier.repair.closing`); where more is said of the construction than what it answers, or the precision lacks entries, stages of
such searches follow each other (:mod:`verifier.repair.stepwise`). Where that finds nothing, every edit of two symbols is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from verifier.repair.closing import Closing
from verifier.repair.edits import Change, Changes
from verifier.repair.nearby import Nearby
from verifier.repair.search_state import DEFAULT_LIMIT, Advance, LimitReachedError, Repair, Search, Stage
from verifier.repair.sentences import Sentence
from verifier.repair.stepwise import StepByStep, together
from verifier.repair.target import State, Subject

MOST_SYMBOLS = 2
FEW_STAGES = 2
MOST_TRIED = 64
"""Of a repair of so few stages, so many are tried that take other edits which would have served as well."""


class Searching:
    """One search on one subject; ``state`` has what was found at any moment, also after an interruption."""

    def __init__(
        self,
        subject: Subject,
        limit: int = DEFAULT_LIMIT,
        advance: Advance = lambda *_: None,
        told: Callable[[Search], None] = lambda state: None,
    ) -> None:
        self.subject, self.advance, self.told = subject, advance, told
        before = subject.check(())
        self.state = Search(before, limit, broken=subject.broken(()) if before.state.answers else ())
        subject.start(self.state.before.point)

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
            if state.before.state is State.UNREADABLE:
                self._judge(Closing(self.subject, state, self.advance).names())
            else:
                self._search(sentences, most, every)
            state.complete = True
        except LimitReachedError:
            pass
        return state

    def _search(self, sentences: Sequence[Sentence], most: int, every: bool) -> None:
        state = self.state
        near = Nearby(self.subject, state, self.advance)
        state.symbols = 1
        self._gather(near.one())
        if state.before.state is State.ILL_FORMED and not state.found:
            self._judge(Closing(self.subject, state, self.advance).gaps())
        if most > 1 and not every and self._may_be_led(sentences):
            self._step_by_step(sentences)
        if most > 1 and not state.found and state.before.state is not State.RIGHT:
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

    def _may_be_led(self, sentences: Sequence[Sentence]) -> bool:
        """Whether no single edit makes the construction right, and there is something that leads step by step."""
        before, found = self.state.before.state, self.state.found
        if before is State.ILL_FORMED or any(repair.state is State.RIGHT for repair in found):
            return False
        return before is State.LACKING or bool(found) or bool(sentences)

    def _step_by_step(self, sentences: Sequence[Sentence]) -> None:
        """A repair of several stages takes the place of what was found if it is better: right, or the first to answer rightly."""
        state = self.state
        steps = StepByStep(self.subject, sentences, state, self.advance)
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
        state.found.clear()  # with entries that the precision lacks, where there are any
        self._gather(iter([Repair(state.walk.edits, checked.state, checked.cases, broken)]))
        if len(state.walk.stages) <= FEW_STAGES:
            self._gather(self._as_small(state.walk.stages, state.found[0]))
        fewest = min(repair.symbols for repair in state.found)
        state.found[:] = [repair for repair in state.found if repair.symbols == fewest]

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
