"""The paper's notions as functions that formulas in statement files use: of exact numbers, one name each (``paper.toml``)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from constructions.fixed_point_networks.mathematics.activations import ELU, RELU, SIGMOID, Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import unclamped
from verifier.errors import InputError


def nearest(p: Fraction, s: Fraction, numerator: Fraction) -> int:
    """The level of the rounding of numerator/s² in Q_(p,s) (Eq. 5)."""
    return FixedPoint(int(p), int(s)).nearest(int(numerator))


def rounded(p: Fraction, s: Fraction, x: Fraction) -> Fraction:
    """⌈x⌉ in Q_(p,s) (Eq. 5)."""
    grid = FixedPoint(int(p), int(s))
    return grid.value(grid.rounded(x * s))


def _rounding_of(activation: Activation) -> Callable[[Fraction, Fraction, Fraction], Fraction]:
    """(p, s, x) ↦ ⌈σ⌉(x) for x ∈ Q_(p,s)."""

    def value(p: Fraction, s: Fraction, x: Fraction) -> Fraction:
        grid, level = FixedPoint(int(p), int(s)), x * s
        if level.denominator != 1 or abs(level) > grid.top:
            raise InputError(f"{x} is not in Q_({p},{s})")
        return grid.value(grid.clamp(unclamped(activation, int(level), grid.s)))

    return value


rounded_relu, rounded_elu, rounded_sigmoid = map(_rounding_of, (RELU, ELU, SIGMOID))
