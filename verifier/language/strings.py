"""Arrays of bit strings of one length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from verifier.language.integer_arrays import Index, Whole
from verifier.language.rational_arrays import Quantity
from verifier.running.errors import InputError, LimitError

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
        """The numbers that bits first … last spell, 0 for no bits (last = first − 1)."""
        a, b = first.integers().values, last.integers().values
        if not ((a >= 1) & (a <= b + 1) & (b <= self.length)).all():
            raise InputError(f"the string has bits 1 … {self.length}")
        wide = object if self.length > WORD_BITS else np.int64
        numbers, below, width = (x.astype(wide, copy=False) for x in (self.numbers.values, self.length - b, b - a + 1))
        return Quantity(Whole(np.asarray(numbers >> below & (1 << width) - 1), (1 << self.length) - 1).narrow())
