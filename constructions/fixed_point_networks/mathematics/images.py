"""Sets of outputs, and their shapes: what N, S, BN and BS see of them, the least output a and the gcd g of the gaps.

The outputs a₀ < a₁ < … have the gcds of {a₀, a₀ + g}, which is a set of levels too (g divides a₁ − a₀ > 0); so one or two outputs stand
for every set of them. Where some output is a gap, g divides it, and so every output. The enumeration of all sets is the slow twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import Table


def images(grid: FixedPoint) -> Iterator[frozenset[int]]:
    """Every image that some σ can have on Q_{p,s}: every nonempty set of levels."""
    levels = list(grid.levels())
    for mask in range(1, 1 << len(levels)):
        yield frozenset(v for i, v in enumerate(levels) if mask >> i & 1)


def shapes(grid: FixedPoint) -> Iterator[frozenset[int]]:
    """Every shape, the single outputs first."""
    for g in range(2 * grid.top + 1):
        for least in range(-grid.top, grid.top - g + 1):
            yield frozenset({least, least + g})


def divides_its_outputs(shape: frozenset[int]) -> bool:
    """Whether g divides every output, as it does where some output is a gap (or 0 is an output)."""
    least, g = min(shape), max(shape) - min(shape)
    return least == 0 if g == 0 else least % g == 0


def step_tables(grid: FixedPoint) -> Iterator[Table]:
    """For every shape of two outputs the rising and the falling table that takes the second at the last (first) input only."""
    for shape in shapes(grid):
        if len(shape) == 2:
            low, high = sorted(shape)
            levels = (low,) * (grid.size - 1) + (high,)
            yield Table(grid, levels)
            yield Table(grid, levels[::-1])


def gaps(image: Iterable[int]) -> set[int]:
    """Every difference of two outputs."""
    outputs = set(image)
    return {a - b for a in outputs for b in outputs}


def monotone_tables(grid: FixedPoint) -> Iterator[Table]:
    """Every monotone, non-constant ⌈σ⌉."""
    for levels in combinations_with_replacement(grid.levels(), grid.size):
        if levels[0] != levels[-1]:
            yield Table(grid, levels)
            yield Table(grid, levels[::-1])
