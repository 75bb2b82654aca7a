"""``reports/README.md``: all papers, a line each, how their main results stand, and where to read and check the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.claims.papers import Paper
from verifier.errata.findings import CLASSES, MEANING
from verifier.gate.run import Run
from verifier.show.main_results import STATUSES
from verifier.show.pages import GENERATED, template
from verifier.show.summary import Summary


def overview(listed: Sequence[Paper], runs: Mapping[str, Run]) -> str:
    """The overview over these papers; the same runs always make the same page."""
    return template("overview.md.jinja").render(
        generated=GENERATED,
        papers=[{"paper": paper, "summary": Summary(paper, runs[paper.id])} for paper in listed],
        classes=CLASSES,
        meaning=MEANING,
        statuses=STATUSES,
    )
