"""The gallery for readers: a row for each construction and each adder, as Markdown and on the site."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files as resources
from typing import Any

from verifier.gate.gallery import ALSO, DIGITS, FORMATS, LENGTHS, LIMIT, Entry, Found, board, listed
from verifier.running.grouping import grouped
from verifier.show.markdown import template

FOLDER = "gallery"
EVERY_LENGTH = f"{LENGTHS[0]}..{LENGTHS[-1]}"


@cache
def texts() -> Mapping[str, Any]:
    """The texts of the page, from ``gallery.toml``."""
    return tomllib.loads((resources("verifier.show") / "gallery.toml").read_text(encoding="utf-8"))


@cache
def made_from(name: str) -> str:
    """The source of a construction's file: the authors' code, a text, or an abstract."""
    path = resources("constructions") / "gallery" / "published" / "sources.toml"
    kinds = tomllib.loads(path.read_text(encoding="utf-8"))
    return str(next(texts()["made_from"][kind] for kind, names in kinds.items() if name in names))


def question(entry: Entry) -> str:
    """The question that a construction answers, in words; as its file has it where the page has no words."""
    return str(texts()["asked"].get(entry.id, entry.question))


def split(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The networks whose table has lengths, and the adders."""
    return [e for e in entries if listed(e.id) is None], [e for e in entries if listed(e.id) is not None]


def length(cell: Found) -> str:
    """The first wrong length of a cell, or else ``> 64``, the length up to which all inputs are right."""
    return str(cell.first_wrong) if cell.first_wrong is not None else f"> {cell.decided_to or 0}"


def right(cell: Found) -> bool | None:
    """Whether every input of an adder is right, or None if that is open."""
    return False if cell.first_wrong is not None else True if cell.decided_to == DIGITS else None


def word(cell: Found) -> str:
    """The verdict on an adder: ``right``, ``wrong: 1 + 9 gives 9``, or ``open``."""
    found = right(cell)
    if found is not False:
        return "right" if found else "open"
    a, b = (int(text) for text in cell.strings.values())
    answer = cell.found.split()
    return f"wrong: {a} + {b} gives {'NaN' if 'nan' in answer else int(''.join(reversed(answer)))}"


def compared(statuses: list[str], found: bool | None) -> str:
    """Compare the published page with our verdict on the same entry. found: None if we left it open."""
    proven = set(statuses) == {"proven"}
    if found is None:
        return "open here; " + ("proven over real numbers there" if proven else "open there")
    if found:
        return "agrees" if proven else f"right here; there: {', '.join(dict.fromkeys(statuses))}"
    return "differs: right over real numbers there, rounding loses it here" if proven else "wrong here only"


def summary(entries: Sequence[Entry]) -> list[str]:
    """The results of the networks whose table has lengths, in sentences; and those of the adders."""
    entries, adders = split(entries)
    ends = [entry.cells[0].decided_to or 0 for entry in entries if entry.right]
    below = [end for end in ends if end < LENGTHS[-1]]
    far = f"{len(ends) - len(below)} of them up to length {LENGTHS[-1]}" if len(below) < len(ends) else ""
    near = f"{'the others' if far else 'each'} up to a length from {min(below)} to {max(below)}" if below else ""
    broken = {form: sum(c.first_wrong is not None for e in entries for c in e.cells if c.arithmetic == form) for form in FORMATS}
    counts = ", ".join(f"{count} in {form}" for form, count in broken.items())
    said = [
        f"Over real numbers {len(ends)} of {len(entries)} constructions are right on every input of the lengths that we decided: "
        f"{', '.join(filter(None, (far, near)))}.",
        f"If each operation is rounded, some of the {len(entries)} answer an input wrongly: {counts}.",
    ]
    if adders:
        own = sum(right(entry.cells[0]) is True for entry in adders)
        said.append(f"In the arithmetic that their authors use, {own} of {len(adders)} adders are right on all 10^{2 * DIGITS} inputs.")
    return said


