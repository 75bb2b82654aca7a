"""Judge printed tables. Does some transformer compute the function? Which outputs does its final MLP accept? Which bits of a string do the
tokens of a table hold, as Appendix C describes them?
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from constructions.every_bit_counts.mathematics.weights import reads_of
from verifier.arithmetic.numbers import ONE, Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import at_point, for_each
from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.engines.answer_runs import every_state
from verifier.engines.enumerate import sampled_failure
from verifier.engines.program import INVALID, NO, YES, program_of
from verifier.judges.declaring import judge
from verifier.judges.editions import edition_file, edition_instance, table_parameters
from verifier.judges.evaluation import supplied
from verifier.judges.tables import instance_of
from verifier.judges.wording import witness_name
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.networks import indices
from verifier.networks.indices import index_set
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate, names_at
from verifier.networks.problems import bits_of
from verifier.networks.records import ConstructionFile
from verifier.running.printable import assignment
from verifier.transformers.table_traces import decide, evaluate
from verifier.transformers.tables import Execution, execution_of

TOGETHER = 8
"""Values of a format are answered together; so many of them count as one case that is gone through by itself."""
NO_ONE = "proof: an output is a value of the format, and 1 is not representable"


@judge
@by_edition
def exists(query: Query, *, others: Sequence[str] = (), given: str = "", one_sum: str = "") -> Outcome:
    """Some transformer computes the function of the claim's table, at its precision.

    The printed and the repaired edition judge the table. The statement uses any evidence (the table in both editions, a proof that none
    exists, ``others``); else the assumption on which the table is conditional; else it is open. A table that is repaired with promises of
    ours does not prove the statement.

    others: claims whose witnesses also prove that a transformer exists, those with the fewest value columns first;
    given: the claim that the input representation is defined; if no errata make it so, the claim has no meaning;
    one_sum: the claim that two running sums of q bits do not distinguish m bits, asked in an order that sums products.
    """
    table = query.claim.table
    assert table is not None
    assert table.claim is not None
    if query.edition is not Edition.STATEMENT:
        return query.ask(table.claim)
    tried = [query.ask(table.claim, edition) for edition in (Edition.PRINTED, Edition.REPAIRED)]
    kept = table.source.repaired().problem.promise == table.source.file.problem.promise
    by_table = tried if kept else tried[:1]
    if any(f.verdict is Verdict.VERIFIED for f in by_table):
        return next(f for f in by_table if f.verdict is Verdict.VERIFIED)
    impossible = never_answers(query)
    if impossible is not None:
        return impossible
    for other in others:  # a witness that fails proves nothing
        claim = find_claim(f"{query.claim.paper}/{other}")
        if not fails_at_once(query, claim) and (evidence := query.ask(claim.id)).verdict is Verdict.VERIFIED:
            return evidence
    too_few = too_few_sums(query, one_sum) if one_sum and query.semantics.order != "ax" else None
    if too_few is not None:
        return too_few
    conditional = [f for f in by_table if f.verdict is Verdict.CONDITIONAL]
    if conditional:
        return conditional[-1]
    without = undefined(query, given) if given else None
    if without is not None:
        return without
    said = "; ".join(f.verdict.value for f in tried) + ("" if kept else " with more promises")
    reason = f"neither the printed nor the repaired table is a witness here ({said}), nor is {' or '.join(others) or 'another'}"
    return Outcome(Verdict.OPEN, Scope("no evidence at these parameters"), reason=reason)


def fails_at_once(query: Query, claim: Claim) -> bool:
    """Whether the claim's table errs on (0, 0), (0, 1) or one of some thousand pairs, so that its failures need not be counted."""
    given = {p.name: query[p.name] for p in claim.parameters if p.name in query.parameters}
    if claim.table is None or claim.outside(claim.complete(given)):
        return False
    instance = edition_instance(claim, Edition.PRINTED, given)
    if instance.defects:
        return True
    execution = execution_of(instance, query.semantics)
    return not all(evaluate(execution, 0, z).correct for z in (0, 1)) or sampled_failure(program_of(execution)) is not None


def undefined(query: Query, given: str) -> Outcome | None:
    """Declined if the input representation of the table, with all errata, reads bits that no string has, or tokens that do not exist.

    given: the claim that the representation is defined, which refers to it.
    """
    claim = query.claim
    assert claim.table is not None
    instance = instantiate(claim.table.source.repaired(), table_parameters(claim, query.parameters))
    defects = [d for d in instance.defects if d.place.startswith("input")]
    if not defects:
        return None
    reason = f"the input representation is not defined {query.at}, whatever its indices are repaired to: {defects[0]}"
    return declined(reason, blocked_by=f"{claim.paper}/{given}")


def never_answers(query: Query) -> Outcome | None:
    """The outcome that no transformer of the table's precision exists, if its format lacks the value 1 and y = z = 0 must be answered by 1,
    or else None.
    """
    instance = edition_instance(query.claim, Edition.PRINTED, query.parameters)
    problem = instance.problem
    if query.semantics.form(instance.precision).contains(ONE) or not problem.promised(0, 0) or problem.value(0, 0) != 1:
        return None
    zeros = bits_of(0, instance.m)
    at = assignment(instance.parameters)
    return Outcome(
        Verdict.REFUTED,
        Scope(f"every transformer of {instance.bits} bits, at {at}, m = {instance.m}", 1, NO_ONE),
        reason=f"{instance.bits}-bit numbers have no 1, so no final MLP ever answers 1, and y = z is never accepted",
        counterexample={**{k: str(v) for k, v in instance.parameters.items()}, "y": zeros, "z": zeros, "expected": "1"},
    )


