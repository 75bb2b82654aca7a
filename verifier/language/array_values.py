"""Arrays of the values of formulas: integers that cannot overflow, rational numbers, infinities and NaN, and bit strings.

Integers have 64 bits if a bound shows that these are enough, otherwise they are Python's integers: every array has a bound on its
magnitudes. A result's bound is computed first, from those of the operands. If it exceeds 64 bits, the operands are measured, and if it
still does, Python's integers are used.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import COMPARED, bounded
from verifier.language.syntax import LARGEST
from verifier.running.errors import InputError, LimitError

Truths = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
Index = Array
"""Places in a flattened array; they give a result of their shape."""

WORD = 1 << 63


@dataclass(frozen=True)
class Whole:
    """Integers: an int64 array where ``most`` < 2^63, else Python integers; no magnitude is larger than ``most``."""

    values: Array
    most: int

    @classmethod
    def of(cls, values: Any) -> Whole:
        """The integers of an array, or of anything that numpy converts to one.

        Raises:
            TypeError: anything but integers.
        """
        array = np.asarray(values)
        if array.dtype == object or array.dtype == np.uint64:
            array = array.astype(object)
            if any(isinstance(x, bool) or not isinstance(x, int) for x in array.flat):
                raise TypeError("an array of integers was expected")
        elif not np.issubdtype(array.dtype, np.integer):
            raise TypeError(f"an array of integers was expected, not of {array.dtype}")
        return cls(array, 0).measured()

    def narrow(self) -> Whole:
        """The same integers, in the type that the bound requires."""
        wanted = np.int64 if self.most < WORD else object
        return self if self.values.dtype == wanted else Whole(self.values.astype(wanted), self.most)

    def measured(self) -> Whole:
        """The same integers with the least bound."""
        most = max(abs(int(self.values.max(initial=0))), abs(int(self.values.min(initial=0))))
        return Whole(self.values, most).narrow()

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def _with(self, other: Whole, bound: Callable[[int, int], int], compute: Callable[[Any, Any], Any]) -> Whole:
        a, b = self, other
        if bound(a.most, b.most) >= WORD:
            a, b = a.measured(), b.measured()
        most = bound(a.most, b.most)
        if most < WORD:
            return Whole(np.asarray(compute(a.values, b.values)), most).narrow()
        return Whole(np.asarray(compute(a.values.astype(object), b.values.astype(object)), dtype=object), most).measured()

    def __add__(self, other: Whole) -> Whole:
        return self._with(other, lambda a, b: a + b, lambda x, y: x + y)

    def __sub__(self, other: Whole) -> Whole:
        return self._with(other, lambda a, b: a + b, lambda x, y: x - y)

    def __mul__(self, other: Whole) -> Whole:
        return self._with(other, lambda a, b: a * b, lambda x, y: x * y)

    def __floordiv__(self, other: Whole) -> Whole:
        """⌊x/y⌋ for y ≠ 0."""
        return self._with(other, lambda a, b: max(a, b), lambda x, y: x // y)

    def __mod__(self, other: Whole) -> Whole:
        """x − y·⌊x/y⌋ for y ≠ 0."""
        return self._with(other, lambda a, b: max(a, b), lambda x, y: x % y)

    def __neg__(self) -> Whole:
        return Whole(np.asarray(-self.values, dtype=self.values.dtype), self.most)

    def __abs__(self) -> Whole:
        return Whole(np.asarray(abs(self.values), dtype=self.values.dtype), self.most)

    def times(self, factor: int) -> Whole:
        return self if factor == 1 else self * Whole.of(factor)

    def compared(self, other: Whole, compare: Callable[[Any, Any], Any]) -> Truths:
        return np.asarray(compare(self.values, other.values), dtype=np.bool_)

    def where(self, mask: Truths, other: Whole) -> Whole:
        """Take these integers where ``mask`` holds, and the others elsewhere."""
        return Whole(np.where(mask, self.values, other.values), max(self.most, other.most)).narrow()

    def broadcast(self, shape: tuple[int, ...]) -> Whole:
        return Whole(np.broadcast_to(self.values, shape), self.most)

    def picked(self, shape: tuple[int, ...], index: Index) -> Whole:
        """The elements of the flattened array of this shape with the indices ``index``."""
        return Whole(np.asarray(np.broadcast_to(self.values, shape).reshape(-1)[index], dtype=self.values.dtype), self.most)

    def spread(self, mask: Truths, filler: int) -> Whole:
        """An array of the mask's shape with these elements where the mask holds, in order, and the filler elsewhere."""
        most = max(self.most, abs(filler))
        values = np.full(mask.shape, filler, dtype=np.int64 if most < WORD else object)
        values[mask] = self.values
        return Whole(values, most)


