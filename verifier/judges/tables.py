"""Judge a construction: a claim that its table computes its function, in one edition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from verifier.arithmetic.numbers import show
from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import one_failure
from verifier.engines.failure_counts import Census, Solved
from verifier.judges.editions import (
    edition_file,
    edition_instance,
    readable_instance,
    table_parameters,
    with_indices_repaired,
)
from verifier.judges.evaluation import Reader
from verifier.judges.expectations import judged_expectations
from verifier.judges.fields import Computes, Formula, InputRepresentation
from verifier.judges.formula import assignments
from verifier.judges.wording import MOST_DEFECTS_SHOWN, input_words, inputs_text, lacking_text, trace_words, witness_name
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.networks.instance import Instance
from verifier.networks.instantiate import input_defects
from verifier.networks.problems import bits_of
from verifier.networks.record_base import outside_domain
from verifier.running.errors import LimitError, Path, amount
from verifier.running.printable import assignment
from verifier.transformers.table_traces import evaluate_at
from verifier.transformers.tables import Execution, execution_of

MOST_DEFECTS_LISTED = 100
"""The most defects that are listed of a file that its author is writing."""
STATES_OF_A_REMARK = 1 << 22
"""The work that may be spent on counting the errors of a table that is already refuted (``--limit`` if that is less)."""


@by_edition
def judge(query: Query, fields: Computes) -> Outcome:
    """Judge whether the claim's table computes its function on every promise pair; a statement is about the printed table.

    The table's expectations count as its argument: one that fails refutes it as printed or as repaired, and not as a statement.
    """
    found = judge_table(query)
    prepared = instance_of(query)
    if query.edition is Edition.STATEMENT or found.verdict in (Verdict.REFUTED, Verdict.DECLINED) or isinstance(prepared, Outcome):
        return found
    words = trace_words(query.claim, query.edition, query.parameters, query.semantics)
    execution = execution_of(prepared[0], query.semantics)
    expected = judged_expectations(execution, prepared[1], words, query.limits.states, partial(query.advance, "expectations"))
    for name, each in expected:
        if each.verdict is Verdict.REFUTED:
            return replace(each, reason=f"[[expect]] {name}: {each.reason}", values={"expectation": name})
    return found


def judge_table(query: Query) -> Outcome:
    """Whether the claim's table computes its function on every promise pair, in the query's edition."""
    claim = query.claim
    prepared = instance_of(query)
    if isinstance(prepared, Outcome):
        return prepared
    instance, witness = prepared
    assert claim.table is not None
    if instance.defects:
        if claim.table.claim not in (None, claim.id):
            return blocked(claim, instance)
        found = ill_formed(instance, witness)
        return found if query.edition is Edition.REPAIRED else all_the_same(query, found)
    execution = execution_of(instance, query.semantics)
    label = f"{claim.name} at {assignment(instance.parameters)}"
    limits = query.limits
    one = None if limits.counts else one_failure(execution)
    census = one or decide(execution, query.method, limits.states, partial(query.advance, label), limits.smallest)
    words = trace_words(claim, query.edition, query.parameters, query.semantics)
    found = table_outcome(execution, census, witness, words)
    if found.failures:
        found = with_neither_as_0(execution, found, min(limits.states, STATES_OF_A_REMARK))
    return replace(found, speaks_of=speaks_of(claim, instance))


def with_neither_as_0(execution: Execution, found: Outcome, most: int) -> Outcome:
    """A refutation that counts outputs other than 0 and 1 as wrong, with the count for such outputs read as 0, if it differs."""
    accept = execution.instance.accept
    if not accept.usual:
        return found
    try:
        census = decide(execution_of(replace(execution.instance, accept=replace(accept, no="")), execution.semantics), limit=most)
    except LimitError:
        return found
    if not isinstance(census, Census) or census.failures == found.failures:
        return found
    other = f"with [accept] yes = out == 1 it means 0, and {execution.instance.task.function} fails on {census.failures:,}"
    return replace(found, reason=f"{found.reason}; an output that is neither 0 nor 1 counts as wrong; {other}")


def speaks_of(claim: Claim, instance: Instance) -> dict[str, str]:
    """The subject of an outcome about a construction, with the promised inputs, each token's content, and the kind of its numbers."""
    held = (f"{token.index} {' '.join(map(str, token.reads))}".rstrip() for token in instance.tokens)
    return {"promise": instance.task.promise, "representation": "; ".join(held), "format": f"{claim.point} point"}


