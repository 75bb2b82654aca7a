"""The findings of a paper with all computed facts, and whether they explain every refutation.

The consequences of a mistake are the claims that fail as printed but hold with only its errata, and the claims that contain such a claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.by_name import Only, claim_errata, touched
from verifier.errata.findings import Finding, findings
from verifier.running.errors import InputError, LimitError
from verifier.running.notebooks import Facts
from verifier.running.printable import assignment

SERIOUS = "class broken or wrong was expected"


@dataclass(frozen=True, repr=False)
class Listing(Facts):
    """A finding with its consequences.

    smallest: the result whose counterexample is shown: the first refuted one in the finding's parameters, at intended parameters if the
    claim is refuted there at all.
    others: for each claim that also fails otherwise, the other findings that cause it.
    """

    finding: Finding
    follows: Consequences
    smallest: Result | None
    others: Mapping[str, tuple[str, ...]]

    def caption(self) -> str:
        return f"{self.finding.id} ({self.finding.kind})"

    def facts(self) -> dict[str, str | None]:
        entry, seen = self.finding.entry, assignment(self.counterexample or {})
        shown = {"fails": ", ".join(self.follows.fails), "counterexample": seen, "replay": self.replay}
        return {"title": entry.title, "place": entry.place, **shown}

    @property
    def counterexample(self) -> dict[str, str] | None:
        """The parameters and the failing values as exact strings, or None if nothing fails."""
        if self.smallest is None:
            return None
        found = self.smallest.outcome
        point = {k: str(v) for k, v in self.smallest.parameters.items()}
        return point | dict(found.counterexample or ({"fails": found.reason} if found.reason else {}))

    @property
    def replay(self) -> str | None:
        return self.smallest.replay if self.smallest is not None else None


def listings(paper: Paper, results: Mapping[str, Sequence[Result]], follows: Mapping[str, Consequences]) -> tuple[Listing, ...]:
    """Every finding of the paper, the most serious first. ``follows``: the consequences of each, by its full id.

    Raises:
        InputError: an example names a value that its counterexample lacks.
    """
    listed = findings(paper)
    reasons: dict[str, list[str]] = {}
    for finding in listed:
        for claim in follows[finding.id].every:
            reasons.setdefault(claim, []).append(finding.entry.id)
    found = []
    for finding in listed:
        mine = follows[finding.id]
        others = {claim: tuple(r for r in reasons[claim] if r != finding.entry.id) for claim in mine.anyway}
        made = Listing(finding, mine, smallest(finding, results.get(finding.shown.id, ())), others)
        found.append(made)
        if made.counterexample is not None:
            finding.example(made.counterexample)
    return tuple(found)


def smallest(finding: Finding, results: Sequence[Result]) -> Result | None:
    """The first refuted result that the finding explains, as printed or as a statement. Points that the authors mean come first, and among
    them the smallest.
    """
    asked = [r for r in results if r.edition is not Edition.REPAIRED and r.verdict is Verdict.REFUTED]
    spoken = [r for r in asked if finding.speaks_of(r.parameters)]
    meant = [r for r in spoken if finding.shown.not_meant(r.parameters) is None] or spoken
    printed = [r for r in meant if r.edition is Edition.PRINTED]
    return next(iter(printed or meant), None)


def chosen(listed: Sequence[Listing], kind: str | None) -> tuple[Listing, ...]:
    """The findings of one class, or all findings."""
    return tuple(o for o in listed if kind in (None, o.finding.kind))


def faults(paper: Paper, listed: Sequence[Listing], results: Mapping[str, Sequence[Result]]) -> list[str]:
    """A line for each refutation that no finding explains, for each result of ours that holds nowhere, and for each finding that the
    verdicts do not bear out. A claim that needs an extra which is not installed is left out, and so is a finding about this claim.
    """
    needy = _needy(results)
    failing = failures({claim.id: results.get(claim.id, ()) for claim in paper})
    lines = [_unexplained(claim, points) for claim, points in unexplained(paper, listed, results)]
    lines += [line for claim in paper if claim.ours and claim.id not in needy for line in _never_so(claim, results.get(claim.id, ()))]
    borne = [o for o in listed if needy.isdisjoint(claim.id for claim in o.finding.about)]
    return lines + [
        f"{o.finding.at(key)}: finding {o.finding.id}: {text}" for o in borne for key, text in _not_borne_out(o, results, failing, listed)
    ]


def unexplained(
    paper: Paper, listed: Sequence[Listing], results: Mapping[str, Sequence[Result]]
) -> list[tuple[Claim, list[Mapping[str, int]]]]:
    """The paper's claims with the points at which they are refuted and no finding says why; a claim that needs an extra is left out."""
    needy = _needy(results)
    failing = failures({claim.id: results.get(claim.id, ()) for claim in paper if not claim.ours and claim.id not in needy})
    bare = ((c, [f.point for f in failing.get(c.id, ()) if not f.blocked and not explained(c, f, listed)]) for c in paper)
    return [(claim, points) for claim, points in bare if points]


