"""Networks that append symbols: by the definition, by arrays and by induction, which agree on every small input."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from tests.random_subjects import named
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.running.errors import LimitError
from verifier.transformers import induction
from verifier.transformers.answers import wrong_by_arrays, wrong_by_definition
from verifier.transformers.contexts import context
from verifier.transformers.decoded import decide
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import judged
from verifier.transformers.records import NetworkFile

DIGITS = [str(d) for d in range(10)]


def copying(**decode: Any) -> NetworkFile:
    """A network that repeats w: the last token reads the token n + 1 places before."""
    return msgspec.convert(
        {
            **named("copy"),
            "input": {"strings": {"w": "n"}, "tokens": ["w", "SEP"], "alphabet": ["0", "1", "2"]},
            "embedding": {"symbol": "token"},
            "layer": [{"residual": False, "head": [{"kind": "leftmost", "bias": "1 if j == i - n else 0", "value": {"symbol": "symbol"}}]}],
            "decode": {"steps": "n", "function": "w(k)", "logit": "2*c*symbol - c**2"} | decode,
        },
        NetworkFile,
    )


def changed(name: str, **parts: Any) -> NetworkFile:
    """A file of the gallery with other parts of its first layer's network."""
    raw = msgspec.to_builtins(find_network(name))
    raw["layer"][0]["network"] |= parts
    return msgspec.convert(raw, NetworkFile)


def agree(built: Network, how: Arithmetic, step: int = 1) -> list[dict[str, tuple[int, ...]]]:
    """The wrong inputs by definition and by arrays, of one input in so many."""
    inputs = list(built.input.every())[::step]
    slow = list(wrong_by_definition(built, how, iter(inputs)))
    assert slow == wrong_by_arrays(built, how, inputs)
    return [strings for strings, _ in slow]


@pytest.mark.parametrize("form", ["exact", "float16", "e4m3"])
def test_a_copy_is_appended_symbol_by_symbol(form: str) -> None:
    built, how = network(copying(), {"n": 3}), arithmetic(form)
    made = judged(built, {"w": (2, 0, 1)}, context(how))
    assert (made.answer.found, made.answer.expected, len(made.runs)) == ("2 0 1", "2 0 1", 3)
    assert [run.tokens for run in made.runs] == [[2, 0, 1, 3], [2, 0, 1, 3, 2], [2, 0, 1, 3, 2, 0]]
    if form != "exact":
        assert agree(built, how) == []


def test_an_end_symbol_ends_the_output() -> None:
    built = network(copying(until="0"), {"n": 3})
    made = judged(built, {"w": (2, 0, 1)}, context(arithmetic("float16")))
    assert (made.answer.found, made.answer.expected, len(made.runs)) == ("2 0", "2 0", 2)
    assert agree(built, arithmetic("float16")) == []


def test_a_wrong_symbol_is_wrong_from_there_on() -> None:
    built = network(copying(function="2 if k == 2 else w(k)"), {"n": 3})
    assert agree(built, arithmetic("float16")) == [s for s in built.input.every() if s["w"][1] != 2]


FORMS = [
    "float32",
    pytest.param("bfloat16", marks=pytest.mark.campaign),
    "float16+overflow=saturate",
    "float32+sums=pairwise+division=output",
    "float64",
]
FUSED = ["float32+products=fused", "bfloat16+products=fused+sums=split:4"]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("form", [*FORMS, *FUSED])
@pytest.mark.parametrize("wrap", ["- 10*wrap + 10*wrap_less", "- 9*wrap + 9*wrap_less", "- 10*wrap", "+ wrap - wrap_less"])
def test_induction_finds_the_smallest_wrong_input(form: str, wrap: str) -> None:
    """Adders of one and two digits, the gallery's and wrong ones."""
    file, how = changed("gallery/adder-28", into={"digit": f"carry - carry_less {wrap}"}), arithmetic(form)
    for n in (1, 2) if form == "bfloat16" else (1,):
        built = network(file, {"n": n})
        assert not induction.not_applicable(built, how)
        wrong = wrong_by_arrays(built, how, list(built.input.every()))
        found = decide(built, how)
        assert (found.wrong is None) == (not wrong)
        if found.smallest:
            assert found.wrong == (wrong[0] if wrong else None)
        else:
            assert "saturate" in form
            assert found.wrong in wrong


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.campaign), 41])
def test_the_definition_agrees_on_one_digit(step: int) -> None:
    assert agree(network(find_network("gallery/adder-28"), {"n": 1}), arithmetic("bfloat16"), step)
    assert not agree(network(find_network("gallery/adder-28"), {"n": 1}), arithmetic("float32"), step)


