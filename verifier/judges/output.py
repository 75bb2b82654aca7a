"""Judging statements on the attention's output, on every promise pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verifier.attention.evaluate import evaluate
from verifier.statements.model import Question, declined
from verifier.judges.tables import parameter_text
from verifier.judges.values import Place, Values, contradicted, held, located, prepare
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.lattice import States, Truths
from verifier.engines.program import Criterion, Faults, Program
from verifier.verdicts import Edition, Finding, Scope


@dataclass(frozen=True)
class Output:
    """A statement on the attention's output on YES inputs, on NO inputs, or on both."""

    holds_yes: Callable[[Values, Place], Truths] | None
    holds_no: Callable[[Values, Place], Truths] | None
    says: str


def judge_output(question: Question, printed: Output, repaired: Output | None = None) -> Finding:
    """The statement on every promise pair of the kind that it speaks of."""
    statement = repaired if repaired is not None and question.edition is Edition.REPAIRED else printed
    prepared = prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    place = Place(reading.instance)
    label = f"{question.claim.name} at {parameter_text(reading.instance.parameters)}"
    census = enumerate_pairs(
        reading, question.limits.states, lambda done, total: question.advance(label, done, total), _criterion(statement, place)
    )
    yes = 1 << place.m
    cases = (yes if statement.holds_yes else 0) + (census.cases - yes if statement.holds_no else 0)
    kind = {(True, False): "YES ", (False, True): "NO ", (True, True): ""}[(bool(statement.holds_yes), bool(statement.holds_no))]
    at = located(reading.instance)
    if cases == 0:
        return declined(f"there are no {kind}inputs at {at}")
    scope = Scope(f"all {cases:,} {kind}inputs at {at}: {statement.says}", cases, census.method)
    if census.smallest is None:
        return held(reading, scope, witness)
    found = evaluate(reading, *census.smallest).attention
    return contradicted(question, reading, scope, witness, census.smallest, found, "the output", statement.says, census.failures)


def _criterion(statement: Output, place: Place) -> Criterion:
    def faults(program: Program, attention: States) -> Faults:
        values = Values(program.lattice, attention)
        none = np.zeros(attention.shape, dtype=bool)
        on_no = ~statement.holds_no(values, place) if statement.holds_no else none
        on_yes = ~statement.holds_yes(values, place) if statement.holds_yes else none
        return Faults(on_no, on_yes, values.is_nan)

    return faults
