"""The statements that symbols prove for all parameters, without a theorem of a kernel."""

from __future__ import annotations

from typing import Literal, TypeAlias

from verifier.claims.for_all import is_formula
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import InputError, LimitError, MissingExtraError

Reach: TypeAlias = Literal["every", "meant", ""]
"""Symbols prove it for every parameter of the domain (``every``), for all that the authors mean (``meant``), or for no range (empty)."""


def proved(claim: Claim, session: Session) -> dict[str, Reach]:
    """The extent to which symbols prove each edition of a statement, or empty if this needs an extra that is not installed.

    The printed edition is asked about if the statement is proved, the corrected edition if it is not.
    """
    try:
        statement = _proved(claim, session, Edition.STATEMENT)
        other = Edition.PRINTED if statement else Edition.REPAIRED
        asked = bool(statement) or claim.repaired is not None
        reaches = {Edition.STATEMENT: statement, other: _proved(claim, session, other) if asked else ""}
    except MissingExtraError:
        return {}
    return {edition.value: reach for edition, reach in reaches.items() if reach}


def _proved(claim: Claim, session: Session, edition: Edition) -> Reach:
    """The extent to which symbols prove an edition, for other editions than the statement with the argument steps."""
    asked = claim.of_edition(edition)
    steps, within = () if edition is Edition.STATEMENT else claim.arguments, bool(claim.parameters)
    if not all(_may_be_proved(step, within) and _everywhere(step, session, edition, within) for step in steps):
        return ""
    if _may_be_proved(asked) and _everywhere(claim, session, edition):
        return "every"
    return "meant" if _proved_as_meant(asked, session) else ""


def _may_be_proved(claim: Claim, within: bool = False) -> bool:
    """Whether symbols can prove every part and every argument step at all; the arguments are those of :func:`_everywhere`.

    The caller asks this first, because the proofs of the other steps may take seconds.
    """
    if claim.proofs:  # a kernel's theorems decide it, and whether the kernel was asked here depends on the machine
        return False
    if claim.parts:
        return all(_may_be_proved(find_claim(part.claim), bool(claim.parameters)) for part in claim.parts)
    if claim.judge is None:
        steps = claim.arguments
        return bool(steps) and all(step.judge is not None and _may_be_proved(step, bool(claim.parameters)) for step in steps)
    return is_formula(claim) if claim.parameters else within and not claim.bounded


def _everywhere(claim: Claim, session: Session, edition: Edition, within: bool = False) -> bool:
    """Whether symbols prove an edition of a claim that may be proved, or each of its argument steps, for all parameters.

    within: whether it is part of a claim with parameters; then a part without parameters needs only its verdict.
    """
    asked = claim.of_edition(edition)
    made_of = [find_claim(part.claim) for part in asked.parts] or (claim.arguments if asked.judge is None else ())
    if made_of:
        return all(_everywhere(each, session, edition, bool(claim.parameters)) for each in made_of)
    assert _may_be_proved(asked, within)
    named = {p.name: int(p.default) for p in claim.parameters if p.names and p.default is not None}
    try:
        if (
            claim.parameters
            and all(p.meant is None for p in claim.parameters)
            and session.decided(asked, named).verdict is not Verdict.VERIFIED
        ):
            return False  # how far finite checks reach, which takes far more time, is not needed
        everywhere = dict.fromkeys((p.name for p in claim.parameters), ALL) | named
        found, _ = session.outcome(claim, edition, everywhere, DEFAULT_SEMANTICS)
    except (InputError, LimitError):
        return False
    return found.verdict is Verdict.VERIFIED


def _proved_as_meant(claim: Claim, session: Session) -> bool:
    """Whether a statement that its authors intend for a smaller domain is proved on all of that domain."""
    if not is_formula(claim) or all(p.meant is None for p in claim.parameters):
        return False
    try:
        return session.decided(claim.as_meant, {}).verdict is Verdict.VERIFIED
    except (InputError, LimitError):
        return False
