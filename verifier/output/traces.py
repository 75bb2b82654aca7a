"""A trace on the screen."""

from __future__ import annotations

from verifier.arithmetic.numbers import Number, show, show_binary
from verifier.attention.evaluate import Trace
from verifier.attention.terms import Reading
from verifier.output.screen import console, mapping_text, plain_table
from verifier.problems import bits_of


def _both(x: Number) -> str:
    """A value as a fraction and in binary."""
    plain, binary = show(x), show_binary(x)
    return plain if plain == binary else f"{plain} = {binary}₂"


def show_trace(reading: Reading, trace: Trace, edition: str) -> None:
    """Every token's weight, products and sums; where something was rounded; the quotient; the MLP's nodes; the answer."""
    from rich.text import Text

    instance = reading.instance
    out = console()
    parameters = mapping_text({k: str(v) for k, v in instance.parameters.items()})
    y, z = (bits_of(x, instance.m) for x in (trace.y, trace.z))
    out.print(Text.assemble((f"{instance.id} ({edition})", "bold"), f"  {parameters}, {instance.bits} bits, {reading.semantics.label}"))
    out.print(f"y = {y}, z = {z}")
    table = plain_table()
    for column in ("token", "step", "holds", "score", "weight", "product", "sum", "denominator", "rounded"):
        table.add_column(column, justify="left" if column in ("holds", "rounded") else "right", overflow="fold")
    for step in trace.steps:
        if step.term.weight == 0 and not any(step.term.products):
            continue
        table.add_row(
            str(step.token.index),
            str(step.token.step),
            ", ".join(f"{bit} = {value}" for bit, value in zip(step.token.reads, step.content, strict=True)) or "0",
            step.term.score,
            show(step.term.weight),
            ", ".join(show(x) for x in step.term.products),
            ", ".join(show(x) for x in step.sums),
            show(step.denominator),
            ", ".join(step.rounded),
        )
    out.print(table)
    skipped = sum(1 for s in trace.steps if s.term.weight == 0 and not any(s.term.products))
    unit = " (scores are in units of ln 2)" if instance.query.ln2 and reading.semantics.ln2 == "ideal" else ""
    out.print(f"{skipped} tokens of weight 0 that add nothing are left out{unit}; order of evaluation: {reading.semantics.order}")
    if reading.semantics.order == "ax":
        factors = ", ".join(show(reading.value_weights[c]) for c in reading.columns)
        out.print(f"A X          {', '.join(show(x) for x in trace.steps[-1].sums)}, times W^V {factors}")
    out.print(f"numerator    {_both(trace.numerator)}")
    out.print(f"denominator  {_both(trace.denominator)}")
    out.print(f"quotient     {show(trace.exact_quotient)}, rounded: {_both(trace.attention)}")
    for k, value in enumerate(trace.decision.hidden, 1):
        out.print(f"hidden {k}     {show(value)}")
    out.print(f"output node  {show(trace.decision.output)}")
    answer = "neither 0 nor 1" if trace.decision.answer is None else str(trace.decision.answer)
    nan = " (NaN is rejected)" if trace.meets_nan else ""
    verdict = "right" if trace.correct else "WRONG"
    if not trace.promised:
        verdict = f"not asked for: the input breaks the promise {instance.problem.promise}"
    out.print(Text.assemble(f"answer       {answer}{nan}, {instance.problem.function}(y, z) = {trace.expected}: ", (verdict, "bold")))
