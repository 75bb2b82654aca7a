"""Judging: parameters completed, domains kept, parts combined, every finding made once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from verifier.claims.catalogue import find_claim
from verifier.claims.model import Advance, Claim, Limits, Question, _silent, declined
from verifier.errors import InputError, LimitError
from verifier.formulas.exact import integer
from verifier.semantics import Semantics
from verifier.verdicts import Edition, Finding, Result, Scope, Verdict, worst

Point = Mapping[str, int]
_PointKey = tuple[str, tuple[tuple[str, int], ...]]
_Key = tuple[str, Edition, tuple[tuple[str, int], ...], Semantics]


class Session:
    """One run: limits, progress, method, and the findings made so far."""

    def __init__(self, limits: Limits = Limits(), advance: Advance = _silent, method: str = "auto") -> None:
        self.limits = limits
        self.advance = advance
        self.method = method
        self._made: dict[_Key, tuple[Finding, float]] = {}

    def ask(self, claim: str, edition: Edition, parameters: Point, semantics: Semantics) -> Finding:
        """The finding on a claim, by id; parameters that the claim lacks are left out."""
        found = find_claim(claim)
        known = {p.name for p in found.parameters}
        return self.finding(found, edition, {k: v for k, v in parameters.items() if k in known}, semantics)[0]

    def finding(self, claim: Claim, edition: Edition, given: Point, semantics: Semantics) -> tuple[Finding, float]:
        """The finding and the seconds that it took."""
        values = claim.complete(given)
        key = (claim.id, edition, tuple(values.items()), semantics)
        if key not in self._made:
            start = time.perf_counter()
            made, alike = self._judge(claim, edition, values, semantics)
            for other in Edition if alike else (edition,):
                spent = time.perf_counter() - start if other is edition else 0.0
                self._made[claim.id, other, tuple(values.items()), semantics] = _with_replay(made, claim, other, values, semantics), spent
        return self._made[key]

    def results(self, claim: Claim, editions: tuple[Edition, ...], given: Point, semantics: Semantics) -> Iterator[Result]:
        """The results of a claim in the editions asked for, then those of its parts, each part once."""
        yield from self._results(claim, editions, given, semantics, set())

    def _results(
        self,
        claim: Claim,
        editions: tuple[Edition, ...],
        given: Point,
        semantics: Semantics,
        seen: set[_PointKey],
    ) -> Iterator[Result]:
        values = claim.complete(given)
        key = (claim.id, tuple(values.items()))
        if key in seen:
            return
        seen.add(key)
        for edition in editions:
            made, seconds = self.finding(claim, edition, values, semantics)
            yield Result(claim.id, edition, values, semantics.label if claim.bounded else None, made, seconds)
        if claim.outside(values) is None:
            for part, point in part_points(claim, values):
                yield from self._results(part, editions, point, semantics, seen)

    def _judge(self, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> tuple[Finding, bool]:
        """The finding, and whether it is that of every edition: nobody looked at which one was asked for."""
        outside = claim.outside(values)
        if outside:
            return declined(outside), True
        if claim.judge is None:
            return self._combined(claim, edition, values, semantics), False
        looked: list[bool] = []
        note = partial(looked.append, True)
        question = Question(claim, edition, values, semantics, self, self.limits, self.advance, self.method, note)
        label = " ".join([claim.name, *parameter_words(values)])
        self.advance(label, 0, 0)
        try:
            made = claim.judge(question)
        except LimitError as limit:
            made = declined(str(limit))
        self.advance(label, 1, 0)
        return made, not looked

    def _combined(self, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> Finding:
        """The worst of the parts; assumptions of all; the reason names the parts that decide, the replay is the first's."""
        parts = list(part_points(claim, values))
        findings = [(part, self.finding(part, edition, point, semantics)[0]) for part, point in parts]
        refuted = next((f for _, f in findings if f.verdict is Verdict.REFUTED), None)
        verdict = worst(f.verdict for _, f in findings)
        assumptions = tuple(dict.fromkeys(a for _, f in findings for a in f.assumptions))
        names = ", ".join(p.name for p, _ in findings)
        deciding = [p.name for p, f in findings if f.verdict is verdict]
        return Finding(
            verdict=verdict,
            scope=Scope(f"its parts: {names}"),
            assumptions=assumptions if verdict is Verdict.CONDITIONAL else (),
            reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {', '.join(deciding)}",
            replay=refuted.replay if refuted else None,
            parts=tuple(p.id for p, _ in findings),
        )


