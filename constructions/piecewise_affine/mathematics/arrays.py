"""The piecewise affine operations on arrays of bit patterns: additions, comparisons and shifts of integers, no product anywhere.

Bit for bit what :mod:`.scalars` defines. Patterns are unsigned integers as wide as the format (uint8, uint16 or uint32).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.piecewise_affine.mathematics.scalars import Overflow, Scalars
from verifier.arithmetic.bit_patterns import BitFormat

Patterns = npt.NDArray[np.unsignedinteger[Any]]
Mask = npt.NDArray[np.bool_]

BLOCK = 1 << 14
"""Elements that are gone through together, so that what comes between stays in the cache."""


@dataclass(frozen=True)
class Arrays:
    """The operations of a format, from patterns to patterns; the arguments may be broadcast."""

    format: BitFormat
    overflow: Overflow = "exponent"

    @cached_property
    def scalars(self) -> Scalars:
        return Scalars(self.format, self.overflow)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The integers that hold a pattern."""
        return np.dtype(f"uint{max(8, 1 << (self.format.width - 1).bit_length())}")

    @cached_property
    def bias(self) -> int:
        """The bias where it stands in a pattern; 1.0 has this pattern."""
        return self.format.offset * self.format.unit

    def multiply(self, a: Patterns, b: Patterns) -> Patterns:
        """a ·̂ b: the sum of the patterns less the bias, and the special cases."""
        return self._blocks(self._product, a, b)

    def divide(self, a: Patterns, b: Patterns) -> Patterns:
        """a ÷̂ b: the difference of the patterns and the bias, and the special cases."""
        return self._blocks(self._quotient, a, b)

    def _blocks(self, of: Any, a: Patterns, b: Patterns) -> Patterns:
        a, b = (np.asarray(x, dtype=self.dtype) for x in (a, b))
        if a.shape != b.shape or not (a.flags.c_contiguous and b.flags.c_contiguous) or a.size <= BLOCK:
            shape = np.broadcast_shapes(a.shape, b.shape)
            out = np.empty(shape, self.dtype)
            of(a, b, out, np.empty(shape, self.dtype))
            return out
        out = np.empty(a.shape, self.dtype)
        flat, x, y, room = out.reshape(-1), a.reshape(-1), b.reshape(-1), np.empty(BLOCK, self.dtype)
        for start in range(0, flat.size, BLOCK):
            part = slice(start, min(flat.size, start + BLOCK))
            of(x[part], y[part], flat[part], room[: part.stop - start])
        return out

    def _product(self, a: Patterns, b: Patterns, out: Patterns, room: Patterns) -> None:
        f, one = self.format, self.dtype.type
        x, y = a & one(f.last), b & one(f.last)
        regular = _within(x, f.unit, f.largest) and _within(y, f.unit, f.largest)
        np.add(x, y, out=out)
        self._in_range(out, one(self.bias), regular)
        self._signed(a, b, out, room)
        if not regular:
            self._special_product(x, y, (a ^ b) & one(f.sign_bit), out)

    def _in_range(self, out: Patterns, bias: Any, regular: bool) -> None:
        """``out`` less the bias, the exponent clamped, denormal numbers zero."""
        f = self.format
        low, high = int(bias) + f.unit, int(bias) + f.largest
        if regular and _within(out, low, high):
            np.subtract(out, bias, out=out)
            return
        below, above = out < out.dtype.type(low), out > out.dtype.type(high)
        np.subtract(out, bias, out=out)
        out[below] = 0
        if above.any():
            out[above] = self._clamped(out[above])

    def _clamped(self, beyond: Patterns) -> Patterns:
        """What patterns beyond the largest number become."""
        f, one = self.format, self.dtype.type
        if self.overflow == "infinity":
            return np.full_like(beyond, self.scalars._infinity(0))
        if self.overflow == "largest":
            return np.full_like(beyond, f.largest)
        kept = (beyond & one(f.unit - 1)) + one(f.largest - f.largest % f.unit)
        return np.minimum(kept, one(f.largest))

    def _signed(self, a: Patterns, b: Patterns, out: Patterns, room: Patterns) -> None:
        np.bitwise_xor(a, b, out=room)
        np.bitwise_and(room, self.dtype.type(self.format.sign_bit), out=room)
        np.bitwise_or(out, room, out=out)

    def _kinds(self, x: Patterns) -> tuple[Mask, Mask, Mask]:
        """Where a pattern without its sign is zero, infinite, NaN."""
        f = self.format
        infinite = x == f.infinity if f.infinity is not None else np.zeros(x.shape, bool)
        return x < self.dtype.type(f.unit), infinite, (x > self.dtype.type(f.largest)) & ~infinite

    def _special_product(self, x: Patterns, y: Patterns, sign: Patterns, out: Patterns) -> None:
        (x0, x_inf, x_nan), (y0, y_inf, y_nan) = self._kinds(x), self._kinds(y)
        zero, infinite = x0 | y0, x_inf | y_inf
        np.copyto(out, sign, where=zero)
        self._write_special(out, sign, infinite, x_nan | y_nan | (infinite & zero))

    def _write_special(self, out: Patterns, sign: Patterns, infinite: Mask, nan: Mask) -> None:
        one = self.dtype.type
        if infinite.any():
            np.copyto(out, sign | one(self.scalars._infinity(0)), where=infinite)
        if nan.any():
            np.copyto(out, one(self.scalars._nan()), where=nan)

    def _quotient(self, a: Patterns, b: Patterns, out: Patterns, room: Patterns) -> None:
        f, one = self.format, self.dtype.type
        x, y = a & one(f.last), b & one(f.last)
        np.add(x, one(self.bias), out=out)
        below = out < y + one(f.unit)
        np.subtract(out, y, out=out)
        out[below] = 0
        above = (out > one(f.largest)) & ~below
        if above.any():
            out[above] = self._clamped(out[above])
        self._signed(a, b, out, room)
        if not (_within(x, f.unit, f.largest) and _within(y, f.unit, f.largest)):
            (x0, x_inf, x_nan), (y0, y_inf, y_nan) = self._kinds(x), self._kinds(y)
            sign = (a ^ b) & one(f.sign_bit)
            np.copyto(out, sign, where=x0 | y_inf)
            self._write_special(out, sign, x_inf | y0, x_nan | y_nan | (x_inf & y_inf) | (x0 & y0))

    def exp2(self, a: Patterns) -> Patterns:
        """paexp₂: the operand as a fixed-point number with as many fractional digits as the mantissa is the pattern of the result."""
        f = self.format
        a = np.asarray(a, dtype=self.dtype)
        x = (a & self.dtype.type(f.last)).astype(np.int64)
        zero, infinite, nan = self._kinds(x.astype(self.dtype))
        shift = (x >> f.mantissa_bits) - f.offset
        significand = (x & f.unit - 1) + f.unit
        furthest = f.exponent_bits + f.mantissa_bits + 2
        fixed = np.where(shift >= 0, significand << np.clip(shift, 0, furthest), _shifted(significand, np.clip(-shift, 0, 62)))
        negative = (a & self.dtype.type(f.sign_bit)) != 0
        found = np.where(negative, -fixed, fixed) + self.bias
        found = np.where(zero, self.bias, found)
        mantissa, largest = found & f.unit - 1, f.largest
        top = largest - largest % f.unit
        beyond = {
            "exponent": np.minimum(top + mantissa, largest),
            "largest": np.full_like(found, largest),
            "infinity": np.full_like(found, self.scalars._infinity(0)),
        }[self.overflow]
        out = np.where(found < f.unit, 0, np.where(found > largest, beyond, found))
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
        significand = np.where(digits > 0, _shifted(magnitude, np.clip(digits, 0, 62)), magnitude << np.clip(-digits, 0, f.mantissa_bits))
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


def _shifted(x: npt.NDArray[np.int64], by: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """x/2^by to the nearest integer, ties to even."""
    below = x >> by
    rest, half = x - (below << by), (1 << by) >> 1
    up = (rest > half) | ((rest == half) & (by > 0) & (below & 1 == 1))
    return below + up
