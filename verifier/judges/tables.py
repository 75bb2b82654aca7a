"""Judging a construction: a claim that its table computes its function, in the edition asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from verifier.arithmetic.numbers import show
from verifier.attention.evaluate import evaluate_at
from verifier.attention.terms import Reading, reading_of
from verifier.construction.instance import Instance
from verifier.construction.instantiate import outside_domain
from verifier.engines.census import Census, Solved
from verifier.engines.dispatch import decide
from verifier.errors import LimitError, Path
from verifier.judges.editions import (
    edition_file,
    edition_instance,
    readable_instance,
    table_parameters,
    with_indices_repaired,
)
from verifier.judges.wording import MOST_DEFECTS_SHOWN, input_words, inputs_text, lacking_text, parameter_text, trace_words, witness_name
from verifier.problems import bits_of
from verifier.statements.model import Claim, Question, declined
from verifier.verdicts import Edition, Finding, Scope, Verdict

MOST_DEFECTS_LISTED = 100
"""Of a file that its author is writing."""


def judge(question: Question) -> Finding:
    """Whether the claim's table computes its function on every promise pair: the printed table for a statement, which is about it."""
    return judge_table(question)


def judge_table(question: Question, edition: Edition | None = None) -> Finding:
    """Whether the claim's table computes its function on every promise pair, in the question's edition (or another)."""
    claim, wanted = question.claim, edition or question.edition
    prepared = instance_of(question, wanted)
    if isinstance(prepared, Finding):
        return prepared
    instance, witness = prepared
    assert claim.table is not None
    if instance.defects:
        if claim.table.claim not in (None, claim.id):
            return blocked(claim, instance)
        found = ill_formed(instance, witness)
        return found if wanted is Edition.REPAIRED else all_the_same(question, found)
    reading = reading_of(instance, question.semantics)
    label = f"{claim.name} at {parameter_text(instance.parameters)}"
    census = decide(reading, question.method, question.limits.states, lambda done, total: question.advance(label, done, total))
    words = trace_words(claim, wanted, question.parameters, question.semantics)
    return table_finding(reading, census, witness, words)


def instance_of(question: Question, edition: Edition) -> Finding | tuple[Instance, str]:
    """The edition's table at the question's point, defects and all, and its name as a witness; or the finding that declines it."""
    claim = question.claim
    assert claim.table is not None
    file, outside = edition_file(claim, edition, question.parameters)
    values = table_parameters(claim, question.parameters)
    outside = outside or outside_domain(file, values)
    if outside:
        return declined(outside)
    made = edition_instance(claim, edition, question.parameters)
    return made, witness_name(claim.table.file_name, edition, claim.table.errata)


def well_formed(question: Question) -> Finding | tuple[Reading, str]:
    """The reading of the edition's table and its name as a witness; or the finding that declines it: blocked where it is ill-formed,
    even on the reading that repairs its indices (:func:`readable_instance`).
    """
    prepared = instance_of(question, question.edition)
    if isinstance(prepared, Finding):
        return prepared
    printed, witness = prepared
    if not printed.defects:
        return reading_of(printed, question.semantics), witness
    instance = readable_instance(question.claim, question.edition, question.parameters)
    if instance.defects:
        return blocked(question.claim, instance)
    return reading_of(instance, question.semantics), f"{witness}, but for its indices"


def blocked(claim: Claim, instance: Instance) -> Finding:
    """A claim about a construction with defects has no meaning at these parameters: declined, by the claim that says so."""
    assert claim.table is not None
    at = parameter_text(instance.parameters)
    return declined(f"{claim.table.name} is ill-formed at {at}: {instance.defects[0]}", blocked_by=claim.table.claim or claim.id)


def ill_formed(instance: Instance, witness: str, line_of: Callable[[Path], int | None] | None = None) -> Finding:
    """A construction with defects computes nothing: refuted, with reason and place. With ``line_of`` all defects, each with its line."""
    if line_of is None:
        shown = "; ".join(str(d) for d in instance.defects[:MOST_DEFECTS_SHOWN])
        more = len(instance.defects) - MOST_DEFECTS_SHOWN
    else:
        lines = [(line_of(d.path) if d.path else None, d) for d in instance.defects[:MOST_DEFECTS_LISTED]]
        shown = "; ".join(f"line {line}, {d}" if line else str(d) for line, d in lines)
        more = len(instance.defects) - len(lines)
    first = instance.defects[0]
    return Finding(
        Verdict.REFUTED,
        Scope(f"the construction at {parameter_text(instance.parameters)}", 1, "enumeration"),
        witness=witness,
        reason=f"ill-formed: {shown}{f'; {more} more' if more > 0 else ''}",
        counterexample={**{k: str(v) for k, v in instance.parameters.items()}, "place": first.place, "defect": first.message},
    )


