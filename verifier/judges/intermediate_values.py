"""Common parts of statements on intermediate values: what holds, what fails, and the input that shows it."""

from __future__ import annotations

from verifier.arithmetic.numbers import Number, show
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.wording import lacking_text, parameter_text, trace_words
from verifier.networks.instance import Instance
from verifier.networks.problems import bits_of
from verifier.transformers.tables import Execution


def held(execution: Execution, scope: Scope, witness: str) -> Outcome:
    """The statement holds on the whole scope: verified, or conditional on what the attention assumes without leave."""
    assumptions = execution.attention_assumptions
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    reason = lacking_text(execution, execution.unrepresentable_in_attention) if "exact-entries" in assumptions else None
    return Outcome(verdict, scope, witness, assumptions, reason, failures=0)


def failing(scope: Scope, witness: str, failures: int) -> Outcome:
    """The statement fails so often; where it does so first was not asked."""
    return Outcome(Verdict.REFUTED, scope, witness, reason=f"fails on {failures:,} of them", failures=failures)


def contradicted(
    query: Query,
    execution: Execution,
    scope: Scope,
    witness: str,
    pair: tuple[int, int],
    found: Number,
    subject: str,
    says: str,
    failures: int,
) -> Outcome:
    """The statement fails: ``subject`` is ``found`` at the input ``pair``, ``says`` was claimed."""
    instance = execution.instance
    y, z = (bits_of(x, instance.m) for x in pair)
    parameters = {k: str(v) for k, v in instance.parameters.items()}
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"{subject} is {show(found)}; {says} was claimed; fails on {failures:,} of them",
        counterexample={**parameters, "y": y, "z": z, "found": show(found), "claimed": says},
        failures=failures,
        replay=(*trace_words(query.claim, query.edition, query.parameters, query.semantics), "--y", y, "--z", z),
    )


def located(instance: Instance) -> str:
    """``p = 8, n = 34, m = 15``."""
    return f"{parameter_text(instance.parameters)}, m = {instance.m}"
