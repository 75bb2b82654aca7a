"""The index of all claims, as a script that a page reads from disk: a row for each, with its verdicts and parameters."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition
from verifier.show.site.judged import Judged
from verifier.show.verdict_words import points_text, titled, worst_of


def index(papers: Iterable[Judged]) -> str:
    """``assets/claims.js``."""
    rows = [_row(judged, claim) for judged in papers for claim in judged.claims.values()]
    return f"window.CLAIMS = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n".replace("</", "<\\/")


def _row(judged: Judged, claim: Claim) -> list[Any]:
    """Paper, name, sentence, place, page, verdict of each edition, parameters, findings, whether it is a step."""
    results = judged.run.results[claim.id]
    verdicts = [worst_of(judged.results(claim, e)).value for e in Edition]
    return [
        judged.paper.id,
        titled(claim.name),
        claim.statement,
        claim.place,
        judged.page(claim.id),
        *verdicts,
        points_text(claim, results[:: len(Edition)]) if results else "",
        [o.finding.entry.id for o in judged.findings_of.get(claim.id, ())],
        int(claim.role is not None),
    ]
