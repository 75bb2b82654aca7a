"""Judging a claim for every value of its parameters (``--p all``): by symbols where it is a formula, by its parts where it has some.

Everything else is open, and says how far the finite checks reach. A statement of others has the worst verdict of its parts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.errors import InputError, LimitError
from verifier.semantics import Semantics
from verifier.statements.model import Claim
from verifier.statements.named import NamedJudge
from verifier.statements.points import ALL, points
from verifier.verdicts import Edition, Finding, Scope, Verdict, worst

if TYPE_CHECKING:
    from verifier.statements.session import Session


def for_all(session: Session, claim: Claim, edition: Edition, semantics: Semantics) -> Finding:
    """The finding on a claim over its whole domain."""
    from verifier.statements.papers import find_claim

    asked = claim.of_edition(edition)
    if isinstance(asked.judge, NamedJudge) and asked.judge.every is not None and not asked.bounded:
        found = asked.judge.every(asked)
        if found.verdict is not Verdict.OPEN:
            return found
        reached = _reach(session, claim, edition, semantics)
        return replace(reached, reason=f"{found.reason}; {reached.reason}") if reached.verdict is Verdict.OPEN else reached
    if asked.judge is None:
        named = [find_claim(p.claim) for p in asked.parts] or [s for s in claim.steps if s.role == "argument"]
        findings = [session.finding(part, edition, dict.fromkeys((p.name for p in part.parameters), ALL), semantics)[0] for part in named]
        verdict = worst(f.verdict for f in findings)
        deciding = ", ".join(p.name for p, f in zip(named, findings, strict=True) if f.verdict is verdict)
        return Finding(
            verdict,
            Scope(f"its parts for all parameters: {', '.join(p.name for p in named)}"),
            assumptions=tuple(dict.fromkeys(a for f in findings for a in f.assumptions)) if verdict is Verdict.CONDITIONAL else (),
            reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {deciding}",
            parts=tuple(p.id for p in named),
        )
    return _reach(session, claim, edition, semantics)


def _reach(session: Session, claim: Claim, edition: Edition, semantics: Semantics) -> Finding:
    """Open, or refuted where a typical point refutes it: with how far the finite checks reach."""
    checked: list[str] = []
    for point in points(claim, {}):
        shown = ", ".join(f"{k} = {v}" for k, v in point.items())
        try:
            found = session.finding(claim, edition, point, semantics)[0]
        except (InputError, LimitError):
            continue
        if found.verdict is Verdict.REFUTED:
            return Finding(
                Verdict.REFUTED,
                Scope(f"every parameter: fails at {shown}: {found.scope.statement}", None, found.scope.method),
                reason=found.reason,
                counterexample={**{k: str(v) for k, v in point.items()}, **(found.counterexample or {})},
                replay=found.replay,
            )
        if found.verdict is Verdict.VERIFIED:
            checked.append(shown)
    reach = f"verified at {checked[0]} to {checked[-1]} ({len(checked)} points)" if checked else "verified at no typical point"
    return Finding(Verdict.OPEN, Scope("every value of its parameters"), reason=f"no proof for every parameter; {reach}")
