"""The embedding of all tokens and positions at once, held against the definition value by value."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from verifier.arithmetic.bit_patterns import PATTERNS
from verifier.arithmetic.floats import carrier, to_float
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.transformers.arrays import Arrays, rounded_positions
from verifier.transformers.contexts import Rounded
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network

PARITY = find_network("gallery/parity")
ARITHMETICS = [
    *PATTERNS,
    "float32+subnormals=flushed",
    "float16+subnormals=flushed",
    "e5m2+overflow=saturate",
    "e4m3+overflow=nan",
    "float32+products=fused",
    "bfloat16+accumulate=float32",
    "int8:1/64",
]
FORMULAS = [
    "i/(n + 1)",
    "-i/(n + 1)",
    "(i*i - 3*n)/(2*n + 1)",
    "i - n/2",
    "1/(1 + i*i)",
    "i**3",
    "cospi(i/2)",
    "cospi(i/(n + 1))",
    "sqrt(i)",
    "1 if i == n else i/3",
    "n",
    "(token + 1)*i/n",
    "token/3",
    "1 if token == CLS and i == 0 else 1/(i + n)",
]


def embedding(formula: str, n: int) -> Network:
    return network(msgspec.structs.replace(PARITY, embedding=PARITY.embedding | {"place": formula}), {"n": n})


def compare(built: Network, carried: Arithmetic) -> None:
    """Every coordinate of every token of three strings."""
    count = built.input.count
    tokens = built.input.token_table([built.input.nth(k) for k in (0, count // 3, count - 1)])
    scalar = Rounded(carried)
    columns = Arrays(built, carried).embedded(tokens)
    for name in built.embedding_names:
        expected = [[to_float(scalar.constant(built.coordinate(name, int(token), i))) for i, token in enumerate(row)] for row in tokens]
        np.testing.assert_array_equal(np.broadcast_to(columns[name], tokens.shape), expected, f"{name} in {carried}")
        assert not np.signbit(columns[name][columns[name] == 0]).any()


@pytest.mark.parametrize("carried", ARITHMETICS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_an_embedding_is_what_the_definition_rounds(formula: str, carried: str) -> None:
    for n in (1, 9, 2, 40, 17):  # what one length leaves behind serves the next
        compare(embedding(formula, n), arithmetic(carried))


@pytest.mark.parametrize("carried", ARITHMETICS[:-1])
def test_quotients_are_rounded_as_by_the_definition(carried: str) -> None:
    knobs = arithmetic(carried)
    scalar = Rounded(knobs)
    for n in [*range(8, 201, 1 if carried == "float32" else 16), *random.Random(7).sample(range(200, 2000), 2)]:
        built = embedding("i/(n + 1)", n)
        found = rounded_positions(built, "place", n + 1, carrier(knobs), knobs)
        assert found is not None
        assert found.tolist() == [to_float(scalar.constant(built.coordinate("place", 0, i))) for i in range(n + 1)]


@pytest.mark.parametrize("carried", ["float32", "float16", "e5m2", "bfloat16", "float64", "float32+subnormals=flushed"])
def test_wide_quotients_are_rounded_as_by_the_definition(carried: str) -> None:
    knobs, rng = arithmetic(carried), random.Random(carried)
    scalar = Rounded(knobs)
    for _ in range(40):
        a, b, c = (rng.randrange(1, 1 << rng.randrange(1, 24)) for _ in range(3))
        built = embedding(f"({a} - 100*i)/({b % (1 << 23)} + {c % 1000}*i)", 20)
        found = rounded_positions(built, "place", 21, carrier(knobs), knobs)
        assert found is not None
        assert found.tolist() == [to_float(scalar.constant(built.coordinate("place", 0, i))) for i in range(21)]


@pytest.mark.parametrize("formula", ["i/2**24", "(2**24 + 2*i + 1)/1", "cospi(i/(n + 1))", "token*i", "1/(i - 3)"])
def test_what_only_the_definition_decides_is_left_to_it(formula: str) -> None:
    """Integers of 25 digits, irrational numbers, tokens, and a position without a value."""
    knobs = arithmetic("float32")
    assert rounded_positions(embedding(formula, 12), "place", 13, carrier(knobs), knobs) is None
