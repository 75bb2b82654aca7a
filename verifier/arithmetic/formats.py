"""Number formats as records: which rationals exist, how far apart they are, where they end.

Source: *Every Bit Counts*, Definition A.7 (free binary point) and the remark on a scaling factor below it (fixed grid).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable


@runtime_checkable
class Format(Protocol):
    """What rounding needs to know of a format."""

    @property
    def largest(self) -> Fraction:
        """The largest finite value."""

    def spacing(self, magnitude: Fraction) -> Fraction:
        """Distance of neighbouring values in the binade of ``magnitude`` ≥ 0, continued beyond the largest value."""

    def contains(self, value: Fraction) -> bool:
        """Whether ``value`` is representable."""

    def values(self) -> Iterator[Fraction]:
        """Every finite value, ascending."""


@dataclass(frozen=True)
class FreePoint:
    """Definition A.7: a sign and ``bits − 1`` binary digits, the point anywhere among them.

    The values are ±k·2^−f with 0 ≤ k < 2^(bits−1) and 0 ≤ f ≤ bits−1.
    """

    bits: int

    def __post_init__(self) -> None:
        if self.bits < 1:
            raise ValueError(f"a fixed-point number has at least its sign bit, not {self.bits} bits")

    @property
    def digits(self) -> int:
        return self.bits - 1

    @property
    def largest(self) -> Fraction:
        return Fraction(2**self.digits - 1)

    @property
    def unit(self) -> Fraction:
        """Every value is a multiple of this: 2^−(bits−1)."""
        return Fraction(1, 2**self.digits)

    def spacing(self, magnitude: Fraction) -> Fraction:
        integer_digits = (magnitude.numerator // magnitude.denominator).bit_length()
        return Fraction(1, 1 << max(0, self.digits - integer_digits))

    def contains(self, value: Fraction) -> bool:
        magnitude = abs(value)
        return magnitude <= self.largest and (magnitude / self.spacing(magnitude)).denominator == 1

    def values(self) -> Iterator[Fraction]:
        magnitudes = [Fraction(0)]
        while (following := magnitudes[-1] + self.spacing(magnitudes[-1])) <= self.largest:
            magnitudes.append(following)
        yield from (-x for x in reversed(magnitudes[1:]))
        yield from magnitudes


@dataclass(frozen=True)
class Grid:
    """One fixed grid with a scale λ: the values are λ·k with \\|k\\| ≤ 2^(bits−1) − 1."""

    bits: int
    scale: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.bits < 1:
            raise ValueError(f"a fixed-point number has at least its sign bit, not {self.bits} bits")
        if self.scale <= 0:
            raise ValueError(f"the scale of a grid is positive, not {self.scale}")

    @property
    def largest(self) -> Fraction:
        return self.scale * ((1 << self.bits - 1) - 1)

    @property
    def unit(self) -> Fraction:
        """Every value is a multiple of this: the scale."""
        return self.scale

    def spacing(self, magnitude: Fraction) -> Fraction:
        del magnitude
        return self.scale

    def contains(self, value: Fraction) -> bool:
        return abs(value) <= self.largest and (value / self.scale).denominator == 1

    def values(self) -> Iterator[Fraction]:
        bound = 2 ** (self.bits - 1) - 1
        return (self.scale * k for k in range(-bound, bound + 1))


def free_point_count(bits: int) -> int:
    """How many values Definition A.7 has with ``bits`` bits: (bits+1)·2^(bits−1) − 1, zero counted once.

    There are 2^(bits−1) magnitudes below 1 and 2^(bits−2) in each of the bits−1 binades [1,2), [2,4), …
    """
    return ((bits + 1 << bits) >> 1) - 1
