"""The object of a finding: the small transformer or network of its counterexample, as a table or a picture."""

from __future__ import annotations

from inspect import signature

from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import imported
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import Paper
from verifier.errata.listings import Listing
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError, LimitError, UntrustedError
from verifier.show.pictures.drawing import Drawing, DrawnTable
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

MOST_ROWS, MOST_COLUMNS = 24, 8
"""A larger table is not drawn; the page links to the construction."""


def drawn(instance: Instance, y: int, z: int, semantics: str, note: str = "") -> DrawnTable | None:
    """Draw the table; None if the construction is ill-formed, has another task than pairs of strings, or is too large.

    note: how the construction works, in a sentence.
    """
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
            ", ".join(f"{bit.string}_{bit.index} = {value}" for bit, value in zip(s.token.reads, s.content, strict=True)),
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
    strings = f"y = {bits_of(y, m)}, z = {bits_of(z, m)}"
    title = f"{instance.bits} bits, {strings}. A row for each token that holds a bit; equal columns are counted. {note}".rstrip()
    heads = ("token holds", "weight", "adds to the columns", "columns of A X so far", "denominator")
    return DrawnTable("The transformer, on this input", title, heads, rows, ends)


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


def object_of(paper: Paper, listing: Listing) -> DrawnTable | Drawing | None:
    """Draw what a finding names, at its smallest counterexample.

    None: there is nothing to draw, or Python draws it that only ``--trust`` runs.

    Raises:
        InputError: the finding names a function that draws nothing.
    """
    found = listing.counterexample or {}
    if listing.smallest is None or not listing.finding.entry.draws:
        return None
    try:
        make = imported(f"{paper.package}.{listing.finding.entry.draws}")
    except UntrustedError:
        return None
    if list(signature(make).parameters) == ["values"]:
        return _made(make(found), listing)
    if not {"y", "z"} <= found.keys():
        return None
    made = make(**listing.smallest.parameters)
    return drawn(made, int(found["y"], 2), int(found["z"], 2), DEFAULT_SEMANTICS.label, listing.finding.entry.drawn)


def _made(made: object, listing: Listing) -> DrawnTable | Drawing:
    if not isinstance(made, DrawnTable | Drawing):
        raise InputError(f"finding {listing.finding.id}: {listing.finding.entry.draws} draws no table and no picture")
    return made