def instance_of(query: Query) -> Outcome | tuple[Instance, str]:
    """The edition's table at the query's point, including its defects, and its name as a witness; or the outcome that declines it."""
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    file, outside = edition_file(claim, edition, query.parameters)
    values = table_parameters(claim, query.parameters)
    outside = outside or outside_domain(file, values)
    if outside:
        return declined(outside)
    made = edition_instance(claim, edition, query.parameters)
    return made, witness_name(claim.table.file_name, edition, claim.table.errata)


def well_formed(query: Query) -> Outcome | tuple[Execution, str]:
    """The reading of the edition's table and its name as a witness; or the outcome that declines it: blocked if it is ill-formed, even with
    repaired indices (:func:`readable_instance`).
    """
    prepared = instance_of(query)
    if isinstance(prepared, Outcome):
        return prepared
    printed, witness = prepared
    if not printed.defects:
        return execution_of(printed, query.semantics), witness
    instance = readable_instance(query.claim, query.edition, query.parameters)
    if instance.defects:
        return blocked(query.claim, instance)
    return execution_of(instance, query.semantics), f"{witness}, but for its indices"


def blocked(claim: Claim, instance: Instance) -> Outcome:
    """Decline a claim about a construction with defects, which has no meaning at these parameters; name the claim that says so."""
    assert claim.table is not None
    at = assignment(instance.parameters)
    return declined(f"{claim.table.name} is ill-formed at {at}: {instance.defects[0]}", blocked_by=claim.table.claim or claim.id)


def ill_formed(instance: Instance, witness: str, line_of: Callable[[Path], int | None] | None = None) -> Outcome:
    """Refute a construction that has defects and so computes nothing, with the reason and the place. With ``line_of`` the outcome lists
    every defect with its line, one a line.
    """
    if line_of is None:
        between, shown = "; ", [str(d) for d in instance.defects[:MOST_DEFECTS_SHOWN]]
    else:
        lines = [(line_of(d.path) if d.path else None, d) for d in instance.defects[:MOST_DEFECTS_LISTED]]
        between, shown = "\n", [f"line {line}, {d}" if line else str(d) for line, d in lines]
    first, more = instance.defects[0], len(instance.defects) - len(shown)
    return Outcome(
        Verdict.REFUTED,
        Scope(f"the construction at {assignment(instance.parameters)}", 1, "enumeration"),
        witness=witness,
        reason=f"ill-formed: {between.join([*shown, *([f'{more} more'] if more else [])])}",
        counterexample={**{k: str(v) for k, v in instance.parameters.items()}, "place": first.place, "defect": first.message},
    )


def all_the_same(query: Query, found: Outcome) -> Outcome:
    """The outcome on an ill-formed table with the behaviour of the table after only its indices are repaired, if it says how many YES and
    how many NO inputs
    that table gets wrong.
    """
    instance = with_indices_repaired(query.claim, query.parameters)
    if instance is None:
        return found
    execution = execution_of(instance, query.semantics)
    most = min(query.limits.states, STATES_OF_A_REMARK)
    try:
        census = decide(execution, "enumerate", most)
    except LimitError:
        why = f"its errors are counted only where that takes at most {most:,} states"
        return replace(found, reason=f"{found.reason}; with its indices repaired it is well-formed; {why}")
    rounded = "; entries that are not representable are taken exactly" if "exact-entries" in execution.assumptions else ""
    named = zip(("YES inputs", "wrong on YES", "NO inputs", "wrong on NO"), by_answer(census), strict=True)
    reason = f"{found.reason}; with only its indices repaired it is well-formed and {wrong_text(census)}{rounded}"
    return replace(found, reason=reason, values={k: str(v) for k, v in named})


