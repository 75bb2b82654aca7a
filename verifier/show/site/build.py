"""All files of the site, from the runs of the papers: front pages, evidence, index and the pages of statements, constructions and findings.

The page of a result asks: is it true, does the printed proof work, what to correct? Its steps and evidence are folded. The page of a
construction shows the printed table beside the corrected one, marks changed cells, and has for each erratum the failure without it.
The same runs always make the same site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

import msgspec
from markupsafe import Markup

from verifier.claims.model import Claim
from verifier.claims.records import Table
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.by_name import named_errata
from verifier.errata.findings import MEANING, SERIOUS
from verifier.errata.listings import Listing, TableErratum
from verifier.gate.gallery import Entry
from verifier.gate.standing import EVIDENCE, MARKS, STATUSES, proof_of
from verifier.networks.errata import ClauseEntry, PromiseEntry, TableErrata
from verifier.networks.errata import TableErratum as ErratumOfTable
from verifier.networks.records import ConstructionFile
from verifier.running.grouping import grouped
from verifier.running.limits import Advance, silent
from verifier.running.shelf import SHELF
from verifier.show.answer_screen import counted_steps
from verifier.show.answers import alike, decided, text_of
from verifier.show.badges import citation
from verifier.show.corrections import WEIGHTS, correction_rows, corrections_of, entry_words
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.gallery_page import question
from verifier.show.gallery_page import summary as gallery_summary
from verifier.show.judged import Judged
from verifier.show.notation.mathml import sentence
from verifier.show.notation.plain import plain, shown
from verifier.show.own_pages import own_pictures
from verifier.show.pages import gravest
from verifier.show.pictures.drawing import style
from verifier.show.pictures.lengths import gallery_picture as lengths
from verifier.show.site.finding_pages import card, failure_maps, finding_page, object_of
from verifier.show.site.graph import graph_page
from verifier.show.site.reference import documents, glossary, terms, trust, words
from verifier.show.site.templates import asset, page
from verifier.show.site.traces import network_pages, replayed, trace_page
from verifier.show.theorems import theorems
from verifier.show.verdict_words import spelled, titled

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
        pictures=[{"entry": p, "picture": drawn.inside()} for p in own_pictures(paper) if (drawn := p.drawn(paper.package))],
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


STEPS = {
    "argument": ("What its proof and remarks say, step by step", "Marks say whether a step is true."),
    "aside": ("Asides", "Nothing rests on these."),
    "ours": ("What we asked besides", "The paper does not claim these."),
}
"""The headings of the paper's steps by their roles, and of ours."""
MATH = r'<span class="math" role="math" aria-label="{}">.*?</math>(?:[^<]*</span>)?</span>'
"""A piece of mathematics in a sentence, by the words that are read aloud."""
MARKUP = re.compile("(" + MATH.format('[^"]*') + "|<code>.*?</code>|<[^>]*>)")


def statement_page(judged: Judged, claim: Claim, traces: Mapping[str, object] = MappingProxyType({})) -> str:
    """Write one result with its steps. traces: by finding, what its trace shows, or None if it has none."""
    found, order = judged.standing(claim), judged.paper.order
    place = order.index(claim.name)
    about = {f.id for f in found.findings}
    concerned = [o for o in judged.listings if o.finding.id in about]
    names = named_errata(step for q in found.questions for step in proof_of(q.claim).values())
    by_reading = any(a.reading for q in found.questions for a in q.answers)
    steps = grouped(("ours" if step.ours else step.role, step) for step in claim.steps)
    return page(
        "statement.html.jinja",
        judged.page(claim.id),
        titled(claim.name),
        here=judged,
        claim=claim,
        lead=carded(judged, claim.statement),
        standing=found,
        section=next(title for title, names in judged.paper.sections if claim.name in names),
        readings={name: shown(says) for name, says in judged.paper.readings.items()} if by_reading else {},
        evidence={kind: EVIDENCE[kind] for kind in found.kinds},
        theorems=theorems([claim, *(q.claim for q in found.questions)]),
        findings=concerned,
        traced=[o for o in concerned if o.finding.kind in SERIOUS and traces.get(o.finding.id) is not None],
        objects=[(o, made) for o in concerned if found.says_false and (made := object_of(judged.paper, o)) is not None][:1],
        changes=list(dict.fromkeys(row[:3] for o in concerned for row in correction_rows(judged.paper, o.finding, names))),
        steps=[
            (
                *told,
                [_step(judged, step) for step in steps[role]],
                "; ".join(counted_steps([judged.standing(step) for step in steps[role]])),
            )
            for role, told in STEPS.items()
            if role in steps
        ],
        before=f"{judged.paper.id}/{order[place - 1]}" if place else None,
        after=f"{judged.paper.id}/{order[place + 1]}" if place + 1 < len(order) else None,
    )


def carded(judged: Judged, text: str) -> Markup:
    """Write a sentence in which the first mention of each word of the paper's glossary leads there, and shows its meaning on hovering."""
    pieces = MARKUP.split(sentence(spelled(text)))
    for number, term in enumerate(terms(judged), 1):
        link = f'<a class="term" href="../../glossary.html#{judged.paper.id}-{number}" title="{escape(shown(term.says))}">'
        named = re.compile(rf"\b{re.escape(term.name)}\b"), re.compile(MATH.format(re.escape(escape(shown(term.name)))))
        for place, piece in enumerate(pieces):
            if (found := named[place % 2].search(piece)) is not None and "<a " not in piece:
                pieces[place] = f"{piece[: found.start()]}{link}{found[0]}</a>{piece[found.end() :]}"
                break
    return Markup("".join(pieces))


