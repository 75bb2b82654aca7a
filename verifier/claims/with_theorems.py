"""Judge a claim for every value of its parameters by theorems that a kernel checks, and by finite checks of the remaining points.

The sentence begins with the parameters for which it is true: ``true for every p >= 3 (Coq 8.16.1, theorem …), p = 2 (enumeration); false at
p = 1 (degenerate)``. If the kernel was not asked here, ``(kernel)`` stands for the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from verifier.arithmetic.semantics import Semantics
from verifier.claims.kernel_proofs import Decided, deciding
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, points
from verifier.claims.verdicts import KERNEL, Edition, Outcome, Scope, Verdict
from verifier.kernel.answer_cache import Word
from verifier.language.printer import printed
from verifier.running.errors import InputError, LimitError
from verifier.running.printable import assignment


class Asking(Protocol):
    """Base of objects that return the outcomes of other claims."""

    def at(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome at a point."""

    def decided(self, claim: Claim, fixed: Mapping[str, int]) -> Outcome:
        """The outcome by symbols of a formula for all parameters without a value."""


NEEDS = "coq"
"""The extra that is missing if the kernel has not been asked."""
MOST_LEFT = 40
"""Points that the theorems leave over, of which each is judged by itself."""


@dataclass(frozen=True)
class _Left:
    """A point that no theorem covers, with its outcome."""

    point: Point
    outcome: Outcome

    @property
    def how(self) -> str:
        """``p = 2, n = 10 (enumeration)``."""
        return f"{assignment(self.point.values)} ({self.outcome.scope.method or 'finite check'})"

    @property
    def false(self) -> str:
        """``p = 1, n = 6 (degenerate: the authors intend p >= 2)``."""
        return assignment(self.point.values) + (f" (degenerate: {self.point.not_meant})" if self.point.not_meant else "")


def by_theorems(asking: Asking, point: Point, edition: Edition, semantics: Semantics, theorems: Sequence[Decided]) -> Outcome:
    """The outcome over the whole domain: accepted theorems, then every small point that they do not cover."""
    fixed = {name: value for name, value in point.values.items() if value is not ALL}
    covered, left = _split(asking, point.claim, fixed, edition, semantics, theorems)
    said = _sentence(theorems, left)
    scope = Scope(f"every value of its parameters{f' with {assignment(fixed)}' if fixed else ''}", None, KERNEL)
    if refuting := [each for each in theorems if each.refutes]:
        left = [_Left(covered, asking.at(covered, edition, semantics)), *left] if covered else left
        if not any(each.word.accepted for each in refuting) and covered:
            said = f"false at {assignment(covered.values)}: {left[0].outcome.reason}; {said}"
    failing = [each for each in left if each.outcome.verdict is Verdict.REFUTED]
    failing.sort(key=lambda each: each.point.not_meant is not None)
    if failing:
        which = "a degenerate case," if failing[0].point.not_meant else "the counterexample at"
        scope = replace(scope, statement=f"{which} {assignment(failing[0].point.values)}")
        at = {name: str(value) for name, value in failing[0].point.values.items()}
        found = failing[0].outcome
        meant = None if failing[0].point.not_meant is None else _meant(point.claim.of_edition(edition), fixed, theorems, left)
        counterexample = {**at, **(found.counterexample or {})}
        return Outcome(Verdict.REFUTED, scope, reason=said, counterexample=counterexample, replay=found.replay, meant=meant)
    if any(each.word.accepted is None and not each.counts for each in theorems):
        return Outcome(Verdict.DECLINED, scope, reason=said, needs=(NEEDS,), out_of_reach=True)
    rest = [f"open at {assignment(each.point.values)}" for each in left if each.outcome.verdict is not Verdict.VERIFIED]
    conditions = [printed(each.condition) for each in theorems]
    rest += not_covered(point.claim.of_edition(edition), fixed, conditions, [each.point for each in left])
    if rest or not all(each.counts for each in theorems):
        return Outcome(Verdict.OPEN, scope, reason="; ".join([said, *rest]))
    heard = dict.fromkeys(each.word.said for each in theorems if each.word.accepted)
    return Outcome(Verdict.VERIFIED, scope, witness=said, reason="; ".join(heard) or None)


def _meant(claim: Claim, fixed: Mapping[str, int], theorems: Sequence[Decided], left: Sequence[_Left]) -> Verdict:
    """The verdict for all parameters that the authors mean, if no remaining point that they mean is refuted."""
    others = [each for each in left if each.point.not_meant is None]
    verified = all(each.outcome.verdict is Verdict.VERIFIED for each in others) and all(each.counts for each in theorems)
    conditions = [printed(each.condition) for each in theorems]
    if verified and not not_covered(claim.as_meant, fixed, conditions, [each.point for each in others]):
        return Verdict.VERIFIED
    return Verdict.OPEN


NOT_ASKED = Word(None, "")


