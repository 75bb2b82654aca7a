"""Changes for a file that is not a table yet: edits and clauses that close its gaps, and known names in place of unknown ones.

A gap is a token without a row or without a clause, a token with two rows, a bit that the string lacks, or a name that is not defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import Expression
from verifier.repair.edits import ADDED, Change, Changes, Clause, Edit, edits, printed_expressions
from verifier.repair.search_state import Advance, Search
from verifier.repair.target import Subject
from verifier.running.errors import FileDefect, FileDefects, InputError

_UNKNOWN = re.compile(r"no name '(\w+)' here; the names are ([\w, ]+)")
_ONWARDS = re.compile(r"\[\s*(?P<before>.+?) \+ 1\s*:")
_FIRST = re.compile(r"\[\s*1\s*:")


def for_gaps(raw: Mapping[str, Any], strings: Iterable[str]) -> Iterator[Change]:
    """Edits of ranges and of what tokens hold, ranges with a part of another table's added, and clauses for the tokens of a row."""
    for edit in edits(raw):
        if edit.ranges:
            yield edit
    ranges = list(dict.fromkeys(entry["i"] for part in ("row", "input") for entry in raw[part]))
    ends = [raw["tokens"][end] for end in ("first", "last")]
    for at, printed in printed_expressions(raw):
        if at.rpartition(".")[2] == "i":
            for other in dict.fromkeys([*ends, *ranges]):
                if str(other) not in str(printed):
                    yield Edit(at, printed, f"{printed}{ADDED}{other}", f"the tokens {other} are added")
    for i in dict.fromkeys([*ranges, *ends]):
        held: list[Expression] = [0, *(f"{string}[{index}]" for string in strings for index in _indices(str(i)))]
        for reads in held:
            yield Clause(i, reads)


def _indices(i: str) -> Iterator[str]:
    """Which bit a token i of a range may hold: bit i, and the first bit where the range begins."""
    yield "i"
    if (onwards := _ONWARDS.match(i)) is not None:
        before = onwards["before"]
        yield f"i - {before}" if re.fullmatch(r"[\w*]+", before) else f"i - ({before})"
    elif i.startswith("[") and not _FIRST.match(i):
        yield f"i + 1 - ({i[1:].partition(':')[0].strip()})"


def for_names(raw: Mapping[str, Any], defects: Iterable[FileDefect]) -> Iterator[Edit]:
    """Edits that put a name that there is for one that there is not."""
    asked: set[str] = set()
    for defect in defects:
        found = _UNKNOWN.search(defect.message)
        if found is None or found[1] in asked:
            continue
        unknown, names = found[1], found[2].split(", ")
        asked.add(unknown)
        near = dict.fromkeys([*get_close_matches(unknown, names, n=3, cutoff=0.3), *names])
        for at, printed in printed_expressions(raw):
            if re.search(rf"\b{unknown}\b", str(printed)):
                for name in near:
                    repaired = re.sub(rf"\b{unknown}\b", name, str(printed))
                    yield Edit(at, printed, repaired, f"{unknown} for {name}")


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