@pytest.mark.parametrize(
    ("function", "how", "why"),
    [
        ("(a*b)//10**(k - 1) % 10", "float32", "S//B"),
        ("(a + b)//10**k % 10", "float32", "S//B"),
        ("(a - b)//10**(k - 1) % 10", "float32", "S//B"),
        ("(a + b)//10**(k - 1) % 10", "exact", "operations that are rounded each"),
        ("(a + b)//10**(k - 1) % 10", "float32+rounding=dot-product", "operations that are rounded each"),
    ],
)
def test_where_induction_is_declined(function: str, how: str, why: str) -> None:
    raw = msgspec.to_builtins(find_network("gallery/adder-28"))
    raw["decode"]["function"] = function
    built = network(msgspec.convert(raw, NetworkFile), {"n": 2})
    assert why in induction.not_applicable(built, arithmetic(how))


def test_scores_that_are_nan_are_declined() -> None:
    with pytest.raises(LimitError, match="NaN"):
        decide(network(find_network("gallery/adder-28"), {"n": 2}), arithmetic("float16"))


@pytest.mark.parametrize(
    ("name", "form"), [("adder-33", "float64"), ("adder-50", "float32"), ("adder-116", "float32"), ("adder-33", "bfloat16")]
)
def test_sums_over_tokens_agree_with_arrays(name: str, form: str) -> None:
    """Every input of one digit: a verdict of induction is that of arrays, and what is left open is an error."""
    built, how = network(find_network(f"gallery/{name}"), {"n": 1}), arithmetic(form)
    wrong = wrong_by_arrays(built, how, list(built.input.every()))
    try:
        found = decide(built, how)
    except LimitError:
        assert form == "bfloat16"
        return
    assert (found.wrong is None) == (not wrong)


def test_every_sum_lies_in_the_box_of_its_group() -> None:
    """Inputs of ten digits, at the third output: the exact run's sums of both heads are within those of some group with its symbols."""
    built, how = network(find_network("gallery/adder-33"), {"n": 10}), arithmetic("float64")
    made = induction.Induction(built, how)
    cases = made.cases(2)
    arrays = made.arrays
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = (int(x) for x in rng.integers(0, 10**10, 2))
        strings = {name: tuple(int(d) for d in f"{x:010d}") for name, x in (("a", a), ("b", b))}
        outputs = [(a + b) // 10**k % 10 for k in range(3)]
        tokens = np.array([[*built.input.tokens(strings), *outputs[:2]]])
        head = built.layers[0].heads[1]
        given = float(arrays._head(head, arrays.embedded(tokens), tokens.shape[1], tokens.shape[1] - 1)["lower"].ravel()[0])
        last = cases.last.watched
        column = a // 100 % 10 + b // 100 % 10
        carry = (a % 100 + b % 100) // 100
        rows = (cases.query == outputs[1]) & (last["sum", 2] == column) & (last["carry", 2] == carry)
        low, high = (np.broadcast_to(end, (len(rows), 1))[rows, 0] for end in cases.given[1, "lower"])
        assert ((low <= given) & (given <= high)).any()
        assert (high - low).max() < 2e-35
