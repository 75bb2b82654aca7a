"""The adders' table: each entry of the published list that the gallery has, its verdict here, and what the published page says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.gate.adders import ALSO, DIGITS, board, compared, listed
from verifier.gate.gallery import Entry, Found

INTRODUCTION = (
    f"Each verdict is about all 10^{2 * DIGITS} pairs of numbers of {DIGITS} digits, in the operations of the network file: each rounded "
    "once, sums from left to right. The first arithmetic is the one that the entry runs in; the others are further readings, since a "
    "library may add in another order or take a root in another way. Logits that are NaN are a wrong answer here; NumPy's argmax takes the "
    "first of them, so that such an entry answers every sum with 0."
)

PLURAL = {"agrees": "agree", "differs": "differ"}


def split(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The networks whose table has lengths, and the adders."""
    return [e for e in entries if listed(e.id) is None], [e for e in entries if listed(e.id) is not None]


def right(cell: Found) -> bool | None:
    """Whether every input is right; None where that is open."""
    return False if cell.first_wrong is not None else True if cell.decided_to == DIGITS else None


def word(cell: Found) -> str:
    """``right``, ``wrong: 1 + 9 gives 9``, or ``open``."""
    found = right(cell)
    if found is not False:
        return "right" if found else "open"
    a, b = (int(text) for text in cell.strings.values())
    answer = cell.found.split()
    return f"wrong: {a} + {b} gives {int(''.join(reversed(answer)))}" if "nan" not in answer else f"wrong: {a} + {b} gives NaN"


def rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """A row for each adder, as texts and cells."""
    found = []
    for entry in entries:
        published = listed(entry.id)
        assert published is not None
        own, *others = entry.cells
        found.append(
            {
                "entry": entry,
                "entries": published.entries,
                "own": own,
                "readings": [cell for cell in others if cell.arithmetic not in ALSO],
                "also": [cell for cell in others if cell.arithmetic in ALSO],
                "compared": compared(published.status, right(own)),
            }
        )
    return found


def adder_summary(entries: Sequence[Entry]) -> str:
    """How many are right in their own arithmetic, and how that compares."""
    made = rows(entries)
    count = sum(right(row["own"]) is True for row in made)
    words = [row["compared"].partition(":")[0].partition(";")[0] for row in made]
    said = ", ".join(f"{words.count(each)} {PLURAL.get(each, each)}" for each in dict.fromkeys(words))
    return (
        f"{count} of {len(made)} adders are right on all 10^{2 * DIGITS} inputs in the arithmetic that they run in. "
        f"Beside the published page: {said}."
    )


def adder_lines(entries: Sequence[Entry]) -> Iterator[str]:
    """The section of the report."""
    yield from ("", '## <a id="adders"></a>Adders of ten digits', "", f"{adder_summary(entries)} {INTRODUCTION}", "")
    yield f"| file | entries | runs in | other readings | {' | '.join(ALSO)} | {board().source.partition(',')[0]} |"
    yield f"| --- | --- | --- | --- | {' | '.join('---' for _ in ALSO)} | --- |"
    for row in rows(entries):
        entry: Entry = row["entry"]
        readings = "; ".join(f"{cell.arithmetic}: {_linked(entry, cell)}" for cell in row["readings"]) or "none"
        also = " | ".join(_linked(entry, cell) for cell in row["also"])
        own: Found = row["own"]
        yield f"| {entry.id} | {row['entries']} | {own.arithmetic}: {_linked(entry, own)} | {readings} | {also} | {row['compared']} |"
    yield from ("", f"What the published page says is from {board().source}. The first wrong inputs, and what is open:", "")
    for entry in entries:
        for cell in entry.cells:
            if cell.first_wrong is not None:
                anchor = f'<a id="{adder_anchor(entry, cell)}"></a>'
                yield f"* {anchor}{entry.id}, **{cell.arithmetic}**: {word(cell)}; {cell.method}; `{cell.replay}`"
            elif right(cell) is None:
                yield f"* {entry.id}, **{cell.arithmetic}** is open: {cell.stopped}"


def adder_anchor(entry: Entry, cell: Found) -> str:
    """The anchor of a wrong input."""
    return f"{entry.id}-{cell.arithmetic.replace('+', '-').replace('=', '-')}"


def _linked(entry: Entry, cell: Found) -> str:
    return word(cell) if cell.first_wrong is None else f"[{word(cell)}](#{adder_anchor(entry, cell)})"
