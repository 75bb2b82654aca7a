"""``reports/README.md``: all papers, a line each, what is most serious in each, and how to read and check the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import CLASSES, SERIOUS
from verifier.errata.listings import listings
from verifier.gate.run import Run
from verifier.show.pages import GENERATED, template
from verifier.show.summary import summary
from verifier.show.verdict_words import worst_in


def overview(listed: Sequence[Paper], runs: Mapping[str, Run]) -> str:
    """The overview over these papers; the same runs always make the same page."""
    return template("overview.md.jinja").render(
        generated=GENERATED,
        papers=[_paper(paper, runs[paper.id]) for paper in listed],
        classes=CLASSES,
        verdicts=[v.value for v in Verdict],
    )


def _paper(paper: Paper, run: Run) -> dict[str, Any]:
    found = listings(paper, run.results, run.follows)
    worst = [worst_in(run.results[c.id], Edition.PRINTED) for c in paper.statements()]
    return {
        "paper": paper,
        "summary": summary(paper, run, found),
        "statements": {v.value: worst.count(v) for v in Verdict},
        "counts": {kind: sum(1 for o in found if o.finding.kind == kind) for kind in CLASSES},
        "serious": [o.finding.entry for o in found if o.finding.kind in SERIOUS],
    }
