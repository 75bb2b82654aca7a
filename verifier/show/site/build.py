"""All files of the site, from the runs of the papers: the same runs always make the same site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.claims.verdicts import Edition
from verifier.gate.gallery import Entry
from verifier.running.limits import Advance, silent
from verifier.show.pictures.drawing import style
from verifier.show.site.evidence_page import evidence_page, evidence_path
from verifier.show.site.finding_pages import failure_maps, finding_page
from verifier.show.site.front import home, paper_page
from verifier.show.site.gallery import gallery
from verifier.show.site.graph import graph_page
from verifier.show.site.judged import Judged
from verifier.show.site.networks import network_pages
from verifier.show.site.reference import glossary, trust
from verifier.show.site.search_index import index
from verifier.show.site.statement_pages import statement_list, statement_page
from verifier.show.site.tables import table_page, table_path, tables
from verifier.show.site.templates import asset, page
from verifier.show.site.traces import replayed, trace_page, trace_path


def site_files(papers: Sequence[Judged], advance: Advance = silent, networks: Sequence[Entry] = ()) -> dict[str, str]:
    """Every file by its path in the site's folder. networks: the run of the gallery of transformers, if it is shown."""
    files = dict(_shared(papers, networks))
    files |= dict(network_pages(networks)) if networks else {}
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
        page("search.html.jinja", "search.html", "Search", papers=[j.paper for j in papers], editions=[e.value for e in Edition]),
    )
    yield "glossary.html", glossary(papers)
    yield "trust.html", trust(papers)
    yield "assets/site.css", style() + asset("site.css")
    yield "assets/site.js", asset("site.js")
    yield "assets/claims.js", index(papers)


def _paper(judged: Judged) -> Iterator[tuple[str, str]]:
    traces = {o.finding.id: replayed(o.smallest) for o in judged.listings}
    maps = {o.finding.id: failure_maps(o, traces[o.finding.id]) for o in judged.listings}
    yield f"{judged.folder}/index.html", paper_page(judged)
    for listing in judged.listings:
        found = traces[listing.finding.id]
        yield judged.finding_page(listing), finding_page(judged, listing, found, maps[listing.finding.id])
        if found is not None:
            yield trace_path(judged, listing), trace_page(judged, listing, found)
    yield f"{judged.folder}/statements/index.html", statement_list(judged)
    for claim in judged.paper.statements():
        yield judged.page(claim.id), statement_page(judged, claim)
    for name, table in tables(judged).items():
        yield table_path(judged, name), table_page(judged, table)
    yield evidence_path(judged), evidence_page(judged)
    yield f"{judged.folder}/graph.html", graph_page(judged)
    yield f"{judged.folder}/pictures.html", gallery(judged, maps)
