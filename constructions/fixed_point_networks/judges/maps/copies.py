"""Judges of copies of a neuron or a network in place of a weight, and our question how few of g serve (Sections 3.3, 4.2)."""

from __future__ import annotations

from itertools import product
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Weights, grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import Normal, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    REPAIRED,
    cube_layer,
    gate_layer,
    switch,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Failure, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Formula, judge


@judge
def copies(query: Query, *, adds: Literal["outputs", "rho_2"], copies: list[int]) -> Cases:
    """Eq. (8): m copies of the last hidden neurons, added, give m times the network, unrounded, at the same depth.

    adds: what the last map adds up, the ``outputs`` of the copies or ``rho_2`` of them; copies: how many.
    """
    grid = grid_of(query)
    table, inputs = rounded(NAMED["gelu"], grid), all_inputs(grid, 1)
    yield Over(f"all first-layer weights and biases in Q_(p,s), m = {', '.join(map(str, copies))}, GELU,")
    for w, b, m in product(grid.levels(), grid.levels(), copies):
        hidden, single = (Neuron((0,), (w,), b), Neuron((0,), (-w,), 1)), Neuron((0, 1), (grid.top, -1), 0)
        one = Network(table, 1, (hidden, (single,)))
        weights = {"outputs": (grid.s,) * 2, "rho_2": single.weights}[adds]
        many = Network(table, 1, (hidden * m, (Neuron(tuple(range(2 * m)), weights * m, 0),)))
        same = (m * run_all(one, inputs, rounded=False) == run_all(many, inputs, rounded=False)).all() and one.depth == many.depth
        yield same or {"w": grid.show(w), "b": grid.show(b), "m": m}


@judge
def sum_of_copies(query: Query, *, copies: list[int], bound: Formula) -> Cases:
    """The values of rho'_2, which adds m copies of x and is not rounded, lie no further from 0 than the bound.

    copies: how many are added; bound: the greatest level in the codomain named for their sum, in m and top.
    """
    grid = grid_of(query)
    table, inputs = rounded(NAMED["identity"], grid), all_inputs(grid, 1)
    yield Over(f"every input, the identity, m = {', '.join(map(str, copies))},")
    for m in copies:
        most = bound(m=m, top=grid.top)
        last = Neuron(tuple(range(m)), (grid.s,) * m, 0)
        values = run_all(Network(table, 1, ((Neuron((0,), (grid.s,), 0),) * m, (last,))), inputs, rounded=False)[:, 0].tolist()
        for (x,), value in zip(inputs, values, strict=True):
            shown = {"m": m, "x": grid.show(x), "value": Fraction(value, grid.s**2), "greatest in the codomain": grid.show(int(most))}
            yield abs(value) <= most * grid.s or shown


@judge
def outputs_in_n(query: Query) -> Cases:
    """Eqs. (9), (10): the outputs of two-layer networks lie in N for the bias of their last layer."""
    grid = grid_of(query)
    inputs = all_inputs(grid, 1)
    yield Over(f"{len(NAMED)} named activations, two last weights, all others and biases in Q_(p,s), every input,")
    for name, activation in NAMED.items():
        table = rounded(activation, grid)
        sets = reach("N", table)
        for w, v, beta in product((grid.top, -1), grid.levels(), grid.levels()):
            layers = ((Neuron((0,), (grid.s,), 0), Neuron((0,), (-1,), 1)), (Neuron((0, 1), (w, v), beta),))
            outputs = set(run_all(Network(table, 1, layers), inputs)[:, 0].tolist())
            yield outputs <= sets.reached(beta) or {"activation": name, "b": grid.show(beta)}


@judge
def copies_for_a_weight(query: Query, *, copies: Formula, weights: list[int]) -> Cases:
    """Section 3.2.3: copies of a hidden neuron, each with weight 1/s, add up to k times its value, where 1 is not in Q_(p,s).

    copies: how many stand for a weight k, in k and s; weights: the k that are tried.
    """
    grids = list(beyond(query["p"], (2 << query["p"]) + 1))
    tried = f"k = {', '.join(map(str, weights))}, GELU, at every s from {grids[0].s} to {grids[-1].s},"
    yield Over(f"all first-layer weights and biases in Q_(p,s), {tried}")
    for grid in grids:
        for w, b, k in product(grid.levels(), grid.levels(), weights):
            yield _copied(grid, Neuron((0,), (w,), b), k, copies.integer(k=k, s=grid.s))


def _copied(grid: FixedPoint, hidden: Neuron, k: int, copies: int) -> Failure:
    """k times the hidden value, in units of 1/s², by a network with copies."""
    table = rounded(NAMED["gelu"], grid)
    network = Network(table, 1, ((hidden,) * copies, (Neuron(tuple(range(copies)), (1,) * copies, 0),)))
    for x, value in zip(grid.levels(), run_all(network, all_inputs(grid, 1), rounded=False)[:, 0].tolist(), strict=True):
        wanted = k * table(grid.nearest(grid.s * hidden.bias + hidden.weights[0] * x)) * grid.s
        if value != wanted or not network.quantized:
            return {"s": grid.s, "k": k, "x": grid.show(x), "value in 1/s^2": value, "wanted": wanted}
    return None


BUILT = 2
"""The largest p at which the copies are built and run for every z and drop."""


@judge
def fewest_copies(query: Query, *, weights: Weights, each: Formula, most: Formula) -> Cases:
    """The least m_q with which every ⌈q + Σ g⌉ is at least z on the cube, so that F_q has the values of Eq. (27): one fewer does not do.

    m_q more copies only add; what is not in Q_(p,s) is clamped, so that 2q_max need not be exceeded, as the proof asks, and not be reached
    where z is less than q_max. Beyond p = 2 by the same sum, not built.

    weights: in Q_(p,s) q_max·g, or ±1 g; each: the least m_q that serves all q, by z and drop = ⌈σ⌉(q_max) − ⌈σ⌉(z − 1/s), in levels;
    most: the greatest of these.
    """
    grid, binary, needed = grid_of(query), weights.binary, 0
    size = grid.s if binary else grid.top

    def enough(normal: Normal, m: int) -> bool:
        if grid.p > BUILT:
            return grid.nearest(-grid.s * grid.top + m * size * normal.drop) >= normal.z
        levels = list(grid.levels())
        third = tuple(switch(normal, q, REPAIRED, 0, m, binary) for q in levels)
        last = tuple(Neuron((i,), (grid.s,), 0) for i in range(len(levels)))
        layers = (cube_layer(normal, ((0, 0),)), gate_layer(normal, 1, REPAIRED, 0, m), third, last)
        on, off = run_all(Network(normal.rho, 1, layers), [(0,), (grid.top,)])
        return bool((on == normal.rho(grid.top)).all()) and off.tolist() == [normal.rho(q) for q in levels]

    yield Over(f"every z and drop, {'built and run' if grid.p <= BUILT else 'by their sums'},")
    for z, drop in product(range(-grid.top + 1, grid.top + 1), range(1, 2 * grid.top + 1)):
        normal = normal_form(Table(grid, tuple(grid.top - (drop if k < z else 0) for k in grid.levels())))
        assert normal is not None
        least = int(each(z=z, drop=drop))
        needed = max(needed, least)
        ok = enough(normal, least) and (least == 1 or not enough(normal, least - 1))
        yield ok or {"z": grid.show(z), "drop": grid.show(drop), "copies": least, "enough": enough(normal, least)}
    greatest = int(most())
    yield needed == greatest or {"most": greatest, "found": needed}
    return f"{each} by activation; {most} for every activation, needed by some"
