"""A badge for a paper's report, as SVG, and its citation in BibTeX."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from verifier import __version__
from verifier.claims.papers import Paper
from verifier.errata.findings import SERIOUS
from verifier.errata.listings import Listing
from verifier.running.printable import one_line

LABEL = "bitreferee"
COLOURS = {"false": "#b42318", "broken": "#b54708", "wrong": "#8a6100", "": "#1a7f37"}
LETTER = 7
"""Width of a letter in pixels, wide enough for any of them at 11 pixels."""


def badge(listed: Sequence[Listing]) -> str:
    """``bitreferee | 2 false, 9 broken, 7 wrong`` in the colour of the most serious class."""
    counts = {kind: sum(1 for o in listed if o.finding.kind == kind) for kind in SERIOUS}
    text = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or _without_serious(len(listed))
    colour = COLOURS[next((kind for kind, count in counts.items() if count), "")]
    left, right = LETTER * len(LABEL) + 10, LETTER * len(text) + 10
    said = escape(f"{LABEL}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14">{LABEL}</text><text x="{left + right / 2:g}" y="14">{escape(text)}</text></g></svg>\n'
    )


def _without_serious(lesser: int) -> str:
    return f"holds, but for misprints ({lesser})" if lesser else "nothing serious found"


NAMES_IN_TEX = {"\\": "backslash", "{": "braceleft", "}": "braceright", "~": "asciitilde", "^": "asciicircum"}
IN_TEX = str.maketrans({sign: rf"\text{name}{{}}" for sign, name in NAMES_IN_TEX.items()} | {sign: f"\\{sign}" for sign in "&%$#_"})


def in_bibtex(text: str) -> str:
    """Escape a text for a field of BibTeX."""
    return one_line(text).translate(IN_TEX)


def citation(paper: Paper) -> str:
    """The report as a BibTeX entry, with the paper that it is about in its note."""
    return "\n".join(
        (
            f"@techreport{{bitreferee-{paper.id},",
            f"  title       = {{Referee's page: {in_bibtex(paper.title)}}},",
            "  author      = {{The Bitreferee authors}},",
            f"  institution = {{Bitreferee {__version__}}},",
            "  type        = {Machine-checked report},",
            f"  note        = {{On the paper by {in_bibtex(paper.authors)}}},",
            "}",
        )
    )
