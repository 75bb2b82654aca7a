"""Q_{p,s} and its rounding: the verifier's format :class:`~verifier.arithmetic.formats.Format` under the paper's names.


Everything here counts in integers: a value q/s is its *level* q; a product of two values is counted in units of 1/s².
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from verifier.arithmetic.formats import Format
from verifier.arithmetic.machine import Machine, RoundingRule, Ties
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

EQUATION_5 = RoundingRule("nearest", "away", "saturate")
"""⌈·⌉: to the nearest value, ties away from zero, beyond the ends to the end."""
LARGEST_NUMERATOR = 1 << 61
"""Up to here twice a numerator and a denominator below 2^62 fit in 64 bits: the bound of arrays of levels."""


class FixedPoint(Format):
    """Q_{p,s} = {q/s : |q| ≤ 2^p − 1} (Eq. 4): p magnitude bits, p + 1 with the sign, and the scaling factor s ≥ 1, so the scale is 1/s.

    ``top``, the largest level, is 2^p − 1 and ``largest`` is q_max. :func:`admitted` and the claims' domains check that 1 ∈ Q_{p,s}, which
    the paper assumes throughout; this module does not.

    Raises:
        InputError: p < 1 or s < 1.
    """

    def __init__(self, p: int, s: int) -> None:
        if p < 1:
            raise InputError(f"p = {p}: at least one magnitude bit was expected")
        if s < 1:
            raise InputError(f"s = {s}: a scaling factor s >= 1 was expected")
        super().__init__(Fraction(1, s), p, 2**p - 1)

    @property
    def p(self) -> int:
        return self.precision

    @cached_property
    def s(self) -> int:
        return self.unit.denominator

    def levels(self) -> range:
        """Every level, ascending."""
        return range(-self.top, self.top + 1)

    def value(self, level: int) -> Fraction:
        """level/s."""
        return level * self.unit

    def show(self, level: int) -> str:
        """The value of a level as an exact string."""
        return str(self.value(level))

    def show_all(self, levels: Iterable[int]) -> str:
        """The values of some levels: ``-1, 1/2``."""
        return ", ".join(map(self.show, levels))

    def machine(self, ties: Ties = "away") -> Machine:
        """⌈·⌉ of Eq. (5), or the same with other ``ties``."""
        return Machine(self, replace(EQUATION_5, ties=ties))

    def level_of(self, a: int, b: int) -> int:
        """The level to which a/b levels round, b > 0."""
        level = EQUATION_5.whole(abs(a), b)
        return self.clamp(level if a >= 0 else -level)

    def nearest(self, numerator: int) -> int:
        """The level of ⌈numerator / s²⌉."""
        return self.level_of(numerator, self.s)

    def rounded(self, x: Fraction | int) -> int:
        """The level of ⌈x/s⌉."""
        return self.level_of(x.numerator, x.denominator)

    def clamp(self, level: int) -> int:
        """The level of ⌈level/s⌉."""
        return max(-self.top, min(self.top, level))

    def preimage(self, level: int) -> tuple[int | None, int | None]:
        """The least and greatest t (both included, None: unbounded) with ⌈t/s²⌉ = level/s."""
        low = _first_at_or_above(level, self.s) if level > -self.top else None
        high = -_first_at_or_above(-level, self.s) if level < self.top else None
        return low, high


def _first_at_or_above(level: int, b: int) -> int:
    """The least a for which a/b, rounded to an integer with ties away from zero, is at least ``level``."""
    if level > 0:
        return -((b - 2 * b * level) // 2)
    return (2 * b * level - b) // 2 + 1


def admitted(p: int, s: int) -> FixedPoint:
    """Q_{p,s} under the paper's assumption q_max ≥ 1 (Section 2.2, below Eq. 4).

    Raises:
        InputError: p < 1, or s outside 1..2^p − 1.
    """
    grid = FixedPoint(p, max(s, 1))
    if not 1 <= s <= grid.top:
        raise InputError(f"s = {s}: 1 <= s <= 2^p - 1 = {grid.top} was expected, so that 1 is in Q_(p,s)")
    return grid


def fixed_points(p: int) -> Iterator[FixedPoint]:
    """Q_{p,s} for every s that the paper admits."""
    return (FixedPoint(p, s) for s in range(1, 2**p))
