"""Judging the expectations of a construction file (:class:`verifier.networks.instance.Expectation`) on every promised input.

All inputs at once: the running sums token by token, compared after the tokens that an expectation names. The first failing input is then
run by the definition (:func:`departures`), which says at which token it departs, and from what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.enumerate import Chunk, asked, chunks, input_at
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.sum_values import restricted
from verifier.judges.strings import decoded
from verifier.judges.wording import input_words, inputs_text
from verifier.language import arrays, exact
from verifier.language.array_values import Strings
from verifier.language.arrays import Column
from verifier.language.exact import Bits, Given
from verifier.networks.instance import Expectation
from verifier.networks.instantiate import FOUND
from verifier.networks.problems import bits_of
from verifier.networks.tasks import Inputs, split_inputs
from verifier.running.errors import InputError, LimitError, placed
from verifier.transformers.table_traces import evaluate_at, numerators_of
from verifier.transformers.tables import Execution


@dataclass(frozen=True)
class Departure:
    """Where one input departs from an expectation: after which token, and what was found there."""

    expectation: Expectation
    token: int
    step: int
    found: Number
    claimed: str


@dataclass(frozen=True)
class Met:
    """How an expectation fares: how many inputs it speaks of, how many fail, and the first that does."""

    cases: int
    failures: int
    smallest: tuple[int, ...] | None


def departures(execution: Execution, expectation: Expectation, inputs: Inputs) -> Iterator[Departure]:
    """By the definition: where one promised input departs from an expectation, token by token."""
    instance, trace = execution.instance, evaluate_at(execution, inputs)
    strings = {name: Bits(inputs[name], length) for name, length in instance.task.strings.items()}
    for step in trace.steps:
        if step.token.index not in expectation.after:
            continue
        found: Number
        if expectation.of == "output":
            found = trace.attentions[expectation.column]
        elif expectation.of == "denominator":
            found = step.denominator
        elif expectation.of == "column":
            found = step.sums[_column(execution, expectation)]
        else:
            found = numerators_of(execution, step.sums)[expectation.column]
        names: dict[str, Given] = {**instance.names, **strings, "i": Fraction(step.token.index)}
        if expectation.where and not exact.truth(expectation.where, names):
            continue
        if not exact.truth(expectation.formula, {**names, FOUND: found}):
            yield Departure(expectation, step.token.index, step.token.step, found, _claimed(expectation, names))


def _claimed(expectation: Expectation, names: Mapping[str, Given]) -> str:
    """What the formula says there: its value, where it is one."""
    if expectation.formula == expectation.says:
        return expectation.says
    value = exact.rational(expectation.says, names)
    return show(value) if str(value) == expectation.says else f"{show(value)} = {expectation.says}"


def _column(execution: Execution, expectation: Expectation) -> int:
    """Which running sum a column of A X is.

    Raises:
        InputError: no such column is formed.
    """
    if execution.semantics.order != "ax":
        raise InputError(f"{expectation.name}: no column of A X is formed in this order of evaluation ({execution.semantics.order})")
    if expectation.column not in execution.columns:
        formed = ", ".join(str(c + 1) for c in execution.columns) or "none"
        raise InputError(f"{expectation.name}: column {expectation.column + 1} of A X is not formed, as W^V does not use it; {formed} are")
    return execution.columns.index(expectation.column)


def every_input(execution: Execution, limit: int, advance: Callable[[int, int], None] = lambda done, total: None) -> list[Met]:
    """Each expectation on every promised input.

    Raises:
        LimitError: more inputs than ``limit``.
        InputError: a formula without a value at some input.
    """
    instance, program = execution.instance, Program(execution)
    cases, failures = [0] * len(instance.expectations), [0] * len(instance.expectations)
    smallest: list[tuple[int, ...] | None] = [None] * len(instance.expectations)
    for done, total, chunk in chunks(instance.task, limit):
        promised, _ = asked(instance.task, chunk)
        spoken, wrong = _of_chunk(execution, program, chunk, promised)
        for k in range(len(instance.expectations)):
            cases[k] += int(spoken[k].sum())
            failures[k] += int(wrong[k].sum())
            if smallest[k] is None and wrong[k].any():
                smallest[k] = input_at(instance.task, chunk, int(wrong[k].argmax()))
        advance(done + 1, total)
    return [Met(*each) for each in zip(cases, failures, smallest, strict=True)]


def _of_chunk(execution: Execution, program: Program, chunk: Chunk, promised: Truths) -> tuple[list[Truths], list[Truths]]:
    """For each expectation, of which inputs it speaks and which of them depart somewhere."""
    instance = execution.instance
    spoken = [np.zeros_like(promised) for _ in instance.expectations]
    wrong = [np.zeros_like(promised) for _ in instance.expectations]
    inputs = {name: each[promised] for name, each in split_inputs(instance.task, chunk.numbers).items()}
    strings = {name: Strings.of(inputs[name], length) for name, length in instance.task.strings.items()}
    tables = {token.index: one for token, one in zip(program.tokens, program.by_token(), strict=True)}
    sums: dict[str, States] = {name: np.zeros(promised.shape, dtype=np.int64) for name in program.sums}
    for token in program.tokens:
        for name, addend in tables[token.index].items():
            reads, table = restricted(addend, chunk.fixed)
            sums[name] = program.lattice.add(sums[name], chunk.spread(reads, table))
        for k, expectation in enumerate(instance.expectations):
            if token.index not in expectation.after or not promised.any():
                continue
            names: dict[str, Given | Column] = {**instance.names, **strings, "i": Fraction(token.index)}
            found = decoded(_states(execution, program, expectation, sums, promised.shape), program.lattice.decode, promised)
            shape = (int(promised.sum()),)
            with placed(expectation.name):
                where = np.broadcast_to(arrays.truth(expectation.where, names), shape) if expectation.where else np.ones(shape, np.bool_)
                if where.any():
                    inner = {name: each.picked(shape, where) for name, each in strings.items()}
                    known: dict[str, Given | Column] = {
                        **instance.names,
                        **inner,
                        "i": Fraction(token.index),
                        FOUND: found.picked(shape, where),
                    }
                    held = np.ones(shape, np.bool_)
                    held[where] = arrays.truth(expectation.formula, known)
                    spoken[k][np.flatnonzero(promised)[where]] = True
                    wrong[k][np.flatnonzero(promised)[~held]] = True
    return spoken, wrong


def _states(execution: Execution, program: Program, expectation: Expectation, sums: Mapping[str, States], shape: tuple[int, ...]) -> States:
    """The quantity's value for each input of a chunk; linear attention with W^V = 0 has no sums."""
    if expectation.of == "denominator":
        one = np.broadcast_to(program.lattice.encode(Fraction(1)), shape)
        return sums.get(DENOMINATOR, one)
    if expectation.of == "column":
        return sums[program.numerator_sums[_column(execution, expectation)]]
    parts = program.attentions(sums) if expectation.of == "output" else program.numerators(sums)
    return np.broadcast_to(parts[expectation.column], shape)


