"""The lines of a page: a statement with how its editions stand and its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.show.verdict_signs import LESSER_MARK, sign, stands
from verifier.show.verdict_words import last_said, of_edition


def statement_line(claim: Claim, run: Run, listed: Sequence[Listing]) -> dict[str, Any]:
    """A line for a statement: how its editions stand, and how many of its steps hold, those that only misprints spoil by themselves."""
    results = run.results[claim.id]
    stand = {e: stands(claim, results, e, listed) for e in Edition}
    steps = [s for s in claim.steps if not s.ours]
    signs = [sign(s, run.results[s.id], Edition.PRINTED, listed) for s in steps]
    spoilt = sum(1 for each in signs if each.kind in LESSER_MARK)
    held = sum(1 for s in steps if last_said(of_edition(run.results[s.id], Edition.PRINTED)) is Verdict.VERIFIED)
    own = sign(claim, results, Edition.PRINTED, listed)
    parts = [str(stand[Edition.STATEMENT])]
    if not stand[Edition.PRINTED].agrees(stand[Edition.STATEMENT]):
        parts.append(f"printed {stand[Edition.PRINTED]}")
    if not stand[Edition.REPAIRED].agrees(stand[Edition.PRINTED]):
        parts.append(f"with errata {stand[Edition.REPAIRED]}")
    return {
        "claim": claim,
        "mark": own.mark,
        "verdicts": " · ".join(parts),
        "steps": f"{held} of {len(steps)} steps hold{f', {spoilt} but for misprints or slips' if spoilt else ''}" if steps else "",
    }


def statement_lines(paper: Paper, run: Run, listed: Sequence[Listing]) -> Iterator[dict[str, Any]]:
    """The statements in the paper's order."""
    for claim in paper.statements():
        yield statement_line(claim, run, listed)
