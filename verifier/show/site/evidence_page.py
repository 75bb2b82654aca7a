"""The table of evidence: every numbered statement of a paper, decided for which parameters, by what."""

from __future__ import annotations

from verifier.show.evidence import MEANINGS, counts, evidence
from verifier.show.site.judged import Judged, link
from verifier.show.site.templates import page


def evidence_path(judged: Judged) -> str:
    """Where the table is, from the site's root."""
    return f"{judged.folder}/evidence.html"


def evidence_page(judged: Judged) -> str:
    """The table, the same whether or not Coq is installed, with what rests on finite checks only named above it."""
    listed = list(evidence(judged.paper, judged.run, asks_kernel=False))
    return page(
        "evidence.html.jinja",
        evidence_path(judged),
        "Evidence",
        here=judged,
        rows=[{**link(judged, each.claim.id), "rests": each.rests, "evidence": each.evidence, "why": each.why} for each in listed],
        counts=[(rests, number, MEANINGS[rests]) for rests, number in counts(listed) if number],
        finite=[link(judged, each.claim.id) for each in listed if each.rests == "finite checks"],
    )