def _needy(results: Mapping[str, Sequence[Result]]) -> set[str]:
    """The claims that need an extra which is not installed."""
    return {claim for claim, each in results.items() if any(result.outcome.needs for result in each)}


def _never_so(claim: Claim, results: Sequence[Result]) -> Iterator[str]:
    """A line for a result of ours that is refuted at every point: this is our mistake and not the paper's."""
    found = {r.verdict for r in results if r.edition is Edition.STATEMENT} - {Verdict.DECLINED}
    if found == {Verdict.REFUTED}:
        yield f"{claim.id}: a result of ours, and refuted at every point"


def _unexplained(claim: Claim, points: Sequence[Mapping[str, int]]) -> str:
    """A line for the points at which the claim is refuted and no finding says why."""
    at = assignment(points[0])
    more = f" and {len(points) - 1} more points" if len(points) > 1 else ""
    return f"{claim.id}: refuted{f' at {at}' if at else ''}{more}, and no finding says why"


def explained(claim: Claim, failure: Failure, listed: Sequence[Listing]) -> bool:
    """Whether a finding from which the claim's failure follows speaks of this point, or such findings have all of the claim's own errata
    and these mend it here.
    """
    mine = [o.finding for o in listed if claim.id in o.follows.every or claim.id in o.follows.outside]
    if any(m.speaks_of(failure.point) for m in mine):
        return True
    own = set(claim_errata(claim)) if claim.repaired is not None else set()
    return failure.mended and bool(own) and own <= {name for m in mine for name in m.errata}


def _not_borne_out(
    listing: Listing, results: Mapping[str, Sequence[Result]], failing: Mapping[str, Sequence[Failure]], listed: Sequence[Listing]
) -> Iterator[tuple[str, str]]:
    """Yield the facts of a finding that the results do not show, each with the field that states it."""
    finding, follows = listing.finding, listing.follows
    if not follows.every and not follows.outside:
        yield "errata", "nothing follows from it"
    if listing.smallest is None:
        yield "about", f"{finding.shown.name} is refuted at no point of this finding"
    if finding.kind == "false" and not any(_false_inside(finding, results.get(c.id, ())) for c in finding.about):
        yield "class", "class false, and no statement of its claims is refuted"
    if finding.kind == "slip":
        stated = [c for c in follows.fails if ":" not in c]
        if stated:
            yield "class", f"class slip, and {stated[0].partition('/')[2]} fails because of it; {SERIOUS}"
        elif owner := next((name for step in finding.about if (name := _felled(step, results))), None):
            yield "class", f'class slip, and {owner} fails because of it; {SERIOUS}, or role = "aside" on the step'
    if finding.kind == "edge":
        others = [o for o in listed if o is not listing]
        for claim in finding.about:
            if any(not finding.speaks_of(f.point) and not f.blocked and not explained(claim, f, others) for f in failing.get(claim.id, ())):
                yield "class", f"class edge, and {claim.name} fails inside the domain"


