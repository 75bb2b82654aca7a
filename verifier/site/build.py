"""All files of the site, from the runs of the papers: the same runs always make the same site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.pictures.drawing import style
from verifier.site.finding_pages import failure_maps, finding_page
from verifier.site.front import home, paper_page
from verifier.site.gallery import gallery
from verifier.site.graph import graph_page
from verifier.site.judged import Judged
from verifier.site.reference import glossary, trust
from verifier.site.search import index
from verifier.site.statement_pages import statement_list, statement_page
from verifier.site.tables import table_page, table_path, tables
from verifier.site.templates import asset, page
from verifier.site.traces import replayed, trace_page, trace_path
from verifier.statements.work import Advance, silent
from verifier.verdicts import Edition


def site_files(papers: Sequence[Judged], advance: Advance = silent) -> dict[str, str]:
    """Every file by its path in the site's folder."""
    files = dict(_shared(papers))
    steps = sum(len(each.paper.order) + len(each.outcomes) for each in papers)
    for each in papers:
        for path, text in _paper(each):
            files[path] = text
            advance("pages", min(len(files), steps), steps)
    return files


def _shared(papers: Sequence[Judged]) -> Iterator[tuple[str, str]]:
    yield "index.html", home(papers)
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
    traces = {o.mistake.id: replayed(o.smallest) for o in judged.outcomes}
    maps = {o.mistake.id: failure_maps(o, traces[o.mistake.id]) for o in judged.outcomes}
    yield f"{judged.folder}/index.html", paper_page(judged, maps)
    for outcome in judged.outcomes:
        found = traces[outcome.mistake.id]
        yield judged.finding_page(outcome), finding_page(judged, outcome, found, maps[outcome.mistake.id])
        if found is not None:
            yield trace_path(judged, outcome), trace_page(judged, outcome, found)
    yield f"{judged.folder}/statements/index.html", statement_list(judged)
    for claim in judged.paper.statements():
        yield judged.page(claim.id), statement_page(judged, claim)
    for name, table in tables(judged).items():
        yield table_path(judged, name), table_page(judged, table)
    yield f"{judged.folder}/graph.html", graph_page(judged)
    yield f"{judged.folder}/pictures.html", gallery(judged, maps)
