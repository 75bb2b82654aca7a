"""A proof's values for the running sums of one input, beside those that the machine computes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.arithmetic.numbers import Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge, converted
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.judges.evaluation import supplied
from verifier.judges.fields import PartialSum
from verifier.judges.partial_sum import applied, steps
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given, truth, value
from verifier.networks.instantiate import names_at
from verifier.running.errors import InputError
from verifier.transformers.table_traces import Step, Trace, numerator_of
from verifier.transformers.tables import Execution


@dataclass(frozen=True)
class Said:
    """A value that the proof states for a sum on this input, after the token with index ``after``.

    of: numerator or denominator; value: what is claimed; found: what the machine has there.
    """

    claim: Claim
    of: str
    after: int
    value: Number
    found: Number

    @property
    def departs(self) -> bool:
        return self.value != self.found


def said(claim: Claim, execution: Execution, trace: Trace, edition: Edition = Edition.PRINTED) -> list[Said]:
    """The values that the steps of the claim's proof give for sums from the first token on, in the order of the tokens.

    edition: of the proof; the corrected construction is compared with the corrected proof.
    """
    owner = find_claim(f"{claim.paper}/{claim.owner}")
    found = [each for step in owner.steps for each in _of_step(step.of_edition(edition), claim, execution, trace)]
    order = {s.token.index: k for k, s in enumerate(trace.steps)}
    return sorted(found, key=lambda each: (order[each.after], each.of))


def _of_step(step: Claim, claim: Claim, execution: Execution, trace: Trace) -> Iterator[Said]:
    """The value that a step states, if it is about this table and a whole sum on this input."""
    if not isinstance(step.judge, NamedJudge) or step.judge.kind is not PartialSum or step.table is None or claim.table is None:
        return
    if (step.table.folder, step.table.name) != (claim.table.folder, claim.table.name):
        return
    fields = converted(step.fields, PartialSum)
    assert isinstance(fields, PartialSum)
    first, last = steps(fields.steps)
    rows = sorted({s.token.step for s in trace.steps})
    if fields.is_ is None or fields.of not in ("numerator", "denominator") or not rows or first > rows[0]:
        return
    done = [s for s in trace.steps if s.token.step <= last]
    if tuple(done) != trace.steps[: len(done)]:
        return  # rows that are not the first tokens: no running sum is theirs alone
    names: dict[str, Given] = {
        **names_at(step.table.source.file, execution.instance.parameters),
        "applied": applied(execution),
        "y": Bits(trace.y, execution.instance.m),
        "z": Bits(trace.z, execution.instance.m),
    }
    try:
        speaks = fields.when is None or truth(inlined_text(fields.when, step.lets), names, supplied(step.functions))
        claimed = value(inlined_text(fields.is_, step.lets), names, supplied(step.functions)) if speaks and done else None
    except InputError:
        return  # a formula in names that this table does not have: the step speaks of another input or parameter
    if isinstance(claimed, Fraction | Special):
        yield Said(step, fields.of, done[-1].token.index, claimed, _sum(fields.of, execution, done[-1]))


def _sum(quantity: str, execution: Execution, step: Step) -> Number:
    return step.denominator if quantity == "denominator" else numerator_of(execution, step.sums)
