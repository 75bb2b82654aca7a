"""The page of a finding, its card on the first page, and the small picture of both."""

from __future__ import annotations

from typing import Any

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.errata.listings import Listing
from verifier.judges.editions import table_parameters
from verifier.networks.execution import Execution
from verifier.running.errors import InputError, LimitError
from verifier.show.findings_document import counted
from verifier.show.pictures import failures, verdicts
from verifier.show.pictures.failures import FailureMap, failure_map
from verifier.show.site.judged import Judged, link
from verifier.show.site.tables import table_path, tables
from verifier.show.site.templates import page
from verifier.show.site.traces import Traced, caption, trace_path

MOST_PAIRS = 1 << 20
"""Larger constructions have a picture only where their sums split into two blocks; ``verify plot`` goes further."""


def failure_maps(listing: Listing, traced: Traced | None) -> list[tuple[str, FailureMap]]:
    """Where the construction of the finding fails: as printed, and with everything repaired but the finding's own errata.

    Only what can be counted while a page is made; none where the finding is about no construction.
    """
    found: list[tuple[str, FailureMap]] = []
    if traced is not None:
        found += _mapped(f"{caption(traced)}", traced.execution)
    for table, without in _left_out(listing):
        if table.claim is not None:
            found += _alone(find_claim(table.claim), table, without)
    return found


def _left_out(listing: Listing) -> list[tuple[Table, list[str]]]:
    """The tables whose errata are the finding's, and the names of these errata."""
    tables = {c.table.name: c.table for c in listing.finding.about if c.table is not None and c.table.errata}
    named = [(t, [n.partition("/")[2] for n in listing.finding.errata if n.startswith(f"{t.name}/")]) for t in tables.values()]
    return [(t, names) for t, names in named if names]


def _alone(claim: Claim, table: Table, without: list[str]) -> list[tuple[str, FailureMap]]:
    """At the smallest parameters of the errata's domain that are among the claim's typical ones."""
    from verifier.claims.points import points
    from verifier.networks.instantiate import instantiate

    source = table.source
    assert source.errata is not None
    for point in points(claim, {}):
        if claim.outside(point) is None and source.outside_errata(point) is None:
            try:
                given = table_parameters(claim, point)
                instance = instantiate(source.repaired(without=without), given)
            except (InputError, LimitError):
                return []
            at = ", ".join(f"{k} = {v}" for k, v in given.items())
            execution = Execution(instance, read_semantics(source.errata.semantics))
            return _mapped(f"{table.name} with all repaired but this, {at}", execution) if not instance.defects else []
    return []


def _mapped(title: str, execution: Execution) -> list[tuple[str, FailureMap]]:
    try:
        return [(title, failure_map(execution, limit=MOST_PAIRS))]
    except (InputError, LimitError):
        return []


def card(judged: Judged, listing: Listing, maps: list[tuple[str, FailureMap]]) -> dict[str, Any]:
    """A finding in a few words, with its picture."""
    shown = listing.finding.shown
    failing = next((m for _, m in maps if m.failures), None)
    drawing = failures.thumbnail(failing) if failing else verdicts.thumbnail(shown, judged.run.results[shown.id])
    return {
        "href": judged.finding_page(listing),
        "entry": listing.finding.entry,
        "counted": counted(listing),
        "picture": drawing.inside(decoration=True, kind="thumb"),
    }


def finding_page(judged: Judged, listing: Listing, traced: Traced | None, maps: list[tuple[str, FailureMap]]) -> str:
    """Everything that is known of a finding."""
    finding, follows = listing.finding, listing.follows
    shown = finding.shown
    readings = {name: listed[shown.id] for name, listed in judged.run.readings.items() if shown.id in listed}
    first = next(iter(judged.paper.readings), "")
    there = tables(judged)
    return page(
        "finding.html.jinja",
        judged.finding_page(listing),
        finding.entry.title,
        here=judged,
        listing=listing,
        entry=finding.entry,
        says=" ".join(finding.entry.says.split()),
        counted=counted(listing),
        counterexample=list((listing.counterexample or {}).items()),
        replay=listing.replay,
        trace=trace_path(judged, listing) if traced else None,
        shown=link(judged, shown.id),
        about=[link(judged, c.id) for c in finding.about],
        errata=[_erratum(judged, at, e) for at, e in finding.errata.items()],
        tables=[(t.source.file.title, table_path(judged, t.name)) for t, _ in _left_out(listing) if t.name in there],
        maps=[failures.picture(found, title).inside() for title, found in maps],
        verdicts=verdicts.picture(shown, judged.run.results[shown.id], readings, first).inside(),
        follows=[
            (title, says, [(link(judged, c), [_other(judged, o) for o in listing.others.get(c, ())]) for c in listed])
            for title, says, listed in (
                ("Fails because of this", "refuted as printed, and not with the errata of this finding alone", follows.fails),
                ("Blocked by this", "without a meaning as printed, and with one with the errata of this finding alone", follows.blocked),
                ("Fails anyway", "this is one of several reasons", follows.anyway),
                ("Outside the domain", "what this finding takes out of it", follows.outside),
            )
            if listed
        ],
    )


def _other(judged: Judged, finding: str) -> dict[str, str]:
    listing = next(o for o in judged.listings if o.finding.entry.id == finding)
    return {"name": listing.finding.entry.title, "href": judged.finding_page(listing)}


def _erratum(judged: Judged, at: str, erratum: Any) -> dict[str, str]:
    """With the first failure without it, of a table's; a link to where it belongs."""
    table, slash, name = at.partition("/")
    if slash and table in tables(judged):
        without = next(
            (e.without for listed in judged.run.errata.values() for e in listed if (e.table, e.name) == (f"{table}.toml", name)), ""
        )
        href = f"{table_path(judged, table)}#{name}"
    else:
        without, href = "", judged.page(f"{judged.paper.id}/{at.partition('#')[0]}")
    return {"at": at, "href": href, "printed": erratum.printed, "repaired": erratum.repaired, "why": erratum.why, "without": without}
