"""How many different states a construction's sums reach, against how many inputs there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from verifier.engines.blocks import split
from verifier.engines.program import program_of
from verifier.engines.search import NO_LIMIT, Budget
from verifier.show.pictures.drawing import Drawing
from verifier.transformers.tables import Execution


@dataclass(frozen=True)
class Reached:
    """Of one instance: the pairs of contents of its blocks, and the different values that the sums take on them."""

    at: str
    pairs: int
    states: int


def reached(execution: Execution, at: str) -> Reached:
    """Block by block; both numbers are products over the blocks."""
    program = program_of(execution)
    pairs = states = 1
    for block in split(program):
        (side,) = block.sides(program, Budget(NO_LIMIT), with_every=True)
        pairs *= 4**block.width
        states *= len(side.outcomes)
    return Reached(at, pairs, states)


def picture(series: Mapping[str, Sequence[Reached]], title: str) -> Drawing:
    """Bars on a scale of powers of two: pairs of strings, and under them the states that they become."""
    listed = [(name, each) for name, values in series.items() for each in values]
    width, row, left = 360.0, 22.0, 190.0
    most = max((log2(each.pairs) for _, each in listed), default=1.0)
    drawing = Drawing(
        left + width + 190, 40 + row * len(listed), title, "; ".join(f"{n}, {e.at}: {e.states:,} of {e.pairs:,}" for n, e in listed)
    )
    drawing.text((8, 16), title)
    for number, (name, each) in enumerate(listed):
        y = 30 + row * number
        drawing.text((left - 8, y + 12), f"{name}, {each.at}", "small end")
        drawing.rectangle((left, y), (width * log2(each.pairs) / most, row - 6), "declined", f"{each.pairs:,} pairs")
        drawing.rectangle((left, y), (width * log2(max(each.states, 1)) / most, row - 6), "open", f"{each.states:,} states")
        drawing.text((left + width * log2(each.pairs) / most + 6, y + 12), f"{each.states:,} of {each.pairs:,}", "small")
    return drawing
