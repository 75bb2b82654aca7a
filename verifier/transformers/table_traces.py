"""Run one input of a table by the definition, and record every token's term, the running sums and all roundings.

Source: *Every Bit Counts*, Definitions A.2, A.3, A.4, A.7, A.10 and Section A.4. Every fast engine is checked against this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.arithmetic.machine import exact_quotient, rectified
from verifier.arithmetic.numbers import NAN, ONE, Number, show
from verifier.networks.instance import Token
from verifier.networks.problems import Inputs, Problem, bits_of
from verifier.transformers.contexts import Value
from verifier.transformers.evaluate import WEIGHTS, Vector, after, attended, weighed
from verifier.transformers.tables import OUTPUT, Execution, TokenTerm, vector_of


@dataclass(frozen=True)
class Step:
    """One token: its content, its term, and the running sums after it. ``rounded`` lists the roundings, each from one value to another."""

    token: Token
    content: str
    term: TokenTerm
    sums: tuple[Number, ...]
    denominator: Number
    rounded: tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """The MLP's result for the attention's output. ``answer`` is 1, 0, or None if the output node is neither."""

    hidden: tuple[Number, ...]
    output: Number
    answer: int | None


@dataclass(frozen=True)
class Trace:
    """The whole evaluation of one input.

    numerators, exact_quotients, attentions: one for each column of W^V. expected: None if the function is a formula and the input is
    outside the promise.
    """

    inputs: Inputs
    steps: tuple[Step, ...]
    numerators: tuple[Number, ...]
    denominator: Number
    exact_quotients: tuple[Number, ...]
    attentions: tuple[Number, ...]
    decision: Decision
    expected: int | None
    promised: bool

    @property
    def y(self) -> int:
        return self.inputs["y"]

    @property
    def z(self) -> int:
        return self.inputs["z"]

    @property
    def numerator(self) -> Number:
        """The numerator if W^V has one column. Otherwise this property and the next two raise ValueError."""
        return _only(self.numerators)

    @property
    def exact_quotient(self) -> Number:
        return _only(self.exact_quotients)

    @property
    def attention(self) -> Number:
        return _only(self.attentions)

    @property
    def correct(self) -> bool:
        """Whether the transformer's answer is the function's value."""
        return self.expected is not None and self.decision.answer == self.expected

    @property
    def meets_nan(self) -> bool:
        """Whether a NaN reached the output node."""
        return self.decision.output is NAN


def _only(values: tuple[Number, ...]) -> Number:
    (value,) = values
    return value


def numerators_of(execution: Execution, sums: tuple[Number, ...]) -> tuple[Number, ...]:
    """(A X) W^V from the column sums, left to right, for each column of W^V; if V or the products were summed, the sums themselves."""
    if execution.semantics.order != "ax":
        return sums
    return tuple(weighed(execution.head, dict(zip(execution.sum_names, sums, strict=True)), execution.context).values())


def numerator_of(execution: Execution, sums: tuple[Number, ...]) -> Number:
    """The numerator, if W^V has one column."""
    return _only(numerators_of(execution, sums))


def decide(execution: Execution, *attentions: Number) -> Decision:
    """The MLP on the attention's outputs: 1 and 0 are answers, or the outputs that the file accepts; NaN is rejected, that is, answered
    with 0."""
    accept = execution.instance.accept
    given = dict(zip(execution.head.value, attentions, strict=True))
    _, hidden, last = after(execution.layer, {}, [given], execution.context)
    output = rectified(last[OUTPUT]) if accept.rectified else last[OUTPUT]
    return Decision(tuple(hidden.values()), output, accept.answer(output))


def _attended(execution: Execution, inputs: Inputs) -> tuple[list[str], list[Value], Vector]:
    """The contents of the tokens, their weights, and the output of the head."""
    instance = execution.instance
    patterns = [token.pattern_at(inputs, instance.task.strings) for token in instance.tokens]
    tokens = [execution.read(vector_of(token, pattern)) for token, pattern in zip(instance.tokens, patterns, strict=True)]
    contents = [bits_of(pattern, len(token.reads)) for token, pattern in zip(instance.tokens, patterns, strict=True)]
    scores, values, vectors = [t.score for t in tokens], [t.values for t in tokens], [t.vector for t in tokens]
    return contents, *attended(execution.head, scores, values, execution.context, vectors)


def attentions_at(execution: Execution, inputs: Inputs) -> tuple[Number, ...]:
    """The attention's outputs on one input, in any arithmetic."""
    _, _, given = _attended(execution, inputs)
    return tuple(given.values())


def answer_at(execution: Execution, inputs: Inputs) -> Decision:
    """The decision on one input, in any arithmetic."""
    return decide(execution, *attentions_at(execution, inputs))


def evaluate(execution: Execution, y: int, z: int) -> Trace:
    """Run the transformer on the pair (y, z)."""
    return evaluate_at(execution, {"y": y, "z": z})


def evaluate_at(execution: Execution, inputs: Inputs) -> Trace:
    """Run the transformer on an input. Linear attention divides by nothing: its denominator is 1 throughout."""
    context = execution.context
    context.noting = True
    try:
        contents, weights, given = _attended(execution, inputs)
    finally:
        context.noting = False
    instance, sums, machine = execution.instance, execution.context.sums, execution.machine
    names = execution.sum_names
    steps = []
    for j, (token, content, weight) in enumerate(zip(instance.tokens, contents, weights, strict=True)):
        noted, total = [sums[name][j] for name in names], sums[WEIGHTS][j] if execution.normalised else None
        score = execution.read(vector_of(token, int(content or "0", 2))).score
        term = TokenTerm(str(score), weight, tuple(each.product for each in noted), tuple(each.exact for each in noted))
        rounded = [
            *_roundings("product", [(each.exact, each.product) for each in noted]),
            *_roundings("sum", [(each.before, each.sum) for each in noted]),
            *_roundings("denominator", [(total.before, total.sum)] if total else []),
        ]
        steps.append(Step(token, content, term, tuple(each.sum for each in noted), total.sum if total else ONE, tuple(rounded)))
    numerators = numerators_of(execution, tuple(machine.round(sums[name][-1].sum) for name in names))
    denominator = machine.round(steps[-1].denominator) if execution.normalised else ONE
    divided = execution.normalised and execution.semantics.division == "output"
    promised = instance.task.promised_at(inputs)
    return Trace(
        inputs=inputs,
        steps=tuple(steps),
        numerators=numerators,
        denominator=denominator,
        exact_quotients=tuple(exact_quotient(x, denominator) for x in numerators) if divided else numerators,
        attentions=tuple(given.values()),
        decision=decide(execution, *given.values()),
        expected=instance.task.value_at(inputs) if promised or isinstance(instance.task, Problem) else None,
        promised=promised,
    )


def _roundings(name: str, values: Sequence[tuple[Number, Number]]) -> Iterator[str]:
    """``sum: 129/128 → 1`` for every value that is not exact; numbered if they are several."""
    for k, (exact, value) in enumerate(values, 1):
        if exact != value:
            yield f"{name}{f' {k}' if len(values) > 1 else ''}: {show(exact)} → {show(value)}"
