"""The adders' table: each entry of the published list that the gallery has, its verdict here, and what the published page says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.gate.adders import ALSO, DIGITS, UNFUSED, board, compared, listed
from verifier.gate.gallery import Entry, Found

INTRODUCTION = (
    f"Each verdict is about all 10^{2 * DIGITS} pairs of numbers of {DIGITS} digits, in the operations of the network file: each rounded "
    "once, sums from left to right. The first arithmetic is the one that the entry runs in; the others are further readings, since a "
    "library may add in another order, fuse a product with an addition, or take a root in another way. Every entry was tried with sums of "
    "both halves (sums=pairwise), with fused products from left to right (products=fused), and with four such sums, each of every fourth "
    f"product (products=fused+sums=split:4); fused products were not tried in {UNFUSED}. Logits that are NaN count as a wrong answer "
    "here. NumPy's argmax takes the first NaN, so such an entry answers every sum with 0."
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
        readings = _readings(row["own"], row["readings"])
        also = " | ".join(word(cell) for cell in row["also"])
        own: Found = row["own"]
        yield f"| {entry.id} | {row['entries']} | {own.arithmetic}: {word(own)} | {readings} | {also} | {row['compared']} |"
    yield from ("", f"What the published page says is from {board().source}.")


def _readings(own: Found, cells: Sequence[Found]) -> str:
    """The further readings, those with one verdict together; knobs alone where the format is the entry's own."""
    found: dict[str, list[Found]] = {}
    for cell in cells:
        found.setdefault(word(cell), []).append(cell)
    return "; ".join(f"{word(each[0])}: {', '.join(knobs(own, cell) for cell in each)}" for each in found.values())


def knobs(own: Found, cell: Found) -> str:
    """An arithmetic beside an entry's own."""
    return cell.arithmetic.removeprefix(f"{own.arithmetic}+")


def again(entry: Entry, cells: Sequence[Found]) -> str:
    """The command that decides cells again."""
    return f"verify precision gallery/{entry.id} --{entry.length} {DIGITS} --arithmetic {','.join(cell.arithmetic for cell in cells)}"


def adder_anchor(entry: Entry, cell: Found) -> str:
    """The anchor of a wrong input."""
    return f"{entry.id}-{cell.arithmetic.replace('+', '-').replace('=', '-')}"
