"""The page of a finding, its card on the first page, and what both draw: maps of failures and the object of the finding."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from itertools import groupby
from typing import Any

from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import imported
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.records import Table
from verifier.errata.listings import Listing
from verifier.judges.editions import table_parameters
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError, LimitError, UntrustedError
from verifier.running.printable import assignment
from verifier.show.corrections import Correction, corrections
from verifier.show.counterexamples import of_listing
from verifier.show.documents import counted
from verifier.show.judged import Judged
from verifier.show.pages import example
from verifier.show.pictures import failures
from verifier.show.pictures.drawing import Drawing, DrawnTable
from verifier.show.pictures.failures import FailureMap
from verifier.show.site.templates import page
from verifier.show.site.traces import Traced, caption
from verifier.show.verdict_words import titled
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

LONGEST_EXAMPLE = 160
"""A longer example is on the finding's page only."""
MOST_PAIRS = 1 << 20
"""A larger construction has a picture only if its sums split into two blocks; ``verify plot`` goes further."""
MOST_OF_PAIRS = 8
"""If more than one pair in so many fails, and they have nothing in common, no map is drawn."""


@dataclass(frozen=True)
class Failing:
    """The failures of a construction. says: the exact common property of the failing inputs, if one was found."""

    title: str
    found: FailureMap
    fails: str

    @property
    def says(self) -> str:
        return f"{self.title}: {self.fails}"


def failure_maps(listing: Listing, traced: Traced | None) -> list[Failing]:
    """The failures of the finding's construction: as printed, and with everything repaired except the finding's own errata.

    Only maps that can be counted while a page is made, or none if the finding is not about a construction. What is printed has one if the
    finding's example is an input on which the construction answers wrongly, and none if a step of its proof fails.
    """
    found: list[Failing] = []
    if traced is not None and traced.claim.table is not None and traced.claim.table.claim == traced.claim.id:
        found += _mapped(f"{caption(traced)}", traced.execution)
    for table, without in _left_out(listing):
        if table.claim is not None:
            found += _alone(find_claim(table.claim), table, without)
    return list({each.fails: each for each in reversed(found)}.values())[::-1]


def _left_out(listing: Listing) -> list[tuple[Table, list[str]]]:
    """The tables whose errata are the finding's, and the names of these errata."""
    tables = {c.table.name: c.table for c in listing.finding.about if c.table is not None and c.table.errata}
    named = [(t, [n.partition("/")[2] for n in listing.finding.errata if n.startswith(f"{t.name}/")]) for t in tables.values()]
    return [(t, names) for t, names in named if names]


def _alone(claim: Claim, table: Table, without: list[str]) -> list[Failing]:
    """The smallest parameters of the errata's domain among the claim's typical ones."""
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
            at = assignment(given)
            execution = Execution(instance, read_semantics(source.errata.semantics))
            return _mapped(f"{titled(table.name)} with every correction but this one, {at}", execution) if not instance.defects else []
    return []


def _mapped(title: str, execution: Execution) -> list[Failing]:
    try:
        found, pattern = failures.described(execution, MOST_PAIRS)
    except (InputError, LimitError):
        return []
    if not found.failures or (not pattern and MOST_OF_PAIRS * found.failures > found.pairs):
        return []
    return [Failing(title, found, f"{failures.says(found)}. {pattern}".strip())]


def card(judged: Judged, listing: Listing) -> dict[str, Any]:
    """A finding in a few words: the printed text and its correction if they are short, else the smallest example."""
    made = corrections(judged.paper, listing.finding)
    change = made[0] if len({(c.printed, c.repaired) for c in made}) == 1 and made[0].short else None
    said = example(listing)
    return {"listing": listing, "change": change, "example": said if len(said) <= LONGEST_EXAMPLE else ""}


FOLLOWS = {
    "fails": ("Only because of this", "These fail as printed because of this mistake alone."),
    "blocked": (
        "Not meaningful because of this",
        "These are about a construction that has no meaning as printed. With this finding's corrections they can be judged.",
    ),
    "anyway": ("Also for other reasons", "These fail as printed for several reasons. The other findings are named."),
    "outside": ("Outside the domain", "These fail at parameters that this finding excludes."),
}
"""The consequences of a finding by kind, each with a heading and a sentence."""


