"""Decide whether a claim about a sum or the output fails at one input: for traces, where the answer alone is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from verifier.arithmetic.numbers import show
from verifier.claims.judge_names import NamedJudge, converted
from verifier.claims.model import Claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.judges.evaluation import supplied
from verifier.judges.fields import Output, PartialSum
from verifier.judges.strings import positions
from verifier.language.definitions import inlined_text
from verifier.language.exact import truth
from verifier.networks.instantiate import names_at
from verifier.networks.problems import bits_of
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution


def fails_at(claim: Claim, edition: Edition, point: Mapping[str, int], execution: Execution, y: int, z: int) -> str | None:
    """Say how a claim about a partial sum or the output fails at this input, or None if the claim holds there or does not cover the
    input.
    """
    asked = claim.of_edition(edition)
    if not isinstance(asked.judge, NamedJudge):
        return None
    if asked.judge.kind is Output:
        fields = converted(asked.fields, Output)
        assert isinstance(fields, Output)
        return _output(asked, fields, execution, y, z)
    if asked.judge.kind is PartialSum:
        fields = converted(asked.fields, PartialSum)
        assert isinstance(fields, PartialSum)
        return _partial_sum(asked, asked.judge, fields, edition, point, execution, y, z)
    return None


def _partial_sum(
    claim: Claim, judge: NamedJudge, fields: PartialSum, edition: Edition, point: Mapping[str, int], execution: Execution, y: int, z: int
) -> str | None:
    """The claim restricted to this input."""
    assert claim.table is not None
    first, last = positions(fields.over, names_at(claim.table.source.file, execution.instance.parameters))
    here = [f"{name}[{k}] == {bits_of(x, execution.instance.m)[k - 1]}" for name, x in (("y", y), ("z", z)) for k in range(first, last + 1)]
    when = " and ".join([f"({fields.when})"] * (fields.when is not None) + here)
    changed = {**claim.fields, "when": when}
    alone = replace(claim, fields=changed, judge=replace(judge, fields=changed), repaired=None)
    outcome = Session().own(alone, edition, point, execution.semantics)
    if outcome.verdict is not Verdict.REFUTED:
        return None
    assert outcome.counterexample is not None
    return f"{outcome.counterexample['found']} is found, {outcome.counterexample['claimed']} was claimed"


def _output(claim: Claim, fields: Output, execution: Execution, y: int, z: int) -> str | None:
    """The condition for inputs of this kind, with the output of this one."""
    assert claim.table is not None
    run = evaluate(execution, y, z)
    kind = "yes" if run.expected else "no"
    says = fields.holds or f"v == {fields.is_}"
    condition = says if fields.on in ("all", kind) else fields.otherwise
    if condition is None:
        return None
    names = names_at(claim.table.source.file, execution.instance.parameters)
    if truth(inlined_text(condition, claim.lets), {**names, "v": run.attention}, supplied(claim.functions)):
        return None
    return f"the output is {show(run.attention)}, {condition} was claimed"
