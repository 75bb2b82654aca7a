"""The universal representator: a network for any target f*: Q_{p,s}^d → Q_{p,s}.

Source: Theorems 6 and 15 (Sections 5.5, 5.12): ⌈b + Σ_v γ_v·1_{v}⌉ with ⌈b + γ_v⌉ = f*(v).

Not in the paper: indicators and representators with one layer less than its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from constructions.fixed_point_networks.mathematics.activations import Normal, Table, normal_form
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    REPAIRED,
    Cube,
    Signs,
    closed,
    copies,
    cube_layer,
    for_sigma,
    gate_layer,
    switches,
)
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, all_inputs, run_all
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError
from verifier.running.limits import Advance, silent


@dataclass(frozen=True)
class Plan:
    """How targets are reached: the normal form of σ, the bias β, and the terms of γ for each level."""

    normal: Normal
    bias: int
    terms: dict[int, tuple[Term, ...]]
    binary: bool


def plan(table: Table, binary: bool = False, levels: Iterable[int] | None = None) -> Plan:
    """The plan for a table, and for targets with these values alone; by default with any.

    Raises:
        InputError: Condition 1 fails, or no bias reaches every value (S ≠ Q_{p,s}); the message says which.
    """
    asked = table.grid.levels() if levels is None else sorted(set(levels))
    normal = normal_form(table)
    if normal is None:
        raise InputError("the activation does not satisfy Condition 1 on this Q_(p,s), which the construction needs")
    reached, bias = bias_of("BS" if binary else "S", normal.rho, asked)
    terms = {}
    for level in asked:
        t = reached.sum_for(bias, level)
        assert t is not None
        terms[level] = combination(normal.rho, t, binary)
    return Plan(normal, bias, terms, binary)


def bias_of(kind: str, table: Table, levels: Sequence[int]) -> tuple[Reach, int]:
    """The sums of a table, and the least bias from which they reach these levels.

    Raises:
        InputError: no bias does.
    """
    reached = reach(kind, table)
    bias = reached.bias_for(levels)
    if bias is not None:
        return reached, bias
    lacks = reached.missing_from(0, sorted(levels, key=lambda q: (abs(q), q)))
    assert lacks is not None
    raise InputError(f"no bias reaches every value: {kind} lacks {table.grid.show(lacks)} for b = 0, the gaps have gcd {reached.step}/s^2")


def representator(table: Table, target: Sequence[int], dimension: int, signs: Signs = REPAIRED, binary: bool = False) -> Network:
    """The paper's four-layer network for ``target``, which lists f*(v) in levels for v in lexicographic order."""
    return assembled(plan(table, binary, target), table, dimension, points_of(table, target, dimension), signs)


def assembled(made: Plan, table: Table, dimension: int, valued: Iterable[tuple[Cube, int]], signs: Signs = REPAIRED) -> Network:
    """⌈b + Σ_C γ_C·1_C⌉ with ⌈b + γ_C⌉ the level put on C: four layers. ``valued``: disjoint cubes with their levels."""
    normal, m = made.normal, copies(made.normal, made.binary)
    first: list[Neuron] = []
    second: list[Neuron] = []
    third: list[Neuron] = []
    weights: list[int] = []
    for cube, level in valued:
        terms = made.terms[level]
        if not terms:
            continue
        gates = gate_layer(normal, dimension, signs, len(first), m)
        neurons, more = switches(normal, terms, signs, len(second), m, made.binary)
        first += cube_layer(normal, cube)
        second += gates
        third += neurons
        weights += more
    return with_last_sum(made, table, dimension, (tuple(first), tuple(second), tuple(third)), weights)


def points_of(table: Table, target: Sequence[int], dimension: int) -> list[tuple[Cube, int]]:
    """Every input, as a cube, with the level that the target has there.

    Raises:
        InputError: too few or too many values, or a value outside Q_{p,s}.
    """
    inputs = all_inputs(table.grid, dimension)
    if len(target) != len(inputs):
        raise InputError(f"the target has {len(target)} values; one for each of the {len(inputs)} inputs was expected")
    outside = [v for v in target if abs(v) > table.grid.top]
    if outside:
        raise InputError(f"the target has the value {table.grid.show(outside[0])}; |f*| <= {table.grid.largest} was expected")
    return [(tuple((x, x) for x in v), level) for v, level in zip(inputs, target, strict=True)]


def with_last_sum(made: Plan, table: Table, dimension: int, hidden: tuple[Layer, ...], weights: list[int]) -> Network:
    """With the last layer b + Σ."""
    return for_sigma(Network(made.normal.rho, dimension, closed(table.grid, hidden, weights, made.bias)), made.normal, table)


def first_difference(
    network: Network, target: Sequence[int], advance: Advance = silent, at_once: int | None = None
) -> tuple[tuple[int, ...], int, int] | None:
    """The first input at which the network, run on all of Q_{p,s}^d, differs from the target: input, computed, wanted; None for equal.

    at_once: inputs that are run together, by default all.
    """
    inputs = all_inputs(network.grid, network.dimension)
    many = at_once or len(inputs)
    for first in range(0, len(inputs), many):
        advance("running it", first, len(inputs))
        some = inputs[first : first + many]
        outputs = run_all(network, some)[:, 0].tolist()
        rows = zip(some, outputs, target[first : first + many], strict=True)
        found = next(((x, got, want) for x, got, want in rows if got != want), None)
        if found is not None:
            return found
    advance("running it", len(inputs), len(inputs))
    return None


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
