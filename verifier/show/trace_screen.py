"""One input's evaluation, on the screen and as the document ``bitreferee/trace/1``, in which every quantity is an exact string."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.numbers import Number, show, show_binary
from verifier.arithmetic.semantics import KNOBS
from verifier.networks.acceptance import Acceptance
from verifier.networks.problems import Problem, bits_of
from verifier.running.printable import assignment
from verifier.show.screen import COLUMNS, console, folded, say, tell
from verifier.transformers.table_traces import Step, Trace, numerators_of
from verifier.transformers.tables import Execution

if TYPE_CHECKING:
    from verifier.show.pictures.sums import Said


SCHEMA = "bitreferee/trace/1"


def trace_record(execution: Execution, trace: Trace, edition: str) -> dict[str, Any]:
    """The evaluation as the schema's document. A missing answer is null. If W^V has several columns, the values are lists."""
    instance = execution.instance
    return {
        "schema": SCHEMA,
        "construction": instance.id,
        "edition": edition,
        "parameters": {k: str(v) for k, v in instance.parameters.items()},
        "semantics": execution.semantics.label,
        "input": {name: bits_of(trace.inputs[name], length) for name, length in instance.task.strings.items()},
        "steps": [step_record(step) for step in trace.steps],
        "numerator": _columns(trace.numerators),
        "denominator": show(trace.denominator),
        "quotient": _columns(trace.exact_quotients),
        "attention": _columns(trace.attentions),
        "hidden": [show(x) for x in trace.decision.hidden],
        "output": show(trace.decision.output),
        "answer": None if trace.decision.answer is None else str(trace.decision.answer),
        "expected": None if trace.expected is None else str(trace.expected),
        "promised": trace.promised,
        "correct": trace.correct,
        "assumptions": list(execution.assumptions),
    }


def _columns(values: tuple[Number, ...]) -> str | list[str]:
    """The value of the one column of W^V, or those of several."""
    return show(values[0]) if len(values) == 1 else [show(x) for x in values]


def step_record(step: Step, written: Callable[[Number], Any] = show) -> dict[str, Any]:
    """A token with its bits, its weight, its terms and the sums after it; ``written`` prints each number."""
    return {
        "token": str(step.token.index),
        "step": str(step.token.step),
        "holds": {str(bit): value for bit, value in zip(step.token.reads, step.content, strict=True)},
        "score": step.term.score,
        "weight": written(step.term.weight),
        "products": [written(x) for x in step.term.products],
        "sums": [written(x) for x in step.sums],
        "denominator": written(step.denominator),
        "rounded": list(step.rounded),
    }


def held(record: Mapping[str, Any]) -> str:
    """The bits that the token of a record holds, in a line."""
    return assignment(record["holds"]) or "0"


def _both(x: Number) -> str:
    """A value as a fraction and in binary."""
    plain, binary = show(x), show_binary(x)
    return plain if plain == binary else f"{plain} = {binary}₂"


def _idle(step: Step) -> bool:
    """Whether a token has weight 0 and adds nothing."""
    return step.term.weight == 0 and not any(step.term.products)


def _steps(execution: Execution, trace: Trace, departs: Said | None) -> list[str]:
    """A line for each token that adds something, and below it the roundings; the columns fit 80 characters.

    The sums are those of A X where W^V is multiplied last; the numerator is what they are after it. Below the token after which the run
    departs from the proof, a line says so.
    """
    last = execution.semantics.order == "ax"
    head = ("token", "step", "holds", "score", "weight", "product", "sum", "numerator", "denominator")
    keys = [f"{name}s" if name in ("product", "sum", "numerator") else name for name in head]
    left = {2}
    rows, notes = [], []
    for step in trace.steps:
        here = departs is not None and step.token.index == departs.after
        if _idle(step) and not here:
            continue
        record = step_record(step)
        record |= {"holds": held(record), "numerators": map(show, numerators_of(execution, step.sums))}
        rows.append(tuple(text if isinstance(text := record[key], str) else ", ".join(text) for key in keys))
        noted = [f"rounded: {note}" for note in step.rounded]
        if here and departs is not None:
            noted.append(f"the run leaves the proof here, which says: {departs.of} {show(departs.value)}")
        notes.append(noted)
    width = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    kept = [k for k in range(len(head)) if last or head[k] != "sum"]
    for spare in ("score", "step", "sum"):  # the first that the page or the rest of the line tells
        if sum(width[k] + 2 for k in kept) > COLUMNS + 2 and head.index(spare) in kept:
            kept.remove(head.index(spare))

    def line(row: tuple[str, ...]) -> list[str]:
        cells = [f"{row[k]:<{width[k]}}" if k in left else f"{row[k]:>{width[k]}}" for k in kept]
        whole = "  ".join(cells)
        return [whole.rstrip()] if len(whole) <= COLUMNS else folded("  ".join(row[k] for k in kept), 8, 0)

    lines = line(head)
    for row, noted in zip(rows, notes, strict=True):
        lines += line(row)
        lines += [part for note in noted for part in folded(note, 12, 8)]
    return lines


