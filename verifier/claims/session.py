"""Judging: parameters completed, domains kept, parts and steps combined, every finding made once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.claims.model import Claim, Query, declined
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, parameter_words
from verifier.claims.proof_steps import Proof, broken_step
from verifier.claims.records import Part
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict, worst
from verifier.errata.claims import Only
from verifier.language.exact import integer
from verifier.language.syntax import names_in
from verifier.running.errors import LimitError, MissingExtraError
from verifier.running.limits import SHORT_OF_MEMORY, Advance, Limits, silent

_PointKey = tuple[str, tuple[tuple[str, int], ...]]
_Key = tuple[str, Edition, tuple[tuple[str, int], ...], Semantics]

STEP_STATES = 1 << 24
"""How much work a step may take where the verdict on its owner rests on it (``--limit`` where that is less)."""
LINE_STATES = 1 << 20
"""How much work a step may take for the line that counts the steps of a proof."""


class Session:
    """One run: limits, progress, method, and the findings made so far. With ``only``, the repaired edition has these errata alone."""

    def __init__(self, limits: Limits = Limits(), advance: Advance = silent, method: str = "auto", only: Only | None = None) -> None:
        self.limits = limits
        self.only = only
        self.advance = advance
        self.method = method
        self._judged: dict[_Key, Outcome] = {}
        self._made: dict[_Key, tuple[Outcome, float]] = {}
        self._less: dict[int, Session] = {}
        self.count_slips = False
        """Whether results of statements say how many slips their proofs have: their steps are judged for it."""
        self._needs: list[set[str]] = [set()]
        """Extras found missing: in the session, then in each claim that is being judged, the outermost first."""

    @property
    def steps(self) -> Session:
        """The session that judges steps on behalf of their owners: the same, or one with less work for each."""
        return self._with_less(STEP_STATES)

    def _with_less(self, states: int) -> Session:
        """A session in which a step takes at most so many states; this one where it takes no more."""
        if self.limits.states <= states:
            return self
        if states not in self._less:
            self._less[states] = Session(Limits(states, self.limits.memory), self.advance, self.method, self.only)
            self._less[states]._needs = self._needs
        return self._less[states]

    def ask(self, claim: str, edition: Edition, parameters: Point, semantics: Semantics) -> Outcome:
        """The finding on a claim, by id; parameters that the claim lacks are left out."""
        found = find_claim(claim)
        known = {p.name for p in found.parameters}
        return self.outcome(found, edition, {k: v for k, v in parameters.items() if k in known}, semantics)[0]

    def outcome(self, claim: Claim, edition: Edition, given: Point, semantics: Semantics) -> tuple[Outcome, float]:
        """The finding and the seconds that it took."""
        if self.only is not None:
            claim = self.only.applied(claim)
        values = claim.complete(given)
        point = tuple(values.items())
        key = (claim.id, edition, point, semantics)
        if key not in self._made:
            start = time.perf_counter()
            self._needs.append(set())
            try:
                if key not in self._judged:
                    made, alike = self.own(claim, edition, values, semantics)
                    made = replace(made, needs=tuple(sorted(self._needs[-1])))
                    self._judged |= {(claim.id, other, point, semantics): made for other in alike}
                self._needs[-1].update(self._judged[key].needs)
                whole = self._whole(self._judged[key], claim, edition, values, semantics)
                self._made[key] = replace(whole, needs=tuple(sorted(self._needs[-1]))), time.perf_counter() - start
            finally:
                self._needs.pop()
        found, seconds = self._made[key]
        self._needs[-1].update(found.needs)
        return found, seconds

    def results(self, claim: Claim, editions: tuple[Edition, ...], given: Point, semantics: Semantics) -> Iterator[Result]:
        """The results of a claim in the editions asked for, then those of its parts, each part once."""
        yield from self._results(claim, editions, given, semantics, set())

    def _results(
        self, claim: Claim, editions: tuple[Edition, ...], given: Point, semantics: Semantics, seen: set[_PointKey]
    ) -> Iterator[Result]:
        values = claim.complete(given)
        key = (claim.id, tuple(values.items()))
        if key in seen:
            return
        seen.add(key)
        for edition in editions:
            made, seconds = self.outcome(claim, edition, values, semantics)
            inside = (
                self.count_slips
                and edition is Edition.PRINTED
                and claim.steps
                and claim.outside(values) is None
                and ALL not in values.values()
            )
            slips = self.proof(claim, values, semantics).slips if inside else None
            yield Result(claim.id, edition, values, semantics.label if claim.bounded else None, made, seconds, slips)
        if claim.outside(values) is None:
            for part, point in part_points(claim.parts, values):
                yield from self._results(part, editions, point, semantics, seen)

    def proof(self, claim: Claim, given: Point, semantics: Semantics) -> Proof:
        """The steps of a statement at one of its points, as printed."""
        steps = self._with_less(LINE_STATES)
        states = None if steps is self else steps.limits.states
        return Proof.of(claim, claim.complete(given), lambda step, point: steps.outcome(step, Edition.PRINTED, point, semantics)[0], states)

    def own(self, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> tuple[Outcome, tuple[Edition, ...]]:
        """The finding, and the editions that it is the finding of: all that share fields, where nobody looked at which was asked for."""
        every = tuple(Edition)
        outside = claim.outside(values)
        if outside:
            return declined(outside), every
        asked = claim.of_edition(edition)
        shared = every if claim.repaired is None else (edition,) if edition is Edition.REPAIRED else (Edition.STATEMENT, Edition.PRINTED)
        if asked is not claim and (beyond := asked.outside(values)):
            return declined(beyond.replace("the claim's domain", "the repaired domain")), (edition,)
        if ALL in values.values():
            from verifier.claims.for_all import for_all, is_formula

            return for_all(self, claim, edition, values, semantics), shared if is_formula(asked) else (edition,)
        if asked.judge is None:
            return self._combined(asked, edition, values, semantics), (edition,)
        looked: list[bool] = []
        note = partial(looked.append, True)
        query = Query(asked, edition, values, semantics, self, self.limits, self.advance, self.method, note)
        label = " ".join([claim.name, *parameter_words(values)])
        self.advance(label, 0, 0)
        try:
            made = asked.judge(query)
        except LimitError as limit:
            made = declined(str(limit))
        except MemoryError:
            if self.limits.memory is not None:  # a job's own bound, which its caller names
                raise
            made = declined(SHORT_OF_MEMORY)
        except MissingExtraError as missing:
            made = declined(str(missing))
            self._needs[-1].add(missing.extra)
        self.advance(label, 1, 0)
        return made, (edition,) if looked else shared

    def _whole(self, made: Outcome, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> Outcome:
        """The finding with what follows from the claim's steps and assumptions, and with a replay where it is refuted."""
        asked = claim.of_edition(edition)
        made = self._supported(made, asked, values, semantics)
        argued = claim.judge is not None or claim.parts  # without either it is its argument steps already
        rests_on_steps = claim.steps and argued and not claim.witness and ALL not in values.values()
        if edition is not Edition.STATEMENT and rests_on_steps and made.verdict not in (Verdict.REFUTED, Verdict.DECLINED):
            made = broken_step(
                made,
                claim,
                values,
                lambda step, point: self.steps.outcome(step, edition, point, semantics)[0],
                lambda step, point: judge_words(step, edition, point, semantics),
            )
        if made.verdict is not Verdict.REFUTED:
            return made
        if ALL not in values.values() and (edge := claim.not_meant(values)):
            made = replace(made, reason=f"{made.reason}; an edge: {edge}" if made.reason else f"an edge: {edge}")
        return made if made.replay is not None else replace(made, replay=judge_words(claim, edition, values, semantics))

    def _supported(self, made: Outcome, claim: Claim, values: Point, semantics: Semantics) -> Outcome:
        """A conditional finding is open where a claim refutes one of its assumptions at these parameters."""
        if made.verdict is not Verdict.CONDITIONAL:
            return made
        for name in made.assumptions:
            if name not in claim.supports:
                continue
            ((decides, point),) = part_points((claim.supports[name],), values)
            if decides.outside(point) is not None:
                continue
            found = self.outcome(decides, Edition.STATEMENT, point, semantics)[0]
            if found.verdict is Verdict.REFUTED:
                where = " ".join(parameter_words(point))
                reason = f"rests on {name}, which {decides.name} {where} refutes"
                return Outcome(Verdict.OPEN, made.scope, reason=reason, parts=made.parts, values=made.values)
        return made

    def _combined(self, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> Outcome:
        """The worst of the parts, or of the argument steps where there are no parts; what says nothing here is left out.

        Assumptions of all; the reason names the parts that decide, the replay is the first's.
        """
        said = [(part, point) for part, point in self._constituents(claim, values) if part.outside(point) is None]
        if not said:
            return declined("none of its parts says anything here")
        outcomes = [(part, self.outcome(part, edition, point, semantics)[0]) for part, point in said]
        refuted = next((f for _, f in outcomes if f.verdict is Verdict.REFUTED), None)
        verdict = worst(f.verdict for _, f in outcomes)
        assumptions = tuple(dict.fromkeys(a for _, f in outcomes for a in f.assumptions))
        ids = tuple(dict.fromkeys(p.id for p, _ in outcomes))
        names = ", ".join(i.partition("/")[2] for i in ids)
        deciding = dict.fromkeys(p.name for p, f in outcomes if f.verdict is verdict)
        blocked = next((f.blocked_by for _, f in outcomes if f.verdict is verdict and f.blocked_by), None)
        return Outcome(
            verdict=verdict,
            scope=Scope(f"its parts: {names}"),
            assumptions=assumptions if verdict is Verdict.CONDITIONAL else (),
            reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {', '.join(deciding)}",
            replay=refuted.replay if refuted else None,
            parts=ids,
            blocked_by=blocked,
        )

    def _constituents(self, claim: Claim, values: Point) -> list[tuple[Claim, dict[str, int]]]:
        from verifier.claims.points import shared_points

        if claim.parts:
            return list(part_points(claim.parts, values))
        steps = find_claim(claim.id).steps
        return [(step, point) for step in steps if step.role == "argument" for point in shared_points(step, values)]


def part_points(parts: tuple[Part, ...], values: Point) -> Iterator[tuple[Claim, dict[str, int]]]:
    """The parts of a claim with their parameters at the whole's point."""
    names: Mapping[str, Fraction] = {k: Fraction(v) for k, v in values.items()}
    for part in parts:
        found = find_claim(part.claim)
        known = [p.name for p in found.parameters]
        point = {k: v for k, v in values.items() if k in known}
        whole = {k for k, v in values.items() if v is ALL}
        point |= {name: integer(text, names) if whole.isdisjoint(names_in(text)) else ALL for name, text in part.parameters.items()}
        yield found, found.complete(point)


def judge_words(claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> tuple[str, ...]:
    """The words after ``verify`` that judge one edition of a claim at one point."""
    words = [claim.id, *parameter_words(values), "--edition", edition.value]
    if claim.bounded and semantics.label != "a4":
        words += ["--semantics", semantics.label]
    return tuple(words)
