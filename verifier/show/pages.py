"""One Markdown page for each paper: the letter that a referee sends. What holds comes first; tables, traces and steps are on the site."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.findings import CLASSES, MEANING, SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.running.errors import InputError
from verifier.running.shelf import SHELF
from verifier.show.corrections import corrections, with_slots
from verifier.show.counterexamples import in_a_line, of_listing
from verifier.show.facts import number
from verifier.show.main_results import LONGEST_ANSWER, STATUSES, MainResult, abridged, together
from verifier.show.markdown import Written, cell, code, inline
from verifier.show.notation.plain import plain
from verifier.show.own_pages import own_pages
from verifier.show.summary import Summary
from verifier.show.theorems import leading
from verifier.show.verdict_words import groups, of_edition, titled

if TYPE_CHECKING:
    from jinja2 import Template

GENERATED = Written("<!-- Written by `verify report`; edit the claims and the findings, not this page. -->")
MAJOR, WRONG, LISTED = ("false", "broken"), "wrong", ("slip", "edge")
BRIEF = 40
"""The cause of a finding in a letter: its first sentences, up to so many words and the end of the sentence."""
MOST_EXPLAINED = 3
"""How many points of a letter have their cause; the others have their example and correction, and their cause is on the site."""
MOST_FULL = 4
"""So many points have their example and replay; of the others ``verify findings`` shows them."""
MOST_LISTED = 4
"""Slips of one class that are told; of the others the place is named."""
MOST_OPEN = 4


@lru_cache(maxsize=2)
def template(name: str) -> Template:
    """A template of this folder, with the filters that pages use."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        finalize=lambda value: inline(value) if isinstance(value, str) else value,
    )
    environment.filters |= {
        "cell": cell,
        "code": code,
        "titled": titled,
        "number": number,
        "sentence": plain,
        "head": head,
    }
    return environment.from_string((files("verifier.show") / name).read_text(encoding="utf-8"))


def page(paper: Paper, run: Run) -> str:
    """The letter on a paper; the same run always makes the same page."""
    summary = Summary(paper, run)
    numbered = [_finding(paper, listing, at) for at, listing in enumerate(summary.listings, 1)]
    return template("page.md.jinja").render(
        generated=GENERATED,
        paper=paper,
        summary=summary,
        results=together(summary.results),
        parameters=parameters_named(summary.results),
        existence=existence(summary.results),
        readings=[(paper.called[name], says) for name, says in paper.readings.items()] if run.readings else [],
        major=[f for f in numbered if f["class"] in MAJOR],
        wrong=[f for f in numbered if f["class"] == WRONG],
        minor=[(kind, *_few(found)) for kind in LISTED if (found := _by_place([f for f in numbered if f["class"] == kind]))],
        misprints=[(place, len(titles)) for place, titles in _by_place([f for f in numbered if f["class"] not in (*SERIOUS, *LISTED)])],
        meaning=MEANING,
        open=[*summary.letter.open, *_undecided(paper, run)],
        full=MOST_FULL,
        verify=SHELF.program(paper.id),
        own=[{"name": own.name, "says": own.entry.says} for own in own_pages(paper)],
    )


def overview(listed: Sequence[Paper], runs: Mapping[str, Run]) -> str:
    """``reports/README.md``: all papers, a line each, how their main results stand, and where to read and check the rest."""
    return template("overview.md.jinja").render(
        generated=GENERATED,
        papers=[{"paper": paper, "summary": Summary(paper, runs[paper.id])} for paper in listed],
        classes=CLASSES,
        meaning=MEANING,
        statuses=STATUSES,
    )


def _finding(paper: Paper, listing: Listing, at: int) -> dict[str, Any]:
    entry = listing.finding.entry
    return {
        "number": at,
        "class": entry.kind,
        "title": entry.title,
        "place": entry.place,
        "cause": brief(entry.says) if at <= MOST_EXPLAINED and entry.kind == "false" else "",
        "example": example(listing),
        "correction": correction(paper, listing),
        "change": _without_place(correction(paper, listing), entry.place),
        "full": at <= MOST_FULL,
        "replay": listing.replay,
        "name": entry.id,
    }


def parameters_named(results: Sequence[MainResult]) -> list[tuple[str, str]]:
    """The parameters that the answers name, each with its meaning: the shortest that a claim gives, without its conditions."""
    rows = [row for result in results for row in result.rows]
    said = " ".join(answer.brief for row in rows for answer in row.answers)
    meanings: dict[str, list[str]] = {}
    for parameter in (p for row in rows for p in row.claim.parameters if re.search(rf"\b{p.name} (?:=|>=) ", said)):
        meanings.setdefault(parameter.name, []).append(re.split("[,;]", parameter.meaning)[0])
    return [(name, min(listed, key=len)) for name, listed in meanings.items()]


