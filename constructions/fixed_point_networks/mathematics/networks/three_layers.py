"""Indicators and representators with one layer less than the paper's; not in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import REPAIRED, Cube, cube_layer
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron
from constructions.fixed_point_networks.mathematics.networks.representator import plan, points_of, with_last_sum
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.weighted_sums import Term


def short_indicator(normal: Normal, cube: Cube, terms: Sequence[Term], binary: bool = True) -> Network:
    """γ·1_C with a two-layer f: f_v = ⌈v + m·φ⌉ is v on the cube and q_max off it, so
    Σ w(⌈ρ⌉(f_{v₁}) − ⌈ρ⌉(f_{v₂})) is γ on the cube and 0 off it. φ ≥ 1/s off the cube; m·φ ≥ 2q_max is enough.
    """
    first, m = short_first(normal, cube, binary)
    second, weights = short_switches(normal, terms, 0, len(first), m, binary)
    last = Neuron(tuple(range(len(weights))), weights, 0)
    return Network(normal.rho, len(cube), (first, second, (last,)))


def short_first(normal: Normal, cube: Cube, binary: bool) -> tuple[Layer, int]:
    """m copies of ρ₁, and m: 2(2^p − 1) for weights ±1, 2s for weights ±q_max."""
    m = 2 * (normal.rho.grid.top if binary else normal.rho.grid.s)
    return cube_layer(normal, cube) * m, m


def short_switches(normal: Normal, terms: Iterable[Term], first: int, width: int, m: int, binary: bool) -> tuple[Layer, tuple[int, ...]]:
    """The neurons f_{v₁}, f_{v₂} of each term, and their weights w, −w."""
    size = normal.rho.grid.s if binary else normal.rho.grid.top
    inputs = tuple(range(first, first + width))
    phi = tuple(sign * size for _ in range(width // 2) for sign in REPAIRED.phi)
    neurons: list[Neuron] = []
    weights: list[int] = []
    for w, v1, v2 in terms:
        neurons += [Neuron(inputs, phi, v1), Neuron(inputs, phi, v2)]
        weights += [w, -w]
    return tuple(neurons), tuple(weights)


def short_representator(table: Table, target: Sequence[int], dimension: int, binary: bool = False) -> Network:
    """A three-layer network for the target of :func:`.representator.representator`, from :func:`short_indicator`s."""
    made = plan(table, binary, target)
    first: list[Neuron] = []
    second: list[Neuron] = []
    weights: list[int] = []
    for point, level in points_of(table, target, dimension):
        terms = made.terms[level]
        if not terms:
            continue
        layer, m = short_first(made.normal, point, binary)
        neurons, more = short_switches(made.normal, terms, len(first), len(layer), m, binary)
        first += layer
        second += neurons
        weights += more
    return with_last_sum(made, table, dimension, (tuple(first), tuple(second)), weights)
