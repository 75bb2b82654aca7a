"""Decide exactly which functions networks of more than one layer compute, for an activation with Condition 1, by the start of their sums.

Before the last rounding the value of such a network at x is v(x) = b + Σ wⱼ⌈σ⌉(yⱼ(x)). In units of 1/s², v(x) ∈ sZ + nZ with n the gcd of
the outputs' levels, and v(x) − v(x′) ∈ gZ with g the gcd of their gaps. Conversely, every start c ∈ sZ + nZ is the sum of a bias and of
constant neurons, and every z: Q_{p,s}^d → gZ is added to it by indicators of points (Lemma 5). So the functions of these networks are
exactly x ↦ ⌈(c + z(x))/s²⌉. The paper's S_b has the starts sZ only; whether another start ever does more is corollary-9:hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import gcd

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach, reach_of_image


@dataclass(frozen=True)
class Sums:
    """The sums of an activation with two or more outputs; ``outputs`` and ``gaps`` are n and g."""

    grid: FixedPoint
    outputs: int
    gaps: int

    @property
    def starts(self) -> range:
        """The starts c, in units of 1/s², up to what gaps can add."""
        return range(0, self.gaps, gcd(self.grid.s, self.outputs))

    @property
    def reach(self) -> Reach:
        """What gaps add to a start."""
        return Reach(self.grid, self.gaps)

    def start_for(self, values: Iterable[int]) -> int | None:
        """A start from which one network takes all these levels, each where it is asked to; None where no network does."""
        asked = tuple(values)
        return next((c for c in self.starts if self.reach.missing_from(c, asked) is None), None)

    @cache  # noqa: B019 - few and small
    def each_with_zero(self) -> bool:
        """Whether for each level γ some start has both 0 and γ: whether each γ·1_C is a network, for cubes C that are not everything."""
        return all(self.start_for((0, q)) is not None for q in self.grid.levels())

    @cache  # noqa: B019
    def everything(self) -> bool:
        """Whether some start has every level: whether networks represent every function."""
        return self.start_for(self.grid.levels()) is not None


def sums_of(grid: FixedPoint, image: Iterable[int], binary: bool = False) -> Sums:
    """The sums of an activation with these output levels; with weights ±1 where ``binary``, whose starts are the biases alone."""
    outputs, kinds = frozenset(image), ("BN", "BS") if binary else ("N", "S")
    return Sums(grid, *(reach_of_image(kind, grid, outputs).step for kind in kinds))


def swap_target(grid: FixedPoint, level: int) -> int:
    """Section 5.1's f as a function of x₁: i + 1 for odd i, i − 1 for even i, and 2^p − 1 at 2^p − 1."""
    if level == grid.top:
        return grid.top
    return level + 1 if level % 2 else level - 1
