"""The paper's notions as functions that formulas in statement files use: of exact numbers, one name each (``paper.toml``)."""

from __future__ import annotations

from fractions import Fraction

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.sets import Reach


def nearest(p: Fraction, s: Fraction, numerator: Fraction) -> int:
    """The level of the rounding of numerator/s² in Q_(p,s) (Eq. 5)."""
    return FixedPoint(int(p), int(s)).nearest(int(numerator))


def rounded(p: Fraction, s: Fraction, x: Fraction) -> Fraction:
    """⌈x⌉ in Q_(p,s) (Eq. 5)."""
    grid = FixedPoint(int(p), int(s))
    return grid.value(grid.rounded(x * s))


def number_of_inputs(p: Fraction, s: Fraction, d: Fraction) -> int:
    """How many inputs a network on Q_(p,s)^d has, counted."""
    return len(all_inputs(FixedPoint(int(p), int(s)), int(d)))


def reach_alike(p: Fraction, s: Fraction, gap: Fraction, b: Fraction, other: Fraction) -> bool:
    """Whether the sums of weights times multiples of gap/s reach the same values from the biases b/s and other/s."""
    sets = Reach(FixedPoint(int(p), int(s)), int(gap))
    return sets.reached(int(b)) == sets.reached(int(other))
