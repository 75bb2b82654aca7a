"""The scalar definition on one input worked by hand: what each token adds, what is rounded, and what the MLP's output node says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from verifier.arithmetic.numbers import INF, NAN, Number
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import read_semantics
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem, Task
from verifier.running.errors import InputError
from verifier.transformers.table_traces import decide, evaluate
from verifier.transformers.tables import Execution

ZERO, ONE = F(0), F(1)


def token(index: int, a: F, b: F, key: F, asks: F = ZERO) -> Token:
    return Token(index, index, (), ((a, b, key, asks),))


INSTANCE = Instance(
    id="by hand",
    parameters={},
    names={},
    precision=4,
    task=Problem("EQ", "none", 1),
    tokens=(token(1, ONE, F(1, 3), F(2)), token(2, ONE, ZERO, F(-3)), token(3, ZERO, ZERO, ZERO, ONE)),
    query=Matrix(((ZERO,), (ZERO,), (ZERO,), (ONE,)), ln2=True),
    key=Matrix(((ZERO,), (ZERO,), (ONE,), (ZERO,))),
    value=Matrix(((ONE, ZERO), (ZERO, ONE), (ZERO, ZERO), (ZERO, ZERO))),
    hidden=(Node((ONE, ZERO), ZERO), Node((ZERO, ONE), ZERO)),
    output=Node((ONE, ONE), ZERO),
)
"""Weights 2^2, 2^−3 and 2^0 of (1, 1/3), (1, 0) and (0, 0), in numbers of a sign and three digits."""


ADDED = ("sum 1: 33/8 → 4", "denominator: 33/8 → 4")
BY_HAND: list[tuple[str, str, list[Number], list[tuple[str, ...]], tuple[Number, ...]]] = [
    ("a4", "softmax", [F(4), F(4), F(5)], [("product 2: 4/3 → 5/4",), ADDED, ()], (F(4), F(5, 4))),
    ("order=products", "softmax", [F(4), F(4), F(5)], [(), ADDED, ()], (F(4), F(5, 4))),
    ("order=values", "softmax", [F(4), F(4), F(5)], [(), ADDED, ()], (F(4), F(3, 2))),
    ("a4", "linear", [ONE, ONE, ONE], [(), (), ()], (F(-1, 2), F(1, 2))),
]
"""Linear attention weighs by 2 ln 2 = 1.39, which is 3/2 in three digits, by −3 ln 2 = −2.08, which is −2, and by 0."""


def execution(knobs: str = "a4", **changed: Any) -> Execution:
    return Execution(replace(INSTANCE, **changed), read_semantics(knobs))


@pytest.mark.parametrize(("knobs", "attention", "denominators", "rounded", "numerators"), BY_HAND)
def test_each_step_by_hand(
    knobs: str, attention: str, denominators: list[Number], rounded: list[tuple[str, ...]], numerators: tuple[Number, ...]
) -> None:
    trace = evaluate(execution(knobs, attention=attention), 0, 0)
    assert [step.denominator for step in trace.steps] == denominators
    assert [step.rounded for step in trace.steps] == rounded
    assert trace.numerators == trace.steps[-1].sums == numerators
    if attention == "softmax":
        assert trace.attentions == (F(3, 4), F(1, 4))
        assert trace.correct


def test_one_column_is_not_numbered_and_several_are_no_number() -> None:
    second = Matrix(tuple((row[1],) for row in INSTANCE.value.rows))
    one = execution(value=second, hidden=(Node((ONE,), ZERO),), output=Node((ONE,), ZERO))
    trace = evaluate(one, 0, 0)
    assert trace.steps[0].rounded == ("product: 4/3 → 5/4",)
    assert (trace.numerator, trace.exact_quotient, trace.attention) == (F(5, 4), F(1, 4), F(1, 4))
    assert one.value_weights == (ZERO, ONE, ZERO, ZERO)
    with pytest.raises(InputError, match=r"one value column was expected, W\^V has 2"):
        _ = execution().value_weights
    with pytest.raises(ValueError, match="unpack"):
        _ = evaluate(execution(), 0, 0).numerator


def test_a_table_of_one_coordinate() -> None:
    """⟨Q, K⟩ = ln 2, so that both tokens weigh 2."""
    one = Matrix(((ONE,),))
    tokens = tuple(Token(k, k, (), ((ONE,),)) for k in (1, 2))
    changed = {"tokens": tokens, "query": replace(one, ln2=True), "key": one, "value": one, "hidden": (Node((ONE,), ZERO),)}
    trace = evaluate(execution(**changed, output=Node((ONE,), ZERO)), 0, 0)
    assert (trace.numerator, trace.denominator, trace.decision.answer) == (4, 4, 1)


SEVEN = (Node((ZERO, ZERO), F(7)),) * 2
OUTPUTS: list[tuple[str, Node, Number, int | None]] = [
    ("0", Node((ZERO, ZERO), ZERO), ZERO, 0),
    ("less than 0", Node((ZERO, ZERO), F(-3)), ZERO, 0),
    ("1", Node((ZERO, ZERO), ONE), ONE, 1),
    ("another number", Node((ZERO, ZERO), F(2)), F(2), None),
    ("infinity", Node((ONE, ONE), F(7)), INF, None),
    ("inf − inf", Node((F(7), F(-7)), ZERO), NAN, 0),
]


@pytest.mark.parametrize(("title", "node", "output", "answer"), OUTPUTS, ids=[title for title, *_ in OUTPUTS])
def test_what_the_output_node_says_is_1_or_0_or_no_answer(title: str, node: Node, output: Number, answer: int | None) -> None:
    of = execution(hidden=SEVEN, output=node)
    found, trace = decide(of, ZERO, ZERO), evaluate(of, 0, 0)
    assert (found.hidden, found.output, found.answer) == ((F(7), F(7)), output, answer)
    assert (trace.decision, trace.expected) == (found, 1)
    assert (trace.correct, trace.meets_nan) == (answer == 1, output is NAN)


def test_beside_its_promise_a_formula_expects_nothing_and_a_named_function_its_value() -> None:
    silent = Node((ZERO, ZERO), F(2))
    for promise, promised in (("none", True), ("y[1] == 1", False)):
        task = Task("y == z", promise, (("y", 1), ("z", 1)))
        formula = evaluate(execution(task=task, output=silent), 0, 0)
        named = evaluate(execution(task=Problem("EQ", promise, 1), output=silent), 0, 0)
        assert (formula.promised, formula.expected) == (promised, 1 if promised else None)
        assert (named.promised, named.expected) == (promised, 1)
        assert not formula.correct
        assert not named.correct
