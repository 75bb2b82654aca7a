"""The compiled product against the one of NumPy: the same bits, and loaded only by who multiplies much."""

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from constructions.piecewise_affine import operations as pa
from constructions.piecewise_affine.mathematics import fused
from constructions.piecewise_affine.mathematics.arrays import Arrays
from constructions.piecewise_affine.mathematics.fused import Products
from constructions.piecewise_affine.mathematics.scalars import Overflow
from verifier.arithmetic.bit_patterns import BFLOAT16, E4M3, E4M3FN, E5M2, FLOAT16, FLOAT32, BitFormat


def pairs(kind: BitFormat) -> list[np.ndarray]:
    """All pairs of 8 bits; of more, all of the patterns at which something begins, and random ones."""
    patterns = Arrays(kind).dtype
    if kind.width == 8:
        return np.meshgrid(np.arange(256, dtype=patterns), np.arange(256, dtype=patterns))
    u, one, special = kind.unit, kind.offset * kind.unit, kind.largest + 1
    borders = [0, 1, u - 1, u, u + 1, one - 1, one, one + 1, one + u // 2, one // 2, special - 1, special, special + 1, kind.last]
    borders += [one // 2 + u // 2, (one + special) // 2 - 1, (one + special) // 2, (one + special) // 2 + 1]
    both = np.meshgrid(*[np.array(borders + [kind.sign_bit | p for p in borders], patterns)] * 2)
    drawn = np.random.default_rng(3).integers(0, 1 << kind.width, (2, 1 << 16), patterns)
    return [np.concatenate([x.ravel(), y]) for x, y in zip(both, drawn, strict=True)]


@pytest.mark.parametrize(
    ("kind", "overflow"),
    [*((kind, "exponent") for kind in (FLOAT32, FLOAT16, BFLOAT16, E4M3, E4M3FN, E5M2)), (E4M3FN, "largest"), (E5M2, "infinity")],
    ids=lambda given: getattr(given, "name", given),
)
def test_compiled_products_have_the_same_bits(kind: BitFormat, overflow: Overflow) -> None:
    products = Products(Arrays(kind, overflow))
    a, b = pairs(kind)
    assert products.load()
    assert np.array_equal(products.multiply(a, b), products.of.multiply(a, b))
    assert np.array_equal(products.multiply(a[:9, None], b[None, :9]), products.of.multiply(a[:9, None], b[None, :9]))


def test_who_multiplies_much_goes_over_to_compiled_products(monkeypatch: pytest.MonkeyPatch) -> None:
    products, a = Products(Arrays(E5M2)), np.arange(256, dtype=np.uint8)
    monkeypatch.setattr(fused, "WORTH", 3 * (a.size + fused.A_CALL))
    compiled = []
    for _ in range(4):
        products.multiply(a, a)
        compiled.append(isinstance(products.multiply, np.ufunc))
    assert compiled == [False, False, True, True]


def test_without_numba_products_stay_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    products, a = Products(Arrays(E5M2)), np.arange(256, dtype=np.uint8)
    assert not products.load()
    assert products.multiply(a, a).tolist() == products.of.multiply(a, a).tolist()


def test_a_few_products_import_no_compiler() -> None:
    program = (
        "import sys, numpy as np; from constructions.piecewise_affine import operations as pa; x = np.full(9, 1.5, np.float32);"
        "print(pa.multiply(x, x)[0], 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split() == ["2.0", "False"]


@pytest.mark.parametrize("compiled", [False, True])
def test_arrays_of_any_shape_and_order_of_bytes(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Products(Arrays(FLOAT32))
    assert not compiled or own.load()
    monkeypatch.setattr(pa.products(FLOAT32.name), "multiply", own.multiply)
    x = np.array([1.5, -3.0, np.inf], np.float32)
    for a in (x, x.astype(">f4"), np.repeat(x, 2)[::2], np.asfortranarray(x[:, None]), x.astype(ml_dtypes.bfloat16), x.astype(np.float16)):
        assert pa.multiply(a, a).ravel().astype(float).tolist() == [2.0, 8.0, np.inf]
    assert pa.multiply(x[0], x[0]).shape == () == pa.multiply(np.array(1.5, np.float32), 1.5).shape
    assert pa.multiply(x[:0], x[:0]).size == 0
