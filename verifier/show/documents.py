"""The JSON documents ``bitreferee/findings/1``, ``corrections/1``, ``run/1`` and ``claims/1``, and findings on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from verifier import __version__
from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Result
from verifier.errata.findings import CLASSES, MEANING, Finding
from verifier.errata.listings import Listing
from verifier.running.printable import json_text, many
from verifier.show.corrections import correction_rows, corrections
from verifier.show.counterexamples import in_a_line, of_listing
from verifier.show.notation.plain import shown
from verifier.show.screen import folded

SCHEMA = "bitreferee/findings/1"
CORRECTIONS = "bitreferee/corrections/1"
PROGRAM = {"name": "bitreferee", "version": __version__}


def finding_record(listing: Listing) -> dict[str, Any]:
    """One finding as the schema's ``finding``, with ``says`` and, for each claim, the other findings that make it fail."""
    finding, follows = listing.finding, listing.follows
    return {
        "id": finding.id,
        "paper": finding.paper.id,
        "class": finding.kind,
        "place": finding.entry.place,
        "title": finding.entry.title,
        "says": finding.entry.says.strip(),
        "about": [claim.id for claim in finding.about],
        "errata": [{"at": at, "printed": e.printed, "repaired": e.repaired, "why": e.why} for at, e in finding.errata.items()],
        "counterexample": listing.counterexample,
        "replay": listing.replay,
        "fails": list(follows.fails),
        "blocked": list(follows.blocked),
        "anyway": [{"claim": claim, "because": list(others)} for claim, others in listing.others.items()],
    }


def document(listed: Iterable[Listing]) -> dict[str, Any]:
    """All findings as the schema's document."""
    return {"schema": SCHEMA, "program": PROGRAM, "findings": [finding_record(o) for o in listed]}


def correction_lines(listed: Sequence[Finding]) -> Iterator[str]:
    """Our corrections in the order of the findings: where, what to read, for what."""
    for paper, of_paper in groupby(listed, lambda finding: finding.paper):
        rows = [(finding, row) for finding in of_paper for row in correction_rows(paper, finding)]
        mistakes = many(len({finding.id for finding, _ in rows}), "finding")
        yield f"{paper.id}: {many(len(rows), 'correction')} of {mistakes}: where, what to read, for what"
        for finding, told in groupby(rows, lambda each: each[0]):
            yield finding.entry.id
            for _, row in told:
                for name, text in zip(("where", "read", "for"), row[:3], strict=True):
                    yield from field(name, shown(text)) if text else ()


def corrections_as_json(listed: Iterable[Finding]) -> str:
    """The document ``bitreferee/corrections/1``: the same rows."""
    records = [
        {"paper": finding.paper.id, "finding": finding.id, "title": finding.entry.title, "where": where, "read": read, "for": instead}
        for finding in listed
        for where, read, instead, _ in correction_rows(finding.paper, finding)
    ]
    return json_text({"schema": CORRECTIONS, "program": PROGRAM, "corrections": records})


def counted(listing: Listing) -> str:
    """``This correction mends 11 claims, and 5 claims together with others.``"""
    follows = listing.follows
    only, also = len(follows.fails) + len(follows.blocked), len(follows.anyway)
    parts = [many(only, "claim")] * bool(only) + [f"{many(also, 'claim')} together with others"] * bool(also)
    head = "This correction mends" if listing.finding.errata else "This mistake refutes"
    return f"{head} {', and '.join(parts)}." if parts else "Nothing else fails because of this."


def lines(listed: Sequence[Listing]) -> Iterator[str]:
    """List the findings by class, each with its name, title and place."""
    for kind in CLASSES:
        of_kind = [o for o in listed if o.finding.kind == kind]
        if not of_kind:
            continue
        yield from folded(f"{kind} ({len(of_kind)}): {MEANING[kind]}", 2, 0)
        for listing in of_kind:
            entry = listing.finding.entry
            yield from folded(shown(f"{entry.id}: {entry.title} ({entry.place})"), 6, 2)


def field(name: str, text: str) -> list[str]:
    """A named text in 80 columns."""
    first, *rest = folded(" ".join(text.split()), 12)
    return [f"  {name:<10}{first.strip()}", *rest]


def details(paper: Paper, listing: Listing) -> Iterator[str]:
    """One finding in full: the mistake and its place, the smallest example, the correction, and the consequences."""
    entry = listing.finding.entry
    yield f"{listing.finding.id}  ({entry.kind})"
    yield from folded(shown(entry.title), 2)
    yield from field("class", f"{entry.kind}: {MEANING[entry.kind]}")
    yield from field("place", shown(entry.place))
    if entry.says:
        yield from field("cause", shown(entry.says))
    if entry.example and listing.counterexample:
        yield from field("example", shown(listing.finding.example(listing.counterexample)))
    if entry.correction:
        yield from field("correct", shown(entry.correction))
    for change in corrections(paper, listing.finding):
        yield from field("change", shown(change.line))
    if values := of_listing(listing):
        yield from field("values", in_a_line(values))
    if listing.replay:
        yield f"  {'replay':<10}{listing.replay}"
    yield from field("follows", counted(listing))
    for name, claims in (("fails", listing.follows.fails), ("blocked", listing.follows.blocked)):
        if claims:
            yield from field(name, ", ".join(c.partition("/")[2] for c in claims))
    for claim, others in listing.others.items():
        yield from field("also", f"{claim.partition('/')[2]}" + (f" (other findings: {', '.join(others)})" if others else ""))


RUN = "bitreferee/run/1"


def run_document(results: Iterable[Result]) -> dict[str, Any]:
    """The whole run as the schema's run_document."""
    return {"schema": RUN, "program": PROGRAM, "results": [result.to_dict() for result in results]}


CLAIMS = "bitreferee/claims/1"


def claims_document(claims: Iterable[Claim]) -> dict[str, Any]:
    """The claims_document, the claims in the order given."""
    return {"schema": CLAIMS, "claims": [_record(claim) for claim in claims]}


def _record(claim: Claim) -> dict[str, Any]:
    """A claim; ``role`` is null for a statement, ``table`` if it has no construction, ``typical`` if a parameter has a default."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "statement": claim.owner,
        "role": claim.role,
        "says": claim.statement,
        "place": claim.place,
        "kind": claim.kind,
        "ours": claim.ours,
        "parameters": [
            {"name": p.name, "meaning": p.meaning, "where": p.where, "typical": p.typical, "default": p.default, "names": list(p.names)}
            for p in claim.parameters
        ],
        "errata": str(len(claim.errata)),
        "table": claim.table.name if claim.table is not None else None,
    }
