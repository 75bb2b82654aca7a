"""Verdicts against parameters: a square for each point, a row for each edition."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result
from verifier.gate.point_sets import points_texts
from verifier.gate.standing import of_edition, word
from verifier.show.pictures.drawing import Drawing
from verifier.show.verdict_words import MARK

SIDE, GAP = 18.0, 3.0
LETTER = 5.8
MOST_POINTS = 30


def picture(claim: Claim, results: Sequence[Result]) -> Drawing:
    """Draw the verdicts of a claim; points leave out parameters at their defaults."""
    rows = [(edition.value, listed) for edition in Edition if (listed := of_edition(results, edition)[:MOST_POINTS])]
    points = ["; ".join(points_texts(claim, [r])) or "no parameters" for r in (rows[0][1] if rows else [])]
    slanted = max((len(p) for p in points), default=0) * 6.0 + 10
    label_width = max((len(label) for label, _ in rows), default=0) * LETTER + 14
    drawing = Drawing(
        label_width + len(points) * (SIDE + GAP) + 8, 10 + len(rows) * (SIDE + GAP) + slanted, f"{claim.name}: verdicts against parameters"
    )
    for number, (label, listed) in enumerate(rows):
        y = 6 + number * (SIDE + GAP)
        drawing.text((label_width - 8, y + 13), label, "small end")
        for k, result in enumerate(listed):
            x, verdict = label_width + k * (SIDE + GAP), result.verdict
            drawing.rectangle((x, y), (SIDE, SIDE), verdict.value, f"{label}, {points[k] if k < len(points) else ''}: {word(result)}")
            drawing.text((x + SIDE / 2, y + SIDE - 5), MARK[verdict], f"mark{' on-declined' if verdict.value == 'declined' else ''}")
    for k, point in enumerate(points):
        drawing.text((label_width + k * (SIDE + GAP) + 13, 12 + len(rows) * (SIDE + GAP)), point, "small faint end", turned=True)
    return drawing
