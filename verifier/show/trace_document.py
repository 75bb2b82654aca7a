"""One input's evaluation as the versioned JSON document ``bitreferee/trace/1``: every quantity is an exact string."""

from __future__ import annotations

import json
from typing import Any

from verifier.arithmetic.numbers import Number, show
from verifier.networks.evaluate import Step, Trace
from verifier.networks.execution import Execution
from verifier.networks.problems import bits_of

SCHEMA = "bitreferee/trace/1"


def trace_record(execution: Execution, trace: Trace, edition: str) -> dict[str, Any]:
    """The evaluation as the schema's document; ``answer`` is null where the output node is neither 0 nor 1,
    ``expected`` where a formula is not asked of the input. Of several value columns the values are lists.
    """
    instance = execution.instance
    return {
        "schema": SCHEMA,
        "construction": instance.id,
        "edition": edition,
        "parameters": {k: str(v) for k, v in instance.parameters.items()},
        "semantics": execution.semantics.label,
        "input": {name: bits_of(trace.inputs[name], length) for name, length in instance.task.strings.items()},
        "steps": [_step(step) for step in trace.steps],
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


def _step(step: Step) -> dict[str, Any]:
    return {
        "token": str(step.token.index),
        "step": str(step.token.step),
        "holds": {str(bit): value for bit, value in zip(step.token.reads, step.content, strict=True)},
        "score": step.term.score,
        "weight": show(step.term.weight),
        "products": [show(x) for x in step.term.products],
        "sums": [show(x) for x in step.sums],
        "denominator": show(step.denominator),
        "rounded": list(step.rounded),
    }


def as_json(execution: Execution, trace: Trace, edition: str) -> str:
    """The document as JSON text."""
    return json.dumps(trace_record(execution, trace, edition), indent=1, ensure_ascii=False) + "\n"
