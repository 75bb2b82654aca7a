"""The errata of a table for its page: printed text, smallest counterexample without this one erratum, corrected text, and reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import first_failure
from verifier.errata.listings import TableErratum
from verifier.judges.editions import table_parameters
from verifier.judges.wording import lacking_text
from verifier.networks.errata import TableErrata
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError, LimitError
from verifier.running.printable import assignment
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import execution_of

PARAMETER_BOUND = 11
SMALL_BOUND = 6
LIMIT, EARLY = 1 << 23, 1 << 17
"""The most states that are visited for all pairs of one erratum. If they are more, only this number of first pairs is tried."""
NONE_FOUND = "no failure at the points tried"


def table_erratum(claim: Claim, name: str) -> TableErratum:
    """Return one erratum of the claim's table."""
    assert claim.table is not None
    table, without = claim.table.file_name, failure_without(claim, name) or NONE_FOUND
    for entry in _errata(claim).erratum:
        if entry.name == name:
            return TableErratum(table, name, entry.place, str(entry.printed), str(entry.repaired), entry.why, without)
    promise = next(each for each in _errata(claim).promise if each.name == name)
    return TableErratum(table, name, "promise", "nothing", promise.condition, promise.why, without)


def _errata(claim: Claim) -> TableErrata:
    assert claim.table is not None
    errata = claim.table.source.errata
    assert errata is not None
    return errata


def _errata_points(claim: Claim) -> Iterator[dict[str, int]]:
    """Points inside the errata's domain, those that the claim is meant for first: a single parameter at its typical values and on 1 … 11,
    ascending; several at the typical points, then small strings on 1 … 6.
    """
    assert claim.table is not None
    free = [p.name for p in claim.parameters if p.default is None]
    bound = PARAMETER_BOUND if len(free) == 1 else SMALL_BOUND
    listed = {tuple(point.items()): point for given in ({}, dict.fromkeys(free, f"1..{bound}")) for point in points(claim, given)}

    def order(point: dict[str, int]) -> tuple[bool, int]:
        return claim.not_meant(point) is not None, point[free[0]] if len(free) == 1 else 0

    for point in sorted(listed.values(), key=order):
        if claim.outside(point) is None and claim.table.source.outside_errata(point) is None:
            yield table_parameters(claim, point)


def failure_without(claim: Claim, name: str) -> str | None:
    """The first failure, in the errata's domain, of the claim's table with all errata but one, or None if none was found.

    If no failure is found, nothing at these points shows that the erratum is needed.
    """
    assert claim.table is not None
    source = claim.table.source
    assert source.errata is not None
    named = next((entry.semantics for entry in source.errata.erratum if entry.name == name), "")
    semantics = read_semantics(named or source.errata.semantics)
    try:
        file = source.repaired(without=[name])
    except InputError:
        return "a later correction of the same entry cannot be applied"
    for point in _errata_points(claim):
        instance = instantiate(file, point)
        try:
            found = _failure(instance, semantics)
        except LimitError:
            continue  # a smaller point is to show it
        if found:
            return f"{assignment(point)}{f', {named}' if named else ''}: {found}"
    return _sentence_without(claim, name)


def _sentence_without(claim: Claim, name: str) -> str | None:
    """For a table that does not need an erratum of this name: the first failure, without it, of the step that it keeps true."""
    keeps = next((entry.keeps for entry in _errata(claim).erratum if entry.name == name), "")
    if not keeps:
        return None
    step = find_claim(f"{claim.paper}/{keeps}")
    assert step.table is not None
    without = replace(step, table=replace(step.table, without=(name,)))
    session, semantics = Session(), read_semantics(_errata(claim).semantics)
    for point in _errata_points(step):
        found = session.outcome(without, Edition.REPAIRED, point, semantics)[0]
        if found.verdict is Verdict.REFUTED:
            return f"{assignment(point)}: {keeps}: {found.reason}"
    return None


def _failure(instance: Instance, semantics: Semantics) -> str | None:
    """Say why the instance is not a witness: a defect, its smallest failing pair, or an assumption that is not permitted. The result is
    None if the instance is a witness.

    Raises:
        LimitError: none of the first pairs fails, and there are too many pairs to check them all for each erratum.
    """
    if instance.defects:
        return f"ill-formed, {instance.defects[0]}"
    execution = execution_of(instance, semantics)
    try:
        smallest = decide(execution, limit=LIMIT).smallest
    except LimitError:
        smallest = first_failure(execution, EARLY)
        if smallest is None:
            raise
    if smallest is not None:
        y, z = (bits_of(x, instance.m) for x in smallest)
        run = evaluate(execution, *smallest)
        answer = "neither 0 nor 1" if run.decision.answer is None else run.decision.answer
        return f"on y = {y}, z = {z} the output is {show(run.attention)} and the answer {answer}; the right answer is {run.expected}"
    if execution.assumptions:
        return f"holds only on {', '.join(execution.assumptions)}: {lacking_text(execution, execution.unrepresentable)}"
    return None
