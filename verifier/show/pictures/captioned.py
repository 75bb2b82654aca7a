"""Pictures as files with a title and a caption: verdicts against parameters, a square for each point, and maps of failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result
from verifier.gate.point_sets import points_texts
from verifier.gate.standing import in_words, of_edition, word
from verifier.show.notation.plain import plain
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.failures import FailureMap, says
from verifier.show.verdict_words import MARK, titled

LETTER, LINE = 6.2, 16.0
NARROWEST = 460.0
"""In pixels: the width of a letter, the height of a line, and the least width of a picture."""
OF_EDITION = {Edition.STATEMENT: "Is it true?", Edition.PRINTED: "As printed:", Edition.REPAIRED: "After our corrections:"}
MARKS = "✓ true, or holds; ✗ false, or fails; ~ conditional; ? open; – not applicable."


def captioned(inner: Drawing, title: str, lines: Sequence[str]) -> Drawing:
    """Put a title above a picture and sentences below it, folded to its width."""
    width = max(inner.width, NARROWEST, LETTER * len(title) + 16)
    folded = [part for line in lines for part in wrap(plain(line), int(width / LETTER))]
    drawing = Drawing(width, inner.height + (len(folded) + 2.5) * LINE, title, " ".join(lines))
    drawing.text((8, LINE), title)
    drawing.raw(f'<g transform="translate(0 {1.5 * LINE:.0f})">{inner.elements}</g>')
    for number, line in enumerate(folded):
        drawing.text((8, inner.height + (number + 2.5) * LINE), line, "small")
    return drawing


def of_verdicts(inner: Drawing, claim: Claim, results: Sequence[Result]) -> Drawing:
    """Caption a picture of verdicts: marks, parameters, and the answer of each edition."""
    return captioned(inner, f"{titled(claim.name)}: verdicts by parameter", list(_about_verdicts(claim, results)))


def _about_verdicts(claim: Claim, results: Sequence[Result]) -> Iterator[str]:
    units = "; ".join(f"{p.name}: {p.meaning}" for p in claim.parameters)
    yield f"A row for each question, a column for each point.{f' {units}.' if units else ''} {MARKS}"
    for edition in Edition:
        if listed := of_edition(results, edition):
            yield f"{OF_EDITION[edition]} {in_words(claim, listed)}."


def of_failures(inner: Drawing, found: FailureMap, title: str, pattern: str, strings: Mapping[str, str]) -> Drawing:
    """Caption a map of failures: axes, cells, and what all failing inputs have in common, if known."""
    down, across = (f"{name}, {whose}" for name, whose in strings.items())
    lines = [
        f"Down: {down}; across: {across}; both from 0…0 to 1…1, {found.length} bits.",
        "A dark cell holds pairs that are answered wrongly, a light one none; pairs in an empty cell break the promise.",
        f"{says(found)}. {pattern}".strip(),
    ]
    return captioned(inner, title, lines)


SIDE, GAP = 18.0, 3.0
LABEL = 5.8
MOST_POINTS = 30


def verdicts_picture(claim: Claim, results: Sequence[Result]) -> Drawing:
    """Draw the verdicts of a claim; points leave out parameters at their defaults."""
    rows = [(edition.value, listed) for edition in Edition if (listed := of_edition(results, edition)[:MOST_POINTS])]
    points = ["; ".join(points_texts(claim, [r])) or "no parameters" for r in (rows[0][1] if rows else [])]
    slanted = max((len(p) for p in points), default=0) * 6.0 + 10
    label_width = max((len(label) for label, _ in rows), default=0) * LABEL + 14
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
