"""Print the results of ``verify precision`` in 80 columns: for each arithmetic the first wrong input and why it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import Any, ClassVar

from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.networks.record_base import admits
from verifier.running.grouping import grouped
from verifier.running.notebooks import INTEGER, OBJECT, TEXT, Columns, Shown
from verifier.running.printable import joined
from verifier.show.screen import folded
from verifier.transformers.causes import REALS, Cause, cause_of
from verifier.transformers.cells import Cell, Wrong
from verifier.transformers.expectations import Broken, Expected
from verifier.transformers.records import NetworkFile

SCHEMA = "bitreferee/precision/1"
COLUMNS = 80
NARROWEST = len("arithmetic")
WIDEST = 16
"""The width of names. A longer name of an arithmetic has a separate line."""
INPUT = 25
LONGEST = 12
"""A longer string is shown by its runs."""


@dataclass(frozen=True, repr=False)
class Precision(Shown):
    """The findings on a network: a cell for each arithmetic, and its expectations over real numbers."""

    name: str
    file: NetworkFile
    lengths: range
    cells: tuple[Cell, ...]
    expectations: tuple[Expected, ...]
    columns: ClassVar[Columns] = {
        "arithmetic": TEXT,
        "decided_to": INTEGER,
        "cases": OBJECT,
        "first_wrong": INTEGER,
        "input": OBJECT,
        "found": TEXT,
        "expected": TEXT,
    }

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 all is right, 1 something is wrong, 3 something is not decided."""
        if any(cell.first_wrong for cell in self.cells) or any(each.broken for each in self.expectations):
            return EXIT_REFUTED
        stopped = [*(cell.stopped for cell in self.cells), *(each.stopped for each in self.expectations)]
        return EXIT_UNDECIDED if any(stopped) else EXIT_VERIFIED

    @cached_property
    def causes(self) -> dict[str, Cause]:
        """The event at the first wrong input, by the name of the arithmetic."""
        return {str(cell.arithmetic): cause_of(self.file, cell) for cell in self.cells if cell.first_wrong is not None}

    @property
    def _wrong_over_reals(self) -> Cell | None:
        """The smallest of the first wrong inputs that real numbers answer wrongly, too, as a cell over real numbers; None without one."""
        found = [cell for cell in self.cells if (why := self.causes.get(str(cell.arithmetic))) is not None and why.kind == REALS]
        return replace(min(found, key=lambda cell: cell.decided_to or 0), arithmetic=Arithmetic(EXACT)) if found else None

    def caption(self) -> str:
        stopped = [(str(cell.arithmetic), cell.stopped) for cell in self.cells]
        stopped += [(f"expectation {each.name}", each.stopped) for each in self.expectations]
        left = [f"{what} not decided, {why}" for what, why in stopped if why]
        said = f"{left[0]}{f' (and {len(left) - 1} more)' if len(left) > 1 else ''}" if left else self.file.title
        return f"{self.name}, {self.file.length} = {self.lengths[0]} .. {self.lengths[-1]}: {said}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each arithmetic: decided_to, cases, the first wrong length with its input, the answer and the right one."""
        found = []
        for cell in self.cells:
            wrong, said = cell.first_wrong, (str(cell.arithmetic), cell.decided_to, cell.cases)
            seen = (wrong.length, dict(wrong.strings), wrong.answer.found, wrong.answer.expected) if wrong else (None,) * 4
            found.append(self.row(*said, *seen))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/precision/1``, as ``verify precision --format json`` prints it: with the event at each first wrong
        input, and the expectations.
        """
        cells = [cell.document() for cell in self.cells]
        for entry in cells:
            if why := self.causes.get(entry["arithmetic"]):
                entry["first_wrong"] |= {"kind": why.kind, "happens": why.says, "over_real_numbers": why.answered[1]}
        return {
            "schema": SCHEMA,
            "construction": self.name,
            "lengths": [self.lengths.start, self.lengths.stop - 1],
            "cells": cells,
            "expectations": [_expectation(each) for each in self.expectations],
        }

    @property
    def _in_a_sentence(self) -> str:
        """``right for n = 1 .. 9 in float32; wrong first at n = 8 in e5m2; not decided for every length in float16``."""
        right = [str(cell.arithmetic) for cell in self.cells if not cell.first_wrong and not cell.stopped]
        wrong = [f"{self.file.length} = {cell.first_wrong.length} in {cell.arithmetic}" for cell in self.cells if cell.first_wrong]
        left = [str(cell.arithmetic) for cell in self.cells if not cell.first_wrong and cell.stopped]
        parts = (
            (f"right for {tried(self.file, self.lengths, self.cells)} in ", right),
            ("wrong first at ", wrong),
            ("not decided for every length in ", left),
        )
        return "; ".join(f"{head}{joined(listed)}" for head, listed in parts if listed)

    def lines(self) -> Iterator[str]:
        """The lines of the screen."""
        file, lengths, cells = self.file, self.lengths, self.cells
        yield from folded(f"{self.name}  {file.title}", 2, 0)
        yield from folded(self._in_a_sentence, 2, 0)
        yield from folded(f"assumes {file.assumes}", 2, 0) if file.assumes else ()
        yield from folded(f"every input of every length {tried(file, lengths, cells)}, {rounding(cells)}", 2, 0)
        over_reals = self._wrong_over_reals
        if over_reals is not None and over_reals.first_wrong is not None:
            yield from folded(f"wrong over real numbers as well: {_input(file, over_reals.first_wrong)}", 2, 0)
        yield ""
        width = max([NARROWEST, *(len(str(c.arithmetic)) for c in cells if len(str(c.arithmetic)) <= WIDEST)])
        yield f"{'arithmetic':{width}}  right up to  {'first wrong input':{INPUT}}  what happens there"
        for cell in cells:
            yield from _cell(file, lengths, cell, self.causes.get(str(cell.arithmetic)), width)
        yield ""
        yield from _methods(cells)
        for why in dict.fromkeys(cell.missing for cell in cells if cell.missing):
            among = ", ".join(str(cell.arithmetic) for cell in cells if cell.missing == why)
            yield from folded(f"without running every input, {among}: {why}", 2, 0)
        for each in self.expectations:
            yield from folded(expectation_text(file, each), 2, 0)
        replays = list(dict.fromkeys(cell.replay for cell in filter(None, (*cells, over_reals)) if cell.replay))
        if any(each.broken for each in self.expectations):
            replays.append(f"verify {self.name} --{file.length} {lengths[0]}..{lengths[-1]}")
        if replays:
            yield from ["replay:", *(f"  {each}" for each in replays)]


def _expectation(each: Expected) -> dict[str, Any]:
    broken = each.broken and {
        "length": each.broken.length,
        "input": " ".join(each.broken.strings.values()),
        "position": each.broken.position,
        "values": each.broken.shown,
    }
    return {"name": each.name, "holds": each.holds, "first_failure": broken, "decided_to": each.decided_to}


def tried(file: NetworkFile, lengths: range, cells: Sequence[Cell]) -> str:
    """``n = 1 .. 3``, and which of the lengths asked for the network does not have."""
    given = cells[0].given if cells else {}
    have = [n for n in lengths if admits(file, {**given, file.length: n})] or list(lengths)
    said = f"{file.length} = {have[0]} .. {have[-1]}" if len(have) > 1 else f"{file.length} = {have[0]}"
    lacking = [n for n in lengths if n not in have]
    if not lacking:
        return said
    together = lacking[-1] - lacking[0] == len(lacking) - 1
    which = f"{lacking[0]} .. {lacking[-1]}" if together else f"{len(lacking)} lengths"
    return f"{said} (outside its domain: {lacking[0] if len(lacking) == 1 else which})"


def rounding(cells: Sequence[Cell]) -> str:
    """The rounding of the arithmetics of a table, if they agree."""
    rounded = [cell.arithmetic for cell in cells if not cell.arithmetic.exact]
    if not rounded:
        return "over real numbers"
    each = {how.rounding for how in rounded}
    orders = {how.sums for how in rounded}
    said = "each operation is rounded once" if each == {"nearest"} else "rounded as each line says"
    order = {"left-to-right": "sums run left to right", "pairwise": "sums are a tree"}.get(min(orders), f"sums: {min(orders)}")
    return f"{said}; {order if len(orders) == 1 else 'sums as each line says'}"


def right_up_to(file: NetworkFile, lengths: range, cell: Cell) -> str:
    """The largest tried length up to which every input is right; a dash without one."""
    wrong = cell.first_wrong
    if cell.decided_to is None:
        return "–"
    if wrong is None:
        return str(cell.decided_to)
    smaller = (n for n in range(wrong.length - 1, lengths[0] - 1, -1) if admits(file, {**cell.given, cell.length: n}))
    return str(next(smaller, "–"))


def _cell(file: NetworkFile, lengths: range, cell: Cell, cause: Cause | None, width: int) -> Iterator[str]:
    name, wrong = str(cell.arithmetic), cell.first_wrong
    if len(name) > WIDEST:
        yield name
        name = ""
    shown = "none" if wrong is None else _input(file, wrong)
    says = cell.stopped
    if wrong is not None:
        about = "" if cause is None or not cause.says else f": {cause.says}"
        says = f"{wrong.answer.found}, not {wrong.answer.expected}{about}"
    first = f"{name:{width}}  {right_up_to(file, lengths, cell):>11}  "
    left = wrap(shown, INPUT, break_on_hyphens=False) or [""]
    right = wrap(says, COLUMNS - len(first) - INPUT - 2, break_on_hyphens=False, break_long_words=False) or [""]
    for k, (one, other) in enumerate(zip_longest(left, right, fillvalue="")):
        yield f"{first if k == 0 else ' ' * len(first)}{one:{INPUT}}  {other}".rstrip()


def _input(file: NetworkFile, at: Wrong | Broken) -> str:
    """``n = 9, w = 001111111``: an input with its length."""
    return ", ".join([f"{file.length} = {at.length}", *(f"{name} = {runs(text)}" for name, text in at.strings.items())])


def runs(text: str) -> str:
    """A string, its long runs of one symbol with their lengths: 0 1^40."""
    if len(text) <= LONGEST:
        return text
    found = " ".join(f"{symbol}^{count}" if (count := len(list(each))) > 1 else symbol for symbol, each in groupby(text))
    return found if len(found) < len(text) else text


def _methods(cells: Sequence[Cell]) -> Iterator[str]:
    """The number of inputs that each method decided."""
    found = grouped((cell.method, cell.cases) for cell in cells if cell.method)
    said = "; ".join(f"{sum(counts):,} inputs by {method}" for method, counts in found.items())
    yield from folded(f"decided: {said}", 2, 0) if said else ()


def expectation_text(file: NetworkFile, each: Expected) -> str:
    """The result for an expectation, in a line."""
    about = f"expectation {each.name}, over real numbers"
    if each.broken is not None:
        where = _input(file, each.broken)
        shown = f" ({each.broken.shown})" if each.broken.shown else ""
        return f"{about}: fails at {where}, position {each.broken.position}{shown}: {each.holds}"
    if each.decided_to is None:
        return f"{about}: not decided, {each.stopped or 'no length was tried'}"
    more = f"; {each.stopped}" if each.stopped else ""
    return f"{about}: holds for all {each.cases:,} inputs up to {file.length} = {each.decided_to}{more}"


def knob_lines(name: str, file: NetworkFile, lengths: range, knob: str, rows: Mapping[str, Mapping[str, Cell]]) -> Iterator[str]:
    """The first wrong length of each format for each value of a knob."""
    values = list(dict.fromkeys(value for row in rows.values() for value in row))
    yield f"{name}: the first wrong length, by {knob}"
    width = max(NARROWEST, *map(len, rows))
    yield "  ".join([f"{'arithmetic':{width}}", *(f"{value:>13}" for value in values)])
    for form, row in rows.items():
        yield "  ".join([f"{form:{width}}", *(f"{first_wrong_text(row[value]) if value in row else '':>13}" for value in values)])
    moved = [form for form, row in rows.items() if len({_known(cell) for cell in row.values()} - {None}) > 1]
    undecided = any(cell.stopped for row in rows.values() for cell in row.values())
    yield from folded(
        (f"{knob} matters in {', '.join(moved)}" if moved else f"{knob} moves no first wrong length")
        + f", {file.length} = {lengths[0]} .. {lengths[-1]}"
        + ("; > N: all is right up to N, and larger lengths were not decided" if undecided else ""),
        2,
        0,
    )


def _known(cell: Cell) -> int | None:
    """The first wrong length, −1 without one, or None if that is not decided."""
    if cell.first_wrong is not None:
        return cell.first_wrong.length
    return None if cell.stopped else -1


def first_wrong_text(cell: Cell) -> str:
    """``9``; ``none``; ``> 12`` if larger lengths are not decided."""
    if cell.first_wrong is not None:
        return str(cell.first_wrong.length)
    return "none" if not cell.stopped else "?" if cell.decided_to is None else f"> {cell.decided_to}"