def by_theorem_at(undecided: Outcome, claim: Claim, edition: Edition, values: Mapping[str, int], semantics: Semantics) -> Outcome:
    """Decide by a theorem a point that is open or beyond a limit. If no theorem decides it, return the given outcome, and say how to run a
    kernel that has not run.

    Coq on this machine is asked only about a point beyond a limit: what is found of an open point can then be kept, as it depends on
    nothing outside the program.
    """
    try:
        covering = [each for each in deciding(claim, edition, semantics) if each.covers(values)]
    except LimitError:
        return undecided
    for each in covering:
        here = each.word if undecided.out_of_reach else NOT_ASKED
        if here.accepted or (here.accepted is None and each.shipped):
            verdict = Verdict.REFUTED if each.refutes else Verdict.VERIFIED
            said = f"{'false' if each.refutes else 'true'} for {each.sentence if here.accepted else f'{each.ranges} ({KERNEL})'}"
            at = {name: str(value) for name, value in values.items()}
            scope = Scope(f"{assignment(values)}, which a theorem for {each.ranges} covers", None, KERNEL)
            if each.refutes:
                return Outcome(verdict, scope, reason=said, counterexample=at)
            return Outcome(verdict, scope, witness=said, reason=here.said if here.accepted else None)
    for each in covering if undecided.out_of_reach else ():
        if each.word.accepted is None:
            return replace(undecided, reason=f"{undecided.reason}; {each.named} covers it: {each.word.said}")
    return undecided


def _sentence(theorems: Sequence[Decided], left: Sequence[_Left]) -> str:
    """The parameters for which the claim is true and false, each with its evidence, theorems first; then what the kernel has not decided,
    and last degenerate failures.
    """
    true = [each.sentence for each in theorems if each.word.accepted and not each.refutes]
    true += [f"{each.ranges} ({KERNEL})" for each in theorems if not each.word.accepted and each.counts and not each.refutes]
    true += [each.how for each in left if each.outcome.verdict is Verdict.VERIFIED]
    false = [f"for {each.sentence}" for each in theorems if each.word.accepted and each.refutes]
    failing = [each for each in left if each.outcome.verdict is Verdict.REFUTED]
    false += [f"at {each.false}" for each in failing if each.point.not_meant is None]
    degenerate = [f"at {each.false}" for each in failing if each.point.not_meant is not None]
    false += [f"for {each.ranges} ({KERNEL})" for each in theorems if not each.word.accepted and each.counts and each.refutes]
    unknown = [f"not known for {each.ranges}: {each.word.said}" for each in theorems if not each.counts]
    said = [f"true for {', '.join(true)}" if true else "", f"false {', '.join(false)}" if false else ""]
    if not any(each.counts and not each.refutes for each in theorems):
        said.reverse()
    return "; ".join([*filter(None, said), *unknown, *([f"false {', '.join(degenerate)}"] if degenerate else [])])


def _split(
    asking: Asking, claim: Claim, fixed: Mapping[str, int], edition: Edition, semantics: Semantics, theorems: Sequence[Decided]
) -> tuple[Point | None, list[_Left]]:
    """The first small point that a theorem covers, and the small points that none covers, with their outcomes.

    Raises:
        InputError: a theorem contradicts the claim at a point that it should cover.
    """
    covered: Point | None = None
    left: list[_Left] = []
    for values in _small(claim, fixed):
        at = Point.of(claim, values)
        if at.of_edition(edition).outside:
            continue
        covering = [each for each in theorems if each.covers(at.values)]
        if covering:
            covered = covered or at
        elif len(left) < MOST_LEFT:
            try:
                left.append(_Left(at, asking.at(at, edition, semantics)))
            except (InputError, LimitError):
                continue
    return covered, left


def _small(claim: Claim, fixed: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Points of every value from 0 up to the last typical one, for the parameters with typical values; other parameters have their
    defaults."""
    given = {name: str(value) for name, value in fixed.items()}
    last: dict[str, int] = {}
    for values in points(claim, given):
        last = {name: max(value, last.get(name, 0)) for name, value in values.items()}
    ranges = {p.name: f"0..{last[p.name]}" for p in claim.parameters if p.default is None and p.name in last and p.name not in fixed}
    return points(claim, {**given, **ranges})


def not_covered(claim: Claim, fixed: Mapping[str, int], conditions: Sequence[str], others: Sequence[Point]) -> list[str]:
    """The parameters that the conditions and the other points may not cover, or empty if symbols prove that they cover the domain."""
    from verifier.proofs.for_all import Disproof, Proof, decide_for_all

    cases = [f"({condition})" for condition in conditions]
    cases += [f"({' and '.join(f'{name} == {int(value)}' for name, value in each.values.items())})" for each in others]
    found = decide_for_all([" or ".join(cases)], claim.domain(fixed), where=claim.where)
    if isinstance(found, Proof):
        return []
    return [f"open at {assignment(found.point)}" if isinstance(found, Disproof) else f"the rest of the domain is open: {found.reason}"]
