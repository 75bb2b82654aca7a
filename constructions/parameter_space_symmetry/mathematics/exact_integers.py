"""Exact sums over a matrix of floats: every entry is an integer times one power of two, kept in digits of 24 bits.

The digits are arrays, so that sums and sums of squares are sums of int64 arrays: a product of two digits has at most 48 bits, and up to
2^14 rows are added before Python's integers take over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.rationals import Fraction

DIGIT = 24
ROWS = 1 << 14
MANTISSA = 53

Digits = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ExactIntegers:
    """entry = sign * sum over d of digits[d] * 2^(24 d) * unit; shapes: digits d x n x m, unsigned; signs n x m of -1, 0, 1."""

    digits: Digits
    signs: Digits
    unit: Fraction

    def row_sums(self) -> list[int]:
        """The sum of each row, in units."""
        sums = (self.digits * self.signs).sum(axis=2)
        return [sum(int(v) << DIGIT * d for d, v in enumerate(row)) for row in sums.T.tolist()]

    def column_squares(self) -> list[int]:
        """The sum of the squares of each column, in units squared."""
        count, rows, columns = self.digits.shape
        found = [0] * columns
        for first in range(0, rows, ROWS):
            part = self.digits[:, first : first + ROWS]
            for i in range(count):
                for j in range(i, count):
                    sums = np.einsum("nm,nm->m", part[i], part[j]).tolist()
                    shift = DIGIT * (i + j) + (i != j)
                    found = [old + (int(v) << shift) for old, v in zip(found, sums, strict=True)]
        return found


def exact_integers(matrix: npt.NDArray[Any]) -> ExactIntegers:
    """The entries of a matrix of finite floats as integers of one unit."""
    mantissas, exponents = np.frexp(np.asarray(matrix, dtype=np.float64))
    whole = np.ldexp(mantissas, MANTISSA).astype(np.int64)
    used = int(np.bitwise_or.reduce(np.abs(whole), axis=None))
    if not used:
        return ExactIntegers(np.zeros((1, *whole.shape), np.int64), np.zeros_like(whole), Fraction(1))
    trailing = (used & -used).bit_length() - 1
    magnitudes = np.abs(whole) >> trailing
    least = int(exponents[whole != 0].min())
    shifts = np.where(whole == 0, 0, exponents.astype(np.int64) - least)
    count = -(-(MANTISSA - trailing + int(shifts.max())) // DIGIT)
    digits = np.stack([_digit(magnitudes, DIGIT * d - shifts) for d in range(count)])
    return ExactIntegers(digits, np.sign(whole), Fraction(2) ** (least - MANTISSA + trailing))


def _digit(magnitudes: Digits, drop: Digits) -> Digits:
    """The 24 bits of each magnitude from bit ``drop`` on; a negative ``drop`` puts zeros below."""
    down = magnitudes >> np.clip(drop, 0, 63)
    up = (magnitudes & ((1 << DIGIT) - 1)) << np.clip(-drop, 0, DIGIT)
    found: Digits = np.where(drop >= 0, down, up) & ((1 << DIGIT) - 1)
    return found