def finding_page(judged: Judged, listing: Listing, traced: Traced | None, maps: list[Failing]) -> str:
    """The page of a finding: its cause, example, object and correction, the failing inputs, and what follows."""
    finding = listing.finding
    return page(
        "finding.html.jinja",
        judged.finding_page(listing),
        finding.entry.title,
        here=judged,
        listing=listing,
        entry=finding.entry,
        counted=counted(listing),
        counterexample=list(of_listing(listing).items()),
        example=example(listing),
        traced=traced,
        shown=finding.shown,
        drawn=object_of(judged.paper, listing),
        changes=[_change(judged, c) for c in corrections(judged.paper, finding)],
        tables=[table for table, _ in _left_out(listing) if table.name in judged.tables],
        maps=[{"picture": failures.picture(m.found, m.title).inside(), "says": m.says} for m in maps],
        kinds=[(*FOLLOWS[kind], listed) for kind in FOLLOWS if (listed := getattr(listing.follows, kind))],
    )


def _change(judged: Judged, correction: Correction) -> dict[str, Any]:
    """A correction with its link and, for a table, the first input that fails without it."""
    table, slash, name = correction.at.partition("/")
    if slash and table in judged.tables:
        entries = (e for listed in judged.run.errata.values() for e in listed if (e.table, e.name) == (f"{table}.toml", name))
        without = next((e.without for e in entries), "")
        return {"correction": correction, "href": f"{judged.table_page(table)}#{name}", "without": without}
    return {"correction": correction, "href": judged.page(f"{judged.paper.id}/{correction.at.partition('#')[0]}"), "without": ""}


MOST_ROWS, MOST_COLUMNS = 24, 8
"""A larger table is not drawn; the page links to the construction."""


def drawn(instance: Instance, y: int, z: int, semantics: str, note: str = "") -> DrawnTable | None:
    """Draw the table, or None if the construction is ill-formed, has another task than pairs of strings, or is too large.

    note: how the construction works, in a sentence.
    """
    if instance.defects or not isinstance(instance.task, Problem):
        return None
    execution = Execution(instance, read_semantics(semantics))
    try:
        trace = evaluate(execution, y, z)
    except (InputError, LimitError):
        return None
    steps = [s for s in trace.steps if s.term.weight != 0 and s.token.reads]
    if not steps or len(steps) > MOST_ROWS:
        return None
    rows = tuple(
        (
            ", ".join(f"{bit.string}_{bit.index} = {value}" for bit, value in zip(s.token.reads, s.content, strict=True)),
            show(s.term.weight),
            _columns([show(x) for x in s.term.products]),
            _columns([show(x) for x in s.sums]),
            show(s.denominator),
        )
        for s in steps
    )
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    ends = (
        ("numerator", show(trace.numerator)),
        ("denominator", show(trace.denominator)),
        ("output of the attention", show(trace.attention)),
        ("answer", f"{answer} ({instance.task.function}(y, z) = {trace.expected})"),
    )
    m = instance.m
    strings = f"y = {bits_of(y, m)}, z = {bits_of(z, m)}"
    title = f"{instance.bits} bits, {strings}. A row for each token that holds a bit; equal columns are counted. {note}".rstrip()
    heads = ("token holds", "weight", "adds to the columns", "columns of A X so far", "denominator")
    return DrawnTable("The transformer, on this input", title, heads, rows, ends)


def _columns(values: list[str]) -> str:
    """Columns as runs of equal values: ``0, 1/2 (3 times), 0 (11 times)``."""
    runs = [(value, len(list(run))) for value, run in groupby(values)]
    shown = [value if count == 1 else f"{value} ({count} times)" for value, count in runs]
    return ", ".join(shown) if len(shown) <= MOST_COLUMNS else f"{', '.join(shown[:MOST_COLUMNS])}, …"


def object_of(paper: Paper, listing: Listing) -> DrawnTable | Drawing | None:
    """Draw what a finding names, at its smallest counterexample.

    None: there is nothing to draw, or Python draws it that only ``--trust`` runs.

    Raises:
        InputError: the finding names a function that draws nothing.
    """
    found = listing.counterexample or {}
    if listing.smallest is None or not listing.finding.entry.draws:
        return None
    try:
        make = imported(f"{paper.package}.{listing.finding.entry.draws}")
    except UntrustedError:
        return None
    if list(signature(make).parameters) == ["values"]:
        return _made(make(found), listing)
    if not {"y", "z"} <= found.keys():
        return None
    made = make(**listing.smallest.parameters)
    return drawn(made, int(found["y"], 2), int(found["z"], 2), DEFAULT_SEMANTICS.label, listing.finding.entry.drawn)


def _made(made: object, listing: Listing) -> DrawnTable | Drawing:
    if not isinstance(made, DrawnTable | Drawing):
        raise InputError(f"finding {listing.finding.id}: {listing.finding.entry.draws} draws no table and no picture")
    return made
