"""The presets that say what numpy does, bit for bit against programs that are written in numpy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from verifier.arithmetic.floats import to_number
from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.semantics import PRESETS
from verifier.transformers.contexts import Rounded, context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import network

DTYPES = {"numpy-float64": np.float64, "numpy-float32": np.float32, "numpy-float16": np.float16}


@pytest.mark.one_in(7)
@pytest.mark.parametrize("preset", DTYPES)
@pytest.mark.parametrize("length", [1, 7, 8, 9, 20, 127, 128, 129, 137, 300])
def test_sums_are_those_of_numpy(preset: str, length: int) -> None:
    rng = np.random.default_rng(length)
    values = (rng.standard_normal(length) * 10.0 ** rng.integers(-3, 3, length)).astype(DTYPES[preset])
    found = Rounded(PRESETS[preset]).total([to_number(float(x)) for x in values])
    assert found == to_number(float(np.add.reduce(values)))


def _apply(x: Any, matrix: Any) -> Any:
    """Rows of x times a matrix, as products that numpy sums over a contiguous axis."""
    return np.add.reduce(np.ascontiguousarray(x[:, None, :] * matrix[None, :, :]), axis=-1)


def parity_in_numpy(bits: tuple[int, ...], dtype: Any) -> Any:
    """PARITY as Section 3.1 has it, in matrices over the ten dimensions of the paper; the last vectors."""
    n = len(bits)
    x = np.zeros((n + 1, 10), dtype)
    for i, symbol in enumerate((*bits, 2)):
        x[i, symbol] = 1
        x[i, 3] = dtype(np.float64(i) / (n + 1)) if dtype is not np.float64 else i / (n + 1)
        x[i, 4] = (-1) ** i

    def matrix(rows: int, entries: dict[tuple[int, int], int]) -> Any:
        made = np.zeros((rows, 10 if rows != 10 else 3), dtype)
        for place, value in entries.items():
            made[place] = value
        return made

    def attend(query: Any, key: Any, value: Any) -> Any:
        scale = dtype(1 / np.sqrt(np.float64(5)))
        scores = np.add.reduce(np.ascontiguousarray(query[:, None, :] * key[None, :, :]), axis=-1) * scale
        exponentials = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.longdouble)).astype(dtype)
        weights = exponentials / np.add.reduce(exponentials, axis=1, keepdims=True)
        return np.add.reduce(np.ascontiguousarray(weights[:, None, :] * value.T[None, :, :]), axis=-1)

    nothing = np.zeros((n + 1, 1), dtype)
    counted = attend(nothing, nothing, _apply(x, matrix(2, {(0, 1): 1, (1, 2): 1})))
    x[:, 5:7] += counted
    first = matrix(3, {(0, 3): -1, (0, 5): 1, (0, 6): -1, (1, 3): -1, (1, 5): 1, (2, 3): -1, (2, 5): 1, (2, 6): 1})
    hidden = np.maximum(_apply(x, first), dtype(0))
    x += _apply(hidden, matrix(10, {(7, 0): 1, (7, 1): -2, (7, 2): 1}))
    heads = [attend(x[:, 2:3], sign * x[:, 4:5], x[:, 7:8]) for sign in (dtype(1), dtype(-1))]
    x[:, 8:9] += -heads[0] + heads[1]
    return x


@pytest.mark.one_in(3)
@pytest.mark.parametrize("preset", ["numpy-float64", "numpy-float32"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_parity_in_numpy_is_the_file_bit_for_bit(preset: str, n: int) -> None:
    """exp of NumPy is not correctly rounded, so that it is taken in a wider type here."""
    built, rounded = network(find_network("gallery/parity"), {"n": n}), context(PRESETS[preset])
    for bits in list(product((0, 1), repeat=n))[:: max(1, 2**n // 16)]:
        last = run(built, [*bits, built.input.words["CLS"]], rounded).last
        ours = [list(vector.values()) for vector in last]
        theirs = [[to_number(float(x)) for x in row[:9]] for row in parity_in_numpy(bits, DTYPES[preset])]
        assert NAN not in ours[0]
        assert ours == theirs, bits
