"""Judging a construction: a claim that its table computes its function, in the edition asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from verifier.arithmetic.numbers import show
from verifier.attention.evaluate import evaluate_at
from verifier.attention.terms import Reading, reading_of
from verifier.construction.errata import Source
from verifier.construction.instance import Instance
from verifier.construction.instantiate import complete, instantiate, outside_domain
from verifier.construction.schema import ConstructionFile
from verifier.engines.census import Census, Solved
from verifier.engines.dispatch import decide
from verifier.engines.lattice import States
from verifier.engines.program import Faults, Program
from verifier.errors import InputError, LimitError, Path
from verifier.problems import Problem, bits_of
from verifier.semantics import Semantics
from verifier.statements.model import Claim, Question, declined
from verifier.statements.papers import find_claim
from verifier.verdicts import Edition, Finding, Scope, Verdict

MOST_DEFECTS_SHOWN = 3
MOST_DEFECTS_LISTED = 100
"""Of a file that its author is writing."""


def table_parameters(claim: Claim, given: Mapping[str, int]) -> dict[str, int]:
    """The parameters that the claim's table takes, out of those given."""
    assert claim.table is not None
    file = claim.table.source.file
    return complete(file, {k: v for k, v in given.items() if k in file.parameters})


def edition_file(claim: Claim, edition: Edition, given: Mapping[str, int]) -> tuple[ConstructionFile, str | None]:
    """The construction file of an edition, and a sentence where the errata do not reach these parameters.

    A statement speaks of the printed table; only the repaired edition is about the repaired one.
    """
    assert claim.table is not None
    source = claim.table.source
    if edition is not Edition.REPAIRED or not claim.table.errata:
        return source.file, None
    return _repaired(source, claim.table.without), source.outside_errata(given) if claim.table.domain else None


@lru_cache(maxsize=64)
def _repaired(source: Source, without: tuple[str, ...]) -> ConstructionFile:
    return source.repaired(without)


@lru_cache(maxsize=16)
def _instance(source: Source, without: tuple[str, ...] | None, values: tuple[tuple[str, int], ...]) -> Instance:
    """The table at its parameters: as printed (``without`` is None), or with its errata. The steps of one proof share it."""
    return instantiate(source.file if without is None else _repaired(source, without), dict(values))


def edition_instance(claim: Claim, edition: Edition, given: Mapping[str, int]) -> Instance:
    """The claim's table in one edition at given parameters, defects and all.

    Raises:
        InputError: parameters outside the table's domain.
    """
    assert claim.table is not None
    without = claim.table.without if edition is Edition.REPAIRED and claim.table.errata else None
    return _instance(claim.table.source, without, tuple(table_parameters(claim, given).items()))


def readable_instance(claim: Claim, edition: Edition, given: Mapping[str, int]) -> Instance:
    """The instance that claims about the table are judged on: the edition's; where that is ill-formed and a repair of nothing but
    indices makes it well-formed, the one with this repair. The table's own claim asks for no repair.
    """
    instance = edition_instance(claim, edition, given)
    assert claim.table is not None
    whole = edition is Edition.REPAIRED and not claim.table.partial
    if not instance.defects or whole or claim.table.claim in (None, claim.id):
        return instance
    return with_indices_repaired(claim, given, edition) or instance


def with_indices_repaired(claim: Claim, given: Mapping[str, int], edition: Edition = Edition.PRINTED) -> Instance | None:
    """The claim's table in this edition, its indices repaired too; None where there are no such errata or it is ill-formed all the same."""
    assert claim.table is not None
    source = claim.table.source
    file = source.with_ranges()
    if file is not None and edition is Edition.REPAIRED:
        file = source.repaired(set(claim.table.without) - source.ranges)
    ranged = instantiate(file, table_parameters(claim, given)) if file else None
    return None if ranged is None or ranged.defects else ranged


def printed_source(claim: str) -> Source:
    """The construction file of a claim, by its id, with its errata.

    Raises:
        InputError: no such claim, or one without a construction.
    """
    table = find_claim(claim).table
    if table is None:
        raise InputError(f"{claim} has no construction")
    return table.source


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


def witness_name(file_name: str, edition: Edition, has_errata: bool) -> str:
    return f"{file_name} with its errata" if edition is Edition.REPAIRED and has_errata else f"{file_name} as printed"


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
    from verifier.engines.enumerate import enumerate_pairs

    def yes_inputs(program: Program, attention: States) -> Faults:
        """All of them, as if each were wrong."""
        none = np.zeros(attention.shape, dtype=bool)
        return Faults(none, ~none, none)

    def wrong_on_yes(program: Program, attention: States) -> Faults:
        made = program.faults(attention)
        return replace(made, on_no=np.zeros_like(made.on_no))

    every, yes = enumerate_pairs(reading, limit), enumerate_pairs(reading, limit, criterion=yes_inputs).failures
    missed = enumerate_pairs(reading, limit, criterion=wrong_on_yes).failures
    return Counts(yes, missed, every.cases - yes, every.failures - missed)


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


def inputs_text(instance: Instance) -> str:
    """``pairs y <= z at p = 8, m = 15``, or of another task ``inputs (x of 3 bits) with x[1] == 1 at m = 3``."""
    at, task = parameter_text(instance.parameters), instance.task
    if isinstance(task, Problem):
        return f"pairs {task.promise} at {at}, m = {task.length}"
    kept = f" with {task.promise}" if task.restricted else ""
    return f"inputs ({task.described}){kept}{f' at {at}' if at else ''}"


def input_words(words: Mapping[str, str]) -> tuple[str, ...]:
    """An input as options."""
    return tuple(word for name, bits in words.items() for word in (f"--{name}", bits))


def trace_words(claim: Claim, edition: Edition, given: Mapping[str, int], semantics: Semantics) -> tuple[str, ...]:
    """``trace CLAIM --edition … --p …``, with the semantics where it is not the default."""
    parameters = [w for k, v in table_parameters(claim, given).items() for w in (f"--{k}", str(v))]
    words = ["trace", claim.id, "--edition", edition.value, *parameters]
    if semantics.label != "a4":
        words += ["--semantics", semantics.label]
    return tuple(words)


def parameter_text(values: Mapping[str, int]) -> str:
    """``p = 8, n = 34``."""
    return ", ".join(f"{k} = {v}" for k, v in values.items())


def lacking_text(reading: Reading, places: tuple[str, ...]) -> str:
    """Which entries the precision cannot represent, the first few by place."""
    shown = "; ".join(places[:MOST_DEFECTS_SHOWN])
    more = len(places) - MOST_DEFECTS_SHOWN
    return f"entries that {reading.instance.bits} bits lack: {shown}{f'; {more} more' if more > 0 else ''}"
