"""The piecewise affine operations on arrays of bit patterns: additions, comparisons and shifts of integers, without any product.

They equal the exact operations (:mod:`.exact`), brought into the format, bit for bit. Patterns are unsigned integers as wide as the format
(uint8, uint16 or uint32).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.piecewise_affine.mathematics.exact import Scalars
from verifier.arithmetic.arrays import shifted
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.machine import RoundingRule

Patterns = npt.NDArray[np.unsignedinteger[Any]]
Mask = npt.NDArray[np.bool_]

EVEN = RoundingRule(ties="even")


@dataclass(frozen=True)
class Arrays:
    """The operations of a format, from patterns to patterns; the arguments may be broadcast."""

    format: BitFormat

    @cached_property
    def scalars(self) -> Scalars:
        return Scalars(self.format)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The integers that hold a pattern."""
        return np.dtype(f"uint{max(8, 1 << (self.format.width - 1).bit_length())}")

    @cached_property
    def bias(self) -> int:
        """The bias at its place in a pattern; 1.0 has this pattern."""
        return self.format.offset * self.format.unit

    def multiply(self, a: Patterns, b: Patterns) -> Patterns:
        """a ·̂ b: the sum of the patterns less the bias, and the special cases."""
        f, one = self.format, self.dtype.type
        a, b, x, y = self._with_magnitudes(a, b)
        if _within(x, *self.moderate) and _within(y, *self.moderate):
            near: Patterns = a + b - one(self.bias)  # the signs are added modulo 2, as the carry of the first bit is lost
            return near
        total = x + y
        kept = (total >= one(self.bias + f.unit)) & (x >= one(f.unit)) & (y >= one(f.unit))
        found = self._signed(total - one(self.bias), kept, total > one(self.bias + f.largest), a ^ b)
        (x0, x_inf, x_nan), (y0, y_inf, y_nan) = self._kinds(x), self._kinds(y)
        infinite = x_inf | y_inf
        return self._special(found, infinite, x_nan | y_nan | (infinite & (x0 | y0)))

    def divide(self, a: Patterns, b: Patterns) -> Patterns:
        """a ÷̂ b: the difference of the patterns and the bias, and the special cases."""
        f, one = self.format, self.dtype.type
        a, b, x, y = self._with_magnitudes(a, b)
        if _within(x, *self.moderate) and _within(y, *self.moderate):
            near: Patterns = a - b + one(self.bias)
            return near
        raised = x + one(self.bias)
        kept = (raised >= y + one(f.unit)) & (x >= one(f.unit)) & (y <= one(f.largest))
        raised = raised - y
        found = self._signed(raised, kept, kept & (raised > one(f.largest)), a ^ b)
        (x0, x_inf, x_nan), (y0, y_inf, y_nan) = self._kinds(x), self._kinds(y)
        return self._special(found, x_inf | y0, x_nan | y_nan | (x_inf & y_inf) | (x0 & y0))

    def _with_magnitudes(self, a: Patterns, b: Patterns) -> tuple[Patterns, ...]:
        """Both operands, and their patterns without the sign."""
        a, b = np.broadcast_arrays(*(np.asarray(x, dtype=self.dtype) for x in (a, b)))
        last = self.dtype.type(self.format.last)
        return a, b, a & last, b & last

    @cached_property
    def moderate(self) -> tuple[int, int]:
        """Magnitudes whose products and quotients are all in range; none of them is special. The integers have no bit above those of a
        pattern."""
        f = self.format
        low, high = (self.bias + f.unit) // 2 + f.unit, (self.bias + f.largest) // 2 - f.unit
        fills_word = f.width == 8 * self.dtype.itemsize
        safe = fills_word and 2 * low >= self.bias + f.unit and high - low <= min(self.bias - f.unit, f.largest - self.bias)
        return (low, high) if safe else (1, 0)

    def _signed(self, magnitude: Patterns, kept: Mask, above: Mask, signs: Patterns) -> Patterns:
        """The magnitude if it is kept and zero elsewhere, clamped if it is above the largest, with the sign of the two."""
        if above.any():
            magnitude[above] = self._clamped(magnitude[above])
        found: Patterns = np.where(kept, magnitude, self.dtype.type(0)) | (signs & self.dtype.type(self.format.sign_bit))
        return found

    def _clamped(self, beyond: Patterns) -> Patterns:
        """The replacement of patterns beyond the largest number: the largest exponent, with the mantissa unchanged."""
        f, one = self.format, self.dtype.type
        kept = (beyond & one(f.unit - 1)) + one(f.largest - f.largest % f.unit)
        return np.asarray(np.minimum(kept, one(f.largest)))

    def _kinds(self, x: Patterns) -> tuple[Mask, Mask, Mask]:
        """Whether a pattern without its sign is zero, infinite, NaN."""
        f = self.format
        infinite = x == f.infinity if f.infinity is not None else np.zeros(x.shape, bool)
        return x < self.dtype.type(f.unit), infinite, (x > self.dtype.type(f.largest)) & ~infinite

    def _special(self, found: Patterns, infinite: Mask, nan: Mask) -> Patterns:
        """The patterns with infinities of the same sign and NaN at these places."""
        one = self.dtype.type
        signed = (found & one(self.format.sign_bit)) | one(self.scalars._infinity(0))
        return np.where(nan, one(self.scalars._nan()), np.where(infinite, signed, found))

    def exp2(self, a: Patterns) -> Patterns:
        """paexp₂: the operand as a fixed-point number with as many fractional digits as the mantissa is the pattern of the result."""
        f = self.format
        a = np.asarray(a, dtype=self.dtype)
        x = (a & self.dtype.type(f.last)).astype(np.int64)
        zero, infinite, nan = self._kinds(x.astype(self.dtype))
        shift = (x >> f.mantissa_bits) - f.offset
        significand = (x & f.unit - 1) + f.unit
        furthest = f.exponent_bits + f.mantissa_bits + 2
        fixed = np.where(shift >= 0, significand << np.clip(shift, 0, furthest), shifted(EVEN, significand, np.clip(-shift, 0, 62)))
        negative = (a & self.dtype.type(f.sign_bit)) != 0
        found = np.where(negative, -fixed, fixed) + self.bias
        found = np.where(zero, self.bias, found)
        beyond = np.minimum(f.largest - f.largest % f.unit + (found & f.unit - 1), f.largest)
        out = np.where(found < f.unit, 0, np.where(found > f.largest, beyond, found))
        out = np.where(infinite, np.where(negative, 0, self.scalars._infinity(0)), out)
        return np.where(nan, self.scalars._nan(), out).astype(self.dtype)

    def log2(self, a: Patterns) -> Patterns:
        """palog₂: the pattern less the bias is the result as a fixed-point number."""
        f = self.format
        a = np.asarray(a, dtype=self.dtype)
        x = (a & self.dtype.type(f.last)).astype(np.int64)
        zero, infinite, nan = self._kinds(x.astype(self.dtype))
        fixed = x - self.bias
        magnitude = np.abs(fixed)
        length = np.frexp(magnitude.astype(np.float64))[1].astype(np.int64) - 1  # of the digits behind the first; −1 for 0
        digits = length - f.mantissa_bits
        significand = np.where(
            digits > 0, shifted(EVEN, magnitude, np.clip(digits, 0, 62)), magnitude << np.clip(-digits, 0, f.mantissa_bits)
        )
        found = ((digits + f.offset) << f.mantissa_bits) + significand - f.unit
        found = np.where((magnitude == 0) | (found < f.unit), 0, found)
        found = np.where(found > f.largest, self._clamped(np.maximum(found, 0).astype(self.dtype)), found)
        found = np.where((fixed < 0) & (magnitude > 0), found | f.sign_bit, found)
        negative = (a & self.dtype.type(f.sign_bit)) != 0
        found = np.where(infinite, self.scalars._infinity(0), found)
        found = np.where(nan | negative, self.scalars._nan(), found)
        return np.where(zero, self.scalars._infinity(f.sign_bit), found).astype(self.dtype)

    def exp(self, a: Patterns) -> Patterns:
        """paexp, by Eq. (18)."""
        return self.exp2(self.multiply(self._constant(self.scalars.log2_e), a))

    def log(self, a: Patterns) -> Patterns:
        """palog, by Eq. (19)."""
        return self.divide(self.log2(a), self._constant(self.scalars.log2_e))

    def sqrt(self, a: Patterns) -> Patterns:
        """pasqrt, by Eq. (20); 0 at 0."""
        a = np.asarray(a, dtype=self.dtype)
        found = self.exp2(self.divide(self.log2(a), self._constant(self.scalars.two)))
        return np.where((a & self.dtype.type(self.format.last)) < self.format.unit, self.dtype.type(0), found)

    def _constant(self, pattern: int) -> Patterns:
        return np.asarray(pattern, dtype=self.dtype)


def _within(x: Patterns, low: int, high: int) -> bool:
    """Whether all patterns lie between the two."""
    return x.size > 0 and int(x.min()) >= low and int(x.max()) <= high
