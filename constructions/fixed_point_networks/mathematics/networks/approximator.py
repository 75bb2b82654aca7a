"""The approximator of Theorem 21: a constant, or the best value of each cube of δ's covering put on the cube.

Source: Section 5.16. Values and δ are counted in levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from constructions.fixed_point_networks.mathematics.coverings import covering
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs, held
from constructions.fixed_point_networks.mathematics.networks.representator import Plan, assembled
from constructions.fixed_point_networks.mathematics.piecewise_linear import PiecewiseLinear
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from verifier.arithmetic.rationals import Fraction


def approximator(made: Plan, table: Table, f: PiecewiseLinear, delta: Fraction | None, d: int) -> Network:
    """The proof's network for f* and δ = ω⁻¹(ε), None for infinity: ⌈f*(p̃)⌉ everywhere or on each cube, p̃ where f* rounds best."""
    grid = table.grid

    def best(points: Sequence[tuple[int, ...]]) -> int:
        return grid.rounded(min((f.at(grid, x) for x in points), key=lambda v: abs(v - grid.rounded(v))))

    if delta is None or delta >= 2 * grid.top:
        return Network(table, d, ((held(best(all_inputs(grid, d))),),))
    cubes = product(covering(grid, delta / grid.s), repeat=d)
    return assembled(made, table, d, ((cube, best(list(product(*(range(a, b + 1) for a, b in cube))))) for cube in cubes))
