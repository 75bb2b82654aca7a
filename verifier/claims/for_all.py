"""Judge a claim for every value of its parameters (``--p all``): by symbols if it is a formula or its judge reduces it to formulas, by a
theorem that a kernel checks (:mod:`verifier.claims.with_theorems`), or by its parts.

Any other claim is open, and its outcome says how far the finite checks reach. A parameter that has a value keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from verifier.arithmetic.semantics import Semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.kernel_proofs import deciding
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, asked_points, constituents
from verifier.claims.verdicts import KERNEL, Edition, Outcome, Scope, Verdict, declined, worst
from verifier.claims.with_theorems import Asking, by_theorems, not_covered
from verifier.running.errors import InputError, LimitError
from verifier.running.printable import assignment

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
    """Open, or refuted at the first typical point that refutes it, an intended one if possible; with the reach of the finite checks."""
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
