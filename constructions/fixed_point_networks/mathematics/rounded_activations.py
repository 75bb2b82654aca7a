"""Rounded activations ⌈σ⌉ on Q_{p,s}, as tables (Section 2.3).

A rational value is rounded as it is. The others are enclosed, and the precision doubles until no midpoint lies in the ball. That ends,
because no rational x ≠ 0 has a rational image: e^x is transcendental there (Lindemann), Sigmoid, SiLU, Mish and ELU are non-constant
rational functions of x and e^x, and log(1 + e^x) = r would make e^r = 1 + e^x a linear relation that Lindemann–Weierstrass forbids;
log 2 is irrational. For GELU no such theorem is at hand: there the ball itself, once it holds no midpoint, is the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from constructions.fixed_point_networks.mathematics.activations import Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.arithmetic.enclosure import round_to_integer
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError


@lru_cache(maxsize=1 << 20)
def unclamped(activation: Activation, k: int, s: int) -> int:
    """s·σ(k/s) rounded to the nearest integer, ties away from zero, not clamped.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    x = Fraction(k, s)

    def rational() -> Fraction | None:
        value = activation.exact(x)
        return None if value is None else value * s

    return round_to_integer(lambda flint: activation.real.enclosed(x) * s, rational)


@dataclass(frozen=True)
class Table:
    """⌈σ⌉ on Q_{p,s}: ``levels[k + top]`` is the level of ⌈σ⌉(k/s). Any finite table is one."""

    grid: FixedPoint
    levels: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.levels) != self.grid.size:
            raise InputError(f"an activation table has {self.grid.size} levels here, not {len(self.levels)}")
        outside = [v for v in self.levels if abs(v) > self.grid.top]
        if outside:
            raise InputError(f"an activation table has levels from -{self.grid.top} to {self.grid.top}, not {outside[0]}")

    def __call__(self, level: int) -> int:
        return self.levels[level + self.grid.top]

    @property
    def image(self) -> frozenset[int]:
        return frozenset(self.levels)

    @property
    def gaps(self) -> frozenset[int]:
        """V_{σ,p,s} in levels: every difference of two outputs."""
        return frozenset(a - b for a in self.image for b in self.image)


def rounded(activation: Activation, grid: FixedPoint) -> Table:
    """⌈σ⌉ as a table."""
    return Table(grid, tuple(grid.clamp(unclamped(activation, k, grid.s)) for k in grid.levels()))


def has_unit_gap(activation: Activation, grid: FixedPoint) -> tuple[int, int] | None:
    """The inputs (k, k + 1) nearest to 0 at which ⌈σ⌉ moves by one level, so that 1/s ∈ V; None where no neighbours do."""
    for k in sorted(range(-grid.top, grid.top), key=lambda k: (abs(k), k)):
        if abs(grid.clamp(unclamped(activation, k + 1, grid.s)) - grid.clamp(unclamped(activation, k, grid.s))) == 1:
            return k, k + 1
    return None
