"""The first page of a paper, and that of the site: a sentence for each theorem, the strip of verdicts, the findings as cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition
from verifier.errata.findings import CLASSES
from verifier.gate.run import MAIN
from verifier.show.badges import badge, citation
from verifier.show.pictures.failures import FailureMap
from verifier.show.site.finding_pages import card
from verifier.show.site.judged import Judged, link
from verifier.show.site.own_pictures import own_pictures
from verifier.show.site.tables import table_path, tables
from verifier.show.site.templates import page
from verifier.show.summary import summary
from verifier.show.verdict_words import standing


def paper_page(judged: Judged, maps: Mapping[str, list[tuple[str, FailureMap]]]) -> str:
    """At most two screens."""
    paper = judged.paper
    theorems = [c for c in paper.statements() if c.name.partition("-")[0] in MAIN]
    return page(
        "paper.html.jinja",
        f"{judged.folder}/index.html",
        paper.title,
        here=judged,
        summary=summary(paper, judged.run, judged.listings),
        theorems=[_theorem(judged, c) for c in theorems],
        readings=list(paper.readings.items()) if judged.run.readings else [],
        cards=[card(judged, o, maps[o.finding.id]) for o in judged.serious],
        lesser=[{"entry": o.finding.entry, "href": judged.finding_page(o)} for o in judged.lesser],
        tables=[(t.source.file.title, table_path(judged, name)) for name, t in tables(judged).items()],
        has_pictures=bool(theorems or own_pictures(paper)),
        citation=citation(paper),
    )


def _theorem(judged: Judged, claim: Claim) -> dict[str, Any]:
    """A sentence: what is true of it, and what the paper's proof establishes."""
    stated, printed, repaired = (standing(claim, judged.results(claim, e)) for e in Edition)
    as_stated = printed.replace("holds", "true").replace("fails", "false") == stated
    return {
        **link(judged, claim.id),
        "stated": stated,
        "printed": "" if as_stated else printed,
        "repaired": repaired,
        "signs": judged.signs(claim),
    }


def home(papers: Sequence[Judged]) -> str:
    """All papers."""
    return page(
        "home.html.jinja",
        "index.html",
        "Bitreferee",
        papers=[
            {
                "here": each,
                "href": f"{each.folder}/index.html",
                "badge": badge(each.listings),
                "summary": summary(each.paper, each.run, each.listings),
                "counts": {kind: sum(1 for o in each.listings if o.finding.kind == kind) for kind in CLASSES},
                "serious": [{"entry": o.finding.entry, "href": each.finding_page(o)} for o in each.serious[:3]],
            }
            for each in papers
        ],
    )
