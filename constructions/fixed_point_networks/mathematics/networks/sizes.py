"""How many parameters the networks of the proofs have, counted on the networks; as functions that formulas in statement files use.

Source: the count of Section 2.3 (a bias and the weights of each neuron), Sections 5.4, 5.15, 5.16. The last map of φ, g and F_q is not
rounded and no layer of theirs: of it the weights count, and no bias.
"""

from __future__ import annotations

from constructions.fixed_point_networks.mathematics.condition_1 import Normal, normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    REPAIRED,
    Cube,
    constant,
    copies,
    cube_layer,
    gate_layer,
    gate_network,
    phi_network,
    switch,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, held
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from verifier.arithmetic.rationals import Fraction
from verifier.language.formula_functions import written
from verifier.running.errors import LimitError

CUBE = "sum(1 + 1 for neuron in (1, 4*d))"
"""Parameters of ρ₁: a bias and a weight each."""
GATE = "(1 + 4*d) + (1 + 1)"
"""Those of ρ′₂, which reads all neurons of ρ₁, and q_max."""
COPIES = "(2*s // drop + 1)"
"""m_q, the least integer above 2s/drop."""

WIDEST_TABLE = 20


def falling_by(grid: FixedPoint, drop: int) -> Normal:
    """A rounded activation with ⌈ρ⌉(q_max) − ⌈ρ⌉(z − 1/s) = drop/s, the only property of it that the sizes depend on."""
    normal = normal_form(Table(grid, (*(-grid.top,) * (grid.size - 1), drop - grid.top)))
    assert normal is not None
    return normal


def _grid(p: Fraction, s: Fraction) -> FixedPoint:
    """Q_(p,s), whose activations are tables.

    Raises:
        LimitError: p > :data:`WIDEST_TABLE`.
    """
    if p > WIDEST_TABLE:
        raise LimitError(f"tables of activations are made up to p = {WIDEST_TABLE}", "a smaller --p")
    return FixedPoint(int(p), int(s))


def _origin(d: Fraction) -> Cube:
    return ((0, 0),) * int(d)


@written(f"{CUBE} + 4*d")
def parameters_of_phi(p: Fraction, s: Fraction, d: Fraction) -> int:
    """φ of Eq. (23)."""
    return phi_network(falling_by(_grid(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(f"{CUBE} + {GATE} + 2")
def parameters_of_g(p: Fraction, s: Fraction, d: Fraction) -> int:
    """g of Eq. (24)."""
    return gate_network(falling_by(_grid(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(COPIES)
def copies_of_g(p: Fraction, s: Fraction, drop: Fraction) -> int:
    """m_q, the least that the proof of Lemma 5 allows."""
    return copies(falling_by(_grid(p, s), int(drop)), False)


@written(f"{CUBE} + {COPIES}*({GATE}) + 1 + 2*{COPIES} + (1 + 1) + 2")
def parameters_of_f(p: Fraction, s: Fraction, d: Fraction, drop: Fraction) -> int:
    """F_q of Eq. (26), any q."""
    normal = falling_by(_grid(p, s), int(drop))
    m = copies(normal, False)
    pair = (switch(normal, 0, REPAIRED, 0, m, False), constant(normal.rho.grid, 0, 0, False))
    last = Neuron((0, 1), (normal.rho.grid.s, -normal.rho.grid.s), 0)
    layers = (cube_layer(normal, _origin(d)), gate_layer(normal, int(d), REPAIRED, 0, m), pair, (last,))
    return Network(normal.rho, int(d), layers).parameters - 1


@written("sum(1 for gap in ((1 - 2**p) - (2**p - 1), (2**p - 1) - (1 - 2**p)))")
def most_gaps(p: Fraction, s: Fraction) -> int:
    """|V| for the identity, whose outputs are all of Q_(p,s)."""
    grid = _grid(p, s)
    return len(Table(grid, tuple(grid.levels())).gaps)


def parameters_of_constant(layers: Fraction) -> int:
    """The fewest parameters of a network of so many layers: a neuron each, with one input, as Eq. (3) asks for."""
    return Network(Table(FixedPoint(1, 1), (-1, 0, 1)), 1, ((held(0),),) * int(layers)).parameters