def whole(values: Iterable[int]) -> Whole:
    """A list of Python integers of any size."""
    every = list(values)
    array = np.empty(len(every), dtype=object)
    array[:] = every
    return Whole(array, max(map(abs, every), default=0)).narrow()


ZERO, UNIT = Whole.of(0), Whole.of(1)
CODES: dict[Special, int] = {INF: 1, NEG_INF: -1, NAN: 2}
"""The marks of special values, where 0 marks a fraction."""
WIDE = 1 << 31
"""Denominators beyond this are brought to lowest terms before they meet others."""


@dataclass(frozen=True)
class Quantity:
    """numerator/denominator, elementwise, the denominator positive; if ``special`` is not 0, the numerator is 0.

    Operations are those of fractions: special elements are left to the exact reading (:mod:`verifier.language.arrays`).
    The three arrays broadcast: one common denominator has no dimensions, and neither has the 0 that says that no element is special.
    """

    numerator: Whole
    denominator: Whole = UNIT
    special: Whole = ZERO

    @classmethod
    def of(cls, counts: Any, unit: Fraction = ONE, special: Any = 0) -> Quantity:
        """Integer multiples of a unit; if ``special`` is 1, −1 or 2, the element is inf, −inf or NaN, whatever its count.

        Raises:
            TypeError: counts that are not integers.
        """
        codes = Whole.of(special)
        kept = Whole.of(counts).where(codes.values == 0, ZERO)
        return cls(kept.times(unit.numerator), Whole.of(unit.denominator), codes)

    @classmethod
    def constant(cls, x: Number) -> Quantity:
        """One number."""
        if isinstance(x, Special):
            return cls(ZERO, UNIT, Whole.of(CODES[x]))
        return cls(Whole.of(x.numerator), Whole.of(x.denominator))

    @classmethod
    def listed(cls, numbers: Iterable[Number]) -> Quantity:
        """One-dimensional, from numbers."""
        every = list(numbers)
        parts = [(0, 1) if isinstance(x, Special) else x.as_integer_ratio() for x in every]
        some = any(issubclass(kind, Special) for kind in set(map(type, every)))
        special = whole(CODES[x] if isinstance(x, Special) else 0 for x in every) if some else ZERO
        common = math.lcm(*(d for _, d in parts))
        if common < WIDE:
            return cls(whole(n * (common // d) for n, d in parts), Whole.of(common), special)
        return cls(whole(n for n, _ in parts), whole(d for _, d in parts), special)

    def bounded(self) -> Quantity:
        """These numbers unchanged.

        Raises:
            InputError: one of more than 4096 bits.
        """
        if max(self.numerator.most, self.denominator.most) >> LARGEST:
            for x in self.numbers():
                bounded(x)
        return self

    def numbers(self) -> list[Number]:
        """The elements of a flattened copy, one by one."""
        each = (np.broadcast_to(x.values, self.shape).reshape(-1).tolist() for x in (self.numerator, self.denominator, self.special))
        specials: dict[int, Number] = {code: x for x, code in CODES.items()}
        return [specials[c] if c else Fraction(n, d) for n, d, c in zip(*each, strict=True)]

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(self.numerator.shape, self.denominator.shape, self.special.shape)

    @property
    def codes(self) -> Array:
        return self.special.values

    def reduced(self) -> Quantity:
        """The same numbers in lowest terms, if the denominators differ and are wide."""
        if self.denominator.shape == () or self.denominator.most < WIDE:
            return self
        top, bottom = self.numerator.values.astype(object), self.denominator.values.astype(object)
        common = np.asarray(np.gcd(top, bottom), dtype=object)
        return Quantity(Whole.of(np.asarray(top // common)), Whole.of(np.asarray(bottom // common)), self.special)

    def _over_common(self, other: Quantity) -> tuple[Whole, Whole, Whole]:
        """Bring two arrays to a common denominator, elementwise, and return both numerators."""
        a, b = self.denominator, other.denominator
        if a.shape == b.shape == ():
            common = math.lcm(int(a.values), int(b.values))
            return self.numerator.times(common // int(a.values)), other.numerator.times(common // int(b.values)), Whole.of(common)
        x, y = self.reduced(), other.reduced()
        return x.numerator * y.denominator, y.numerator * x.denominator, x.denominator * y.denominator

    def plain(self) -> Quantity:
        """The same numbers, with 1 in place of special ones."""
        return Quantity(self.numerator.where(self.codes == 0, UNIT), self.denominator)

    def __add__(self, other: Quantity) -> Quantity:
        x, y, common = self._over_common(other)
        return Quantity(x + y, common).reduced()

    def __sub__(self, other: Quantity) -> Quantity:
        x, y, common = self._over_common(other)
        return Quantity(x - y, common).reduced()

    def __mul__(self, other: Quantity) -> Quantity:
        return Quantity(self.numerator * other.numerator, self.denominator * other.denominator).reduced()

    def _divisor(self) -> Quantity:
        """The same numbers.

        Raises:
            InputError: one of them is 0.
        """
        if self.numerator.compared(ZERO, operator.eq).any():
            raise InputError("a division by zero")
        return self

    def __truediv__(self, other: Quantity) -> Quantity:
        x, y = self.reduced(), other._divisor().reduced()
        side = Whole(np.asarray(np.where(y.numerator.values < 0, -1, 1)), 1)
        return Quantity(x.numerator * y.denominator * side, x.denominator * abs(y.numerator)).reduced()

    def __floordiv__(self, other: Quantity) -> Quantity:
        x, y, _ = self._over_common(other._divisor())
        return Quantity(x // y)

    def __mod__(self, other: Quantity) -> Quantity:
        x, y, common = self._over_common(other._divisor())
        return Quantity(x % y, common).reduced()

    def __neg__(self) -> Quantity:
        return Quantity(-self.numerator, self.denominator)

    def __abs__(self) -> Quantity:
        return Quantity(abs(self.numerator), self.denominator)

    def floor(self) -> Quantity:
        return Quantity(self.numerator // self.denominator)

    def power(self, exponent: int) -> Quantity:
        """xᵏ for k ≥ 0."""
        result = Quantity.constant(ONE)
        for _ in range(exponent):
            result = result * self
        return result

    def compared(self, op: str, other: Quantity) -> Truths:
        """The elements for which a comparison holds."""
        x, y, _ = self._over_common(other)
        return x.compared(y, COMPARED[op])

    def least(self, other: Quantity) -> Quantity:
        """The smaller number, elementwise."""
        return self.where(self.compared("<=", other), other)

    def where(self, mask: Truths, other: Quantity) -> Quantity:
        """Take these numbers where ``mask`` holds, and the others elsewhere."""
        x, y, common = self._over_common(other)
        some = self.special.most or other.special.most
        return Quantity(x.where(mask, y), common, self.special.where(mask, other.special) if some else ZERO)

    def integers(self) -> Whole:
        """The same numbers as integers.

        Raises:
            InputError: one of them is none.
        """
        if self.codes.any():
            raise InputError("a finite number was expected, not inf or NaN")
        if (self.numerator % self.denominator).values.any():
            raise InputError("an integer was expected")
        return self.numerator // self.denominator

    def popcount(self) -> Quantity:
        """The number of binary digits 1 of each integer.

        Raises:
            InputError: a number that is negative or no integer.
        """
        integers = self.integers()
        if (integers.values < 0).any():
            raise InputError("a number >= 0 was expected")
        if integers.values.dtype == object:
            return Quantity(Whole.of(np.frompyfunc(int.bit_count, 1, 1)(integers.values)).narrow())
        digits = range(integers.measured().most.bit_length())
        return Quantity(sum((Whole(np.asarray(integers.values >> k & 1), 1).narrow() for k in digits), ZERO))

    def broadcast(self, shape: tuple[int, ...]) -> Quantity:
        """The same numbers as an array of this shape."""
        return self if self.shape == shape else Quantity(self.numerator.broadcast(shape), self.denominator, self.special)

    def picked(self, shape: tuple[int, ...], index: Index) -> Quantity:
        """The elements of the flattened array of this shape with the indices ``index``."""
        bottom, special = (x.picked(shape, index) if x.shape else x for x in (self.denominator, self.special))
        return Quantity(self.numerator.picked(shape, index), bottom, special)

    def spread(self, mask: Truths) -> Quantity:
        """An array of the mask's shape with these elements where the mask holds, in order, and anything elsewhere."""
        bottom, special = (x.spread(mask, filler) if x.shape else x for x, filler in ((self.denominator, 1), (self.special, 0)))
        return Quantity(self.numerator.spread(mask, 0), bottom, special)


WORD_BITS = 62
LONGEST_LISTED = 30
"""Longer strings are Python integers."""


@dataclass(frozen=True)
class Strings:
    """Bit strings of one length, as the numbers that they spell."""

    numbers: Whole
    length: int

    @classmethod
    def of(cls, numbers: Any, length: int) -> Strings:
        """Strings from an array of integers.

        Raises:
            ValueError: a number that spells no string of this length.
        """
        array = np.asarray(numbers)
        values = array if array.dtype == np.int64 else Whole.of(array).values
        if np.any(values >> min(length, WORD_BITS + 1) if values.dtype == np.int64 else values >> length):
            raise ValueError(f"numbers from 0 to 2^{length} - 1 were expected")
        return cls(Whole(values, (1 << length) - 1).narrow(), length)

    @classmethod
    def every(cls, length: int) -> Strings:
        """All strings of a length, ascending.

        Raises:
            LimitError: they are more than an array holds.
        """
        if length > LONGEST_LISTED:
            raise LimitError(f"all strings of {length} bits are listed up to {LONGEST_LISTED} bits", "a smaller parameter")
        return cls(Whole(np.arange(1 << length, dtype=np.int64), (1 << length) - 1), length)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.numbers.shape

    def picked(self, shape: tuple[int, ...], index: Index) -> Strings:
        return Strings(self.numbers.picked(shape, index), self.length)

    def part(self, first: Quantity, last: Quantity) -> Quantity:
        """The numbers spelled by bits first … last, 0 for no bits (last = first − 1)."""
        a, b = first.integers().values, last.integers().values
        if not ((a >= 1) & (a <= b + 1) & (b <= self.length)).all():
            raise InputError(f"the string has bits 1 … {self.length}")
        wide = object if self.length > WORD_BITS else np.int64
        numbers, below, width = (x.astype(wide, copy=False) for x in (self.numbers.values, self.length - b, b - a + 1))
        return Quantity(Whole(np.asarray(numbers >> below & (1 << width) - 1), (1 << self.length) - 1).narrow())
