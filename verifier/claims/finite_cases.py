"""Findings of small closed questions: two values side by side, a set checked element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict

Item = TypeVar("Item")

Failure = Mapping[str, object] | None
Trial = Failure | int
"""A failure, None for a case that passed, or how many cases passed at once."""


def decide(
    query: Query,
    what: str | Callable[[], str],
    trials: Iterable[Trial],
    method: str | None = "enumeration",
    witness: str | None = None,
    at_once: int = 1,
) -> Outcome:
    """Verified when no trial fails, refuted at the first that does; trials come smallest first, and count themselves against the limit.

    what:    the scope without the parameters, which are added; a function where the trials themselves say what they went through.
             No trials at all: declined.
    at_once: how many cases count as one against the limit, where arrays go through them.

    Raises:
        LimitError: more cases than the question admits.
    """

    def scope() -> str:
        return f"{what if isinstance(what, str) else what()} {query.at}".rstrip()

    count = 0
    for trial in trials:
        if trial is not None and not isinstance(trial, int):
            return refuted(scope(), trial, method)
        count += 1 if trial is None else trial
        query.within(count // at_once)
    if count == 0:
        return declined(f"the claim says nothing here: {scope()} is no case at all")
    return Outcome(Verdict.VERIFIED, Scope(scope(), count, method), witness=witness)


def refuted(scope: str, failure: Mapping[str, object], method: str | None = None) -> Outcome:
    """Refuted by a counterexample, whose values are shown as exact strings."""
    return Outcome(Verdict.REFUTED, Scope(scope, None, method), counterexample={k: shown(v) for k, v in failure.items()})


def proved(scope: str, method: str, cases: int | None = None, witness: str | None = None) -> Outcome:
    """Verified by a method that does not go through cases one by one."""
    return Outcome(Verdict.VERIFIED, Scope(scope, cases, method), witness=witness)


def shown(value: object) -> str:
    """A value as text, a sequence in parentheses."""
    return f"({', '.join(map(shown, value))})" if isinstance(value, (list, tuple)) else str(value)


def side_by_side(what: str, claimed: object, found: object, method: str = "algebra", where: str = "") -> Outcome:
    """Verified where the two values are equal, else refuted with both."""
    scope = Scope(f"{what}{f' at {where}' if where else ''}", 1, method)
    if claimed == found:
        return Outcome(Verdict.VERIFIED, scope, reason=f"both are {found}")
    return Outcome(
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
) -> Outcome:
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
        return Outcome(Verdict.REFUTED, scope(cases), witness, reason=text, counterexample=dict(shown(first)), failures=failures)
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    return Outcome(verdict, scope(cases), witness, assumptions, failures=0)
