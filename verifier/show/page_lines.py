"""The lines of a page: a theorem with what it is built of, a statement with how its editions stand and its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.gate.run import MAIN, Run
from verifier.show.summary import main_statements
from verifier.show.verdict_words import MARK, last_said, of_edition, standing, worst_in


def main_lines(paper: Paper, run: Run) -> Iterator[dict[str, Any]]:
    """The theorems and corollaries, each followed by the statements that it is built of."""
    seen: set[str] = set()
    for theorem in main_statements(paper):
        for claim, part in ((theorem, False), *((find_claim(p.claim), True) for p in theorem.parts)):
            if claim.id in seen or claim.role is not None or (part and claim.name.partition("-")[0] in MAIN):
                continue
            seen.add(claim.id)
            results = run.results[claim.id]
            yield {
                "claim": claim,
                "part": part,
                "readings": [standing(claim, of_edition(rs, Edition.STATEMENT), methods=True) for rs in _by_reading(claim, run)],
                "printed": standing(claim, of_edition(results, Edition.PRINTED)),
                "repaired": standing(claim, of_edition(results, Edition.REPAIRED)),
            }


def _by_reading(claim: Claim, run: Run) -> list[Sequence[Result]]:
    """The claim's results under the default reading, then under the others."""
    return [run.results[claim.id], *(listed.get(claim.id, run.results[claim.id]) for listed in run.readings.values())]


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
