"""One Markdown page for each paper: what a referee would send. The findings first, then every statement in a line with its steps folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from verifier.claims.papers import SHELF, Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import MEANING, SERIOUS
from verifier.errata.listings import Listing, listings
from verifier.gate.run import Run
from verifier.show.badges import citation
from verifier.show.findings_document import counted
from verifier.show.markdown import cell
from verifier.show.page_lines import main_lines, statement_line
from verifier.show.summary import summary
from verifier.show.verdict_words import of_edition, titled

if TYPE_CHECKING:
    from jinja2 import Template

GENERATED = "<!-- Written by `verify report`; edit the claims and the findings, not this page. -->"
ALIKE = 3
"""How many errata that share a reason are shown; the others are counted."""


@lru_cache(maxsize=2)
def template(name: str) -> Template:
    """A template of this folder, with the filters that pages use."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"cell": cell, "text": escape, "titled": titled}
    return environment.from_string((files("verifier.show") / name).read_text(encoding="utf-8"))


def page(paper: Paper, run: Run) -> str:
    """The page of a paper; the same run always makes the same page."""
    listed = listings(paper, run.results, run.follows)
    serious = [o for o in listed if o.finding.kind in SERIOUS]
    numbers = {o.finding.entry.id: number for number, o in enumerate(listed, 1)}
    by_claim: dict[str, list[int]] = {}
    for listing in listed:
        for claim in listing.follows.every:
            by_claim.setdefault(claim, []).append(numbers[listing.finding.entry.id])
    return template("page.md.jinja").render(
        generated=GENERATED,
        paper=paper,
        summary=summary(paper, run, listed),
        main=list(main_lines(paper, run)),
        readings=list(paper.readings.items()) if run.readings else [],
        serious=[_finding(o, numbers, run) for o in serious],
        others=[_finding(o, numbers, run) for o in listed if o.finding.kind not in SERIOUS],
        meaning=MEANING,
        errata=[row for o in serious for row in _errata(paper, o, numbers, run)],
        sections=[(title, [statement_line(paper.statement(n), run, by_claim) for n in names]) for title, names in paper.sections],
        assumed=_assumed(run),
        open=_undecided(paper, run),
        citation=citation(paper),
        verify=SHELF.program(paper.id),
    )


def _finding(listing: Listing, numbers: Mapping[str, int], run: Run) -> dict[str, Any]:
    def linked(claims: Sequence[str]) -> str:
        return ", ".join(c.partition("/")[2] for c in claims)

    entry, follows = listing.finding.entry, listing.follows
    also = {c: f" (also {', '.join(str(numbers[o]) for o in others)})" if others else "" for c, others in listing.others.items()}
    anyway = [f"{c.partition('/')[2]}{text}" for c, text in also.items()]
    found = listing.counterexample or {}
    return {
        "number": numbers[entry.id],
        "entry": entry,
        "says": " ".join(entry.says.split()),
        "smallest": ", ".join(f"{k} = {v}" for k, v in found.items()),
        "alone": _alone(listing, run),
        "replay": listing.replay,
        "counted": counted(listing),
        "follows": [
            (name, text)
            for name, text in (
                ("fails because of this", linked(follows.fails)),
                ("blocked by this", linked(follows.blocked)),
                ("fails anyway", ", ".join(anyway)),
            )
            if text
        ],
    }


def _alone(listing: Listing, run: Run) -> str:
    """What fails where everything is repaired but an erratum of the finding: the first such, of the table whose failure is shown."""
    shown = listing.finding.shown
    if shown.table is None or shown.table.claim != shown.id:
        return ""
    names = {name.partition("/")[2] for name in listing.finding.errata if name.startswith(f"{shown.table.name}/")}
    listed = [e for errata in run.errata.values() for e in errata if e.table == shown.table.file_name and e.name in names]
    return f"{listed[0].without} ({listed[0].table.removesuffix('.toml')}/{listed[0].name})" if listed else ""


def _errata(paper: Paper, listing: Listing, numbers: Mapping[str, int], run: Run) -> Iterator[dict[str, Any]]:
    """The errata of a finding as rows, those with one reason together: printed → smallest example → repaired → what fails without it."""
    without = {f"{e.table.removesuffix('.toml')}/{e.name}": e.without for listed in run.errata.values() for e in listed}
    groups: dict[str, list[str]] = {}
    for at, erratum in listing.finding.errata.items():
        groups.setdefault(erratum.why, []).append(at)
    for why, places in groups.items():
        errata = [listing.finding.errata[at] for at in places]
        more = len(places) - ALIKE
        fails = next((without[at] for at in places if at in without), None) or _fails_without(paper, places, run)
        yield {
            "number": numbers[listing.finding.entry.id],
            "at": ", ".join(places[:ALIKE]) + (f" and {more} alike" if more > 0 else ""),
            "printed": _distinct([e.printed for e in errata]),
            "repaired": _distinct([e.repaired for e in errata]),
            "why": why,
            "without": fails,
        }


def _distinct(texts: Sequence[str]) -> str:
    listed = list(dict.fromkeys(texts))
    return "; ".join(listed[:ALIKE]) + ("; …" if len(listed) > ALIKE else "")


def _fails_without(paper: Paper, places: Sequence[str], run: Run) -> str:
    """The smallest counterexample of a claim whose own erratum it is, where the claim is meant if it fails there."""
    for place in places:
        for claim in (c for c in paper if c.name == place.partition("#")[0]):
            refuted = [r for r in run.results.get(claim.id, ()) if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
            if refuted:
                first = min(refuted, key=lambda r: claim.not_meant(r.parameters) is not None)
                values = {k: str(v) for k, v in first.parameters.items()} | dict(first.outcome.counterexample or {})
                return ", ".join(f"{k} = {v}" for k, v in values.items()) or (first.outcome.reason or "")
    return "–"


def _assumed(run: Run) -> list[tuple[str, int]]:
    """The assumptions that a statement or what is printed rests on somewhere, with the number of claims."""
    found: dict[str, set[str]] = {}
    for result in run.every_result:
        if result.edition is not Edition.REPAIRED and result.verdict is Verdict.CONDITIONAL:
            for name in result.outcome.assumptions:
                found.setdefault(name, set()).add(result.claim)
    return sorted((name, len(claims)) for name, claims in found.items())


def _undecided(paper: Paper, run: Run) -> list[str]:
    """Where a statement or step is open, and why."""
    lines: dict[str, list[str]] = {}
    for claim in paper:
        open_ = [r for r in of_edition(run.results[claim.id], Edition.STATEMENT) if r.verdict is Verdict.OPEN]
        if open_:
            lines.setdefault(open_[0].outcome.reason or "no evidence", []).append(claim.name)
    return [f"{', '.join(names[:4])}{f' and {len(names) - 4} more' if len(names) > 4 else ''}: {why}" for why, names in lines.items()]
