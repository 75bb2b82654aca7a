"""The consequences of a mistake: claims that fail as printed but hold with only its errata, and claims that contain such a claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.by_name import Only, named_errata, touched
from verifier.errata.findings import Finding
from verifier.running.errors import InputError, LimitError


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
    others = Session(only=Only(frozenset(named_errata(paper)) - names))
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
    done: dict[str, Claim] = {}

    def visit(claim: Claim) -> None:
        if claim.id not in done:
            for part in _constituents(claim):
                if part in claims:
                    visit(claims[part])
            done[claim.id] = claim

    for claim in claims.values():
        visit(claim)
    return done.values()
