"""Every pair of patterns of a format: the product by fields, as Equations (5) to (8) have it, against the sum of the patterns.

The two sides share nothing but the format: here sign, exponent and mantissa are added as three numbers, with the carry between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.piecewise_affine.mathematics.arrays import Arrays, Patterns
from verifier.arithmetic.bit_patterns import BitFormat


@dataclass(frozen=True)
class ByFields:
    """The product of one pattern and all patterns of a format with the special values of IEEE 754, exponents clamped to the letter."""

    format: BitFormat

    def __post_init__(self) -> None:
        if self.format.top != "ieee" or self.format.width > 16:
            raise ValueError(f"{self.format.name}; a format of at most 16 bits with infinities was expected")

    @cached_property
    def patterns(self) -> Patterns:
        return np.arange(1 << self.format.width, dtype=Arrays(self.format).dtype)

    @cached_property
    def fields(self) -> tuple[npt.NDArray[Any], ...]:
        """S, Ē and M̄ of every pattern, as numbers with a sign."""
        f, every = self.format, self.patterns.astype(np.int32)
        return tuple(x.astype(np.int16) for x in (every >> f.width - 1, (every & f.last) >> f.mantissa_bits, every & f.unit - 1))

    @cached_property
    def kinds(self) -> tuple[npt.NDArray[np.bool_], ...]:
        """Where a pattern is zero (or flushed to it), infinite, NaN."""
        _, exponent, mantissa = self.fields
        top = exponent == (1 << self.format.exponent_bits) - 1
        return exponent == 0, top & (mantissa == 0), top & (mantissa != 0)

    def row(self, a: int) -> Patterns:
        """a ·̂ b for every b."""
        f = self.format
        S, exponent, M = self.fields
        zero, infinite, nan = (bool(kind[a]) for kind in self.kinds)
        zeros, infinities, nans = self.kinds
        sign: Patterns = np.left_shift((S ^ S[a]).astype(self.patterns.dtype), f.width - 1, dtype=self.patterns.dtype)
        highest = (1 << f.exponent_bits) - 2
        inf, none = f.last - f.unit + 1, f.last - f.unit + 1 + (f.unit >> 1)
        if nan:
            return np.full_like(self.patterns, none)
        if zero or infinite:
            made: Patterns = sign if zero else np.bitwise_or(sign, self.patterns.dtype.type(inf))
            made[nans | (infinities if zero else zeros)] = none
            return made
        total = M + M[a]
        carry = total >= f.unit
        E = exponent + np.int16(int(exponent[a]) - f.offset) + carry
        M = np.where(carry, total - np.int16(f.unit), total)
        made = np.left_shift(np.minimum(E, np.int16(highest)).astype(self.patterns.dtype), f.mantissa_bits)
        made |= M.astype(self.patterns.dtype)
        made[(E < 1) | zeros] = 0
        made |= sign
        made[infinities] = sign[infinities] | self.patterns.dtype.type(inf)
        made[nans] = none
        return made


def first_difference(by_fields: ByFields, arrays: Arrays, rows: Iterable[int]) -> tuple[int, int] | None:
    """The first pair, rows in their order, where the sum of the patterns is not the product; None if there is none."""
    for a in rows:
        summed = arrays.multiply(by_fields.patterns[a], by_fields.patterns)
        differ = summed != by_fields.row(a)
        if differ.any():
            return a, int(differ.argmax())
    return None
