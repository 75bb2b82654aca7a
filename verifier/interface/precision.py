"""``precision``: the first length at which a network is wrong, by arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from verifier.arithmetic.semantics import arithmetic as number_format
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.interface.arguments import Values, of_arguments, texts
from verifier.interface.notebooks import Shown
from verifier.interface.subjects import NetworkSubject, given_subject
from verifier.running.errors import InputError
from verifier.running.limits import Advance, Limits, silent
from verifier.transformers.causes import Cause, cause
from verifier.transformers.cells import Cell
from verifier.transformers.expectations import Expected, judged_expectations
from verifier.transformers.network import network
from verifier.transformers.precision import document, first_wrong
from verifier.transformers.records import NetworkFile

FORMATS = "float32,float16,bfloat16,e5m2,e4m3,e2m1"
LIMIT = 1 << 24
"""The most work on each arithmetic, where nobody says otherwise."""
EXPECTATIONS = 4
"""A part of the limit as large as one in so many is for the expectations beside a table: real numbers take longer than a format."""


@dataclass(frozen=True, repr=False)
class Precision(Shown):
    """What was found of a network: a cell for each arithmetic, and its expectations over real numbers."""

    name: str
    file: NetworkFile
    lengths: range
    cells: tuple[Cell, ...]
    expectations: tuple[Expected, ...]

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 all is right, 1 something is wrong, 3 something is not decided."""
        if any(cell.first_wrong for cell in self.cells) or any(each.broken for each in self.expectations):
            return EXIT_REFUTED
        stopped = [*(cell.stopped for cell in self.cells), *(each.stopped for each in self.expectations)]
        return EXIT_UNDECIDED if any(stopped) else EXIT_VERIFIED

    @property
    def causes(self) -> dict[str, Cause]:
        """The event at the first wrong input, by the name of the arithmetic."""
        return {str(cell.arithmetic): found for cell in self.cells if (found := cause_of(self.file, cell)) is not None}

    def caption(self) -> str:
        return f"{self.name}, {self.file.length} = {self.lengths[0]} .. {self.lengths[-1]}: {self.file.title}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each arithmetic: decided_to, cases, the first wrong length with its input, the answer and the right one."""
        found = []
        for cell in self.cells:
            wrong = cell.first_wrong
            row: dict[str, Any] = {"arithmetic": str(cell.arithmetic), "first_wrong": wrong.length if wrong else None}
            row |= {"decided_to": cell.decided_to, "cases": cell.cases, "input": dict(wrong.strings) if wrong else None}
            row |= {"found": wrong.answer.found if wrong else None, "expected": wrong.answer.expected if wrong else None}
            found.append(row)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/precision/1``, as ``verify precision --format json`` prints it."""
        return as_document(self.name, self.lengths, self.cells, self.causes, self.expectations)


def judged_precision(
    subject: NetworkSubject, ranges: Mapping[str, str], arithmetics: str, limit: int, advance: Advance = silent
) -> Precision:
    """Every input of every length in each arithmetic."""
    asked = dict(ranges)
    lengths = subject.lengths(asked.pop(subject.file.length, None))
    given = subject.integers(asked)
    chosen = list(dict.fromkeys(number_format(text.strip()) for text in arithmetics.split(",")))
    cells = [first_wrong(subject.name, subject.file, how, lengths, given, Limits(limit), advance) for how in chosen]
    expectations = judged_expectations(subject.file, lengths, given, Limits(max(1, limit // EXPECTATIONS)), advance)
    return Precision(subject.name, subject.file, lengths, tuple(cells), tuple(expectations))


@of_arguments
def precision(network: str | PathLike[str], *, arithmetic: str = FORMATS, limit: int = LIMIT, **parameters: Values) -> Precision:
    """Find the first length at which a network is wrong, in each arithmetic, as ``verify precision`` does.

    Args:
        network: a network file, or one of the gallery, such as ``gallery/parity``.
        arithmetic: such as ``float16,bfloat16+sums=pairwise``, or ``exact``.
        limit: the most work on each arithmetic.
        parameters: the lengths, by the name of the file's length, such as ``n="1..16"``; other parameters have one value.

    Raises:
        InputError: no network, no such arithmetic, or no range of lengths.

    >>> [row["first_wrong"] for row in precision("gallery/parity", n="1..9", arithmetic="float32,e4m3").rows()]
    [None, 9]
    """
    subject = given_subject(network)
    if not isinstance(subject, NetworkSubject):
        raise InputError(f"{subject.name} is a {subject.kind}; a network file was expected, or one of the gallery, such as gallery/parity")
    given = texts(parameters)
    known = [option.name for option in subject.parameters()]
    if unknown := [name for name in given if name not in known]:
        raise InputError(f"{subject.name} has no parameter {unknown[0]!r}; it takes {', '.join(known)}")
    return judged_precision(subject, given, arithmetic, limit)


def as_document(
    name: str, lengths: range, cells: Sequence[Cell], causes: Mapping[str, Cause], expectations: Sequence[Expected]
) -> dict[str, Any]:
    """``bitreferee/precision/1``, with what happened at each first wrong input, and the expectations."""
    found = document(name, lengths, cells)
    for entry in found["cells"]:
        if entry["first_wrong"] and entry["arithmetic"] in causes:
            why = causes[entry["arithmetic"]]
            entry["first_wrong"] |= {"kind": why.kind, "happens": why.says, "over_real_numbers": why.answered[1]}
    found["expectations"] = [
        {
            "name": each.name,
            "holds": each.holds,
            "first_failure": each.broken
            and {
                "length": each.broken.length,
                "input": " ".join(each.broken.strings.values()),
                "position": each.broken.position,
                "values": each.broken.shown,
            },
            "decided_to": each.decided_to,
        }
        for each in expectations
    ]
    return found


def cause_of(file: NetworkFile, cell: Cell) -> Cause | None:
    """The event at a cell's first wrong input."""
    wrong = cell.first_wrong
    if wrong is None:
        return None
    built = network(file, {**cell.given, file.length: wrong.length})
    return cause(built, {name: built.input.read(name, text) for name, text in wrong.strings.items()}, cell.arithmetic)
