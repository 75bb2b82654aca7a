"""Everything that happens on one input, as certificates write it."""

from __future__ import annotations

from verifier.arithmetic.numbers import show
from verifier.certificates.statement import Certificate
from verifier.transformers.table_traces import Trace


def trace_of(made: Trace) -> Certificate:
    """With a numerator and an attention for each column of W^V, as a table of any function has them."""
    return {
        **_around(made),
        "numerators": [show(x) for x in made.numerators],
        "attentions": [show(x) for x in made.attentions],
    }


def trace_of_pair(made: Trace) -> Certificate:
    """With the one numerator and the one attention of a table of pairs."""
    return {**_around(made), "numerator": show(made.numerator), "attention": show(made.attention)}


def _around(made: Trace) -> Certificate:
    answer = made.decision.answer
    return {
        "steps": [
            {
                "content": step.content,
                "weight": show(step.term.weight),
                "products": [show(x) for x in step.term.products],
                "sums": [show(x) for x in step.sums],
                "denominator": show(step.denominator),
            }
            for step in made.steps
        ],
        "denominator": show(made.denominator),
        "hidden": [show(x) for x in made.decision.hidden],
        "output": show(made.decision.output),
        "answer": "neither" if answer is None else str(answer),
    }