def again(entry: Entry, cells: Sequence[Found]) -> str:
    """The command that decides cells again, up to the same length."""
    lengths = EVERY_LENGTH if listed(entry.id) is None else str(DIGITS)
    limit = f" --limit {LIMIT.states}" if any(cell.stopped for cell in cells) and listed(entry.id) is None else ""
    formats = ",".join(cell.arithmetic for cell in cells)
    return f"verify precision {FOLDER}/{entry.id} --{entry.length} {lengths} --arithmetic {formats}{limit}"


def rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """A row for each construction, as texts and links."""
    return [
        {
            "entry": entry,
            "question": question(entry),
            "made_from": made_from(entry.id),
            "why": ", ".join(dict.fromkeys(why(cell) for cell in entry.cells if cell.first_wrong is not None)),
            "cells": [{"text": length(cell), "href": _href(entry, cell), "says": cell.happens or cell.stopped} for cell in entry.cells],
            "decided": [
                {"names": ", ".join(cell.arithmetic for cell in cells), "says": said, "command": again(entry, cells)}
                for said, cells in _decided(entry)
            ],
        }
        for entry in entries
    ]


def _decided(entry: Entry) -> Iterator[tuple[str, list[Found]]]:
    """Group the cells without a wrong input by the length and the method that decided them."""
    right_ones = [cell for cell in entry.cells if cell.first_wrong is None]
    for end, method in dict.fromkeys((cell.decided_to, cell.method) for cell in right_ones):
        cells = [cell for cell in right_ones if (cell.decided_to, cell.method) == (end, method)]
        yield f"right up to {entry.length} = {end}, by {method}", cells


def adder_rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """A row for each adder: its own arithmetic, the other readings that differ from it, narrow formats, and why these fail."""
    found = []
    for entry in entries:
        published = listed(entry.id)
        assert published is not None
        own, *others = entry.cells
        narrow = [cell for cell in others if cell.arithmetic in ALSO]
        found.append(
            {
                "entry": entry,
                "entries": published.entries,
                "own": f"{own.arithmetic}: {word(own)}",
                "readings": _readings(own, [cell for cell in others if cell.arithmetic not in ALSO]),
                "also": [word(cell).removeprefix("wrong: ") for cell in narrow],
                "why": "; ".join(why(cell) for cell in narrow if right(cell) is False),
                "compared": compared(published.status, right(own)),
                "right": again(entry, [cell for cell in entry.cells if right(cell)]),
                "wrong": [(cell.arithmetic, word(cell), entry.replay(cell)) for cell in entry.cells if right(cell) is False],
            }
        )
    return found


def why(cell: Found) -> str:
    """The first difference from the run over real numbers, in a word or two."""
    return str(texts()["why"].get(cell.kind, "rounding"))


def _readings(own: Found, cells: Sequence[Found]) -> str:
    """List the other readings by verdict, without the name of the format if it is the entry's own."""
    names = ((cell, cell.arithmetic.removeprefix(f"{own.arithmetic}+")) for cell in cells)
    found = grouped((word(cell), texts()["reading"].get(name, name)) for cell, name in names)
    return "; ".join(f"{', '.join(readings)}: {said}" for said, readings in found.items())


def shown(entries: Sequence[Entry]) -> Mapping[str, Any]:
    """The values that both pages show."""
    networks, adders = split(entries)
    numbers = {"longest": LENGTHS[-1], "digits": DIGITS, "doubled": 2 * DIGITS}
    return {
        **{name: text.strip().format(**numbers) for name, text in texts().items() if isinstance(text, str)},
        "summary": summary(entries),
        "formats": FORMATS,
        "rows": rows(networks),
        "adders": adder_rows(adders),
        "also": ALSO,
        "source": board().source,
        "lengths": EVERY_LENGTH,
        "limit": LIMIT.states,
    }


def gallery_page(entries: Sequence[Entry]) -> str:
    """The page as Markdown."""
    return template("gallery.md.jinja").render(**shown(entries))


def trace_path(entry: Entry, cell: Found) -> str:
    return f"{FOLDER}/{entry.id}-{cell.arithmetic}.html"


def _href(entry: Entry, cell: Found) -> str:
    """The address of the trace of a wrong input, at the step where it goes wrong. A cell that is right leads to its method and command."""
    return f"{trace_path(entry, cell)}#departs" if cell.first_wrong is not None else f"{FOLDER}/index.html#about-{entry.id}"
