"""Judges of what Sections 2.3 and 3.1 say of any network, on small ones of one input, run on every input."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Finding


class LastMap(Struct, frozen=True, forbid_unknown_fields=True):
    """adds: what the last map adds up: the ``outputs`` of the copies, or ``rho_2`` of them."""

    adds: str


def copies(question: Question, given: LastMap) -> Finding:
    """Eq. (8): m copies of the last hidden neurons, added, give m times the network, unrounded, at the same depth."""
    grid = grid_of(question)
    table, inputs = rounded(NAMED["gelu"], grid), all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for w, b, m in product(grid.levels(), grid.levels(), (1, 2, 3)):
            hidden, single = (Neuron((0,), (w,), b), Neuron((0,), (-w,), 1)), Neuron((0, 1), (grid.top, -1), 0)
            one = Network(table, 1, (hidden, (single,)))
            weights = {"outputs": (grid.s,) * 2, "rho_2": single.weights}[given.adds]
            many = Network(table, 1, (hidden * m, (Neuron(tuple(range(2 * m)), weights * m, 0),)))
            same = (m * run_all(one, inputs, rounded=False) == run_all(many, inputs, rounded=False)).all() and one.depth == many.depth
            yield None if same else {"w": grid.show(w), "b": grid.show(b), "m": m}

    return decide(question, "all first-layer weights and biases in Q_(p,s), m = 1, 2, 3, GELU,", trials())


def outputs_in_n(question: Question) -> Finding:
    """Eqs. (9), (10): the outputs of two-layer networks lie in N for the bias of their last layer."""
    grid = grid_of(question)
    inputs = all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for name, activation in NAMED.items():
            table = rounded(activation, grid)
            sets = reach("N", table)
            for w, v, beta in product((grid.top, -1), grid.levels(), grid.levels()):
                layers = ((Neuron((0,), (grid.s,), 0), Neuron((0,), (-1,), 1)), (Neuron((0, 1), (w, v), beta),))
                outputs = set(run_all(Network(table, 1, layers), inputs)[:, 0].tolist())
                yield None if outputs <= sets.reached(beta) else {"activation": name, "b": grid.show(beta)}

    return decide(question, "the ten named activations and the networks listed", trials())