def judged_expectations(
    execution: Execution, witness: str, words: tuple[str, ...], limit: int, advance: Callable[[int, int], None]
) -> Iterator[tuple[str, Outcome]]:
    """An outcome for each expectation, by its name; ``words`` are those of the replaying command, the input is added."""
    instance = execution.instance
    if not instance.expectations:
        return
    try:
        met = every_input(execution, limit, advance)
    except LimitError as error:
        for expectation in instance.expectations:
            yield expectation.name, declined(str(error))
        return
    for expectation, one in zip(instance.expectations, met, strict=True):
        yield expectation.name, _outcome(execution, expectation, one, witness, words)


def _outcome(execution: Execution, expectation: Expectation, met: Met, witness: str, words: tuple[str, ...]) -> Outcome:
    instance = execution.instance
    kept = f" where {expectation.where}" if expectation.where else ""
    subject = _subject(expectation, instance.outputs)
    if not met.cases:
        return declined(f"no promised input{kept}: nothing is expected of any")
    scope = Scope(f"all {met.cases:,} {inputs_text(instance)}{kept}: {subject} {_says(expectation)}", met.cases, "enumeration")
    if met.smallest is None:
        assumptions = execution.attention_assumptions
        return Outcome(Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED, scope, witness, assumptions, failures=0)
    inputs = dict(zip(instance.task.strings, met.smallest, strict=True))
    digits = {name: bits_of(inputs[name], length) for name, length in instance.task.strings.items()}
    first = next(departures(execution, expectation, inputs), None)
    if first is None:
        raise AssertionError(f"the engine refutes {expectation.name} at {inputs}, the definition does not")
    counterexample = {
        **{k: str(v) for k, v in instance.parameters.items()},
        **digits,
        "token": str(first.token),
        "step": str(first.step),
        "found": show(first.found),
        "expected": first.claimed,
    }
    place = "" if expectation.of == "output" else f" after token {first.token} (step {first.step})"
    reason = f"{subject}{place} is {show(first.found)}, {first.claimed} was expected; fails on {met.failures:,} of them"
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=reason,
        counterexample=counterexample,
        failures=met.failures,
        replay=(*words, *input_words(digits)),
    )


def _subject(expectation: Expectation, outputs: int) -> str:
    if expectation.of == "column":
        return f"column {expectation.column + 1} of A X"
    numbered = outputs > 1 and expectation.of != "denominator"
    return f"{expectation.of} {expectation.column + 1}" if numbered else f"the {expectation.of}"


def _says(expectation: Expectation) -> str:
    """``is 2*popcount(y)``, or the condition."""
    return f"keeps {expectation.says}" if expectation.formula == expectation.says else f"is {expectation.says}"
