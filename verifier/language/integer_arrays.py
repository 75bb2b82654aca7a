"""Arrays of integers that cannot overflow: 64 bits where a bound shows that these are enough, Python's integers where it does not.

Every array carries a bound on its magnitudes. A result's bound is computed first, from those of the operands; where it leaves 64 bits
the operands are measured, and where it still does the operation is done on Python's integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Truths = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
Index = Array | slice
"""Places in a flattened array; a whole array of them gives a result of its shape."""

WORD = 1 << 63


@dataclass(frozen=True)
class Whole:
    """Integers: an int64 array where ``most`` < 2^63, else Python integers; no magnitude is larger than ``most``."""

    values: Array
    most: int

    @classmethod
    def of(cls, values: Any) -> Whole:
        """The integers of an array, or of anything that numpy makes one of.

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
        most = max(abs(int(array.max(initial=0))), abs(int(array.min(initial=0))))
        return cls(array, most).narrow()

    def narrow(self) -> Whole:
        """The same integers, in the type that the bound asks for."""
        wanted = np.int64 if self.most < WORD else object
        return self if self.values.dtype == wanted else Whole(self.values.astype(wanted), self.most)

    def measured(self) -> Whole:
        """The same integers with the least bound."""
        return Whole.of(self.values)

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

    def power(self, exponent: int) -> Whole:
        """xᵏ for k ≥ 0."""
        return self._with(self, lambda a, _: max(1, a) ** exponent, lambda x, _: x**exponent)

    def compared(self, other: Whole, compare: Callable[[Any, Any], Any]) -> Truths:
        return np.asarray(compare(self.values, other.values), dtype=np.bool_)

    def where(self, mask: Truths, other: Whole) -> Whole:
        """These integers where ``mask`` holds, the others elsewhere."""
        return Whole(np.where(mask, self.values, other.values), max(self.most, other.most)).narrow()

    def broadcast(self, shape: tuple[int, ...]) -> Whole:
        return Whole(np.broadcast_to(self.values, shape), self.most)

    def picked(self, shape: tuple[int, ...], index: Index) -> Whole:
        """Those of the flattened array of this shape that ``index`` names."""
        return Whole(np.asarray(np.broadcast_to(self.values, shape).reshape(-1)[index], dtype=self.values.dtype), self.most)

    def spread(self, mask: Truths, filler: int) -> Whole:
        """An array of the mask's shape that has these where it holds, in order, and the filler elsewhere."""
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
