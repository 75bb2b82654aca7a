"""Judge a claim for every value of its parameters (``--p all``): by symbols if it is a formula or its judge reduces it to formulas, by
theorems that a kernel checks, or by its parts.

Any other claim is open, and its outcome says how far the finite checks reach. A parameter that has a value keeps it.

By theorems (:func:`by_theorems`) every small point that they do not cover is judged by itself. The sentence begins with the parameters for
which it is true: ``true for every p >= 3 (Coq 8.16.1, theorem …), p = 2 (enumeration); false at p = 1 (degenerate)``. If the kernel was not
asked here, ``(kernel)`` stands for the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from verifier.arithmetic.semantics import Semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.kernel_proofs import Decided, deciding
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, asked_points, constituents
from verifier.claims.verdicts import KERNEL, Edition, Outcome, Scope, Verdict, declined, worst
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


FEW = "1..4"
"""The points that are searched for a degenerate case."""
PROVED_WHERE_MEANT = "proved for all parameters that the authors intend"


def is_formula(claim: Claim) -> bool:
    """Whether its judge can decide it for all parameters from its formula alone."""
    return isinstance(claim.judge, NamedJudge) and not claim.bounded and claim.judge.every is not None


def for_all(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """The outcome of a claim over its whole domain, or the part of it in which some parameters have a value."""
    asked = point.claim.of_edition(edition)
    if theorems := list(deciding(asked, edition, semantics)):
        return by_theorems(asking, point, edition, semantics, theorems)
    if asked.judge is None:
        return _of_parts(asking, point, edition, semantics)
    if not is_formula(asked):
        return _reach(asking, point, edition, semantics)
    found = asking.decided(asked, _fixed(point))
    if found.verdict is Verdict.REFUTED:
        return _led_by_what_is_meant(asking, point, found, edition, semantics)
    if found.verdict is Verdict.OPEN:
        if (known := _beside_what_is_meant(asking, point, edition, semantics)) is not None:
            return known
        reached = _reach(asking, point, edition, semantics)
        return replace(reached, reason=f"{found.reason}; {reached.reason}") if reached.verdict is Verdict.OPEN else reached
    return _at_typical_points(asking, point, edition, semantics, found)


def _at_typical_points(asking: Asking, point: Point, edition: Edition, semantics: Semantics, proved: Outcome) -> Outcome:
    """The outcome that is proved for all parameters, unless an argument step is refuted at a typical point; a reduction is compared with
    the judge.

    Raises:
        AssertionError: the claim itself is refuted at a point, which is a fault of this program.
    """
    asked = point.claim.of_edition(edition)
    assert isinstance(asked.judge, NamedJudge)
    if asked.judge.kind is not None and (edition is Edition.STATEMENT or not any(point.claim.arguments)):
        return proved
    reached = _reach(asking, point, edition, semantics)
    if reached.verdict is not Verdict.REFUTED:
        return proved
    if edition is Edition.STATEMENT:
        raise AssertionError(f"proved for all parameters of {point.claim.id}, and {reached.reason}")
    return reached


def _led_by_what_is_meant(asking: Asking, point: Point, found: Outcome, edition: Edition, semantics: Semantics) -> Outcome:
    """A refutation by symbols, at an intended point if possible; a refutation at a degenerate point says what holds elsewhere."""

    def at_its_point(outcome: Outcome) -> Outcome:
        return _refuted_at(asking, point.claim, _values(outcome, point), edition, semantics) or outcome

    values = _values(found, point)
    if values.keys() != point.values.keys() or point.claim.not_meant(values) is None:
        return at_its_point(found)
    asked = point.claim.of_edition(edition)
    meant = asking.decided(asked.as_meant, _fixed(point))
    degenerate = at_its_point(found)
    if meant.verdict is Verdict.REFUTED:
        return _with_footnote(at_its_point(meant), values)
    if meant.verdict is Verdict.VERIFIED:
        return replace(degenerate, reason=f"{PROVED_WHERE_MEANT}; {degenerate.reason}", meant=Verdict.VERIFIED)
    return degenerate


def _beside_what_is_meant(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome | None:
    """A proof for all intended parameters, with the outcomes at the small points that are not intended: refuted at the first that is
    refuted.

    Verified if these points are all the unintended ones, of one parameter, or else None.
    """
    asked, fixed = point.claim.of_edition(edition), _fixed(point)
    meant = [p.meant for p in asked.parameters if p.meant is not None]
    if not meant or (proved := asking.decided(asked.as_meant, fixed)).verdict is not Verdict.VERIFIED:
        return None
    few = asked_points(asked, {p.name: str(fixed.get(p.name, FEW)) for p in asked.parameters})
    others = [each for each in few if not each.outside and asked.not_meant(each.values) is not None]

    def every_other() -> bool:
        try:
            return len(asked.parameters) == len(fixed) + 1 and not not_covered(asked, fixed, [" and ".join(meant)], others)
        except (InputError, LimitError):
            return False

    alone = edition is Edition.STATEMENT or not any(point.claim.arguments)
    if not alone and not every_other():
        return None
    outcomes = []
    for each in others:
        outcomes.append(asking.at(each, edition, semantics))
        if (refuted := _refuted_by(outcomes[-1], each)) is not None:
            return replace(refuted, reason=f"{PROVED_WHERE_MEANT}; {refuted.reason}", meant=Verdict.VERIFIED) if alone else refuted
    if any(found.verdict is not Verdict.VERIFIED for found in outcomes) or not every_other():
        return None
    listed = "; ".join(assignment(each.values) for each in others)
    scope = replace(proved.scope, statement=f"{proved.scope.statement}; and, one by one, {listed}")
    return _at_typical_points(asking, point, edition, semantics, replace(proved, scope=scope))


def _values(outcome: Outcome, point: Point) -> dict[str, int]:
    """The parameters of a counterexample."""
    return {name: int(text) for name, text in (outcome.counterexample or {}).items() if name in point.values}


def _with_footnote(led: Outcome, degenerate: Mapping[str, int]) -> Outcome:
    """A refutation at intended parameters, with a smaller degenerate one as a footnote."""
    return replace(led, reason=f"{led.reason}; also false at {assignment(degenerate)}, a degenerate case")


def _fixed(point: Point) -> dict[str, int]:
    """The parameters that have a value."""
    return {name: value for name, value in point.values.items() if value is not ALL}


def _refuted_at(asking: Asking, claim: Claim, values: Mapping[str, int], edition: Edition, semantics: Semantics) -> Outcome | None:
    """The refutation of a claim for all parameters by its counterexample at a point, or None if the claim is not refuted at the point."""
    if values.keys() != {p.name for p in claim.parameters}:
        return None
    point = Point.of(claim, values)
    return None if point.outside else _refuted_by(asking.at(point, edition, semantics), point)


def _refuted_by(found: Outcome, point: Point) -> Outcome | None:
    """The refutation of a claim for all parameters by this one point, or None if the claim is not refuted at the point."""
    if found.verdict is not Verdict.REFUTED:
        return None
    at = assignment(point.values)
    return Outcome(
        Verdict.REFUTED,
        Scope(found.scope.statement, None, found.scope.method),
        reason=f"false at {at}" + (f": {found.reason}" if found.reason else ""),
        counterexample={**{k: str(v) for k, v in point.values.items()}, **(found.counterexample or {})},
        replay=found.replay,
    )


def _of_parts(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """The worst outcome of the parts, or of the argument steps if the claim has no parts, each over all parameters that apply here.

    A refuted argument step refutes the printed proof at a typical point, but not the statement. A part may fail outside the claim's own
    domain, so that the claim is refuted only if it fails itself.
    """
    parts = list(constituents(point.claim.of_edition(edition), point.claim, point.values))
    if not parts:
        return declined("none of its parts says anything here")
    outcomes = [asking.at(part, edition, semantics) for part in parts]
    verdict = worst(f.verdict for f in outcomes)
    leading = _row_by_row(point.claim, parts, outcomes)
    if verdict in (Verdict.REFUTED, Verdict.DECLINED):
        reached = _reach(asking, point, edition, semantics)
        if reached.verdict is Verdict.REFUTED:
            of_parts = worst(f.meant or f.verdict for f in outcomes)
            meant = of_parts if reached.meant and of_parts in (Verdict.VERIFIED, Verdict.CONDITIONAL) else reached.meant
            return replace(reached, reason="\n".join([*leading, reached.reason or ""]), meant=meant)
        for found in outcomes:
            values = {k: int(v) for k, v in (found.counterexample or {}).items() if k in point.values and v.lstrip("-").isdigit()}
            if refuted := _refuted_at(asking, point.claim, values, edition, semantics):
                return refuted
        verdict = Verdict.OPEN
    if verdict is Verdict.VERIFIED and edition is not Edition.STATEMENT and any(point.claim.arguments):
        reached = _reach(asking, point, edition, semantics)
        if reached.verdict is Verdict.REFUTED:
            return reached
    named = [(part.claim.name, found) for part, found in zip(parts, outcomes, strict=True)]
    undecided = [f"{found.verdict.value}: {name}" for name, found in named if found.verdict is not Verdict.VERIFIED]
    return Outcome(
        verdict,
        Scope(f"its parts for all parameters: {', '.join(name for name, _ in named)}"),
        assumptions=tuple(dict.fromkeys(a for f in outcomes for a in f.assumptions)) if verdict is Verdict.CONDITIONAL else (),
        reason="\n".join([*filter(None, ["; ".join(undecided)]), *leading]) or None,
        parts=tuple(part.claim.id for part in parts),
    )


def _row_by_row(claim: Claim, parts: Sequence[Point], outcomes: Sequence[Outcome]) -> list[str]:
    """The theorems on each part, in the order of the claim's rows: ``p bits suffice (lemma-2.6): true for every p >= 3 (Coq …)``."""
    asks = {row.claim: row.says for row in claim.rows}
    order = list(asks)
    said = [(part.claim, f.witness or f.reason) for part, f in zip(parts, outcomes, strict=True) if f.scope.method == KERNEL]
    said.sort(key=lambda each: order.index(each[0].id) if each[0].id in asks else len(order))
    return [f"{asks[part.id]} ({part.name}): {text}" if part.id in asks else f"{part.name}: {text}" for part, text in said]


