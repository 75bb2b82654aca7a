"""Which points of which claims the pages and the gate cover: every claim, at its typical parameters, in every edition, under ``a4``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.statements.model import DEFAULT_SEMANTICS, Advance, Claim, Limits, _silent
from verifier.statements.papers import Paper
from verifier.statements.points import points
from verifier.statements.session import Session
from verifier.verdicts import Edition, Result


def run_claims(claims: Iterable[Claim], advance: Advance = _silent, limits: Limits = Limits()) -> Iterator[Result]:
    """The results of each claim alone, without those of its parts, point by point."""
    session = Session(limits)
    listed = list(claims)
    for number, claim in enumerate(listed):
        advance("claims", number, len(listed))
        for point in points(claim, {}):
            for edition in Edition:
                finding, seconds = session.finding(claim, edition, point, DEFAULT_SEMANTICS)
                semantics = DEFAULT_SEMANTICS.label if claim.bounded else None
                yield Result(claim.id, edition, claim.complete(point), semantics, finding, seconds)
    if listed:
        advance("claims", len(listed), len(listed))


def run_paper(paper: Paper, advance: Advance = _silent) -> dict[str, list[Result]]:
    """The results of a paper's claims by claim id."""
    found: dict[str, list[Result]] = {claim.id: [] for claim in paper}
    for result in run_claims(paper, advance):
        found[result.claim].append(result)
    return found
