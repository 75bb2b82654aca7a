"""The indicator and the representator for any ⌈σ⌉ that is not constant: the paper's construction without Condition 1.

Not in the paper. Let z be the least input from which ⌈σ⌉ keeps its last value M = ⌈σ⌉(q_max); z > −q_max, as ⌈σ⌉ is not constant. Then
h_k(x) = ⌈σ⌉(⌈x − k + z⌉) − M is 0 for x ≥ k and not 0 at k − 1/s. So whole multiples c_k of the h_k, chosen from k = α downward, add up to
a function that is 0 for x ≥ α and at least 1/s for x < α: it takes the place of one term of φ (Eq. 23), and the rest of Section 5.4
goes through with the sign of M − ⌈σ⌉(z − 1/s). Every weight but the last layer's is ±1.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructions.fixed_point_networks.mathematics.networks.cube_indicator import Cube, closed, constant, terms_apart
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, all_inputs, at_top, held
from constructions.fixed_point_networks.mathematics.networks.representator import bias_of
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError


def last_constant(table: Table) -> int:
    """z: the least level from which ⌈σ⌉ is constant.

    Raises:
        InputError: ⌈σ⌉ is constant.
    """
    top = table.grid.top
    found = next((k + 1 for k in range(top - 1, -top - 1, -1) if table(k) != table(top)), None)
    if found is None:
        raise InputError("the rounded activation is constant")
    return found


def multiples(table: Table, edge: int) -> dict[int, int]:
    """c_k for k = edge, edge − 1, …: Σ c_k·h_k is 0 from ``edge`` on and at least one level below it."""
    grid, z, end = table.grid, last_constant(table), table(table.grid.top)

    def h(k: int, x: int) -> int:
        return table(grid.clamp(x - k + z)) - end

    found: dict[int, int] = {}
    for x in range(edge - 1, -grid.top - 1, -1):
        so_far = sum(c * h(k, x) for k, c in found.items())
        own = h(x + 1, x)
        if so_far < 1:
            copies = -(-(1 - so_far) // abs(own))
            found[x + 1] = copies if own > 0 else -copies
    return found


def copies_of(table: Table) -> int:
    """The most pairs of neurons that one side of a cube takes (:func:`multiples`).

    For the tables of the claims at most 125 at p = 2, but over a million at p = 3.
    """
    top = table.grid.top
    return max(sum(map(abs, multiples(table, edge).values())) for edge in range(-top, top + 1))


def first_layer(table: Table, cube: Cube) -> tuple[Layer, tuple[int, ...]]:
    """The neurons of φ and their weights, ±1 in levels: φ is 0 on the cube and at least 1/s off it; two that cancel where it is 0."""
    grid, z = table.grid, last_constant(table)
    neurons: list[Neuron] = []
    weights: list[int] = []
    for i, (low, high) in enumerate(cube):
        for side, edge in ((1, low), (-1, -high)):
            for k, c in multiples(table, edge).items():
                sign = grid.s if c > 0 else -grid.s
                neurons += [Neuron((i,), (side * grid.s,), z - k), at_top(grid, i)] * abs(c)
                weights += [sign, -sign] * abs(c)
    if not neurons:
        return (at_top(grid),) * 2, (grid.s, -grid.s)
    return tuple(neurons), tuple(weights)


def hidden_layers(
    table: Table, cube: Cube, terms: Sequence[Term], first: tuple[int, int] = (0, 0)
) -> tuple[Layer, Layer, Layer, tuple[int, ...]]:
    """Three layers and the last weights (Eq. 28) of γ·1_C; ``first``: how many neurons of layers 1 and 2 come before these."""
    grid, z = table.grid, last_constant(table)
    one, phi = first_layer(table, cube)
    drop = table(grid.top) - table(z - 1)
    m, sign = max(2, -(-2 * grid.top // abs(drop))), grid.s if drop > 0 else -grid.s
    gate = Neuron(tuple(range(first[0], first[0] + len(one))), phi, z - 1)
    two = (gate, at_top(grid, first[0])) * m
    inputs, carried = tuple(range(first[1], first[1] + 2 * m)), (-sign, sign) * m
    three: list[Neuron] = []
    weights: list[int] = []
    for w, v1, v2 in terms:
        for v in (v1, v2):
            three += [Neuron(inputs, carried, v), constant(grid, v, first[1], True)]
        weights += [-w, w, w, -w]
    return one, two, tuple(three), tuple(weights)


def side_by_side(table: Table, cube: Cube, terms: Sequence[Term]) -> Network:
    """w·(⌈σ⌉(v₁) − ⌈σ⌉(v₂))·1_C for each term, as outputs that are not rounded."""
    one, two, three, weights = hidden_layers(table, cube, terms)
    return terms_apart(Network(table, len(cube), (one, two, three, (Neuron(tuple(range(len(weights))), weights, 0),))), 4)


def constant_network(table: Table, level: int, dimension: int, binary: bool = False) -> Network:
    """Four layers with the value ``level`` at every input, for any ⌈σ⌉ and any s."""
    if binary:
        return Network(table, dimension, closed(table.grid, ([], [], []), [], level))
    return Network(table, dimension, (*((held(0),),) * 3, (held(level),)))


def unconditional_representator(table: Table, target: Sequence[int], dimension: int, binary: bool = False) -> Network:
    """A four-layer network for ``target`` (levels, inputs in lexicographic order), Condition 1 or not.

    Raises:
        InputError: no bias reaches every value of it.
    """
    sets, bias = bias_of("BS" if binary else "S", table, target)
    layers: tuple[list[Neuron], list[Neuron], list[Neuron]] = ([], [], [])
    weights: list[int] = []
    for v, level in zip(all_inputs(table.grid, dimension), target, strict=True):
        t = sets.sum_for(bias, level)
        terms = combination(table, t or 0, binary)
        if terms:
            *new, more = hidden_layers(table, tuple((x, x) for x in v), terms, (len(layers[0]), len(layers[1])))
            for old, added in zip(layers, new, strict=True):
                old.extend(added)
            weights += more
    return Network(table, dimension, closed(table.grid, layers, weights, bias))
