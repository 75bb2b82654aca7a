"""Whether the neighbours of a claim, each the claim with one change, are refused, and for the right reason."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.arithmetic.semantics import Semantics
from verifier.claims import rules
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Neighbour
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Verdict
from verifier.running.errors import InputError

CHANGED = ("fields", "lets", "parts", "where", "parameters", "table")
"""What a neighbour may change of a claim."""


def neighbour_faults(claim: Claim, semantics: Semantics = DEFAULT_SEMANTICS) -> Iterator[str]:
    """A line for each neighbour of the claim that the machine does not refuse as the file says."""
    for number, neighbour in enumerate(claim.neighbours, 1):
        try:
            fault = neighbour_fault(claim, neighbour, semantics)
        except InputError as error:
            fault = str(error)
        if fault is not None:
            yield f"{claim.id}: neighbour {number} ({neighbour.why}): {fault}"


def neighbour_fault(claim: Claim, neighbour: Neighbour, semantics: Semantics = DEFAULT_SEMANTICS) -> str | None:
    """Why a neighbour shows nothing; None where its verdict is what the file says, and its reason has the words that the file names.

    Raises:
        InputError: it has no such parameter, or no point.
    """
    changed = neighbour.claim
    if neighbour.verdict is Verdict.REFUTED:
        original = claim.of_edition(neighbour.edition)
        if all(getattr(original, part) == getattr(changed, part) for part in CHANGED):
            return "it changes nothing of the claim"
    point = changed.complete(neighbour.at) if neighbour.at else next(points(changed, {}))
    session = Session()
    made = session.own(changed, neighbour.edition, point, semantics)
    found = rules.on_assumptions(made, session.deciding(made, changed, point, semantics))
    shown = ", ".join(f"{name} = {value}" for name, value in (found.counterexample or {}).items())
    said = f"{found.reason or ''} {shown} {found.counterexample or ''}".strip()
    if found.verdict is not neighbour.verdict:
        return f"{found.verdict.value}, {neighbour.verdict.value} was expected: {said}"
    if neighbour.because is not None and neighbour.because not in said:
        return f"{neighbour.because!r} was expected in: {said}"
    return None
