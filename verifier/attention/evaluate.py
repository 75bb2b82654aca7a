"""The definition: one input, one token at a time, in fractions, with everything that was rounded on record.

Source: *Every Bit Counts*, Definitions A.2, A.3, A.4, A.7, A.10 and Section A.4. Every fast engine is checked against this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.arithmetic.machine import Machine, exact_quotient, exact_sum, rectified
from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number, show
from verifier.attention.terms import Reading, TokenTerm
from verifier.construction.instance import Node, Token
from verifier.problems import bits_of


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
    """What the MLP makes of the attention's output. ``answer`` is 1, 0, or None where the output node is neither."""

    hidden: tuple[Number, ...]
    output: Number
    answer: int | None


@dataclass(frozen=True)
class Trace:
    """The whole evaluation of one input."""

    y: int
    z: int
    steps: tuple[Step, ...]
    numerator: Number
    denominator: Number
    exact_quotient: Number
    attention: Number
    decision: Decision
    expected: int
    promised: bool

    @property
    def correct(self) -> bool:
        """Whether the transformer's answer is the function's value."""
        return self.decision.answer == self.expected

    @property
    def meets_nan(self) -> bool:
        """Whether a NaN reached the output node."""
        return self.decision.output is NAN


def numerator_of(reading: Reading, sums: tuple[Number, ...]) -> Number:
    """(A X) W^V from the column sums, left to right; where V or the products were summed, the sum itself."""
    if reading.semantics.order != "ax":
        return sums[0]
    machine = reading.machine
    total: Number = ZERO
    for column, value in zip(reading.columns, sums, strict=True):
        total = machine.add(total, machine.multiply(value, reading.value_weights[column]))
    return total


def node_value(reading: Reading, node: Node, inputs: tuple[Number, ...]) -> Number:
    """max{0, Σ w·x + b}: products rounded, summed left to right, the bias last (Definition A.4)."""
    machine: Machine = reading.machine
    total: Number = ZERO
    for weight, x in zip(node.weights, inputs, strict=True):
        total = machine.add(total, machine.multiply(reading.entry(weight), x))
    return rectified(machine.add(total, reading.entry(node.bias)))


def decide(reading: Reading, attention: Number) -> Decision:
    """The MLP on the attention's output: 1 and 0 are answers; NaN is rejected, that is, answered with 0."""
    hidden = tuple(node_value(reading, node, (attention,)) for node in reading.instance.hidden)
    output = node_value(reading, reading.instance.output, hidden)
    answer = 0 if output is NAN or output == ZERO else 1 if output == ONE else None
    return Decision(hidden, output, answer)


def evaluate(reading: Reading, y: int, z: int) -> Trace:
    """Run the transformer on (y, z). Linear attention is divided by nothing: its denominator is 1 throughout."""
    machine, problem = reading.machine, reading.instance.problem
    sums: tuple[Number, ...] = (ZERO,) * reading.sums
    denominator: Number = ZERO if reading.kernel.normalised else ONE
    steps = []
    for token in reading.instance.tokens:
        pattern = token.pattern(y, z, problem.length)
        term = reading.term(token, pattern)
        exact = [exact_sum(s, x) for s, x in zip(sums, term.products, strict=True)]
        exact_denominator = exact_sum(denominator, term.weight) if reading.kernel.normalised else denominator
        sums = tuple(machine.round(x) for x in exact)
        denominator = machine.round(exact_denominator) if reading.kernel.normalised else denominator
        rounded = [
            *_roundings("product", term.exact, term.products),
            *_roundings("sum", exact, sums),
            *_roundings("denominator", [exact_denominator], [denominator]),
        ]
        content = bits_of(pattern, len(token.reads))
        steps.append(Step(token, content, term, sums, denominator, tuple(rounded)))
    numerator = numerator_of(reading, sums)
    quotient = exact_quotient(numerator, denominator)
    attention = machine.round(quotient)
    return Trace(
        y=y,
        z=z,
        steps=tuple(steps),
        numerator=numerator,
        denominator=denominator,
        exact_quotient=quotient,
        attention=attention,
        decision=decide(reading, attention),
        expected=problem.value(y, z),
        promised=problem.promised(y, z),
    )


def _roundings(name: str, exact: Sequence[Number], values: Sequence[Number]) -> Iterator[str]:
    """``sum: 129/128 → 1`` for every value that is not exact; numbered where there are several."""
    for k, (before, after) in enumerate(zip(exact, values, strict=True), 1):
        if before != after:
            yield f"{name}{f' {k}' if len(values) > 1 else ''}: {show(before)} → {show(after)}"
