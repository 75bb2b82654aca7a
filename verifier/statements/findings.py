"""Findings of small closed questions: two values side by side, a set checked element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from verifier.verdicts import Finding, Scope, Verdict

Item = TypeVar("Item")


def side_by_side(what: str, claimed: object, found: object, method: str = "algebra", where: str = "") -> Finding:
    """Verified where the two values are equal, else refuted with both."""
    scope = Scope(f"{what}{f' at {where}' if where else ''}", 1, method)
    if claimed == found:
        return Finding(Verdict.VERIFIED, scope, reason=f"both are {found}")
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"{what}: {claimed} was claimed, {found} was found",
        counterexample={"claimed": str(claimed), "found": str(found)},
    )


def for_each(
    items: Iterable[Item],
    holds: Callable[[Item], bool],
    shown: Callable[[Item], Mapping[str, str]],
    scope: Callable[[int], Scope],
    reason: str,
    assumptions: tuple[str, ...] = (),
    witness: str | None = None,
) -> Finding:
    """Check ``holds`` on every item in their order; the first that fails is the counterexample."""
    cases = failures = 0
    first: Item | None = None
    for item in items:
        cases += 1
        if not holds(item):
            failures += 1
            first = item if failures == 1 else first
    if failures and first is not None:
        text = f"{reason}: fails on {failures:,} of {cases:,}"
        return Finding(Verdict.REFUTED, scope(cases), witness, reason=text, counterexample=dict(shown(first)), failures=failures)
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    return Finding(verdict, scope(cases), witness, assumptions, failures=0)
