"""The embedding of all tokens and positions at once, held against the definition value by value."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from verifier.arithmetic.floats import to_float
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import Rounded
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network

PARITY = find_network("gallery/parity")
ARITHMETICS = ["float32", "float16+subnormals=flushed", "e4m3+overflow=nan", "int8:1/64"]
FORMULAS = ["-i/(n + 1)", "cospi(i/(n + 1))", "n", "(token + 1)*i/n", "token/3", "1 if token == CLS and i == 0 else 1/(i + n)"]


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


@pytest.mark.one_in(5)
@pytest.mark.parametrize("carried", ARITHMETICS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_an_embedding_is_what_the_definition_rounds(formula: str, carried: str) -> None:
    for n in (1, 9, 17):
        compare(embedding(formula, n), arithmetic(carried))
