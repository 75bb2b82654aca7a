"""Indicator functions γ·1_C of a quantized cube, as the proofs of Lemmas 5 and 14 build them.

Source: Sections 5.4 and 5.11, Eqs. (23)–(29). Networks are built for ρ (Condition 1 with α = β = 1) and then turned into σ's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from constructions.fixed_point_networks.mathematics.activations import Normal, Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, at_top, held
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, gap_witnesses

Cube = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Signs:
    """The signs of ρ₂ on the pairs (⌈ρ⌉(·), ⌈ρ⌉(q_max)) and of q_max·ρ₃ on (x₁, x₂)."""

    phi: tuple[int, int]
    amplified: tuple[int, int]


PRINTED = Signs((1, 1), (1, -1))
REPAIRED = Signs((-1, 1), (-1, 1))
PRINTED_RHO2 = Signs((1, 1), (-1, 1))
PRINTED_RHO3 = Signs((-1, 1), (1, -1))


def copies(normal: Normal, binary: bool) -> int:
    """The least m_q that the proof allows: m_q·q_max·(drop/s) > 2q_max, or m_q > 2^(p+1) − 2 with weights ±1."""
    grid = normal.rho.grid
    return 2 * grid.top + 1 if binary else 2 * grid.s // normal.drop + 1


def cube_layer(normal: Normal, cube: Cube) -> Layer:
    """ρ₁: for each coordinate (x − α + z, q_max, −x + β + z, q_max)."""
    grid, neurons = normal.rho.grid, []
    for i, (low, high) in enumerate(cube):
        neurons += [Neuron((i,), (grid.s,), normal.z - low), at_top(grid, i)]
        neurons += [Neuron((i,), (-grid.s,), high + normal.z), at_top(grid, i)]
    return tuple(neurons)


def gate_layer(normal: Normal, dimension: int, signs: Signs, first: int, m: int) -> Layer:
    """m copies of ρ′₂ = (ρ₂ + z − 1/s, q_max), reading 4d neurons from index ``first`` on."""
    grid = normal.rho.grid
    inputs = tuple(range(first, first + 4 * dimension))
    weights = tuple(sign * grid.s for _ in range(2 * dimension) for sign in signs.phi)
    return (Neuron(inputs, weights, normal.z - 1), at_top(grid, first)) * m


def switch(normal: Normal, q: int, signs: Signs, first: int, m: int, binary: bool) -> Neuron:
    """f_{q,1} = ⌈q + Σ_{m_q} q_max·g⌉ (weights ±1 instead of ±q_max where ``binary``)."""
    size = normal.rho.grid.s if binary else normal.rho.grid.top
    return Neuron(tuple(range(first, first + 2 * m)), tuple(sign * size for _ in range(m) for sign in signs.amplified), q)


def indicator_network(
    normal: Normal, cube: Cube, terms: Sequence[Term], signs: Signs = REPAIRED, binary: bool = False, m: int | None = None
) -> Network:
    """ρ ∘ ⌈ρ⌉ ∘ f = γ·1_C with γ = Σ w(⌈ρ⌉(v₁) − ⌈ρ⌉(v₂)): three layers f and the last affine map of Eq. (28), a ρ network.

    m: m_q, by default the least that the proof allows.
    """
    m = copies(normal, binary) if m is None else m
    third, weights = switches(normal, terms or nothing(normal), signs, 0, m, binary)
    last = Neuron(tuple(range(len(weights))), weights, 0)
    layers = (cube_layer(normal, cube), gate_layer(normal, len(cube), signs, 0, m), third, (last,))
    return Network(normal.rho, len(cube), layers)


def nothing(normal: Normal) -> tuple[Term]:
    """γ = 0 as a term, where a network has to have one."""
    return ((normal.rho.grid.s, 0, 0),)


def switches(normal: Normal, terms: Iterable[Term], signs: Signs, first: int, m: int, binary: bool) -> tuple[Layer, tuple[int, ...]]:
    """Eq. (29)'s neurons f_{v₁,1}, f_{v₁,2}, f_{v₂,1}, f_{v₂,2} of each term, and Eq. (28)'s weights −w, w, w, −w."""
    neurons: list[Neuron] = []
    weights: list[int] = []
    for w, v1, v2 in terms:
        for v in (v1, v2):
            neurons += [switch(normal, v, signs, first, m, binary), constant(normal.rho.grid, v, first, binary)]
        weights += [-w, w, w, -w]
    return tuple(neurons), tuple(weights)


def constant(grid: FixedPoint, level: int, first: int, binary: bool) -> Neuron:
    """f_{q,2} = ⌈q⌉, after the gates from index ``first`` on; with weights ±1 by the difference of the q_max of two of them (m_q ≥ 2)."""
    return Neuron((first + 1, first + 3), (grid.s, -grid.s), level) if binary else held(level, first)


def for_sigma(network: Network, normal: Normal, sigma: Table) -> Network:
    """The σ network that computes what a ρ network does: ⌈ρ⌉(y) = α⌈σ⌉(βy), so what enters σ is multiplied by β and what leaves it by α."""
    layers = []
    for number, layer in enumerate(network.layers, 1):
        into = normal.beta if number < network.depth else 1
        out_of = normal.alpha if number > 1 else 1
        layers.append(tuple(Neuron(n.inputs, tuple(into * out_of * w for w in n.weights), into * n.bias) for n in layer))
    return Network(sigma, network.dimension, tuple(layers))


def closed(grid: FixedPoint, hidden: Iterable[Sequence[Neuron]], weights: Sequence[int], bias: int) -> tuple[Layer, ...]:
    """Hidden layers, and the last one, b + Σ. Of a constant, empty layers have two idle neurons, whose difference is taken."""
    idle = (at_top(grid),) * 2
    last = Neuron(tuple(range(len(weights))), tuple(weights), bias) if weights else Neuron((0, 1), (grid.s, -grid.s), bias)
    return (*(tuple(layer) or idle for layer in hidden), (last,))


def phi_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """φ = ρ₂ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉, not rounded."""
    first = cube_layer(normal, cube)
    weights = tuple(sign * normal.rho.grid.s for _ in range(len(first) // 2) for sign in signs.phi)
    return Network(normal.rho, len(cube), (first, (Neuron(tuple(range(len(first))), weights, 0),)))


def gate_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """g = ρ₃ ∘ ⌈ρ⌉ ∘ ⌈ρ′₂⌉ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉ with ρ₃ of the signs that q_max·ρ₃ has, not rounded."""
    last = Neuron((0, 1), tuple(sign * normal.rho.grid.s for sign in signs.amplified), 0)
    return Network(normal.rho, len(cube), (cube_layer(normal, cube), gate_layer(normal, len(cube), signs, 0, 1), (last,)))


def f_network(normal: Normal, cube: Cube, signs: Signs, binary: bool = False, m: int | None = None) -> Network:
    """All F_q = ⌈ρ⌉(f_{q,1}) − ⌈ρ⌉(f_{q,2}) side by side, not rounded."""
    s, levels = normal.rho.grid.s, list(normal.rho.grid.levels())
    built = indicator_network(normal, cube, [(1, q, q) for q in levels], signs, binary, m)
    last = tuple(Neuron((4 * i, 4 * i + 1), (s, -s), 0) for i in range(len(levels)))
    return Network(normal.rho, len(cube), (*built.layers[:-1], last))


def each_gap(normal: Normal, cube: Cube, weight: int, signs: Signs = REPAIRED, binary: bool = False) -> Network:
    """ψ, weight·gap·1_C, of every gap side by side (in the order of :func:`.gap_witnesses`), not rounded."""
    terms = [(weight, a, b) for a, b in gap_witnesses(normal.rho).values()]
    return terms_apart(indicator_network(normal, cube, terms, signs, binary), 4)


def terms_apart(network: Network, width: int) -> Network:
    """With the last neuron's inputs in groups of ``width``, each group as an output of its own."""
    (last,) = network.layers[-1]
    groups = [slice(first, first + width) for first in range(0, len(last.inputs), width)]
    outputs = tuple(Neuron(last.inputs[group], last.weights[group], 0) for group in groups)
    return Network(network.table, network.dimension, (*network.layers[:-1], outputs))


def cubes(grid: FixedPoint, dimension: int) -> list[Cube]:
    """Every quantized cube with [α_i, β_i] in each coordinate."""
    sides = list(combinations_with_replacement(grid.levels(), 2))
    return list(product(sides, repeat=dimension))


def show_cube(grid: FixedPoint, cube: Cube) -> str:
    """``[-1, 0] x [1, 1]``."""
    return " x ".join(f"[{grid.show(low)}, {grid.show(high)}]" for low, high in cube)


def in_cube(x: Sequence[int], cube: Cube) -> bool:
    return all(low <= v <= high for v, (low, high) in zip(x, cube, strict=True))
