"""The index of claims, findings and words, as a script that a page reads from disk: a row for each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition
from verifier.errata.listings import Listing
from verifier.show.notation.plain import plain
from verifier.show.site.judged import Judged
from verifier.show.site.reference import words
from verifier.show.verdict_words import points_text, titled

STATEMENT, STEP, FINDING, WORD = range(4)
"""What a row of the index is."""


def index(papers: Iterable[Judged]) -> str:
    """``assets/claims.js``."""
    listed = list(papers)
    rows = [_row(judged, claim) for judged in listed for claim in judged.claims.values()]
    rows += [_finding(judged, each) for judged in listed for each in judged.listings]
    rows += [_word(name, says, "glossary.html") for name, says in words(listed)]
    return f"window.CLAIMS = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n".replace("</", "<\\/")


def _row(judged: Judged, claim: Claim) -> list[Any]:
    """Paper, name, sentence, place, page, verdict of each edition, parameters, findings, what it is."""
    results = judged.run.results[claim.id]
    verdicts = [judged.sign(claim, e).kind for e in Edition]
    return [
        judged.paper.id,
        titled(claim.name),
        plain(claim.statement),
        plain(claim.place),
        judged.page(claim.id),
        *verdicts,
        points_text(claim, results[:: len(Edition)]) if results else "",
        [o.finding.entry.id for o in judged.findings_of.get(claim.id, ())],
        STATEMENT if claim.role is None else STEP,
    ]


def _finding(judged: Judged, listing: Listing) -> list[Any]:
    """A finding as a row: its class stands where a claim has its verdicts."""
    entry = listing.finding.entry
    says = f"{entry.title}. {' '.join(entry.says.split())}"
    name, page = f"{entry.kind} finding", judged.finding_page(listing)
    return [judged.paper.id, name, plain(says), plain(entry.place), page, "", "", "", "", [entry.id], FINDING]


def _word(name: str, says: str, page: str) -> list[Any]:
    return ["", name, plain(says), "glossary", page, "", "", "", "", [], WORD]
