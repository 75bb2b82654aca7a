"""Piecewise affine operations on NumPy arrays of float32, float16, or ``ml_dtypes``' bfloat16, E4M3 or E5M2, without a product of numbers.

    from constructions.piecewise_affine import operations as pa
    pa.multiply(x, y); pa.matmul(a, b); pa.softmax(logits)

Each equals, bit for bit, the exact operation (:mod:`.mathematics.exact`), brought into the format. A Python number beside an array is
converted to the array's type. Sums are ordinary sums: those of a matrix product and of softmax are float32, as in mixed precision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.piecewise_affine.mathematics.arrays import Arrays
from verifier.arithmetic.bit_patterns import BFLOAT16, E4M3FN, E5M2, FLOAT16, FLOAT32, BitFormat

Floats = npt.NDArray[Any]

FORMATS: dict[str, BitFormat] = {f.name: f for f in (FLOAT32, FLOAT16, BFLOAT16)} | {"float8_e4m3fn": E4M3FN, "float8_e5m2": E5M2}
"""The types of arrays that the operations take, by their names in NumPy."""


@lru_cache(maxsize=8)
def arrays(name: str) -> Arrays:
    """The operations on the patterns of a type.

    Raises:
        TypeError: another type.
    """
    if name not in FORMATS:
        raise TypeError(f"an array of {name}; one of {', '.join(FORMATS)} was expected")
    return Arrays(FORMATS[name])


def _made(operation: str, *operands: Floats | float) -> Floats:
    """An operation on the patterns of the operands in their common type, whatever the byte order."""
    types = {np.dtype(x.dtype).newbyteorder("=") for x in operands if isinstance(x, (np.ndarray, np.generic))}
    if len(types) != 1:
        raise TypeError(f"arrays of {', '.join(sorted(map(str, types))) or 'no type'}; one type was expected")
    dtype = types.pop()
    of = arrays(dtype.name)
    patterns = [np.ascontiguousarray(x, dtype=dtype).view(of.dtype).reshape(np.shape(x)) for x in operands]
    found: Floats = getattr(of, operation)(*patterns).view(dtype)
    return found


def multiply(a: Floats | float, b: Floats | float) -> Floats:
    """a ·̂ b (Eqs. 5 to 8)."""
    return _made("multiply", a, b)


def divide(a: Floats | float, b: Floats | float) -> Floats:
    """a ÷̂ b, the inverse of the product (Eqs. 14 to 17)."""
    return _made("divide", a, b)


def exp2(a: Floats) -> Floats:
    """paexp₂ (Eq. 9)."""
    return _made("exp2", a)


def log2(a: Floats) -> Floats:
    """palog₂ (Eq. 10)."""
    return _made("log2", a)


def exp(a: Floats) -> Floats:
    """paexp (Eq. 18)."""
    return _made("exp", a)


def log(a: Floats) -> Floats:
    """palog (Eq. 19)."""
    return _made("log", a)


def sqrt(a: Floats) -> Floats:
    """pasqrt (Eq. 20)."""
    return _made("sqrt", a)


def matmul(a: Floats, b: Floats) -> Floats:
    """Σ_k a[i, k] ·̂ b[k, j] for matrices (rows, inner) and (inner, columns), summed in float32 in the order of k.

    Raises:
        ValueError: shapes that do not fit.
    """
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"shapes {a.shape} and {b.shape}; (rows, inner) and (inner, columns) were expected")
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        total += multiply(a[:, k, None], b[None, k, :]).astype(np.float32)
    return total.astype(a.dtype)


def softmax(x: Floats) -> Floats:
    """paexp(x − max) ÷̂ its sum, along the last axis."""
    powers = exp(x - x.max(axis=-1, keepdims=True))
    return divide(powers, powers.astype(np.float32).sum(axis=-1, keepdims=True).astype(x.dtype))