def existence(results: Sequence[MainResult]) -> list[str]:
    """For results that say that something exists: that their rows are about the one in the proof, where they are claims of their own."""
    named: dict[str, list[str]] = {}
    for result in results:
        if result.claim.exists and all(row.claim is not result.claim for row in result.rows):
            named.setdefault(result.claim.exists, []).append(result.name)
    return [
        f"{', '.join(names)}: the rows are about the {what} of the proof; the statement claims only that some {what} works."
        for what, names in named.items()
    ]


def _without_place(sentence: str, place: str) -> str:
    """A correction behind its place: ``Read 2 for 1/2.`` for ``In Table 5, read 2 for 1/2.`` where the place is in Table 5."""
    found = re.match(r"In ([^,]+), (\w)", sentence)
    return f"{found[2].upper()}{sentence[found.end() :]}" if found and found[1] in place else sentence


def head(place: str) -> str:
    """The beginning of a place: ``Appendix B.2, Table 6`` of ``Appendix B.2, Table 6, steps 1, 11 and 19``."""
    first = re.split(r"; |: |, against | \((?!\d+\))", place)[0]
    return ", ".join(re.split(r", (?=[A-Za-z])", first)[:2])


def _by_place(found: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """The titles by the section or item of the paper that they are about, in the findings' order."""
    groups: dict[str, list[str]] = {}
    for finding in found:
        groups.setdefault(re.split(r", (?=[A-Za-z])", head(finding["place"]))[0], []).append(finding["title"])
    return list(groups.items())


def _few(found: list[tuple[str, list[str]]]) -> tuple[list[tuple[str, list[str]]], list[tuple[str, list[str]]]]:
    """The places whose titles are told, and those that are only named."""
    at = next((k for k in range(len(found)) if sum(len(titles) for _, titles in found[: k + 1]) > MOST_LISTED), len(found))
    return found[: max(at, 1)], found[max(at, 1) :]


def example(listing: Listing) -> str:
    """The smallest counterexample in a sentence: as the finding puts it, or the values by name."""
    found = listing.counterexample or {}
    if found and listing.finding.entry.example:
        try:
            return with_slots(" ".join(listing.finding.entry.example.split()), found)
        except KeyError as error:
            raise InputError(f"finding {listing.finding.id}: its example has no {error}; there are {', '.join(found)}") from None
    return f"Smallest example: {in_a_line(of_listing(listing))}." if found else ""


def correction(paper: Paper, listing: Listing) -> str:
    """The change that the authors would make: the finding's own sentence, or that of its first erratum that fits one."""
    if listing.finding.entry.correction:
        return " ".join(listing.finding.entry.correction.split())
    return next((c.said for c in corrections(paper, listing.finding) if c.in_words or (c.short and c.entry)), "")


def brief(text: str) -> str:
    """The first sentences, up to :data:`BRIEF` words and the end of that sentence."""
    said: list[str] = []
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z'(])", " ".join(text.split())):
        if said and len(" ".join([*said, sentence]).split()) > BRIEF:
            break
        said.append(sentence)
    return " ".join(said)


def _undecided(paper: Paper, run: Run) -> list[str]:
    """The statements that no theorem decides and that are open somewhere, those of one reason together, each with the parameters
    where it is open if it is decided elsewhere. The claims that a reason names are on the site.
    """
    lines: dict[str, list[str]] = {}
    default = read_semantics(next(iter(paper.readings)))
    for claim in paper.statements():
        theorems, left = leading(claim, default, of_edition(run.results[claim.id], Edition.STATEMENT))
        if open_ := [r for r in left if r.verdict is Verdict.OPEN]:
            where = f" ({_where(claim, open_)})" if theorems or len(open_) < len(left) else ""
            outcome = open_[0].outcome
            lines.setdefault(outcome.undecided or outcome.reason or "no evidence", []).append(f"{titled(claim.name)}{where}")
    return [f"{', '.join(names[:MOST_OPEN])}{' and others' if len(names) > MOST_OPEN else ''}: {why}." for why, names in lines.items()]


def _where(claim: Claim, results: Sequence[Result]) -> str:
    """The parameters of results that share a word, or the first of many."""
    (group,) = groups(claim, results)
    said = "; ".join(group.at)
    return (said if len(said.split()) <= LONGEST_ANSWER else abridged(group.at)) or group.word
