"""All files of the site, from the runs of the papers: front pages, evidence, index and the pages of statements and findings.

The same runs always make the same site.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from verifier.claims.model import Claim
from verifier.errata.findings import CLASSES, MEANING
from verifier.errata.listings import Listing
from verifier.gate.gallery import Entry
from verifier.gate.standing import EVIDENCE, MARKS, STATUSES
from verifier.running.limits import Advance, silent
from verifier.running.shelf import SHELF
from verifier.show.answers import alike, decided, text_of
from verifier.show.badges import citation
from verifier.show.gallery_page import question
from verifier.show.gallery_page import summary as gallery_summary
from verifier.show.judged import Judged
from verifier.show.notation.plain import plain
from verifier.show.own_pages import own_pictures
from verifier.show.pages import gravest
from verifier.show.pictures.drawing import style
from verifier.show.pictures.lengths import gallery_picture as lengths
from verifier.show.site.finding_pages import card, failure_maps, finding_page
from verifier.show.site.graph import graph_page
from verifier.show.site.reference import documents, glossary, trust, words
from verifier.show.site.statement_pages import statement_list, statement_page
from verifier.show.site.tables import table_page
from verifier.show.site.templates import asset, page
from verifier.show.site.traces import network_pages, replayed, trace_page
from verifier.show.verdict_words import titled

STATEMENT, STEP, FINDING, WORD = range(4)
"""The kinds of rows of the index."""


def index(papers: Iterable[Judged], networks: Sequence[Entry] = ()) -> str:
    """``assets/claims.js``."""
    listed = list(papers)
    rows = [_row(judged, claim) for judged in listed for claim in judged.claims.values()]
    rows += [_finding(judged, each) for judged in listed for each in judged.listings]
    rows += [_word(name, says, "glossary.html") for name, says in words(listed)]
    rows += [_word(section.title, section.says, section.page) for each in documents() for section in each.sections]
    for each in networks:
        says = f"gallery of transformers: {each.id}; {question(each)}; its authors assume {each.assumes}. {each.note}"
        rows.append(_word(each.title, says, f"gallery/index.html#about-{each.id}"))
    return f"window.CLAIMS = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n".replace("</", "<\\/")


def _row(judged: Judged, claim: Claim) -> list[Any]:
    """Paper, name, sentence, place, page, standing, answer, findings, kind."""
    found = judged.standing(claim)
    answer = text_of(found)
    return [
        judged.paper.id,
        titled(claim.name),
        plain(claim.statement),
        plain(claim.place),
        judged.page(claim.id),
        found.status,
        plain(answer) if answer != found.status else "",
        [o.finding.entry.id for o in judged.findings_of.get(claim.id, ())],
        STATEMENT if claim.role is None else STEP,
    ]


def _finding(judged: Judged, listing: Listing) -> list[Any]:
    """A finding as a row."""
    entry = listing.finding.entry
    says = f"{entry.title}. {' '.join(entry.says.split())}"
    name, page = f"{entry.kind} finding", judged.finding_page(listing)
    return [judged.paper.id, name, plain(says), plain(entry.place), page, "", "", [entry.id], FINDING]


def _word(name: str, says: str, page: str) -> list[Any]:
    return ["", name, plain(says), "", page, "", "", [], WORD]


def paper_page(judged: Judged) -> str:
    """The paper's claims, the standing of its main results, and its findings."""
    paper = judged.paper
    return page(
        "paper.html.jinja",
        f"{judged.folder}/index.html",
        paper.title,
        here=judged,
        results=[(group, decided(group)) for group in alike(judged.main)],
        evidence=EVIDENCE,
        readings=paper.readings if judged.run.readings else {},
        cards=[card(judged, o) for o in judged.serious],
        lesser=[(kind, listed) for kind in CLASSES if (listed := [o for o in judged.lesser if o.finding.kind == kind])],
        pictures=[{"entry": p.entry, "picture": drawn.inside()} for p in own_pictures(paper) if (drawn := p.drawn())],
        citation=citation(paper),
        verify=SHELF.program(paper.id),
    )


def home(papers: Sequence[Judged], networks: Sequence[Entry] = ()) -> str:
    """The home page: the papers, their main results and findings, and the gallery of transformers."""
    return page(
        "home.html.jinja",
        "index.html",
        "Bitreferee",
        networks=gallery_summary(networks) if networks else [],
        papers=papers,
        gravest=gravest(papers),
        statuses={name: says for name, says in STATUSES.items() if any(each.statuses[name] for each in papers)},
        classes=list(MEANING.items()),
    )


def site_files(papers: Sequence[Judged], advance: Advance = silent, networks: Sequence[Entry] = ()) -> dict[str, str]:
    """Every file by its path in the site's folder. networks: the run of the gallery of transformers, if it is shown."""
    files = dict(_shared(papers, networks))
    files |= dict(network_pages(networks, lengths(networks).inside())) if networks else {}
    steps = sum(len(each.paper.order) + len(each.listings) for each in papers)
    for each in papers:
        for path, text in _paper(each):
            files[path] = text
            advance("pages", min(len(files), steps), steps)
    return files


def _shared(papers: Sequence[Judged], networks: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    yield "index.html", home(papers, networks)
    yield (
        "search.html",
        page("search.html.jinja", "search.html", "Search", papers=[j.paper for j in papers], statuses=list(MARKS)),
    )
    yield "glossary.html", glossary(papers)
    yield "trust.html", trust(papers)
    yield from ((each.path, each.html) for each in documents())
    yield "assets/site.css", style() + asset("site.css")
    yield "assets/site.js", asset("site.js")
    yield "assets/claims.js", index(papers, networks)


def _paper(judged: Judged) -> Iterator[tuple[str, str]]:
    traces = {o.finding.id: replayed(o.smallest) for o in judged.listings}
    maps = {o.finding.id: failure_maps(o, traces[o.finding.id]) for o in judged.listings}
    yield f"{judged.folder}/index.html", paper_page(judged)
    for listing in judged.listings:
        found = traces[listing.finding.id]
        yield judged.finding_page(listing), finding_page(judged, listing, found, maps[listing.finding.id])
        if found is not None:
            yield judged.trace_page(listing), trace_page(judged, listing, found)
    yield f"{judged.folder}/statements/index.html", statement_list(judged)
    for claim in judged.paper.statements():
        yield judged.page(claim.id), statement_page(judged, claim)
    for name, table in judged.tables.items():
        yield judged.table_page(name), table_page(judged, table)
    yield f"{judged.folder}/graph.html", graph_page(judged)
