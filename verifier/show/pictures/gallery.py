"""The gallery as one picture: constructions against formats, each cell the first wrong length, darker the earlier it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from verifier.gate.gallery import FORMATS, LENGTHS, Entry, Found
from verifier.show.gallery_page import length, split
from verifier.show.pictures.drawing import Drawing

LEFT, TOP, WIDE, HIGH = 470.0, 84.0, 84.0, 34.0
SHADES = 5


def picture(entries: Sequence[Entry]) -> Drawing:
    """Draw a row for each construction; those that fail at small lengths come first."""
    listed = sorted(split(entries)[0], key=lambda entry: [_rank(cell) for cell in entry.cells[1:]])
    title = "From which length on does a published transformer give a wrong answer?"
    says = "; ".join(f"{e.id}: " + ", ".join(f"{c.arithmetic} {length(c)}" for c in e.cells[1:]) for e in listed)
    drawing = Drawing(LEFT + WIDE * len(FORMATS) + 16, TOP + HIGH * len(listed) + 44, title, says)
    drawing.text((12, 24), title, "heading")
    drawing.text((12, 46), f"every input of every length up to {LENGTHS[-1]}; each operation rounded once, sums from left to right")
    for k, form in enumerate(FORMATS):
        drawing.text((LEFT + WIDE * (k + 0.5), TOP - 10), form, "middle")
    for row, entry in enumerate(listed):
        y = TOP + HIGH * row
        drawing.text((12, y + HIGH / 2 + 4), _shortened(entry.title))
        for k, cell in enumerate(entry.cells[1:]):
            x = LEFT + WIDE * k
            bad = cell.first_wrong is not None
            drawing.rectangle((x + 2, y + 2), (WIDE - 4, HIGH - 4), _kind(cell), length(cell))
            drawing.text((x + WIDE / 2, y + HIGH / 2 + 4), length(cell), "middle strong" if bad else "middle")
    drawing.text(
        (12, TOP + HIGH * len(listed) + 26),
        f"red: first wrong length, darker the earlier; green: right up to {LENGTHS[-1]}; grey, > 6: right up to 6, longer not decided",
    )
    return drawing


def _kind(cell: Found) -> str:
    """Red where an input is wrong, green where none is up to the last length, else grey."""
    if cell.first_wrong is not None:
        return f"refuted shade{_shade(cell)}"
    return "verified shade2" if cell.decided_to == LENGTHS[-1] else "declined shade4"


def _rank(cell: Found) -> int:
    return LENGTHS[-1] + 1 if cell.first_wrong is None else cell.first_wrong


def _shade(cell: Found) -> int:
    """A shade from 1, for a late failure, to 5, for one at the smallest lengths."""
    assert cell.first_wrong is not None
    return max(1, SHADES - int(log2(max(1, cell.first_wrong)) * 4 / log2(LENGTHS[-1])))


def _shortened(title: str) -> str:
    return title if len(title) <= 70 else title[:68].rpartition(" ")[0] + " …"
