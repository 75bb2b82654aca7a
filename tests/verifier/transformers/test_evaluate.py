"""The definition on networks that are worked out by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.random_subjects import named
from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.reals import Undecided
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import Run, run
from verifier.transformers.network import network
from verifier.transformers.records import NetworkFile


def values(*layer: Any, **others: Any) -> list[Any]:
    """The coordinate y of every token of 0110."""
    return [vector["y"] for vector in ran(*layer, **others).last]


def ran(layer: dict[str, Any], how: Arithmetic | None = None, embedding: dict[str, str] | None = None, **others: Any) -> Run:
    """A network of one layer on 0110, where x is the symbol and i the position."""
    file = msgspec.convert(
        {
            **named("small"),
            "input": {"strings": {"w": "n"}, "tokens": ["w"]},
            "embedding": {"x": "token", "i": "i", "y": "0"} | (embedding or {}),
            "layer": [layer],
            "accept": {"function": "popcount(w) > 0", "at": "last", "yes": "y > 0"},
        }
        | others,
        NetworkFile,
    )
    return run(network(file, {"n": 4}), [0, 1, 1, 0], context(how or Arithmetic("exact")))


def fractions(*texts: str) -> list[Fraction]:
    return [rational(text) for text in texts]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ({}, ["1/2"] * 4),
        ({"mask": "causal"}, ["0", "1/2", "2/3", "1/2"]),
        ({"mask": "strictly-causal"}, ["0", "0", "1/2", "2/3"]),
        ({"kind": "softmax-plus-one"}, ["2/5"] * 4),
        ({"kind": "leftmost", "query": ["1"], "key": ["x"], "value": {"y": "i"}}, ["1"] * 4),
        ({"kind": "rightmost", "query": ["1"], "key": ["x"], "value": {"y": "i"}}, ["2"] * 4),
        ({"kind": "average-hard", "query": ["1"], "key": ["x"], "value": {"y": "i"}}, ["3/2"] * 4),
        ({"kind": "rightmost", "query": ["-1"], "key": ["x"], "value": {"y": "i"}, "mask": "causal"}, ["0", "0", "0", "3"]),
        ({"kind": "linear", "query": ["i"], "key": ["x"], "value": {"y": "i"}}, ["0", "3", "6", "9"]),
        ({"kind": "linear", "query": ["i"], "key": ["x"], "value": {"y": "1"}, "mask": "causal", "masked": "-1"}, ["-3", "-1", "3", "6"]),
        ({"kind": "leftmost", "bias": "-abs(i - j - 1)", "value": {"y": "x"}}, ["0", "0", "1", "1"]),
        ({"kind": "linear", "query": ["1", "0"], "key": ["1", "0"], "rotary": ["pi/2"], "value": {"y": "1"}}, None),
    ],
)
def test_heads(head: dict[str, Any], expected: list[str] | None) -> None:
    found = values({"head": [{"value": {"y": "x"}} | head]})
    if expected is None:  # Σ cos((i − j)·π/2) over j = 0 … 3 is 0
        assert all(abs(x.ball().mid()) < 1e-15 for x in found)
    else:
        assert found == fractions(*expected)


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ({"hidden": {"u": "i - 1"}, "into": {"y": "u"}}, ["0", "0", "1", "2"]),
        ({"hidden": {"u": "i - 1"}, "into": {"y": "u"}, "activation": "clipped-relu"}, ["0", "0", "1", "1"]),
        ({"hidden": {"u": "2*i - 2"}, "into": {"y": "3*u"}, "activation": "step"}, ["0", "0", "3", "3"]),
        ({"hidden": {"u": "i - 1"}, "into": {"y": "u + 1/2"}, "activation": "identity"}, ["-1/2", "1/2", "3/2", "5/2"]),
        ({"hidden": {"u": "i"}, "gate": {"u": "x"}, "into": {"y": "u"}}, ["0", "1", "2", "0"]),
        ({"hidden": {"u": "i"}, "into": {"y": "u"}, "residual": False}, ["0", "1", "2", "3"]),
    ],
)
def test_networks_on_each_position(network: dict[str, Any], expected: list[str]) -> None:
    assert values({"network": network}) == fractions(*expected)


def test_norms() -> None:
    keep = {"network": {"hidden": {"u": "0"}, "into": {"y": "u"}}}
    of = {"embedding": {"x": "3", "i": "-4", "y": "1"}}
    assert values({**keep, "norm": {"kind": "rms", "eps": "1/3"}}, **of) == fractions(*["1/3"] * 4)  # (9 + 16 + 1 + 1)/3 is 9
    assert values({**keep, "norm": {"kind": "layer", "eps": "1/3"}}, **of) == fractions(*["1/3"] * 4)  # the mean is 0
    gained = values({**keep, "norm": {"kind": "rms", "eps": "1/3", "gain": {"y": "6"}, "shift": {"y": "-1"}}}, **of)
    assert gained == fractions(*["1"] * 4)


def test_an_undecided_comparison_is_an_error() -> None:
    """e·e^−1 is 1, which no ball shows."""
    units = {"network": {"hidden": {"u": "exp(1)*x - sqrt(exp(2))*x"}, "into": {"y": "u"}}}
    with pytest.raises(Undecided):
        values(units)


def test_nan_is_kept_and_unused_nan_does_no_harm() -> None:
    assert (
        values({"network": {"hidden": {"u": "0"}, "into": {"y": "u"}}, "norm": {"eps": "0", "kind": "rms"}}, embedding={"i": "0"})[0] is NAN
    )
    assert values({"head": [{"value": {"y": "x"}}]}, arithmetic("float16+maximum=kept"), {"y": "0"}) == fractions(*["1/2"] * 4)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("float16", "1"),
        ("float16+sums=pairwise", "1"),
        ("float16+rounding=dot-product", "1025/1024"),
        ("float16+accumulate=float32", "1025/1024"),
        ("e2m1", "1"),
    ],
)
def test_knobs_change_what_a_dot_product_is(how: str, expected: str) -> None:
    """1 + 2^-11 + 2^-11, whose partial sums float16 does not hold."""
    found = values(
        {"network": {"hidden": {"u": "x + i/2048 + y"}, "into": {"x": "0*u", "y": "u"}}},
        arithmetic(how),
        {"x": "1", "i": "1", "y": "1/2048"},
    )
    assert found[0] - Fraction(0) == settle_first(how, rational(expected))


def settle_first(how: str, unit: Fraction) -> Any:
    """The unit and the residual y = 2^-11, as the arithmetic adds them."""
    rounded = context(arithmetic(how))
    return rounded.add(rounded.constant(Fraction(1, 2048)), unit)


def test_the_root_of_a_negative_number_is_none() -> None:
    exact = context(Arithmetic("exact"))
    assert exact.root(rational("-1/4")) is exact.root(NAN) is NAN
    assert exact.root(rational("1/4")) == rational("1/2")
    assert exact.root(rational("0")) == 0


@pytest.mark.parametrize("kind", ["leftmost", "rightmost", "average-hard"])
def test_a_score_that_is_no_number_chooses_no_token(kind: str) -> None:
    """Infinity minus infinity in float16: no token is the best."""
    head = {"kind": kind, "mask": "causal", "query": ["big - other"], "key": ["1"], "value": {"y": "1"}}
    found = ran({"head": [head]}, arithmetic("float16"), {"big": "65504*65504", "other": "65504*65504"})
    assert all(vector["y"] is NAN for vector in found.last)
    assert found.layers[0].heads[0].weights[1] == [NAN, NAN, None, None], "what the mask hides has no weight"
