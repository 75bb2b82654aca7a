"""Lengths against arithmetics: up to which length a network is right, where it is wrong first, and what is not decided."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

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
    drawing.text((8, 34), "every input of every length; a mark: the first wrong input", "small faint")
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
