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
from verifier.claims.parts import constituents
from verifier.claims.points import Point, asked_points
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict, worst
from verifier.running.errors import InputError, LimitError

if TYPE_CHECKING:
    from verifier.claims.session import Asking


def is_formula(claim: Claim) -> bool:
    """Whether its judge decides it for all parameters by what it says alone."""
    return isinstance(claim.judge, NamedJudge) and not claim.bounded and claim.judge.every is not None


def for_all(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """The outcome of a claim over its whole domain, or the part of it in which some parameters have a value."""
    asked = point.claim.of_edition(edition)
    if asked.judge is None:
        return _of_parts(asking, point, edition, semantics)
    if not is_formula(asked):
        return _reach(asking, point, edition, semantics)
    assert isinstance(asked.judge, NamedJudge)
    assert asked.judge.every is not None
    found = asked.judge.every(asked, _fixed(point))
    if found.verdict is Verdict.REFUTED:
        values = {name: int(text) for name, text in (found.counterexample or {}).items() if name in point.values}
        return _refuted_at(asking, point.claim, values, edition, semantics) or found
    if found.verdict is Verdict.OPEN:
        reached = _reach(asking, point, edition, semantics)
        return replace(reached, reason=f"{found.reason}; {reached.reason}") if reached.verdict is Verdict.OPEN else reached
    return found


def _fixed(point: Point) -> dict[str, int]:
    """The parameters that have a value."""
    return {name: value for name, value in point.values.items() if value is not ALL}


def _refuted_at(asking: Asking, claim: Claim, values: Mapping[str, int], edition: Edition, semantics: Semantics) -> Outcome | None:
    """Refuted for all parameters by what is found at a point; None where the claim is not refuted there."""
    if values.keys() != {p.name for p in claim.parameters}:
        return None
    point = Point.of(claim, values)
    return None if point.outside else _refuted_by(asking.at(point, edition, semantics), point)


def _refuted_by(found: Outcome, point: Point) -> Outcome | None:
    """Refuted for all parameters where it is refuted at this one point; else None."""
    if found.verdict is not Verdict.REFUTED:
        return None
    at = _shown(point)
    return Outcome(
        Verdict.REFUTED,
        Scope(f"every value of its parameters: {found.scope.statement}", None, found.scope.method),
        reason=f"false at {at}" + (f": {found.reason}" if found.reason else ""),
        counterexample={**{k: str(v) for k, v in point.values.items()}, **(found.counterexample or {})},
        replay=found.replay,
    )


def _of_parts(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """The worst of the parts, or of the argument steps where there are no parts, each over all that it may be asked for here.

    A part that fails may fail elsewhere than in the claim's own domain: the claim is refuted where it fails itself.
    """
    parts = list(constituents(point.claim.of_edition(edition), point.claim, point.values))
    outcomes = [asking.at(part, edition, semantics) for part in parts]
    verdict = worst(f.verdict for f in outcomes)
    if verdict in (Verdict.REFUTED, Verdict.DECLINED):
        reached = _reach(asking, point, edition, semantics)
        if reached.verdict is Verdict.REFUTED:
            return reached
        for found in outcomes:
            values = {k: int(v) for k, v in (found.counterexample or {}).items() if k in point.values and v.lstrip("-").isdigit()}
            if refuted := _refuted_at(asking, point.claim, values, edition, semantics):
                return refuted
        verdict = Verdict.OPEN
    named = [(part.claim.name, found) for part, found in zip(parts, outcomes, strict=True)]
    undecided = [f"{found.verdict.value}: {name}" for name, found in named if found.verdict is not Verdict.VERIFIED]
    return Outcome(
        verdict,
        Scope(f"its parts for all parameters: {', '.join(name for name, _ in named)}"),
        assumptions=tuple(dict.fromkeys(a for f in outcomes for a in f.assumptions)) if verdict is Verdict.CONDITIONAL else (),
        reason="; ".join(undecided) or None,
        parts=tuple(part.claim.id for part in parts),
    )


def _reach(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """Open, or refuted where a typical point refutes it: with how far the finite checks reach."""
    checked: list[str] = []
    for typical in asked_points(point.claim, {name: str(value) for name, value in _fixed(point).items()}):
        try:
            found = asking.at(typical, edition, semantics)
        except (InputError, LimitError):
            continue
        refuted = None if typical.outside else _refuted_by(found, typical)
        if refuted is not None:
            return refuted
        if found.verdict is Verdict.VERIFIED:
            checked.append(_shown(typical))
    ends = dict.fromkeys((checked[0], checked[-1])) if checked else {}
    reach = (
        f"verified at {' to '.join(ends)} ({len(checked)} point{'s' * (len(checked) > 1)})" if checked else "verified at no typical point"
    )
    return Outcome(Verdict.OPEN, Scope("every value of its parameters"), reason=f"no proof for every parameter; {reach}")


def _shown(point: Point) -> str:
    return ", ".join(f"{k} = {v}" for k, v in point.values.items())