def part_points(claim: Claim, values: Point) -> Iterator[tuple[Claim, dict[str, int]]]:
    """The parts of a claim with their parameters at the whole's point."""
    names = {k: Fraction(v) for k, v in values.items()}
    for part in claim.parts:
        found = find_claim(part.claim)
        known = [p.name for p in found.parameters]
        point = {k: v for k, v in values.items() if k in known}
        point |= {name: integer(text, names) for name, text in part.parameters.items()}
        yield found, point


def _with_replay(made: Finding, claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> Finding:
    """Every refutation has a replay: the judge's or the parts' own, or the command that judges the claim again."""
    if made.verdict is not Verdict.REFUTED or made.replay is not None:
        return made
    return replace(made, replay=judge_words(claim, edition, values, semantics))


def judge_words(claim: Claim, edition: Edition, values: Point, semantics: Semantics) -> tuple[str, ...]:
    """The words after ``verify`` that judge one edition of a claim at one point."""
    words = [claim.id, *parameter_words(values), "--edition", edition.value]
    if claim.bounded and semantics.label != "a4":
        words += ["--semantics", semantics.label]
    return tuple(words)


def parameter_words(values: Point) -> list[str]:
    """``--p 5 --n 22``."""
    return [word for name, value in values.items() for word in (f"--{name}", str(value))]


def parse_values(text: str, name: str, names: tuple[str, ...] = ()) -> list[int]:
    """``5``, ``2..12``, a name of a value, or several of these with commas between, ascending and each once.

    Raises:
        InputError: anything else, or an empty range.
    """
    return sorted({value for part in text.split(",") for value in _parse_range(part, name, names)})


def _parse_range(text: str, name: str, names: tuple[str, ...]) -> range:
    if text in names:
        return range(names.index(text), names.index(text) + 1)
    first, dots, last = text.partition("..")
    try:
        start = int(first)
        end = int(last) if dots else start
    except ValueError:
        others = f", or one of {', '.join(names)}," if names else ""
        raise InputError(f"--{name} {text}: an integer, a range such as 2..12, or a list such as 5,8..9{others} was expected") from None
    if end < start:
        raise InputError(f"--{name} {text}: the range is empty, its end lies before its start")
    return range(start, end + 1)


def points(claim: Claim, given: Mapping[str, str]) -> Iterator[dict[str, int]]:
    """The parameter points of a run: the product of the ranges, the first parameter slowest.

    A parameter that is not given takes its typical range, or its default at each point. Of a typical range only the points inside the
    claim's domain are run; where what was given leaves none, the first of them, so that nothing asked for goes unanswered.

    Raises:
        InputError: an unknown parameter, a bad range, or a parameter that has neither.
    """
    known = [p.name for p in claim.parameters]
    for name in given:
        if name not in known:
            raise InputError(f"{claim.name} has no parameter {name!r}; it takes {', '.join(known) or 'none'}")

    def extend(done: dict[str, int], rest: list[str]) -> Iterator[dict[str, int]]:
        if not rest:
            yield claim.complete(done)
            return
        parameter = next(p for p in claim.parameters if p.name == rest[0])
        text = given.get(parameter.name) or (parameter.typical if parameter.default is None else None)
        if text is None:
            yield from extend(done, rest[1:])
            return
        for value in parse_values(text, parameter.name, parameter.names):
            yield from extend({**done, parameter.name: value}, rest[1:])

    every = list(extend({}, known))
    asked = [name for name in known if name in given]
    inside = {_values(point, asked) for point in every if claim.outside(point) is None}
    for point in every:
        key = _values(point, asked)
        if claim.outside(point) is None or key not in inside:
            inside.add(key)
            yield point


def _values(point: Point, names: list[str]) -> tuple[int, ...]:
    return tuple(point[name] for name in names)
