"""Sets of outputs up to what N, S, BN and BS see of them: the least output a, and the gcd g of the gaps.

The outputs a₀ < a₁ < … have the gcds of {a₀, a₀ + g}, which is a set of levels too (g divides a₁ − a₀ > 0); so one or two outputs stand
for every set of them. Where some output is a gap, g divides it, and so every output. The enumeration of all sets is the slow twin.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.sets import images
from constructions.fixed_point_networks.trials import within_limit
from verifier.claims.model import Question

LISTED = 3
"""The largest p at which every set of outputs is tried; beyond, every shape."""


def shape_of(image: frozenset[int]) -> frozenset[int]:
    """{a} or {a, a + g} for a set of outputs."""
    least = min(image)
    return frozenset({least, least + gcd(*(v - least for v in image))})


def shapes(grid: FixedPoint) -> Iterator[frozenset[int]]:
    """Every shape, the single outputs first."""
    for g in range(2 * grid.top + 1):
        for least in range(-grid.top, grid.top - g + 1):
            yield frozenset({least, least + g})


def divides_its_outputs(shape: frozenset[int]) -> bool:
    """Whether g divides every output, as it does where some output is a gap (or 0 is an output)."""
    least, g = min(shape), max(shape) - min(shape)
    return least == 0 if g == 0 else least % g == 0


def outputs_tried(question: Question, grid: FixedPoint) -> tuple[Iterator[frozenset[int]], bool, str]:
    """The sets of outputs to try for every activation, whether they are shapes, and how to say so.

    Raises:
        LimitError: too many.
    """
    if grid.p <= LISTED:
        within_limit(question, 2**grid.size)
        return images(grid), False, "by its set of outputs"
    within_limit(question, grid.size**2)
    return shapes(grid), True, "by its least output and the gcd of its gaps"


def step_tables(grid: FixedPoint) -> Iterator[Table]:
    """For every shape of two outputs the rising and the falling table that takes the second at the last (first) input only."""
    for shape in shapes(grid):
        if len(shape) == 2:
            low, high = sorted(shape)
            levels = (low,) * (grid.size - 1) + (high,)
            yield Table(grid, levels)
            yield Table(grid, levels[::-1])