def _felled(step: Claim, results: Mapping[str, Sequence[Result]]) -> str | None:
    """The statement whose printed proof fails at this step, or None if the statement stands, or where nothing rests on the step."""
    printed = [r for r in results.get(f"{step.paper}/{step.owner}", ()) if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    felled = step.role == "argument" and any(r.outcome.felled_by == step.id for r in printed)
    return step.owner if felled else None


def _false_inside(finding: Finding, results: Sequence[Result]) -> bool:
    return any(r.edition is Edition.STATEMENT and r.verdict is Verdict.REFUTED and finding.speaks_of(r.parameters) for r in results)


@dataclass(frozen=True)
class Failure:
    """A point at which a claim is refuted or blocked, as a statement or as printed; mended: with all of our errata it is neither."""

    point: Mapping[str, int]
    blocked: bool
    mended: bool


@dataclass(frozen=True)
class Consequences:
    """Ids of claims, in the paper's order.

    fails: claims that the mistake refutes: with its errata alone they are not refuted.
    blocked: claims without a meaning because of the mistake: with its errata alone they have one.
    anyway: claims refuted or blocked because of it and of something else: its errata alone do not repair them, and the others without its
    errata do not either; or claims that contain claims that fail because of it.
    outside: for an edge, the cases that it excludes from the domain, and the failures there that other findings' errata repair.
    """

    fails: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    anyway: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def every(self) -> frozenset[str]:
        return frozenset((*self.fails, *self.blocked, *self.anyway))


@dataclass(frozen=True)
class TableErratum:
    """One erratum of a table, with the failure that appears when only this erratum is left out."""

    table: str
    name: str
    at: str
    printed: str
    repaired: str
    why: str
    without: str


def failures(results: Mapping[str, Sequence[Result]]) -> dict[str, list[Failure]]:
    """The points at which each claim fails, the smallest first; claims that never fail are left out."""
    return {claim: found for claim, listed in results.items() if (found := _failures(listed))}


def _failures(results: Sequence[Result]) -> list[Failure]:
    by_point: dict[tuple[tuple[str, int], ...], dict[Edition, Result]] = {}
    for result in results:
        by_point.setdefault(tuple(result.parameters.items()), {})[result.edition] = result
    found = []
    for editions in by_point.values():
        asked = [r for e, r in editions.items() if e is not Edition.REPAIRED]
        refuted = any(r.verdict is Verdict.REFUTED for r in asked)
        if not refuted and not any(r.outcome.blocked_by for r in asked):
            continue
        repaired = editions.get(Edition.REPAIRED)
        mended = repaired is not None and repaired.verdict is not Verdict.REFUTED and repaired.outcome.blocked_by is None
        found.append(Failure(asked[0].parameters, not refuted, mended))
    return found


def _mends(session: Session, claim: Claim, point: Mapping[str, int]) -> bool:
    """Whether, with only the errata of a session, a claim is neither refuted nor blocked at a point; declined only if the errata exclude
    the point from the domain.
    """
    try:
        found = session.outcome(claim, Edition.REPAIRED, point, DEFAULT_SEMANTICS)[0]
    except (InputError, LimitError):
        return False  # errata that need others, or a table that they take out of its own domain
    if found.verdict is Verdict.REFUTED or found.blocked_by is not None:
        return False
    return found.verdict is not Verdict.DECLINED or _outside(session, claim, point)


def _outside(session: Session, claim: Claim, point: Mapping[str, int]) -> bool:
    from verifier.judges.editions import table_parameters

    assert session.only is not None
    asked = session.only.applied(claim).of_edition(Edition.REPAIRED)
    if asked.judge is None or asked.outside(point) is not None:
        return True
    table = asked.table
    return table is not None and table.domain and table.source.outside_errata(table_parameters(asked, point)) is not None


def consequences(paper: Paper, finding: Finding, failing: Mapping[str, Sequence[Failure]]) -> Consequences:
    """The consequences of a mistake, at the first point in its parameters at which a claim is refuted (else blocked).

    Only claims that its errata concern are judged again, and statements that contain these consequences.

    Args:
        failing: the points at which the claims of the paper fail (:func:`failures`).
    """
    names = frozenset(finding.errata)
    alone = Session(only=Only(names))
    others = Session(only=Only(frozenset(finding.every()) - names))
    about = {claim.id for claim in finding.about}
    found: dict[str, str] = {}
    for claim in _parts_first(paper):
        listed = failing.get(claim.id, ())
        spoken = [f for f in listed if finding.speaks_of(f.point)] or [f for f in listed if finding.mends(claim)]
        built = any(found.get(part, "outside") != "outside" for part in _constituents(claim))
        if not spoken or not (built or claim.id in about or touched(claim, names)):
            continue
        first = next((f for f in spoken if not f.blocked), spoken[0])
        if (not names and claim.id in about) or _mends(alone, claim, first.point):
            found[claim.id] = "blocked" if first.blocked else "fails"
            if finding.kind == "edge" and _mends(others, claim, first.point):
                found[claim.id] = "outside"
        elif built or claim.id in about or (first.mended and not _mends(others, claim, first.point)):
            found[claim.id] = "anyway"
    order = [claim.id for claim in paper if claim.id in found]
    return Consequences(*(tuple(c for c in order if found[c] == kind) for kind in ("fails", "blocked", "anyway", "outside")))


def _constituents(claim: Claim) -> list[str]:
    """The claims on which it is built: its parts and, unless it rests on a witness, the argument steps of its proof."""
    if claim.witness and claim.table is not None and claim.table.claim is not None:
        return [claim.table.claim]
    return [part.claim for part in claim.parts] + [step.id for step in claim.arguments]


def _parts_first(paper: Paper) -> Iterable[Claim]:
    """The claims of a paper, each after those on which it is built."""
    claims = {claim.id: claim for claim in paper}
    built_of = {claim.id: [part for part in _constituents(claim) if part in claims] for claim in claims.values()}
    return map(claims.__getitem__, TopologicalSorter(built_of).static_order())
