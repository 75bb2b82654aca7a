"""φ, g, F_q and ψ of Section 5.4 as networks of their own, not rounded at the end."""

from __future__ import annotations

from itertools import product

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.condition import Normal
from constructions.fixed_point_networks.networks.indicator import Cube, Signs, cube_layer, gate_layer, indicator
from constructions.fixed_point_networks.networks.network import Network, Neuron


def phi_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """φ = ρ₂ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉, not rounded."""
    first = cube_layer(normal, cube)
    weights = tuple(sign * normal.rho.grid.s for _ in range(len(first) // 2) for sign in signs.phi)
    return Network(normal.rho, len(cube), (first, (Neuron(tuple(range(len(first))), weights, 0),)))


def gate_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """g = ρ₃ ∘ ⌈ρ⌉ ∘ ⌈ρ′₂⌉ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉, not rounded."""
    s = normal.rho.grid.s
    return Network(
        normal.rho, len(cube), (cube_layer(normal, cube), gate_layer(normal, len(cube), signs, 0, 1), (Neuron((0, 1), (-s, s), 0),))
    )


def f_network(normal: Normal, cube: Cube, signs: Signs, binary: bool = False) -> Network:
    """All F_q = ⌈ρ⌉(f_{q,1}) − ⌈ρ⌉(f_{q,2}) side by side, not rounded."""
    s, levels = normal.rho.grid.s, list(normal.rho.grid.levels())
    built = indicator(normal, cube, [(1, q, q) for q in levels], signs, binary)
    last = tuple(Neuron((4 * i, 4 * i + 1), (s, -s), 0) for i in range(len(levels)))
    return Network(normal.rho, len(cube), (*built.layers[:-1], last))


def psi_network(normal: Normal, cube: Cube, gaps: dict[int, tuple[int, int]], signs: Signs) -> Network:
    """ψ of each single gap with weight q_max, side by side, not rounded."""
    built = indicator(normal, cube, [(normal.rho.grid.top, a, b) for a, b in gaps.values()], signs)
    weights = built.layers[-1][0].weights
    last = tuple(Neuron(tuple(range(4 * i, 4 * i + 4)), weights[4 * i : 4 * i + 4], 0) for i in range(len(gaps)))
    return Network(normal.rho, len(cube), (*built.layers[:-1], last))


def pairs_of_gaps(rho: Table) -> dict[int, tuple[int, int]]:
    """Each gap of ⌈ρ⌉ with one pair of inputs that has it."""
    return {rho(a) - rho(b): (a, b) for a, b in product(rho.grid.levels(), repeat=2)}