def _reach(asking: Asking, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
    """Refuted at the first typical point that refutes it, an intended one if possible, or else open. It says how far checks reach."""
    checked: list[Point] = []
    degenerate: tuple[Point, Outcome] | None = None
    for typical in asked_points(point.claim, {name: str(value) for name, value in _fixed(point).items()}):
        try:
            found = asking.at(typical, edition, semantics)
        except (InputError, LimitError):
            continue
        refuted = None if typical.outside else _refuted_by(found, typical)
        if refuted is not None and typical.not_meant is None:
            return _with_footnote(refuted, degenerate[0].values) if degenerate else refuted
        if refuted is not None and degenerate is None:
            degenerate = typical, refuted
        if found.verdict is Verdict.VERIFIED:
            checked.append(typical)
    if degenerate is not None:
        reach = _from_first_to_last([each for each in checked if each.not_meant is None])
        refuted = degenerate[1]
        return replace(refuted, reason=f"where it is meant, not proved, and {reach}; {refuted.reason}", meant=Verdict.OPEN)
    reason = f"no proof for every parameter; {_from_first_to_last(checked)}"
    return Outcome(Verdict.OPEN, Scope("every value of its parameters"), reason=reason)


def _from_first_to_last(checked: Sequence[Point]) -> str:
    """``verified at p = 2 to p = 4 (3 points)``."""
    if not checked:
        return "verified at no typical point"
    ends = dict.fromkeys((assignment(checked[0].values), assignment(checked[-1].values)))
    return f"verified at {' to '.join(ends)} ({len(checked)} point{'s' * (len(checked) > 1)})"


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
    for at in _small(claim, fixed):
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


def _small(claim: Claim, fixed: Mapping[str, int]) -> Iterator[Point]:
    """Points of every value from 0 up to the last typical one, for the parameters with typical values; other parameters have their
    defaults."""
    given = {name: str(value) for name, value in fixed.items()}
    last: dict[str, int] = {}
    for point in asked_points(claim, given):
        last = {name: max(value, last.get(name, 0)) for name, value in point.values.items()}
    ranges = {p.name: f"0..{last[p.name]}" for p in claim.parameters if p.default is None and p.name in last and p.name not in fixed}
    return asked_points(claim, {**given, **ranges})


def not_covered(claim: Claim, fixed: Mapping[str, int], conditions: Sequence[str], others: Sequence[Point]) -> list[str]:
    """The parameters that the conditions and the other points may not cover, or empty if symbols prove that they cover the domain."""
    from verifier.proofs.for_all import Disproof, Proof, decide_for_all

    cases = [f"({condition})" for condition in conditions]
    cases += [f"({' and '.join(f'{name} == {int(value)}' for name, value in each.values.items())})" for each in others]
    found = decide_for_all([" or ".join(cases)], claim.domain(fixed), where=claim.where)
    if isinstance(found, Proof):
        return []
    return [f"open at {assignment(found.point)}" if isinstance(found, Disproof) else f"the rest of the domain is open: {found.reason}"]
