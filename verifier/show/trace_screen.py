"""A trace on the screen."""

from __future__ import annotations

from verifier.arithmetic.numbers import Number, show, show_binary
from verifier.networks.evaluate import Trace
from verifier.networks.execution import Execution
from verifier.networks.problems import Problem, bits_of
from verifier.show.screen import COLUMNS, console, folded, mapping_text


def _both(x: Number) -> str:
    """A value as a fraction and in binary."""
    plain, binary = show(x), show_binary(x)
    return plain if plain == binary else f"{plain} = {binary}₂"


def _steps(trace: Trace) -> list[str]:
    """A line for each token that adds something, and below it what was rounded; columns of their own width, within 80."""
    head = ("token", "step", "holds", "score", "weight", "product", "sum", "denominator")
    left = {2}
    rows, notes = [], []
    for step in trace.steps:
        if step.term.weight == 0 and not any(step.term.products):
            continue
        holds = ", ".join(f"{bit} = {value}" for bit, value in zip(step.token.reads, step.content, strict=True)) or "0"
        sums, products = (", ".join(map(show, values)) for values in (step.sums, step.term.products))
        weight, denominator = show(step.term.weight), show(step.denominator)
        rows.append((str(step.token.index), str(step.token.step), holds, step.term.score, weight, products, sums, denominator))
        notes.append(step.rounded)
    width = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    kept = list(range(len(head)))
    for spare in (3, 1):  # the score and the step's number are the first that the page or the rest of the line tells
        if sum(width[k] + 2 for k in kept) > COLUMNS + 2:
            kept.remove(spare)

    def line(row: tuple[str, ...]) -> list[str]:
        cells = [f"{row[k]:<{width[k]}}" if k in left else f"{row[k]:>{width[k]}}" for k in kept]
        whole = "  ".join(cells)
        return [whole.rstrip()] if len(whole) <= COLUMNS else folded("  ".join(row[k] for k in kept), 8, 0)

    lines = line(head)
    for row, rounded in zip(rows, notes, strict=True):
        lines += line(row)
        lines += [part for note in rounded for part in folded(f"rounded: {note}", 12, 8)]
    return lines


def show_trace(execution: Execution, trace: Trace, edition: str) -> None:
    """Every token's weight, products and sums; where something was rounded; the quotient; the MLP's nodes; the answer."""
    from rich.text import Text

    instance = execution.instance
    out = console()
    parameters = mapping_text({k: str(v) for k, v in instance.parameters.items()})
    out.print(Text.assemble((f"{instance.id} ({edition})", "bold"), f"  {parameters}, {instance.bits} bits, {execution.semantics.label}"))
    out.print(", ".join(f"{name} = {bits_of(trace.inputs[name], length)}" for name, length in instance.task.strings.items()))
    for line in _steps(trace):
        out.print(Text(line), soft_wrap=True)
    skipped = sum(1 for s in trace.steps if s.term.weight == 0 and not any(s.term.products))
    unit = " (scores are in units of ln 2)" if instance.query.ln2 and execution.semantics.ln2 == "ideal" else ""
    for part in folded(
        f"{skipped} tokens of weight 0 that add nothing are left out{unit}; order of evaluation: {execution.semantics.order}", 2, 0
    ):
        out.print(part, soft_wrap=True)
    if execution.semantics.order == "ax":
        for k in range(instance.outputs):
            factors = ", ".join(show(execution.value_matrix[c][k]) for c in execution.columns)
            column = f" {k + 1}" if instance.outputs > 1 else ""
            out.print(f"A X          {', '.join(show(x) for x in trace.steps[-1].sums)}, times W^V{column} {factors}")
    out.print(f"numerator    {', '.join(map(_both, trace.numerators))}")
    out.print(f"denominator  {_both(trace.denominator)}")
    for quotient, rounded in zip(trace.exact_quotients, trace.attentions, strict=True):
        out.print(f"quotient     {show(quotient)}, rounded: {_both(rounded)}")
    for k, value in enumerate(trace.decision.hidden, 1):
        out.print(f"hidden {k}     {show(value)}")
    out.print(f"output node  {show(trace.decision.output)}")
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    nan = " (NaN is rejected)" if trace.meets_nan else ""
    verdict = "right" if trace.correct else "WRONG"
    if not trace.promised:
        verdict = f"not asked for: the input breaks the promise {instance.task.promise}"
    sign = "=" if isinstance(instance.task, Problem) else "is"
    wanted = "" if trace.expected is None else f", {instance.task.applied} {sign} {trace.expected}"
    out.print(Text.assemble(f"answer       {answer}{nan}{wanted}: ", (verdict, "bold")), soft_wrap=True)
