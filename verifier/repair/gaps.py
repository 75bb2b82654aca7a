"""Candidates that may close a gap: edits of index ranges, and input clauses that a file lacks.

A gap is a token without a row or without a clause, a token that two rows are for, a bit that the string lacks, or a name that nothing has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from verifier.networks.record_base import Expression
from verifier.repair.edits import ADDED, Change, Clause, Edit, edits, printed_expressions
from verifier.running.errors import FileDefect

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