def all_the_same(question: Question, found: Finding) -> Finding:
    """The finding on an ill-formed table with what the table does once its indices are repaired and nothing else, if that says what it
    does: how many YES and how many NO inputs it gets wrong.
    """
    instance = with_indices_repaired(question.claim, question.parameters)
    if instance is None:
        return found
    reading = reading_of(instance, question.semantics)
    try:
        counts = wrong_by_answer(reading, question.limits.states)
    except LimitError as limit:
        return replace(found, reason=f"{found.reason}; with its indices repaired it is well-formed, its errors were not counted: {limit}")
    rounded = ", entries that the precision lacks taken exactly" if "exact-entries" in reading.assumptions else ""
    wrong = f"{counts.wrong_on_yes:,} of {counts.yes:,} YES and {counts.wrong_on_no:,} of {counts.no:,} NO inputs"
    values = {"YES inputs": counts.yes, "wrong on YES": counts.wrong_on_yes, "NO inputs": counts.no, "wrong on NO": counts.wrong_on_no}
    reason = f"{found.reason}; with its indices repaired and nothing else it is well-formed and wrong on {wrong}{rounded}"
    return replace(found, reason=reason, values={k: str(v) for k, v in values.items()})


@dataclass(frozen=True)
class Counts:
    """How many promise pairs a table is to answer with 1 (yes) and with 0 (no), and on how many of each it errs."""

    yes: int
    wrong_on_yes: int
    no: int
    wrong_on_no: int


def wrong_by_answer(reading: Reading, limit: int) -> Counts:
    """Counted by enumeration of all promise pairs.

    Raises:
        LimitError: more states than ``limit``.
    """
    census = decide(reading, "enumerate", limit)
    assert isinstance(census, Census)
    assert census.yes is not None
    assert census.missed is not None
    return Counts(census.yes, census.missed, census.cases - census.yes, census.failures - census.missed)


def table_finding(reading: Reading, census: Census | Solved, witness: str, trace: tuple[str, ...]) -> Finding:
    """What a method found, as a finding; ``trace`` are the words of the replaying command, to which --y and --z are added."""
    instance = reading.instance
    task = instance.task
    scope = Scope(f"all {census.cases:,} {inputs_text(instance)}", census.cases, census.method)
    counted = census if isinstance(census, Census) else None
    remarks = [f"a NaN is met and rejected on {counted.nans:,} inputs"] if counted and counted.nans else []
    failures = counted.failures if counted else None
    if census.smallest is None:
        assumptions = reading.assumptions
        if "exact-entries" in assumptions:
            remarks.insert(0, lacking_text(reading, reading.unrepresentable))
        verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
        return Finding(verdict, scope, witness, assumptions, reason="; ".join(remarks) or None, failures=failures)
    extent = "some of them, how many was not counted" if failures is None else f"{failures:,} of them"
    inputs = dict(zip(task.strings, census.smallest, strict=True))
    words = {name: bits_of(inputs[name], length) for name, length in task.strings.items()}
    run = evaluate_at(reading, inputs)
    answer = run.decision.answer
    counterexample = {
        **{k: str(v) for k, v in instance.parameters.items()},
        **words,
        "numerator": ", ".join(map(show, run.numerators)),
        "denominator": show(run.denominator),
        "output": ", ".join(map(show, run.attentions)),
        "answer": str(answer) if answer is not None else f"neither 0 nor 1: {show(run.decision.output)}",
        "expected": str(run.expected),
    }
    return Finding(
        Verdict.REFUTED,
        scope,
        witness,
        reason="; ".join([f"{task.function} fails on {extent}", *remarks]),
        counterexample=counterexample,
        failures=failures,
        replay=(*trace, *input_words(words)),
    )
