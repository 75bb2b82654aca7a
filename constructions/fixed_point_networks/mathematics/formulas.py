"""The paper's notions as functions that formulas in statement files use: of exact numbers, one name each (``paper.toml``)."""

from __future__ import annotations

from fractions import Fraction

from constructions.fixed_point_networks.mathematics.grid import FixedPoint


def nearest(p: Fraction, s: Fraction, numerator: Fraction) -> int:
    """The level of the rounding of numerator/s² in Q_(p,s) (Eq. 5)."""
    return FixedPoint(int(p), int(s)).nearest(int(numerator))
