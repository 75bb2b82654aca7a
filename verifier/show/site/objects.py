"""The object of a finding, drawn: the small transformer, as a table of what each token adds, that a counterexample is about."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.named_functions import named_function
from verifier.claims.papers import Paper
from verifier.errata.listings import Listing
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError, LimitError, UntrustedError

MOST_ROWS, MOST_COLUMNS = 24, 8
"""A larger table says less than the page of the construction, which is linked instead."""


@dataclass(frozen=True)
class Drawn:
    """A construction on one input: a row for each token that adds something."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]
    ends: tuple[tuple[str, str], ...]


def drawn(instance: Instance, y: int, z: int, semantics: str) -> Drawn | None:
    """The table; None where the construction is ill-formed, of another task than pairs of strings, or too large to be looked at."""
    if instance.defects or not isinstance(instance.task, Problem):
        return None
    execution = Execution(instance, read_semantics(semantics))
    try:
        trace = evaluate(execution, y, z)
    except (InputError, LimitError):
        return None
    steps = [s for s in trace.steps if s.term.weight != 0 and s.token.reads]
    if not steps or len(steps) > MOST_ROWS:
        return None
    rows = tuple(
        (
            ", ".join(f"{bit} = {value}" for bit, value in zip(s.token.reads, s.content, strict=True)),
            show(s.term.weight),
            _columns([show(x) for x in s.term.products]),
            _columns([show(x) for x in s.sums]),
            show(s.denominator),
        )
        for s in steps
    )
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    ends = (
        ("numerator", show(trace.numerator)),
        ("denominator", show(trace.denominator)),
        ("output of the attention", show(trace.attention)),
        ("answer", f"{answer} ({instance.task.function}(y, z) = {trace.expected})"),
    )
    m = instance.m
    title = f"{instance.bits} bits, y = {bits_of(y, m)}, z = {bits_of(z, m)}, {execution.semantics.label}"
    return Drawn(title, rows, ("token holds", "weight", "adds to the columns", "columns of A X so far", "denominator"), ends)


def _columns(values: list[str]) -> str:
    """Columns as runs of equal values: ``0, 1/2 (3 times), 0 (11 times)``."""
    runs: list[tuple[str, int]] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1] = (value, runs[-1][1] + 1)
        else:
            runs.append((value, 1))
    shown = [value if count == 1 else f"{value} ({count} times)" for value, count in runs]
    return ", ".join(shown) if len(shown) <= MOST_COLUMNS else f"{', '.join(shown[:MOST_COLUMNS])}, …"


def object_of(paper: Paper, listing: Listing) -> Drawn | None:
    """What a finding names to be drawn, on its smallest counterexample; None: it names nothing, or Python that only ``--trust`` runs."""
    name, found = listing.finding.entry.draws, listing.counterexample or {}
    if not name or listing.smallest is None or not {"y", "z"} <= found.keys():
        return None
    try:
        make = named_function(paper.package, name)
    except UntrustedError:
        return None
    return drawn(make(**listing.smallest.parameters), int(found["y"], 2), int(found["z"], 2), DEFAULT_SEMANTICS.label)
