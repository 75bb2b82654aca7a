"""The lines of a page: a statement with how its editions stand and its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.gate.run import Run
from verifier.show.verdict_words import MARK, last_said, of_edition, standing, worst_in


def statement_line(claim: Claim, run: Run, by_claim: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """A line for a statement: how its editions stand, its findings, and its steps, folded."""
    results = run.results[claim.id]
    texts = {e: standing(claim, of_edition(results, e)) for e in Edition}
    steps = [s for s in claim.steps if not s.ours]
    verdicts = [last_said(of_edition(run.results[s.id], Edition.PRINTED)) for s in steps]
    marks = [f"{MARK[v]} {s.name.partition(':')[2]}" for v, s in zip(verdicts, steps, strict=True)]
    held = sum(1 for v in verdicts if v is Verdict.VERIFIED)
    parts = [texts[Edition.STATEMENT]]
    if _same(texts[Edition.PRINTED]) != _same(parts[0]):
        parts.append(f"printed {texts[Edition.PRINTED]}")
    if _same(texts[Edition.REPAIRED]) != _same(texts[Edition.PRINTED]):
        parts.append(f"with errata {texts[Edition.REPAIRED]}")
    return {
        "claim": claim,
        "mark": MARK[worst_in(run.results[claim.id], Edition.PRINTED)],
        "verdicts": "; ".join(parts) if len(parts) == 1 else " · ".join(parts),
        "findings": sorted(by_claim.get(claim.id, ())),
        "steps": marks,
        "held": held,
    }


def statement_lines(paper: Paper, run: Run) -> Iterator[dict[str, Any]]:
    """The statements in the paper's order."""
    for claim in paper.statements():
        yield statement_line(claim, run, {})


def _same(text: str) -> str:
    return text.replace("true", "holds").replace("false", "fails")
