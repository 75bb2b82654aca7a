"""The definition: one input, one token at a time, in fractions, with everything that was rounded on record.

Source: *Every Bit Counts*, Definitions A.2, A.3, A.4, A.7, A.10 and Section A.4. Every fast engine is checked against this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.arithmetic.machine import Machine, exact_quotient, exact_sum, rectified
from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number, show
from verifier.networks.execution import Execution, TokenTerm
from verifier.networks.instance import Node, Token
from verifier.networks.problems import Problem, bits_of
from verifier.networks.tasks import Inputs


@dataclass(frozen=True)
class Step:
    """One token: its content, its term, and the running sums after it. ``rounded`` says what was rounded, from what to what."""

    token: Token
    content: str
    term: TokenTerm
    sums: tuple[Number, ...]
    denominator: Number
    rounded: tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """The MLP's result for the attention's output. ``answer`` is 1, 0, or None where the output node is neither."""

    hidden: tuple[Number, ...]
    output: Number
    answer: int | None


@dataclass(frozen=True)
class Trace:
    """The whole evaluation of one input.

    numerators, exact_quotients, attentions: one for each column of W^V. expected: None where the function is a formula that the promise
    does not ask for.
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
        """The numerator, where W^V has one column; else a ValueError. So the next two."""
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
    """(A X) W^V from the column sums, left to right, for each column of W^V; where V or the products were summed, the sums themselves."""
    if execution.semantics.order != "ax":
        return sums
    machine, found = execution.machine, []
    for k in range(execution.instance.outputs):
        total: Number = ZERO
        for column in execution.used_by(k):
            total = machine.add(total, machine.multiply(sums[execution.columns.index(column)], execution.value_matrix[column][k]))
        found.append(total)
    return tuple(found)


def numerator_of(execution: Execution, sums: tuple[Number, ...]) -> Number:
    """The numerator, where W^V has one column."""
    return _only(numerators_of(execution, sums))


def node_value(execution: Execution, node: Node, inputs: tuple[Number, ...], rectify: bool = True) -> Number:
    """max{0, Σ w·x + b}: products rounded, summed left to right, the bias last (Definition A.4)."""
    machine: Machine = execution.machine
    total: Number = ZERO
    for weight, x in zip(node.weights, inputs, strict=True):
        total = machine.add(total, machine.multiply(execution.entry(weight), x))
    total = machine.add(total, execution.entry(node.bias))
    return rectified(total) if rectify else total


def decide(execution: Execution, *attentions: Number) -> Decision:
    """The MLP on the attention's outputs: 1 and 0 are answers, or what the file accepts; NaN is rejected, that is, answered with 0."""
    accept = execution.instance.accept
    hidden = tuple(node_value(execution, node, attentions) for node in execution.instance.hidden)
    output = node_value(execution, execution.instance.output, hidden, accept.rectified)
    return Decision(hidden, output, accept.answer(output))


def evaluate(execution: Execution, y: int, z: int) -> Trace:
    """Run the transformer on the pair (y, z)."""
    return evaluate_at(execution, {"y": y, "z": z})


def evaluate_at(execution: Execution, inputs: Inputs) -> Trace:
    """Run the transformer on an input. Linear attention is divided by nothing: its denominator is 1 throughout."""
    machine, task = execution.machine, execution.instance.task
    sums: tuple[Number, ...] = (ZERO,) * execution.sums
    denominator: Number = ZERO if execution.kernel.normalised else ONE
    steps = []
    for token in execution.instance.tokens:
        pattern = token.pattern_at(inputs, task.strings)
        term = execution.term(token, pattern)
        exact = [exact_sum(s, x) for s, x in zip(sums, term.products, strict=True)]
        sums = tuple(machine.round(x) for x in exact)
        rounded = [*_roundings("product", term.exact, term.products), *_roundings("sum", exact, sums)]
        if execution.kernel.normalised:
            before = exact_sum(denominator, term.weight)
            denominator = machine.round(before)
            rounded += _roundings("denominator", [before], [denominator])
        content = bits_of(pattern, len(token.reads))
        steps.append(Step(token, content, term, sums, denominator, tuple(rounded)))
    numerators = numerators_of(execution, sums)
    quotients = tuple(exact_quotient(x, denominator) for x in numerators)
    attentions = tuple(machine.round(x) for x in quotients)
    promised = task.promised_at(inputs)
    return Trace(
        inputs=inputs,
        steps=tuple(steps),
        numerators=numerators,
        denominator=denominator,
        exact_quotients=quotients,
        attentions=attentions,
        decision=decide(execution, *attentions),
        expected=task.value_at(inputs) if promised or isinstance(task, Problem) else None,
        promised=promised,
    )


def _roundings(name: str, exact: Sequence[Number], values: Sequence[Number]) -> Iterator[str]:
    """``sum: 129/128 → 1`` for every value that is not exact; numbered where there are several."""
    for k, (before, after) in enumerate(zip(exact, values, strict=True), 1):
        if before != after:
            yield f"{name}{f' {k}' if len(values) > 1 else ''}: {show(before)} → {show(after)}"
