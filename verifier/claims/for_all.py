"""Judging a claim for every value of its parameters (``--p all``): by symbols where it is a formula, by its parts where it has some.

Everything else is open, and says how far the finite checks reach. A parameter that has a value keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.arithmetic.semantics import Semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL
from verifier.claims.points import points, shared_points
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict, worst
from verifier.running.errors import InputError, LimitError

if TYPE_CHECKING:
    from verifier.claims.session import Session

Values = Mapping[str, int]


def is_formula(claim: Claim) -> bool:
    """Whether its judge decides it for all parameters by what it says alone."""
    return isinstance(claim.judge, NamedJudge) and not claim.bounded and claim.judge.every is not None


def for_all(session: Session, claim: Claim, edition: Edition, values: Values, semantics: Semantics) -> Outcome:
    """The finding on a claim over its whole domain, or the part of it in which some parameters have a value."""
    asked = claim.of_edition(edition)
    fixed = {name: value for name, value in values.items() if value is not ALL}
    if asked.judge is None:
        return _of_parts(session, claim, edition, values, semantics)
    if not is_formula(asked):
        return _reach(session, claim, edition, fixed, semantics)
    assert isinstance(asked.judge, NamedJudge)
    assert asked.judge.every is not None
    found = asked.judge.every(asked, fixed)
    if found.verdict is Verdict.REFUTED:
        point = {name: int(text) for name, text in (found.counterexample or {}).items() if name in values}
        return _refuted_at(session, claim, edition, point, semantics) or found
    if found.verdict is Verdict.OPEN:
        reached = _reach(session, claim, edition, fixed, semantics)
        return replace(reached, reason=f"{found.reason}; {reached.reason}") if reached.verdict is Verdict.OPEN else reached
    return found


def _refuted_at(session: Session, claim: Claim, edition: Edition, point: Values, semantics: Semantics) -> Outcome | None:
    """Refuted for all parameters by what is found at a point; None where the claim is not refuted there."""
    if point.keys() != {p.name for p in claim.parameters} or claim.outside(point) is not None:
        return None
    found = session.outcome(claim, edition, point, semantics)[0]
    if found.verdict is not Verdict.REFUTED:
        return None
    at = _shown(point)
    return Outcome(
        Verdict.REFUTED,
        Scope(f"every value of its parameters: {found.scope.statement}", None, found.scope.method),
        reason=f"false at {at}" + (f": {found.reason}" if found.reason else ""),
        counterexample={**{k: str(v) for k, v in point.items()}, **(found.counterexample or {})},
        replay=found.replay,
    )


def _of_parts(session: Session, claim: Claim, edition: Edition, values: Values, semantics: Semantics) -> Outcome:
    """The worst of the parts, or of the argument steps where there are no parts, each over all that it may be asked for here.

    A part that fails may fail elsewhere than in the claim's own domain: the claim is refuted where it fails itself.
    """
    parts = list(_constituents(claim.of_edition(edition), claim, values))
    outcomes = [session.outcome(part, edition, point, semantics)[0] for part, point in parts]
    verdict = worst(f.verdict for f in outcomes)
    if verdict in (Verdict.REFUTED, Verdict.DECLINED):
        reached = _reach(session, claim, edition, {k: v for k, v in values.items() if v is not ALL}, semantics)
        if reached.verdict is Verdict.REFUTED:
            return reached
        for found in outcomes:
            point = {k: int(v) for k, v in (found.counterexample or {}).items() if k in values and v.lstrip("-").isdigit()}
            if refuted := _refuted_at(session, claim, edition, point, semantics):
                return refuted
        verdict = Verdict.OPEN
    undecided = [
        f"{f.verdict.value}: {part.name}" for (part, _), f in zip(parts, outcomes, strict=True) if f.verdict is not Verdict.VERIFIED
    ]
    return Outcome(
        verdict,
        Scope(f"its parts for all parameters: {', '.join(part.name for part, _ in parts)}"),
        assumptions=tuple(dict.fromkeys(a for f in outcomes for a in f.assumptions)) if verdict is Verdict.CONDITIONAL else (),
        reason="; ".join(undecided) or None,
        parts=tuple(part.id for part, _ in parts),
    )


def _constituents(asked: Claim, claim: Claim, values: Values) -> list[tuple[Claim, dict[str, int]]]:
    from verifier.claims.session import part_points

    if asked.parts:
        return list(part_points(asked.parts, values))
    return [(step, point) for step in claim.steps if step.role == "argument" for point in shared_points(step, values)]


def _reach(session: Session, claim: Claim, edition: Edition, fixed: Values, semantics: Semantics) -> Outcome:
    """Open, or refuted where a typical point refutes it: with how far the finite checks reach."""
    checked: list[str] = []
    for point in points(claim, {name: str(value) for name, value in fixed.items()}):
        try:
            refuted = _refuted_at(session, claim, edition, point, semantics)
            found = session.outcome(claim, edition, point, semantics)[0]
        except (InputError, LimitError):
            continue
        if refuted is not None:
            return refuted
        if found.verdict is Verdict.VERIFIED:
            checked.append(_shown(point))
    ends = dict.fromkeys((checked[0], checked[-1])) if checked else {}
    reach = (
        f"verified at {' to '.join(ends)} ({len(checked)} point{'s' * (len(checked) > 1)})" if checked else "verified at no typical point"
    )
    return Outcome(Verdict.OPEN, Scope("every value of its parameters"), reason=f"no proof for every parameter; {reach}")


def _shown(point: Values) -> str:
    return ", ".join(f"{k} = {v}" for k, v in point.items())
