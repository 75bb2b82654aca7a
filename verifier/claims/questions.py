"""Questions to a statement that the paper does not answer: which hypotheses it needs, its smallest case, and whether it holds beyond its
domain. Each question is one procedure over the statement's record; the statement's file may add questions of ours. The answer says what was
searched and is not a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from verifier.arithmetic.semantics import Semantics
from verifier.claims.model import Claim, Variant, declined
from verifier.claims.parameters import parse_values
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import DEFAULT_LIMITS, Advance, Limits, silent
from verifier.running.printable import assignment

DECIDED = (Verdict.VERIFIED, Verdict.REFUTED)
WORDS = {Verdict.VERIFIED: "true", Verdict.REFUTED: "false"}
MOST_OF_EACH = 1 << 10
"""Every value of a parameter up to this one is searched. Above it only typical values are searched."""


@dataclass(frozen=True)
class Answer:
    """question: in words; answer: the findings, a line for each set of points that agree; searched: the points, and the cases covered at
    the last one."""

    question: str
    answer: str
    searched: str
    counterexample: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Inquiry:
    """A statement, with the edition and the semantics of the questions. ranges: of its parameters; missing ones are typical."""

    claim: Claim
    semantics: Semantics
    edition: Edition = Edition.STATEMENT
    limits: Limits = DEFAULT_LIMITS
    advance: Advance = silent
    ranges: Mapping[str, str] | None = None

    def answers(self) -> Iterator[Answer]:
        """The answers to all three questions, the hypotheses one by one, and to this statement's own questions."""
        for hypothesis in self.claim.hypotheses:
            yield self._needed(hypothesis)
        for asked in self.claim.questions:
            yield self._answered(asked)
        yield self.first()
        yield self.beyond()

    def _judged(self, claim: Claim, point: Mapping[str, int]) -> Outcome:
        """The outcome on a variant of the statement; declined with the error if the judge does not apply to it."""
        try:
            return Session(self.limits, self.advance).outcome(claim, self.edition, point, self.semantics)[0]
        except (InputError, LimitError, ArithmeticError, LookupError, ValueError, AssertionError) as error:
            return declined(str(error) or type(error).__name__, out_of_reach=isinstance(error, LimitError))

    def _needed(self, hypothesis: Variant) -> Answer:
        """Whether the statement fails without a hypothesis, at the first point searched."""
        asked, without = f"is this hypothesis needed: {hypothesis.says}", hypothesis.claim
        searched: list[str] = []
        scope = why = ""
        for point in points(without, {**hypothesis.over, **(self.ranges or {})}):
            found = self._judged(without, point)
            if found.verdict not in DECIDED:
                why = why or _undecided(found)
                continue
            searched.append(_shown(point))
            scope = found.scope.statement
            if found.verdict is Verdict.REFUTED:
                return Answer(asked, f"yes: without it the statement fails at {_shown(point)}", found.scope.statement, found.counterexample)
        if not searched:
            return Answer(asked, f"not answered: nothing was decided without it{why}", "no point")
        return Answer(asked, "no case was found that needs it", f"{_from_to(searched)}; at the last, {scope}")

    def _answered(self, asked: Variant) -> Answer:
        """The answers computed at the points, grouped by equality, and the cases covered at the last point."""
        given: dict[str, list[str]] = {}
        left: dict[str, str] = {}
        cases, scope = 0, ""
        for point in points(asked.claim, {**asked.over, **(self.ranges or {})}):
            found = self._judged(asked.claim, point)
            if found.verdict not in DECIDED:
                left[_shown(point)] = _undecided(found)
                continue
            if found.verdict is Verdict.REFUTED:
                return Answer(asked.says, f"not as expected at {_shown(point)}", found.scope.statement, found.counterexample)
            given.setdefault(found.witness or "yes", []).append(_shown(point))
            cases, scope = cases + (found.scope.cases or 0), found.scope.statement
        first = next(iter(left.values()), "")
        if not given:
            return Answer(asked.says, f"not answered: nothing was decided{first}", "no point")
        every = [point for listed in given.values() for point in listed]
        texts = [text if len(given) == 1 and not left else f"{_from_to(listed)}: {text}" for text, listed in given.items()]
        texts += [f"{_from_to([*left])}: not answered{first}"] if left else []
        return Answer(asked.says, "\n".join(texts), f"{_from_to(every)}, {cases:,} cases; at the last, {scope}")

    def _box(self) -> Iterator[dict[str, int]]:
        """Every point from 0 (or the least value given) up to the largest typical value, in lexicographic order, inside the domain or not;
        above :data:`MOST_OF_EACH` only the typical values."""
        given, sides = self.ranges or {}, {}
        for parameter in self.claim.parameters:
            text = given.get(parameter.name, parameter.typical)
            if text is not None and not parameter.names:
                values = parse_values(text, parameter)
                small = range(min(values[0], 0), min(values[-1], MOST_OF_EACH) + 1)
                sides[parameter.name] = values if parameter.name in given else sorted({*small, *values})
        for point in product(*sides.values()):
            try:
                yield self.claim.complete(dict(zip(sides, point, strict=True)))
            except InputError:
                continue

    def first(self) -> Answer:
        """The smallest parameters in the domain at which the statement is decided over at least one case, and the smallest intended
        ones."""
        asked, last, said, scope = "what is the smallest case where it applies", None, "", ""
        for point in self._box():
            if self.claim.outside(point) is not None or (said and self.claim.not_meant(point) is not None):
                continue
            found, last = self._judged(self.claim, point), point
            if found.out_of_reach:
                return Answer(asked, f"{said}not answered from {_shown(point)} on{_undecided(found)}", scope or "no point")
            if found.verdict not in DECIDED:
                continue
            here, scope = f"{_shown(point)}, and it is {WORDS[found.verdict]} there", scope or found.scope.statement
            if self.claim.not_meant(point) is None:
                return Answer(asked, f"{said}the smallest that the authors mean is {here}" if said else here, scope)
            said = f"{here}, but the authors do not mean this case; "
        none = "no point lies in the domain" if last is None else f"{_shown(last)} is the last" if last else _shown(last)
        return Answer(asked, said.removesuffix("; ") or "none of the points searched", scope or none)

    def beyond(self) -> Answer:
        """Whether the statement also holds outside its domain, at the points of the box."""
        asked = "does it also hold outside the domain that it states"
        free = replace(self.claim, parameters=tuple(replace(p, where="1 == 1") for p in self.claim.parameters), where=None)
        free = replace(free, repaired=None)
        held: list[str] = []
        for point in self._box():
            if self.claim.outside(point) is not None:
                found = self._judged(free, point)
                if found.verdict is Verdict.REFUTED:
                    return Answer(asked, f"no: it fails at {_shown(point)}", found.scope.statement, found.counterexample)
                held += [_shown(point)] if found.verdict is Verdict.VERIFIED else []
        if not held:
            searched = f"every point up to the typical ones (each parameter up to {MOST_OF_EACH:,})"
            return Answer(asked, "not answered: nothing was decided outside the domain", searched)
        return Answer(asked, "it holds at every point outside that was decided", _from_to(held))


def _undecided(found: Outcome) -> str:
    """``: …``, why a point is not decided, or empty without a reason."""
    return f": {found.reason}" if found.reason else ""


def _from_to(points: Sequence[str]) -> str:
    """``p = 2 to p = 5, 4 points``, or the only point."""
    return points[0] if len(points) == 1 else f"{points[0]} to {points[-1]}, {len(points)} points"


def _shown(point: Mapping[str, int]) -> str:
    return assignment(point) or "its one point"
