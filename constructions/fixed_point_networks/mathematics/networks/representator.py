"""The universal representator: a network for any target f*: Q_{p,s}^d → Q_{p,s}.

Source: Theorems 6 and 15 (Sections 5.5, 5.12): ⌈b + Σ_v γ_v·1_{v}⌉ with ⌈b + γ_v⌉ = f*(v).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from constructions.fixed_point_networks.mathematics.condition_1 import Normal, normal_form
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
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
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError


@dataclass(frozen=True)
class Plan:
    """How targets are reached: the normal form of σ, the bias β, and the terms of γ for each level."""

    normal: Normal
    bias: int
    terms: dict[int, tuple[Term, ...]]
    binary: bool


def plan(table: Table, binary: bool = False) -> Plan:
    """The plan for a table.

    Raises:
        InputError: Condition 1 fails, or no bias reaches every value (S ≠ Q_{p,s}); the message says which.
    """
    normal = normal_form(table)
    if normal is None:
        raise InputError("the activation does not satisfy Condition 1 on this Q_(p,s), which the construction needs")
    reached = reach("BS" if binary else "S", normal.rho)
    bias = reached.full_bias()
    if bias is None:
        missing = reached.missing(0)
        name = "BS" if binary else "S"
        raise InputError(
            f"no bias reaches every value: {name} lacks {table.grid.show(missing or 0)} for b = 0, the gaps have gcd {reached.step}/s^2"
        )
    terms = {}
    for level in table.grid.levels():
        t = reached.sum_for(bias, level)
        assert t is not None
        terms[level] = combination(normal.rho, t, binary)
    return Plan(normal, bias, terms, binary)


def representator(table: Table, target: Sequence[int], dimension: int, signs: Signs = REPAIRED, binary: bool = False) -> Network:
    """The paper's four-layer network for ``target``, which lists f*(v) in levels for v in lexicographic order."""
    return assembled(plan(table, binary), table, dimension, points_of(table, target, dimension), signs)


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
        InputError: too few or too many values, or one that is no value of Q_{p,s}.
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


def first_difference(network: Network, target: Sequence[int]) -> tuple[tuple[int, ...], int, int] | None:
    """The first input at which the network, run on all of Q_{p,s}^d, differs from the target: input, computed, wanted; None for equal."""
    inputs = all_inputs(network.grid, network.dimension)
    outputs = run_all(network, inputs)[:, 0].tolist()
    return next(((x, got, want) for x, got, want in zip(inputs, outputs, target, strict=True) if got != want), None)
