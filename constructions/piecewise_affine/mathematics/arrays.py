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
from verifier.arithmetic.arrays import shifted
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.machine import RoundingRule

Patterns = npt.NDArray[np.unsignedinteger[Any]]
Mask = npt.NDArray[np.bool_]

EVEN = RoundingRule(ties="even")
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
        found = self.both_near(a, b, True) if _small(a, b) else None
        return self._blocks(self._product, a, b) if found is None else found

    def divide(self, a: Patterns, b: Patterns) -> Patterns:
        """a ÷̂ b: the difference of the patterns and the bias, and the special cases."""
        found = self.both_near(a, b, False) if _small(a, b) else None
        return self._blocks(self._quotient, a, b) if found is None else found

    @cached_property
    def near(self) -> tuple[Patterns, int, Patterns, Patterns] | None:
        """Magnitudes around 1 whose products and quotients are in range, as many as a power of two: the least, the digits that none of them
        has above it, and what a difference from it, plus or minus the other operand, lacks. None where the format has
        too few, or the integers have bits above it.
        """
        f = self.format
        if not self.fills_word:
            return None
        for digits in range(f.mantissa_bits + f.exponent_bits - 1, f.mantissa_bits, -1):
            low = self.bias - (1 << digits - 1)
            least, most = 2 * low - self.bias, 2 * (low + (1 << digits) - 1) - self.bias
            if low >= f.unit and least >= f.unit and most <= f.largest and self.bias - (1 << digits) >= f.unit:
                whole = 1 << 8 * self.dtype.itemsize
                offsets = (np.array(x % whole, self.dtype) for x in (low, low - self.bias, low + self.bias))
                first, of_product, of_quotient = offsets
                return first, f.last >> digits << digits, of_product, of_quotient
        return None

    def both_near(self, a: Patterns, b: Patterns, product: bool) -> Patterns | None:
        """The product or quotient of small arrays of one shape whose magnitudes are all near 1; None where one is not."""
        if self.near is None:
            return None
        least, others, of_product, of_quotient = self.near
        x, y = np.subtract(a, least), np.subtract(b, least)
        if int(np.bitwise_or.reduce(np.bitwise_or(x, y, out=y), axis=None)) & others:
            return None
        found: Patterns = np.add(x, b, out=x) if product else np.subtract(x, b, out=x)
        np.add(found, of_product if product else of_quotient, out=found)
        return found

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

    @property
    def fills_word(self) -> bool:
        """Whether the carry of two first bits is lost, as the integers have no bit above them."""
        return self.format.width == 8 * self.dtype.itemsize

    @cached_property
    def moderate(self) -> tuple[int, int]:
        """Magnitudes whose products and quotients are all in range; none of them is special."""
        f = self.format
        low, high = (self.bias + f.unit) // 2 + f.unit, (self.bias + f.largest) // 2 - f.unit
        safe = self.fills_word and 2 * low >= self.bias + f.unit and high - low <= min(self.bias - f.unit, f.largest - self.bias)
        return (low, high) if safe else (1, 0)

    def _product(self, a: Patterns, b: Patterns, out: Patterns, room: Patterns) -> None:
        f, one = self.format, self.dtype.type
        x = np.bitwise_and(a, one(f.last), out=out if a.shape == out.shape else None)
        y = np.bitwise_and(b, one(f.last), out=room if b.shape == out.shape else None)
        if _within(x, *self.moderate) and _within(y, *self.moderate):
            np.add(a, b, out=out)  # the signs are added modulo 2, as the carry of the first bit is lost
            np.subtract(out, one(self.bias), out=out)
            return
        low, high = self.bias + f.unit, self.bias + f.largest
        total, special = x + y, _most(x) > f.largest or _most(y) > f.largest
        above = total > one(high) if _most(total) > high else None
        kept = (total >= one(low)) & (x >= one(f.unit)) & (y >= one(f.unit))
        kinds = (self._kinds(x), self._kinds(y)) if special else None
        self._write(total - one(self.bias), kept, above, a, b, out)
        if kinds is not None:
            (x0, x_inf, x_nan), (y0, y_inf, y_nan) = kinds
            infinite = x_inf | y_inf
            self._write_special(out, infinite, x_nan | y_nan | (infinite & (x0 | y0)))

    def _quotient(self, a: Patterns, b: Patterns, out: Patterns, room: Patterns) -> None:
        f, one = self.format, self.dtype.type
        x = np.bitwise_and(a, one(f.last), out=out if a.shape == out.shape else None)
        y = np.bitwise_and(b, one(f.last), out=room if b.shape == out.shape else None)
        if _within(x, *self.moderate) and _within(y, *self.moderate):
            np.subtract(a, b, out=out)
            np.add(out, one(self.bias), out=out)
            return
        raised = x + one(self.bias)
        kept = (raised >= y + one(f.unit)) & (x >= one(f.unit)) & (y <= one(f.largest))
        kinds = self._kinds(x), self._kinds(y)
        raised = raised - y
        above = kept & (raised > one(f.largest))
        self._write(raised, kept, above if above.any() else None, a, b, out)
        (x0, x_inf, x_nan), (y0, y_inf, y_nan) = kinds
        self._write_special(out, x_inf | y0, x_nan | y_nan | (x_inf & y_inf) | (x0 & y0))

    def _write(self, magnitude: Patterns, kept: Mask, above: Mask | None, a: Patterns, b: Patterns, out: Patterns) -> None:
        """The magnitude where it is kept and zero elsewhere, clamped where it is above the largest, with the sign of the two."""
        if above is not None:
            magnitude[above] = self._clamped(magnitude[above])
        np.negative(kept.astype(self.dtype), out=out)  # all ones, or all zeros
        np.bitwise_and(out, magnitude, out=out)
        np.bitwise_or(out, (a ^ b) & self.dtype.type(self.format.sign_bit), out=out)

    def _clamped(self, beyond: Patterns) -> Patterns:
        """What patterns beyond the largest number become."""
        f, one = self.format, self.dtype.type
        if self.overflow == "infinity":
            return np.full_like(beyond, self.scalars._infinity(0))
        if self.overflow == "largest":
            return np.full_like(beyond, f.largest)
        kept = (beyond & one(f.unit - 1)) + one(f.largest - f.largest % f.unit)
        return np.asarray(np.minimum(kept, one(f.largest)))

    def _kinds(self, x: Patterns) -> tuple[Mask, Mask, Mask]:
        """Where a pattern without its sign is zero, infinite, NaN."""
        f = self.format
        infinite = x == f.infinity if f.infinity is not None else np.zeros(x.shape, bool)
        return x < self.dtype.type(f.unit), infinite, (x > self.dtype.type(f.largest)) & ~infinite

    def _write_special(self, out: Patterns, infinite: Mask, nan: Mask) -> None:
        one = self.dtype.type
        if infinite.any():
            infinite = np.broadcast_to(infinite, out.shape)
            out[infinite] = (out[infinite] & one(self.format.sign_bit)) | one(self.scalars._infinity(0))
        if nan.any():
            np.copyto(out, one(self.scalars._nan()), where=nan)

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


def _small(a: Patterns, b: Patterns) -> bool:
    """Whether two arrays are of one shape and stay in the cache together."""
    return a.shape == b.shape and 0 < a.size <= BLOCK and a.ndim > 0 and a.dtype == b.dtype


def _within(x: Patterns, low: int, high: int) -> bool:
    """Whether all patterns lie between the two."""
    return x.size > 0 and int(x.min()) >= low and int(x.max()) <= high


def _most(x: Patterns) -> int:
    return int(x.max()) if x.size else 0
