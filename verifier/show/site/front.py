"""The first page of a paper, and that of the site: what holds, what does not, and how each main result stands."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.errata.findings import CLASSES, MEANING, SERIOUS
from verifier.gate.gallery import Entry
from verifier.running.shelf import SHELF
from verifier.show.badges import citation
from verifier.show.gallery_page import summary as gallery_summary
from verifier.show.main_results import STATUSES, alike
from verifier.show.site.finding_pages import card
from verifier.show.site.judged import Judged
from verifier.show.site.tables import table_path, tables
from verifier.show.site.templates import page


def paper_page(judged: Judged) -> str:
    """What the paper claims, how its main results stand, and its findings."""
    paper = judged.paper
    return page(
        "paper.html.jinja",
        f"{judged.folder}/index.html",
        paper.title,
        here=judged,
        summary=judged.summary,
        results=alike(judged.summary.results),
        readings=[(paper.called[name], name, says) for name, says in paper.readings.items()] if judged.run.readings else [],
        serious_kinds=SERIOUS,
        cards=[card(judged, o) for o in judged.serious],
        lesser=[
            (kind, [{"entry": o.finding.entry, "href": judged.finding_page(o)} for o in listed])
            for kind in CLASSES
            if (listed := [o for o in judged.lesser if o.finding.kind == kind])
        ],
        tables=[(t.source.file.title, table_path(judged, name)) for name, t in tables(judged).items()],
        citation=citation(paper),
        verify=SHELF.program(paper.id),
    )


def home(papers: Sequence[Judged], networks: Sequence[Entry] = ()) -> str:
    """All papers: what they are about, how their main results stand, what was found in them; and the gallery of transformers."""
    return page(
        "home.html.jinja",
        "index.html",
        "Bitreferee",
        networks=gallery_summary(networks) if networks else [],
        papers=[{"here": each, "href": f"{each.folder}/index.html", "summary": each.summary} for each in papers],
        statuses=STATUSES,
        classes=list(MEANING.items()),
    )
