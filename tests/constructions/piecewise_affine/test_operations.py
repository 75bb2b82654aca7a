"""The operations on arrays against the definition on single patterns, and the definition against Equations (5) to (20)."""

import ast
import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from flint import arb, ctx

from constructions.piecewise_affine import operations as pa
from constructions.piecewise_affine.mathematics import exact, network
from constructions.piecewise_affine.mathematics.arrays import Arrays
from constructions.piecewise_affine.mathematics.exact import LOG2_E, Scalars
from verifier.arithmetic.bit_patterns import BFLOAT16, E4M3FN, E5M2, FLOAT16, FLOAT32, BitFormat, ieee
from verifier.arithmetic.rationals import Fraction

OF_ONE = ("exp2", "log2", "exp", "log", "sqrt")
OF_TWO = ("multiply", "divide")
SMALL = [ieee(2, 2), BitFormat("plain", 3, 1, "none"), BitFormat("fn", 3, 2, "one-nan")]


class Definition(Scalars):
    """The operations of one argument on single patterns: the exact value, brought into the format."""

    def exp2(self, a: int) -> int:
        """The pattern of paexp₂(a)."""
        if self.format.is_nan(a):
            return self._nan()
        if self.format.is_infinite(a):
            return 0 if a & self.format.sign_bit else self._infinity(0)
        x = Fraction(0) if self._is_zero(a) else self._number(a)
        whole, far = math.floor(x), 4 << self.format.exponent_bits
        return self._encoded(exact.exp2(x - whole + max(-far, min(far, whole))))  # an exponent so far out is clamped all the same

    def log2(self, a: int) -> int:
        """The pattern of palog₂(a): −inf at 0, NaN below it."""
        if self._is_zero(a) and not self.format.is_nan(a):
            return self._infinity(self.format.sign_bit)
        if self.format.is_nan(a) or a & self.format.sign_bit:
            return self._nan()
        if self.format.is_infinite(a):
            return self._infinity(0)
        return self._encoded(exact.log2(self._number(a)))

    def exp(self, a: int) -> int:
        """The pattern of paexp(a), by Eq. (18) in this format."""
        return self.exp2(self.multiply(self.log2_e, a))

    def log(self, a: int) -> int:
        """The pattern of palog(a), by Eq. (19) in this format."""
        return self.divide(self.log2(a), self.log2_e)

    def sqrt(self, a: int) -> int:
        """The pattern of pasqrt(a), by Eq. (20) in this format; 0 at 0."""
        return 0 if self._is_zero(a) and not self.format.is_nan(a) else self.exp2(self.divide(self.log2(a), self.two))


def alike(kind: BitFormat, operations: tuple[str, ...], a: list[int], b: list[int]) -> None:
    arrays, scalars = Arrays(kind), Definition(kind)
    for name in operations:
        operands = (a, b) if name in OF_TWO else (a,)
        found = getattr(arrays, name)(*(np.array(x, dtype=arrays.dtype) for x in operands)).tolist()
        assert found == [getattr(scalars, name)(*each) for each in zip(*operands, strict=True)], name


@pytest.mark.campaign
@pytest.mark.parametrize("kind", [ieee(4, 3), E4M3FN, E5M2], ids=lambda kind: kind.name)
def test_all_pairs_of_the_8_bit_formats(kind: BitFormat) -> None:
    pairs = [divmod(p, 256) for p in range(1 << 16)]
    alike(kind, OF_TWO, [a for a, _ in pairs], [b for _, b in pairs])
    alike(kind, OF_ONE, list(range(1 << kind.width)), [])


@pytest.mark.parametrize("kind", SMALL, ids=lambda kind: kind.name)
def test_all_pairs_of_narrow_formats(kind: BitFormat) -> None:
    pairs = [(a, b) for a in range(1 << kind.width) for b in range(1 << kind.width)]
    alike(kind, OF_TWO, [a for a, _ in pairs], [b for _, b in pairs])
    alike(kind, OF_ONE, list(range(1 << kind.width)), [])


@pytest.mark.parametrize("kind", [FLOAT16, BFLOAT16, FLOAT32], ids=lambda kind: kind.name)
def test_random_and_boundary_pairs_of_the_wider_formats(kind: BitFormat) -> None:
    u, inf = kind.unit, kind.last - kind.unit + 1
    borders = [0, 1, u - 1, u, u + 1, kind.offset * u - 1, kind.offset * u, kind.offset * u + u // 2, kind.largest, inf, inf + 1]
    borders += [kind.sign_bit | p for p in borders]
    drawn = np.random.default_rng(1).integers(0, 1 << kind.width, (2, 200)).tolist()
    a = [x for x in borders for _ in borders] + drawn[0]
    b = [y for _ in borders for y in borders] + drawn[1]
    alike(kind, OF_TWO, a, b)
    alike(kind, OF_ONE, borders + drawn[0], [])


def test_arrays_are_taken_by_their_type() -> None:
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        x = np.array([1.5, -1.5, 3.0, 0.0, np.inf], dtype)
        assert pa.multiply(x, 1.5).astype(float).tolist() == [2.0, -2.0, 4.0, 0.0, np.inf]
        assert pa.divide(x, x)[:3].astype(float).tolist() == [1.0, 1.0, 1.0]
        assert pa.sqrt(x[[0, 2]]).astype(float).tolist() == [1.25, 1.75]
    with pytest.raises(TypeError, match="float64"):
        pa.exp2(np.zeros(2))
    with pytest.raises(TypeError, match="one type"):
        pa.multiply(np.zeros(2, np.float32), np.zeros(2, np.float16))


def test_a_matrix_product_is_the_sum_of_its_products() -> None:
    source = np.random.default_rng(2)
    a, b = source.normal(size=(3, 4)).astype(np.float32), source.normal(size=(4, 5)).astype(np.float32)
    found = pa.matmul(a, b)
    for i, j in np.ndindex(3, 5):
        total = np.float32(0)
        for k in range(4):
            total += np.float32(exact.product(Fraction(float(a[i, k])), Fraction(float(b[k, j]))))
        assert found[i, j] == total
    with pytest.raises(ValueError, match="shapes"):
        pa.matmul(a, a)


def test_softmax_is_softmax_by_the_exact_operations() -> None:
    x = np.array([[0.5, -1.0, 2.0]], np.float32)
    constant = Scalars(FLOAT32).log2_e
    log2_e = FLOAT32.value(constant)
    assert isinstance(log2_e, Fraction)
    powers = [exact.exp2(exact.product(log2_e, Fraction(v) - 2)) for v in (0.5, -1.0, 2.0)]
    expected = [exact.quotient(p, sum(powers)) for p in powers]
    assert np.allclose(pa.softmax(x)[0], [float(e) for e in expected], rtol=1e-6)


def test_the_constant_is_enclosed() -> None:
    before, ctx.prec = ctx.prec, 200
    try:
        true = 1 / arb(2).log()
        assert arb(LOG2_E.numerator) / LOG2_E.denominator < true < arb(LOG2_E.numerator + 1) / LOG2_E.denominator
    finally:
        ctx.prec = before


def test_training_has_no_product_in_its_source() -> None:
    """Ordinary arithmetic is the one class that may call numpy's products."""
    refused = (ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod)
    for module in (pa, network):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        assert not [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, refused)]
        calls = {n.attr for c in tree.body if getattr(c, "name", "") != "Ordinary" for n in ast.walk(c) if isinstance(n, ast.Attribute)}
        assert calls.isdisjoint({"dot", "einsum", "prod", "power", "square"})
