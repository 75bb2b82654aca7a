"""Changes for a file that is not a table yet: what closes its gaps, and names that there are in place of one that there is not."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.networks.instantiate import instantiate
from verifier.repair.edits import Change, Changes, Clause
from verifier.repair.gaps import for_gaps, for_names
from verifier.repair.search_state import Advance, Search
from verifier.repair.target import Subject
from verifier.running.errors import FileDefects, InputError

MOST_CHANGES = 3
"""Gaps that are closed one after another."""
MOST_STARTED = 4
"""Of changes that close equally many gaps, so many are gone on from."""
MOST_TRIED = 2000


class Closing:
    """The changes of one file; the forms are counted in ``state``."""

    def __init__(self, subject: Subject, state: Search, advance: Advance) -> None:
        self.subject, self.state, self.advance = subject, state, advance
        strings = subject.source.file.problem.strings or {"y": "", "z": ""}
        self._candidates = list(for_gaps(subject.source.raw, strings))
        self._left = MOST_TRIED

    def gaps(self) -> Iterator[Changes]:
        """The fewest changes that close all gaps: those that close the most are made first, and gone on from."""
        before = self.subject.gaps(())
        assert before, "a well-formed table has no gaps"
        return self._closing((), before)

    def _closing(self, already: Changes, fewest: int) -> Iterator[Changes]:
        best: list[Changes] = []
        for number, change in enumerate(self._candidates, 1):
            if any(_same_place(change, other) for other in already):
                continue
            if not self._left:
                break
            self._left -= 1
            self.state.spend(1)
            gaps = self.subject.gaps((*already, change))
            if gaps is not None and gaps < fewest:
                fewest, best = gaps, [(*already, change)]
            elif best and gaps == fewest:
                best.append((*already, change))
            self.advance("gaps", number, len(self._candidates))
        if not fewest:
            yield from best
        elif len(already) + 1 < MOST_CHANGES:
            for changes in best[:MOST_STARTED]:
                yield from self._closing(changes, fewest)

    def names(self) -> Iterator[Changes]:
        """Names that there are in place of one that there is not."""
        try:
            instantiate(self.subject.file(()), self.subject.points[0])
        except FileDefects as error:
            for change in for_names(self.subject.source.raw, error.each):
                self.state.spend(1)
                yield (change,)
        except InputError:
            pass


def _same_place(one: Change, other: Change) -> bool:
    return one == other if isinstance(one, Clause) else one.at == other.at
