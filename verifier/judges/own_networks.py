"""Judge whether a network file answers every input rightly, and whether its coordinates are what the file expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.running.limits import Advance, Limits, silent
from verifier.transformers.cells import Cell
from verifier.transformers.expectations import Expected, judged_expectations
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile

INPUTS = Limits(30_000_000)
"""The default extent of a judgement, which takes some seconds in exact arithmetic."""


def judged_network(
    name: str,
    file: NetworkFile,
    lengths: range,
    arithmetics: Sequence[Arithmetic],
    parameters: Mapping[str, int] | None = None,
    limits: Limits = INPUTS,
    advance: Advance = silent,
    edition: Edition = Edition.PRINTED,
) -> Iterator[Result]:
    """A result for each arithmetic, and for each expectation over real numbers, each followed by a declined one for the lengths that the
    limit leaves undecided. name: the file, or its errata, in the replay."""
    given = dict(parameters or {})

    def results(claim: str, arithmetic: str, of: Cell | Expected, found: Outcome) -> Iterator[Result]:
        rest = _rest(file.length, lengths, of.decided_to, of.stopped)
        yield Result(claim, edition, given, arithmetic, replace(found, reason=None) if rest else found, monotonic() - start)
        if rest:
            yield Result(claim, edition, {**given, file.length: (of.decided_to or 0) + 1}, arithmetic, rest)

    for how in arithmetics:
        start = monotonic()
        cell = first_wrong(name, file, how, lengths, given, limits, advance)
        yield from results(f"network/{file.id}", str(how), cell, _answers(cell, lengths))
    start = monotonic()
    for each in judged_expectations(file, lengths, given, limits, advance):
        yield from results(f"network/{file.id}:{each.name}", EXACT, each, _expected(name, file, each, lengths, given))


def _scope(length: str, lengths: range, decided: int | None, cases: int, method: str) -> Scope:
    if decided is None:
        return Scope("no input", cases, method)
    among = f"{length} = {decided}" if decided <= lengths[0] else f"{length} = {lengths[0]} .. {decided}"
    return Scope(f"all {cases:,} inputs with {among}", cases, method)


def _rest(length: str, lengths: range, decided: int | None, stopped: str) -> Outcome | None:
    """A sentence about the lengths after the last decided one, if any."""
    if not stopped or decided is None:
        return None
    left = f"{length} = {lengths[-1]}" if decided + 1 == lengths[-1] else f"{length} = {decided + 1} .. {lengths[-1]}"
    return Outcome(Verdict.DECLINED, Scope(f"no input with {left}"), reason=stopped, out_of_reach=True)


def _answers(cell: Cell, lengths: range) -> Outcome:
    scope = _scope(cell.length, lengths, cell.decided_to, cell.cases, cell.method)
    if cell.first_wrong is not None:
        wrong = cell.first_wrong
        shown = f" ({wrong.answer.shown})" if wrong.answer.shown else ""
        return Outcome(
            Verdict.REFUTED,
            scope,
            reason=f"the answer is {wrong.answer.found}{shown}, the right one is {wrong.answer.expected}",
            counterexample={cell.length: str(wrong.length), **wrong.strings},
            replay=tuple(cell.replay_words),
        )
    if cell.stopped and not cell.cases:
        return Outcome(Verdict.DECLINED, scope, reason=cell.stopped, out_of_reach=True)
    return Outcome(Verdict.VERIFIED, scope, reason=cell.stopped or None)


def _expected(name: str, file: NetworkFile, each: Expected, lengths: range, given: Mapping[str, int]) -> Outcome:
    scope = _scope(file.length, lengths, each.decided_to, each.cases, "definition")
    if each.broken is not None:
        at = {file.length: str(each.broken.length), **each.broken.strings, "i": str(each.broken.position)}
        only = {file.length: each.broken.length, **given}
        words = [name, *(word for key, value in only.items() for word in (f"--{key}", str(value)))]
        shown = f" ({each.broken.shown})" if each.broken.shown else ""
        return Outcome(Verdict.REFUTED, scope, reason=f"{each.holds} is false{shown}", counterexample=at, replay=tuple(words))
    if not each.cases:
        return Outcome(Verdict.DECLINED, scope, reason=each.stopped or "no length was tried", out_of_reach=True)
    return Outcome(Verdict.VERIFIED, scope, reason=each.stopped or None)
