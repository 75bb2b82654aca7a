"""A table's errata for the page: as printed → the smallest counterexample with only this one left out → as repaired → why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.arithmetic.numbers import show
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.claims.model import Claim
from verifier.claims.tables import lacking_text
from verifier.construction.errata import Source
from verifier.construction.instantiate import instantiate
from verifier.engines.dispatch import decide
from verifier.expressions import condition
from verifier.problems import bits_of
from verifier.semantics import read_semantics

PARAMETER_BOUND = 12


@dataclass(frozen=True)
class TableErratum:
    """One erratum of a table, with what happens when it alone is left out."""

    table: str
    name: str
    at: str
    printed: str
    repaired: str
    why: str
    without: str


def table_errata(claim: Claim) -> Iterator[TableErratum]:
    """Every erratum of the claim's table."""
    assert claim.table is not None
    source = claim.table.source
    assert source.errata is not None
    for entry in source.errata.erratum:
        found = failure_without(source, entry.name)
        yield TableErratum(claim.table.file_name, entry.name, entry.at, str(entry.printed), str(entry.repaired), entry.why, found)


def failure_without(source: Source, name: str) -> str:
    """The first failure, in the errata's domain, of the table with all errata but one.

    Raises:
        ValueError: no failure up to the bound, so that the erratum is not shown to be needed.
    """
    assert source.errata is not None
    file, semantics = source.repaired(without=[name]), read_semantics(source.errata.semantics)
    for p in range(1, PARAMETER_BOUND):
        if not condition(source.errata.domain, {"p": Fraction(p)}):
            continue
        instance = instantiate(file, {"p": p})
        if instance.defects:
            return f"p = {p}: ill-formed, {instance.defects[0]}"
        reading = Reading(instance, semantics)
        found = decide(reading).smallest
        if found is not None:
            y, z = (bits_of(x, instance.m) for x in found)
            run = evaluate(reading, *found)
            answer = "neither 0 nor 1" if run.decision.answer is None else run.decision.answer
            return f"p = {p}: y = {y}, z = {z}: output {show(run.attention)}, answer {answer}, expected {run.expected}"
        if reading.assumptions:
            return f"p = {p}: holds only on {', '.join(reading.assumptions)}: {lacking_text(reading, reading.unrepresentable)}"
    raise ValueError(f"{source.file.id}: erratum {name} is not needed for any p < {PARAMETER_BOUND}")