def too_few_sums(query: Query, one_sum: str) -> Outcome | None:
    """The outcome that no transformer of the table's precision exists, if for all tokens of Alice two of her strings have the same sums, or
    else None."""
    instance = edition_instance(query.claim, Edition.PRINTED, query.parameters)
    found = query.ask(one_sum, Edition.STATEMENT, q=instance.bits, m=instance.m)
    if found.verdict is not Verdict.VERIFIED:
        return None
    reason = f"with {instance.bits} bits, Alice's two running sums do not tell all {1 << instance.m:,} strings y apart: {one_sum}"
    counterexample = {**{k: str(v) for k, v in instance.parameters.items()}, "bits": str(instance.bits), "m": str(instance.m)}
    return Outcome(Verdict.REFUTED, found.scope, reason=reason, counterexample=counterexample)


@judge
@by_edition
def final_mlp(query: Query, *, target: str, when: str = "") -> Outcome:
    """The table's final MLP answers 1 on the target and 0 on every other intended value of the format, including ±inf and NaN.

    The MLP is judged alone: defects in the rows of the table do not affect it.

    target: the one input that is answered by 1; when: the intended inputs ``v``, if not all. Both are formulas in the table's names.
    """
    from verifier.judges.partial_sum import table_names

    prepared = instance_of(query)
    if isinstance(prepared, Outcome):
        return prepared
    instance, witness = prepared
    names, lets, functions = table_names(query, instance), query.claim.lets, supplied(query.claim.functions)
    together = 1 if when else TOGETHER
    query.within((1 << instance.bits) // together, f"or more times {together} values of {instance.bits} bits")
    execution = execution_of(instance, query.semantics)
    accepted = exact.rational(inlined_text(target, lets), names, functions)
    program = program_of(execution)
    inputs, decode = every_state(program.lattice), program.lattice.decode
    if when:
        meant = inlined_text(when, lets)
        inputs = np.array([s for s in inputs if exact.truth(meant, {**names, "v": decode(s)}, functions)], dtype=np.int64)
    found = program.answers(inputs)
    sought = program.lattice.encode(accepted) if execution.machine.form.contains(accepted) else None
    right = np.where(inputs == sought, found == YES, (found == NO) | (found == INVALID))
    lacking = query.semantics.entries == "exact" and execution.unrepresentable_in_mlp
    among = f"inputs v with {when}" if when else "values, ±inf and NaN"
    return for_each(
        range(len(right)),
        right.tolist().__getitem__,
        lambda k: _wrongly_answered(instance, execution, decode(inputs[k]), int(inputs[k] == sought)),
        lambda cases: Scope(f"all {cases:,} {among} at {assignment(instance.parameters)}: 1 on {accepted} only", cases, "enumeration"),
        "the MLP answers otherwise",
        assumptions=("exact-entries",) if lacking else (),
        witness=witness,
    )


def _wrongly_answered(instance: Instance, execution: Execution, x: Number, expected: int) -> dict[str, str]:
    at = {k: str(v) for k, v in instance.parameters.items()}
    return {**at, "input": show(x), "output": show(decide(execution, x).output), "expected": str(expected)}


@judge
@by_edition
def held(query: Query, *, steps: str, holds: str, string: str = "y", field: int | None = None, quantity: str | None = None) -> Outcome:
    """Judge the condition by the clauses and rows of the edition's table, even if it is ill-formed.

    holds:    a condition on the places of the string that the tokens of the rows ``steps`` (``4``, ``1..2``) hold: on their ``count``, the
    ``first`` and the ``last`` of them;
    field:    the field of the tokens (1, 2, …), all of them if none is named.
    quantity: a quantity of the table, whose places are ``defined_first`` … ``defined_last``.
    """
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    file, outside = edition_file(claim, edition, query.parameters)
    if outside:
        return declined(outside)
    names = names_at(file, table_parameters(claim, query.parameters))
    places = sorted(_places(file, names, steps, string, field))
    if not places:
        return declined(f"the tokens of the rows {steps} hold no bit of {string} {query.at}")
    found = {"first": places[0], "last": places[-1], "count": len(places)}
    if quantity is not None:
        defined = [bit.index for bit in indices.field(file.quantities[quantity], names, 0)]
        found |= {"defined_first": defined[0], "defined_last": defined[-1]}
    known = {**query.names, **{k: Fraction(v) for k, v in found.items()}}
    kept = exact.truth(inlined_text(holds, claim.lets), known)
    rows = f"{'steps' if '..' in steps else 'step'} {steps.replace('..', ' to ')}"
    shown = f"{string}_{places[0]} … {string}_{places[-1]}, {len(places)} bits"
    scope = Scope(f"the tokens of {rows} {query.at} hold {shown}: {holds}", len(places), "enumeration")
    witness = witness_name(claim.table.file_name, edition, claim.table.errata)
    if kept:
        return Outcome(Verdict.VERIFIED, scope, witness)
    point = at_point(query)
    counterexample = {**point, **{k.replace("_", " "): str(v) for k, v in found.items()}}
    return Outcome(Verdict.REFUTED, scope, witness, reason=f"the tokens hold {shown}", counterexample=counterexample)


def _places(file: ConstructionFile, names: dict[str, Fraction], steps: str, string: str, number: int | None) -> set[int]:
    """The places of the string, by the clauses that define the contents of the rows' tokens."""
    first, _, last = steps.partition("..")
    numbers = range(int(first), int(last or first) + 1)
    tokens = {i for row in file.row if row.step in numbers for i in index_set(row.i, names)}
    places = set()
    for clause in file.input:
        chosen = reads_of(clause) if number is None else reads_of(clause)[number - 1 : number]
        for i in tokens.intersection(index_set(clause.i, names)):
            places |= {bit.index for text in chosen for bit in indices.field(text, names, i) if bit.string == string}
    return places