def by_answer(census: Census) -> tuple[int, int, int, int]:
    """The YES inputs, the errors on them, the NO inputs, the errors on them."""
    return census.yes, census.missed, census.cases - census.yes, census.failures - census.missed


def wrong_text(census: Census) -> str:
    """``wrong on 1 of 2,048 YES and 2 of 30,000 NO inputs``."""
    return "wrong on {1:,} of {0:,} YES and {3:,} of {2:,} NO inputs".format(*by_answer(census))


def table_outcome(execution: Execution, census: Census | Solved, witness: str, trace: tuple[str, ...]) -> Outcome:
    """The outcome of a method's findings; ``trace`` are the words of the replaying command, to which --y and --z are added."""
    instance = execution.instance
    task = instance.task
    scope = Scope(f"all {amount(census.cases)} {inputs_text(instance)}", census.cases, census.method)
    counted = census if isinstance(census, Census) else None
    noun = inputs_text(instance).partition(" ")[0]
    remarks = [f"a NaN is met and rejected on {counted.nans:,} {noun}"] if counted and counted.nans else []
    failures = counted.failures if counted else None
    if not census.fails:
        assumptions = execution.assumptions
        if "exact-entries" in assumptions:
            remarks.insert(0, lacking_text(execution, execution.unrepresentable))
        verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
        return Outcome(verdict, scope, witness, assumptions, reason="; ".join(remarks) or None, failures=failures)
    extent = f"some {noun}, how many was not counted" if failures is None else f"{failures:,} {noun[:-1] if failures == 1 else noun}"
    reason = "; ".join([f"{task.function} fails on {extent}", *remarks])
    if census.smallest is None:  # nobody asked for it
        return Outcome(Verdict.REFUTED, scope, witness, reason=reason, failures=failures)
    inputs = dict(zip(task.strings, census.smallest, strict=True))
    words = {name: bits_of(inputs[name], length) for name, length in task.strings.items()}
    run = evaluate_at(execution, inputs)
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
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=reason,
        counterexample=counterexample,
        failures=failures,
        replay=(*trace, *input_words(words)),
    )


@by_edition
def input_representation(query: Query, fields: InputRepresentation) -> Outcome:
    """Judge an input representation: whether every token has one content, and every bit that it reads exists, at every point.

    The first defect of its clauses is the counterexample.
    """
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    reader = Reader(claim.functions)
    when = inlined_text(fields.when or "1 == 1", claim.lets)
    points = [names for names in assignments(query, Formula("1 == 1", fields.each), reader) if reader.truth(when, names)]
    tokens, ill = 0, []
    for names in points:
        at = {k: exact.integer(inlined_text(text, claim.lets), names, reader.functions) for k, text in fields.at.items()}
        given = at or query.parameters
        file, outside = edition_file(claim, edition, given)
        if outside and not fields.at:
            return declined(outside)
        parameters = table_parameters(claim, given)
        defects, looked_at = input_defects(file, parameters)
        tokens += looked_at
        if defects:
            ill.append((parameters, defects[0], len(defects)))
    if not points:
        return declined(f"there is no such point {query.at}".rstrip())
    many = f"{len(points):,} points" if fields.each else f"{tokens:,} tokens"
    scope = Scope(f"all {many} of the input representation {query.at}".rstrip(), len(points) if fields.each else tokens, "enumeration")
    witness = witness_name(claim.table.file_name, edition, claim.table.errata)
    if not ill:
        return Outcome(Verdict.VERIFIED, scope, witness)
    parameters, defect, count = ill[0]
    extent = f"at {len(ill)} of {len(points)} points" if fields.each else f"in {count} places"
    where = {k: str(v) for k, v in parameters.items()}
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"ill-formed {extent}; {assignment(parameters)}: {defect}",
        counterexample={**where, "place": defect.place, "defect": defect.message},
        failures=len(ill) if fields.each else None,
    )