def decides(accept: Acceptance) -> str:
    """``1 if out == 1, 0 if out == 0``: the answer by the output node."""
    return f"1 if {accept.yes}, 0 {f'if {accept.no}' if accept.no else 'otherwise'}"


def _departure(departs: Said) -> str:
    """The token at which a run departs from its proof, with both values."""
    claim = departs.claim
    return (
        f"leaves the proof after token {departs.after}: the {departs.of} is {show(departs.found)}, the proof says {show(departs.value)} "
        f"({claim.place}; {claim.name})"
    )


def show_trace(execution: Execution, trace: Trace, edition: str, proof: Sequence[Said] = ()) -> None:
    """Print the answer, then every token's weight, products and sums with the roundings, the quotient and the nodes of the MLP.

    proof: what a proof says of the sums; the first of these that differs from the run is marked.
    """
    instance = execution.instance
    out = console()
    parameters = assignment(instance.parameters)
    bits = "" if execution.semantics.format else f"{instance.bits} bits, "
    tell((f"{instance.id} ({edition})", "bold"), f"  {parameters}, {bits}{execution.semantics.label}", soft_wrap=None)
    out.print(", ".join(f"{name} = {bits_of(trace.inputs[name], length)}" for name, length in instance.task.strings.items()))
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    nan = " (NaN is rejected)" if trace.meets_nan else ""
    verdict = "right" if trace.correct else "WRONG"
    if not trace.promised:
        verdict = f"not asked for: the input breaks the promise {instance.task.promise}"
    sign = "=" if isinstance(instance.task, Problem) else "is"
    wanted = "" if trace.expected is None else f", {instance.task.applied} {sign} {trace.expected}"
    tell(f"answer       {answer}{nan}{wanted}: ", (verdict, "bold"))
    departs = next((each for each in proof if each.departs), None)
    say(folded(_departure(departs), 2, 0) if departs is not None else ())
    say(_steps(execution, trace, departs))
    said = [f"{skipped} tokens of weight 0 that add nothing are left out"] if (skipped := sum(map(_idle, trace.steps))) else []
    said += ["scores are in units of ln 2"] if execution.ideal_ln2 else []
    say(folded("; ".join([*said, f"order: {KNOBS['order'][execution.semantics.order]}"]), 2, 0))
    if execution.semantics.order == "ax":
        for k in range(instance.outputs):
            factors = ", ".join(show(execution.entry(execution.instance.value.rows[c][k])) for c in execution.columns)
            column = f" {k + 1}" if instance.outputs > 1 else ""
            out.print(f"A X          {', '.join(show(x) for x in trace.steps[-1].sums)}, times W^V{column} {factors}")
    out.print(f"numerator    {', '.join(map(_both, trace.numerators))}")
    out.print(f"denominator  {_both(trace.denominator)}")
    for quotient, rounded in zip(trace.exact_quotients, trace.attentions, strict=True):
        out.print(f"quotient     {show(quotient)}, rounded: {_both(rounded)}")
    for k, value in enumerate(trace.decision.hidden, 1):
        out.print(f"hidden {k}     {show(value)}")
    out.print(f"output node  out = {show(trace.decision.output)}; the answer is {decides(instance.accept)}")
