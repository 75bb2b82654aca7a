"""Texts of outcomes about tables. The words describe a point, its inputs, the table, success, failure, and the command that replays a
failure.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.semantics import Semantics
from verifier.claims.model import Claim, Query
from verifier.claims.points import parameter_words
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.networks.instance import Instance
from verifier.networks.problems import NO_PROMISE, Problem, bits_of
from verifier.running.printable import assignment
from verifier.transformers.tables import Execution

MOST_DEFECTS_SHOWN = 3


def witness_name(file_name: str, edition: Edition, has_errata: bool) -> str:
    """The file, and whether its errata are applied. A file without errata is the same in every edition."""
    if not has_errata:
        return file_name
    return f"{file_name} with its errata" if edition is Edition.REPAIRED else f"{file_name} as printed"


def inputs_text(instance: Instance) -> str:
    """``pairs y <= z at p = 8, m = 15``, or of another task ``inputs (x of 3 bits) with x[1] == 1 at m = 3``.

    If the table has no promise, it is ``pairs at m = 3`` or ``inputs (x of 3 bits) at m = 3``.
    """
    at, task = assignment(instance.parameters), instance.task
    if isinstance(task, Problem):
        length = "" if instance.parameters.get("m") == task.length else f"m = {task.length}"
        promised = "" if task.promise == NO_PROMISE else f" {task.promise}"
        return f"pairs{promised} at {', '.join(filter(None, (at, length)))}"
    kept = f" with {task.promise}" if task.restricted else ""
    return f"inputs ({task.described}){kept}{f' at {at}' if at else ''}"


def input_words(words: Mapping[str, str]) -> tuple[str, ...]:
    """An input as options."""
    return tuple(word for name, bits in words.items() for word in (f"--{name}", bits))


def trace_words(claim: Claim, edition: Edition, given: Mapping[str, int], semantics: Semantics) -> tuple[str, ...]:
    """``trace CLAIM --edition … --p …`` at the claim's own parameters, with the semantics if it is not the default."""
    words = ["trace", claim.id, "--edition", edition.value, *parameter_words(given)]
    if semantics.label != "a4":
        words += ["--arithmetic", semantics.label]
    return tuple(words)


def lacking_text(execution: Execution, places: tuple[str, ...]) -> str:
    """The entries that are not representable, the first few by place."""
    shown = "; ".join(places[:MOST_DEFECTS_SHOWN])
    more = len(places) - MOST_DEFECTS_SHOWN
    return f"entries that are not representable in {execution.instance.bits} bits: {shown}{f'; {more} more' if more > 0 else ''}"


def held(execution: Execution, scope: Scope, witness: str, lacking: tuple[str, ...] | None = None) -> Outcome:
    """An outcome that the statement holds on the whole scope: verified, or conditional on an assumption that is not permitted.

    lacking: the entries that are read and that the format lacks; by default all of the attention.
    """
    lacking = execution.unrepresentable_in_attention if lacking is None else lacking
    assumptions = execution.assuming(lacking)
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    reason = lacking_text(execution, lacking) if "exact-entries" in assumptions else None
    return Outcome(verdict, scope, witness, assumptions, reason, failures=0)


def failing(scope: Scope, witness: str, failures: int) -> Outcome:
    """An outcome that the statement fails this often; the first failure was not sought."""
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
    """An outcome that the statement fails: ``subject`` is ``found`` at the input ``pair``; the statement is ``says``."""
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
    return f"{assignment(instance.parameters)}, m = {instance.m}"
