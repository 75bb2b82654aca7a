"""Draw lengths against formats, for one network or for the whole gallery."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from verifier.gate.gallery import FORMATS, LENGTHS, Entry, Found
from verifier.show.gallery_page import length, split
from verifier.show.pictures.drawing import Drawing
from verifier.transformers.cells import Cell

LEFT, TOP, WIDTH, ROW, BAR = 150.0, 52.0, 520.0, 26.0, 14.0
LETTER = 6.6


def picture(title: str, lengths: range, cells: Sequence[Cell]) -> Drawing:
    """Draw a bar for each arithmetic up to the last right length, a mark at the first wrong one, dashes where it is undecided."""
    said = "; ".join(f"{cell.arithmetic}: {_said(cell)}" for cell in cells)
    height = TOP + ROW * len(cells) + 34
    drawing = Drawing(max(LEFT + WIDTH + 60, 16 + LETTER * len(title)), height, title, said)
    drawing.text((8, 16), title)
    drawing.text((8, 34), "every input of every length; each mark is the first wrong input", "small faint")
    first, last = max(1, lengths[0]), lengths[-1]

    def across(length: float) -> float:
        return LEFT + WIDTH * (log2(max(length, 1) + 1) - log2(first)) / (log2(last + 1) - log2(first))

    bottom = TOP + ROW * len(cells)
    for tick in ticks(first, last):
        drawing.line([(across(tick), TOP - 4), (across(tick), bottom)], "grid")
        drawing.text((across(tick), bottom + 14), str(tick), "small middle")
    drawing.text((LEFT + WIDTH / 2, bottom + 28), "length", "small middle faint")
    for k, cell in enumerate(cells):
        y = TOP + ROW * k
        drawing.text((LEFT - 8, y + BAR), str(cell.arithmetic), "small end")
        wrong = cell.first_wrong
        right = (cell.decided_to or 0) if wrong is None else wrong.length - 1
        if right >= first:
            drawing.rectangle((LEFT, y + 2), (across(right) - LEFT, BAR), "verified", _said(cell))
        if wrong is not None:
            drawing.rectangle((across(wrong.length) - 3, y), (6, BAR + 4), "refuted", _said(cell))
            drawing.text((across(wrong.length) + 7, y + BAR), str(wrong.length), "small")
        elif right < last:
            drawing.line([(across(right), y + 2 + BAR / 2), (LEFT + WIDTH, y + 2 + BAR / 2)], "said")
    return drawing


def ticks(first: int, last: int) -> list[int]:
    """Powers of two between the ends, and the ends."""
    inner = [1 << k for k in range(last.bit_length()) if first * 1.4 < 1 << k < last / 1.4]
    return sorted({first, last, *inner})


def _said(cell: Cell) -> str:
    if cell.first_wrong is not None:
        texts = " ".join(cell.first_wrong.strings.values())
        return f"first wrong at {cell.first_wrong.length}, {texts}"
    return f"right up to {cell.decided_to}" + (", then not decided" if cell.stopped else "")


NAMES, HEAD, WIDE, HIGH = 470.0, 84.0, 84.0, 34.0
SHADES = 5


def gallery_picture(entries: Sequence[Entry]) -> Drawing:
    """Draw a row for each construction; those that fail at small lengths come first."""
    listed = sorted(split(entries)[0], key=lambda entry: [_rank(cell) for cell in entry.cells[1:]])
    title = "From which length on does a published transformer give a wrong answer?"
    says = "; ".join(f"{e.id}: " + ", ".join(f"{c.arithmetic} {length(c)}" for c in e.cells[1:]) for e in listed)
    drawing = Drawing(NAMES + WIDE * len(FORMATS) + 16, HEAD + HIGH * len(listed) + 44, title, says)
    drawing.text((12, 24), title, "heading")
    lengths = f"every input of length 1 to {LENGTHS[-1]}, or as far as a cell says"
    drawing.text((12, 46), f"{lengths}; each operation rounded once, sums from left to right")
    for k, form in enumerate(FORMATS):
        drawing.text((NAMES + WIDE * (k + 0.5), HEAD - 10), form, "middle")
    for row, entry in enumerate(listed):
        y = HEAD + HIGH * row
        drawing.text((12, y + HIGH / 2 + 4), _shortened(entry.title))
        for k, cell in enumerate(entry.cells[1:]):
            x = NAMES + WIDE * k
            bad = cell.first_wrong is not None
            drawing.rectangle((x + 2, y + 2), (WIDE - 4, HIGH - 4), _kind(cell), length(cell))
            drawing.text((x + WIDE / 2, y + HIGH / 2 + 4), length(cell), "middle strong" if bad else "middle")
    drawing.text(
        (12, HEAD + HIGH * len(listed) + 26),
        f"red: first wrong length, darker the earlier; green: right up to {LENGTHS[-1]}; grey, > 6: right up to 6, longer not decided",
    )
    return drawing


def _kind(cell: Found) -> str:
    """Red if an input is wrong, green if none is up to the last length, else grey."""
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