def _step(judged: Judged, claim: Claim) -> dict[str, Any]:
    """A step: whether it holds, its first counterexample, its correction."""
    refuted = [r for r in judged.run.results[claim.id] if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    failing = next((r for r in refuted if claim.not_meant(r.parameters) is None), next(iter(refuted), None))
    return {
        "claim": claim,
        "standing": judged.standing(claim),
        "failing": (in_a_line(of_result(failing)) or failing.outcome.reason or "") if failing else "",
        "replay": failing.replay if failing else None,
        "changes": corrections_of(judged.paper, claim),
        "theorems": theorems([claim]),
    }


def finding_list(judged: Judged) -> str:
    """Every finding by its class, with its place."""
    kinds = grouped((listing.finding.kind, listing) for listing in judged.listings)
    return page("findings.html.jinja", f"{judged.folder}/findings/index.html", "Findings", here=judged, kinds=kinds.items())


def statement_list(judged: Judged) -> str:
    """Every statement in the paper's order, with its mark."""
    return page("statements.html.jinja", f"{judged.folder}/statements/index.html", "Statements", here=judged)


Cell = dict[str, Any]


def table_page(judged: Judged, table: Table) -> str:
    """The page of one construction."""
    source = table.source
    printed, repaired = source.file, source.repaired() if source.errata else None
    places = {at: e.name for e in (source.errata.erratum if source.errata else ()) for at in e.places}
    return page(
        "table.html.jinja",
        judged.table_page(table.name),
        printed.title,
        here=judged,
        file=printed,
        errata=list(_errata(judged, table, source.errata)) if source.errata else [],
        domain=source.errata,
        sides=[Side(printed, None, places)] + ([Side(repaired, printed, places)] if repaired else []),
        weights=WEIGHTS,
        claims=judged.links([c.id for c in judged.claims.values() if c.table is not None and c.table.name == table.name]),
    )


def _errata(judged: Judged, table: Table, errata: TableErrata) -> Iterator[dict[str, Any]]:
    """List each erratum, promise and clause with the failure that appears without it."""
    known: Mapping[str, TableErratum] = {
        e.name: e for listed in judged.run.errata.values() for e in listed if e.table == f"{table.name}.toml"
    }
    made: list[tuple[ErratumOfTable | PromiseEntry | ClauseEntry, str, str, str]] = []
    made += [(e, "; ".join(map(entry_words, e.places)), str(e.printed), str(e.repaired)) for e in errata.erratum]
    made += [(promise, "the promise", "nothing", promise.condition) for promise in errata.promise]
    made += [(clause, f"the tokens {clause.i}", "nothing", f"read {clause.reads}") for clause in errata.clause]
    for entry, place, printed, repaired in made:
        without = known[entry.name].without if entry.name in known else ""
        yield {"name": entry.name, "place": place, "printed": printed, "repaired": repaired, "why": entry.why, "without": without}


class Side:
    """One edition of a table, whose cells a page requests by the places of errata and by the path in the file."""

    def __init__(self, file: ConstructionFile, before: ConstructionFile | None, places: Mapping[str, str]) -> None:
        """``before`` is the printed table, for the cells that changed; places: the erratum of each place."""
        self.file, self.printed, self.places = file, before is None, places
        self.new, self.old = msgspec.to_builtins(file), msgspec.to_builtins(before or file)
        by_step = {row["step"]: row for row in self.old["row"]}
        self.old["row"] = [by_step.get(row["step"], row) for row in self.new["row"]]
        self.old["input"] += self.new["input"][len(self.old["input"]) :]  # a clause that is added is no changed cell

    def cell(self, at: str, *path: str | int) -> Cell:
        """A cell: its text, whether it changed, and the erratum that it leads to."""
        text = _text(_within(self.new, path))
        changed = text != _text(_within(self.old, path))
        erratum = self.places.get(at) or next((name for place, name in self.places.items() if place.startswith(f"{at}.")), "")
        return {"text": text, "changed": changed, "erratum": erratum if changed or self.printed else ""}

    def vector(self, at: str, *path: str | int) -> list[Cell] | None:
        """The cells of a vector; None for a row without a vector for this bit."""
        entries = _within(self.new, path)
        return None if entries is None else [self.cell(f"{at}.{k + 1}", *path, k) for k in range(len(entries))]


def _within(content: Any, path: tuple[str | int, ...]) -> Any:
    """The content of a place, or empty if it has none."""
    for key in path:
        if isinstance(content, list) and isinstance(key, int) and key >= len(content):
            return ""
        content = content[key]
    return content


def _text(entry: Any) -> str:
    """The text of an entry in the file."""
    match entry:
        case {"entry": inner, "for": name, "in": where} | {"row": inner, "for": name, "in": where}:
            return f"{_text(inner)} for {name} in {where}"
        case {"matrix": rows, "times": times}:
            return f"[{'; '.join(map(_text, rows))}]{'' if times == '1' else f' · {times}'}"
        case {"bits": bits, "t": t, "e": e}:
            return f"{bits} bits" if bits is not None else f"t = {t}, e = {e}"
        case list():
            return ", ".join(map(_text, entry))
    return "" if entry is None else str(entry)


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
    yield f"{judged.folder}/findings/index.html", finding_list(judged)
    yield f"{judged.folder}/statements/index.html", statement_list(judged)
    for claim in judged.paper.statements():
        yield judged.page(claim.id), statement_page(judged, claim, traces)
    for name, table in judged.tables.items():
        yield judged.table_page(name), table_page(judged, table)
    yield f"{judged.folder}/graph.html", graph_page(judged)
