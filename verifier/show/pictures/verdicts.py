"""Verdicts against parameters: a square for each point, a row for each edition and reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result
from verifier.errata.listings import Listing
from verifier.show.pictures.drawing import Drawing
from verifier.show.verdict_words import MARK, Sign, of_edition, points_text, signs_by_point, word

Row = tuple[str, list[Result], Mapping[tuple[Edition, tuple[tuple[str, int], ...]], Sign]]
"""A label, the results of an edition under a reading, and the signs of failures that only lesser findings explain."""
SIDE, GAP = 18.0, 3.0
LETTER = 5.8
MOST_POINTS = 30


def point_text(claim: Claim, result: Result) -> str:
    """``p=8``, without what is left at its default."""
    return points_text(claim, [result])


def picture(
    claim: Claim, results: Sequence[Result], readings: Mapping[str, Sequence[Result]], first: str = "", findings: Sequence[Listing] = ()
) -> Drawing:
    """The claim at its typical points: the default reading, named ``first`` where there are others, then the others.

    findings: what is known of the paper; a failure that only misprints explain has their sign.
    """
    rows: list[Row] = []
    for name, judged in ((first if readings else "", results), *readings.items()):
        lesser = signs_by_point(claim, judged, findings, of_edition(results, Edition.REPAIRED))
        rows += [(", ".join(filter(None, (e.value, name))), of_edition(judged, e)[:MOST_POINTS], lesser) for e in Edition]
    rows = [row for row in rows if row[1]]
    points = [point_text(claim, r) or "no parameters" for r in (rows[0][1] if rows else [])]
    slanted = max((len(p) for p in points), default=0) * 6.0 + 10
    label_width = max((len(label) for label, *_ in rows), default=0) * LETTER + 14
    drawing = Drawing(
        label_width + len(points) * (SIDE + GAP) + 8, 10 + len(rows) * (SIDE + GAP) + slanted, f"{claim.name}: verdicts against parameters"
    )
    for number, (label, listed, lesser) in enumerate(rows):
        y = 6 + number * (SIDE + GAP)
        drawing.text((label_width - 8, y + 13), label, "small end")
        for k, result in enumerate(listed):
            sign = lesser.get((result.edition, tuple(result.parameters.items())))
            says = sign.says if sign and sign.says else word(claim, result)
            shown = (sign.kind, sign.mark) if sign else (result.verdict.value, MARK[result.verdict])
            square(drawing, (label_width + k * (SIDE + GAP), y), *shown, f"{label}, {points[k] if k < len(points) else ''}: {says}")
    for k, point in enumerate(points):
        drawing.text((label_width + k * (SIDE + GAP) + 13, 12 + len(rows) * (SIDE + GAP)), point, "small faint end", turned=True)
    return drawing


def square(drawing: Drawing, corner: tuple[float, float], kind: str, mark: str, says: str) -> None:
    """One verdict, by colour and by mark."""
    drawing.rectangle(corner, (SIDE, SIDE), kind, says)
    on = " on-declined" if kind == "declined" else ""
    drawing.text((corner[0] + SIDE / 2, corner[1] + SIDE - 5), mark, f"mark{on}")
