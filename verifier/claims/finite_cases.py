"""Outcomes of small closed questions, which compare two values or check a set element by element."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import GeneratorType
from typing import Any, TypeVar

from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.running.errors import InputError

Item = TypeVar("Item")

Trial = Mapping[str, object] | int
"""True for a case that passed, the number of cases that passed at once, or the values that show a failure."""


@dataclass(frozen=True)
class Over:
    """The cases of a judge, and the method that goes through them.

    what: the scope without the parameters, which are added; a function if the cases themselves say what was covered.
    at_once: the number of cases that count as one against the limit, for judges that use arrays.
    sample_of: what the sentence quantifies over, if the cases are only a sample of it; a function if the cases themselves say it.
    """

    what: str | Callable[[], str]
    method: str | None = "enumeration"
    at_once: int = 1
    sample_of: str | Callable[[], str] = ""


Cases = Generator[Over | Trial, None, Any]
"""The cases of a judge. It yields an :class:`Over` and then its cases, the smallest first: ``yield holds or {"x": x}``.

The judge returns the witness of the verified claim, if it has one, or an outcome, which is then the judge's outcome.
"""


def judged(query: Query, cases: Cases) -> Outcome:
    """The outcome of the cases of a judge: :func:`decide` on them, with the witness that they return, or the outcome that they return.

    Raises:
        InputError: the judge yields something else than cases; LimitError: more cases than the query admits.
    """
    returned: Outcome | str | None = None

    def each() -> Iterator[Any]:
        nonlocal returned
        returned = yield from cases

    rest = each()
    over = next(rest, None)
    if isinstance(returned, Outcome):  # it ended before its first case
        return returned
    if not isinstance(over, Over):
        raise _not_expected(cases, over, "an Over, which says what the cases are, was expected before the first case")
    found = decide(query, over, _trials(cases, rest))
    if isinstance(returned, Outcome):
        return returned
    return replace(found, witness=returned) if returned and found.verdict is Verdict.VERIFIED else found


def _trials(cases: Cases, rest: Iterator[Any]) -> Iterator[Trial]:
    """The cases that a judge yields: each holds (True, or the number of cases that it stands for) or is a dictionary that shows a failure.

    The value None is refused, because it may be a forgotten return.
    """
    for trial in rest:
        passed = trial is True or (type(trial) is int and trial > 0)
        if not passed and not (isinstance(trial, Mapping) and trial):
            raise _not_expected(cases, trial, "True, a number of cases or a counterexample was expected, as in `yield holds or {'k': k}`")
        yield trial


def _not_expected(cases: Cases, found: object, expected: str) -> InputError:
    """Say what a judge yielded at its current line, or that it ended, and what was expected."""
    assert isinstance(cases, GeneratorType)
    code, frame = cases.gi_code, cases.gi_frame
    place, told = (code.co_firstlineno, "ends") if frame is None else (frame.f_lineno, f"yields {found!r}")
    return InputError(f"{code.co_filename}:{place}: the judge {told}; {expected}")


def decide(query: Query, over: Over, trials: Iterable[Trial]) -> Outcome:
    """Verified if no trial fails, refuted at the first that does; the trials count themselves against the limit. If no case was tried, the
    outcome is declined.

    Raises:
        LimitError: more cases than the query admits.
    """

    def scope() -> str:
        return f"{over.what if isinstance(over.what, str) else over.what()} {query.at}".rstrip()

    count = 0
    for trial in trials:
        if isinstance(trial, Mapping):
            return refuted(scope(), trial, over.method)
        if type(trial) is not int:
            assert trial, "a case that fails gives what shows it"
            trial = 1
        count += trial
        query.within(count // over.at_once)
    if count == 0:
        return declined(f"not applicable: no case meets the claim's conditions here ({scope()})")
    sample_of = over.sample_of if isinstance(over.sample_of, str) else over.sample_of()
    return Outcome(Verdict.VERIFIED, Scope(scope(), count, over.method, sample_of))


def refuted(scope: str, failure: Mapping[str, object], method: str | None = None) -> Outcome:
    """Refuted by a counterexample, whose values are shown as exact strings."""
    return Outcome(Verdict.REFUTED, Scope(scope, None, method), counterexample={k: shown(v) for k, v in failure.items()})


def proved(scope: str, method: str, witness: str | None = None) -> Outcome:
    """Verified by a method that does not go through cases one by one."""
    return Outcome(Verdict.VERIFIED, Scope(scope, None, method), witness=witness)


def at_point(query: Query) -> dict[str, str]:
    """The query's parameters, as a counterexample shows them."""
    return {name: str(value) for name, value in query.parameters.items()}


def shown(value: object) -> str:
    """A value as text, a sequence in parentheses."""
    return f"({', '.join(map(shown, value))})" if isinstance(value, (list, tuple)) else str(value)


def side_by_side(what: str, claimed: object, found: object, method: str = "algebra") -> Outcome:
    """Verified where the two values are equal, else refuted with both."""
    scope = Scope(what, 1, method)
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
    each = list(items)
    held = [bool(holds(item)) for item in each]
    cases, failures = len(each), held.count(False)
    if failures:
        text, example = f"{reason}: fails on {failures:,} of {cases:,}", dict(shown(each[held.index(False)]))
        return Outcome(Verdict.REFUTED, scope(cases), witness, reason=text, counterexample=example, failures=failures)
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    return Outcome(verdict, scope(cases), witness, assumptions, failures=0)
