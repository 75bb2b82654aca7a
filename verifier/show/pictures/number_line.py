"""Numbers on a line: a computed value beside the one that the paper states. Positions are floats, labels exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.arithmetic.rationals import Fraction
from verifier.show.pictures.drawing import Drawing

LEFT, WIDTH, ROW = 16.0, 480.0, 18.0


@dataclass(frozen=True)
class Mark:
    """A number with its label; kind: ``line`` for a computed number, ``line third`` for the paper's, ``grid`` for a tick."""

    at: Fraction
    label: str
    kind: str = "line"


@dataclass(frozen=True)
class Span:
    """An interval with its label, drawn as a bar above the line."""

    low: Fraction
    high: Fraction
    label: str
    kind: str = "declined"


def picture(title: str, marks: Sequence[Mark], spans: Sequence[Span] = ()) -> Drawing:
    """Draw marks on one line. Each label has a separate row, outer labels are below, and spans are above."""
    ends = [m.at for m in marks] + [x for s in spans for x in (s.low, s.high)]
    low, high = min(ends), max(ends)
    room = float(high - low) or 1.0
    middle = low + (high - low) / 2
    named = sorted((m for m in marks if m.kind != "grid"), key=lambda m: (m.at <= middle, m.at if m.at > middle else -m.at))
    line = 12 + ROW * (len(spans) + 0.5)
    says = "; ".join([*(f"{m.label}" for m in named), *(s.label for s in spans)])
    drawing = Drawing(LEFT * 2 + WIDTH, line + 26 + ROW * len(named), title, says)

    def across(value: Fraction) -> float:
        return LEFT + WIDTH * float(value - low) / room

    for row, span in enumerate(spans):
        y = 6 + ROW * row
        drawing.rectangle((across(span.low), y), (across(span.high) - across(span.low), ROW - 6), span.kind, span.label)
        late = span.low > middle
        drawing.text((across(span.high if late else span.low) + (-4 if late else 4), y + 10), span.label, "small end" if late else "small")
    drawing.line([(LEFT, line), (LEFT + WIDTH, line)], "axis")
    for mark in (m for m in marks if m.kind == "grid" and m.at not in {each.at for each in named}):
        drawing.line([(across(mark.at), line - 4), (across(mark.at), line + 4)], "axis")
        drawing.text((across(mark.at), line + 16), mark.label, "small middle faint")
    for row, mark in enumerate(named):
        x, y = across(mark.at), line + 30 + ROW * row
        drawing.line([(x, line), (x, y - 4)], mark.kind)
        drawing.circle((x, line), 4, f"dot{mark.kind.removeprefix('line')}", mark.label)
        right = mark.at > middle
        drawing.text((x - 5 if right else x + 5, y), mark.label, "small label end" if right else "small label")
    return drawing
