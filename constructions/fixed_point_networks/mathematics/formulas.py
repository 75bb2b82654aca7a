"""The paper's notions as functions for formulas in statement files. Each takes exact numbers and has one name (``paper.toml``).

Parameters of the proofs' networks are counted as in Section 2.3, a bias and the weights of each neuron (Sections 5.4, 5.15, 5.16). The last
map of φ, g and F_q is not rounded and is not one of their layers: its weights count, and its bias does not.
"""

from __future__ import annotations

from collections.abc import Callable

from constructions.fixed_point_networks.mathematics.activations import (
    ELU,
    RELU,
    SIGMOID,
    Activation,
    Normal,
    Table,
    normal_form,
    scaled_hardtanh,
    unclamped,
)
from constructions.fixed_point_networks.mathematics.activations import rounded as rounded_table
from constructions.fixed_point_networks.mathematics.continuous_functions import PiecewiseLinear
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    REPAIRED,
    Cube,
    Network,
    Neuron,
    all_inputs,
    copies,
    gate_network,
    held,
    of_the_proof,
    phi_network,
)
from constructions.fixed_point_networks.mathematics.sets import Reach, Sums, reach
from verifier.arithmetic.machine import Ties
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import written
from verifier.running.errors import InputError, LimitError

TIES: tuple[Ties, ...] = ("away", "zero", "even")


LEVEL = "max(1 - 2**p, min(2**p - 1, floor({0} + 1/2) if {0} >= 0 else ceil({0} - 1/2)))"
"""The level nearest to a number of levels, ties away from zero (Eq. 5)."""

CLAMPED = "max(1 - 2**p, min(2**p - 1, {0}))"
LEVEL_OF_TIES_TO_ZERO = CLAMPED.format("(ceil({0} - 1/2) if {0} >= 0 else floor({0} + 1/2))")
LEVEL_OF_TIES_TO_EVEN = CLAMPED.format("(floor({0} + 1/2) - (1 if floor({0} + 1/2) - {0} == 1/2 and floor({0} + 1/2) % 2 == 1 else 0))")


@written(LEVEL.format("numerator/s"))
def nearest(p: Fraction, s: Fraction, numerator: Fraction) -> int:
    """The level k of the number k/s to which numerator/s² is rounded in Q_(p,s) (Eq. 5)."""
    return FixedPoint(int(p), int(s)).nearest(int(numerator))


@written(
    f"({LEVEL.format('(x*s)')} if ties == 0 else {LEVEL_OF_TIES_TO_ZERO.format('(x*s)')} if ties == 1"
    f" else {LEVEL_OF_TIES_TO_EVEN.format('(x*s)')} if ties == 2 else 1/0)/s"
)
def rounded_by(p: Fraction, s: Fraction, x: Fraction, ties: Fraction) -> Fraction:
    """⌈x⌉ in Q_(p,s) with ties away from zero (0, as in Eq. 5), towards zero (1) or to even (2)."""
    if ties not in range(len(TIES)):
        raise InputError(f"ties = {ties}; 0 (away from zero), 1 (towards zero) or 2 (to even) was expected")
    value = FixedPoint(int(p), int(s)).machine(TIES[int(ties)]).round(x)
    assert isinstance(value, Fraction)
    return value


@written("sum(1 for level in (1 - 2**p, 2**p - 1))**d")
def number_of_inputs(p: Fraction, s: Fraction, d: Fraction) -> int:
    """The number of inputs of a network on Q_(p,s)^d, by counting."""
    return len(all_inputs(FixedPoint(int(p), int(s)), int(d)))


def modulus_of_line(slope: Fraction, delta: Fraction) -> Fraction:
    """The modulus of continuity of x ↦ slope·x on [−1, 1] at ``delta`` (Eq. 18)."""
    return PiecewiseLinear((-slope, Fraction(0), slope)).modulus(delta)


@written(LEVEL.format("(x*s)") + "/s")
def rounded(p: Fraction, s: Fraction, x: Fraction) -> Fraction:
    """⌈x⌉ in Q_(p,s) (Eq. 5)."""
    grid = FixedPoint(int(p), int(s))
    return grid.value(grid.rounded(x * s))


@written("step >= 1 and (step <= s or 2*(2**p - 2)*(step - s) < s)")
def everything(p: Fraction, s: Fraction, step: Fraction) -> bool:
    """Whether the multiples of step/s² round to all of Q_(p,s) from some bias, by the numbers that round to each level (:mod:`.sets`)."""
    return Reach(FixedPoint(int(p), int(s)), int(step)).full_bias() is not None


def contained(p: Fraction, s: Fraction, step: Fraction, b: Fraction, other: Fraction, other_b: Fraction) -> bool:
    """Whether the multiples of step/s² reach from the bias b/s only values that those of other/s² reach from other_b/s."""
    grid = FixedPoint(int(p), int(s))
    return Reach(grid, int(step)).reached(int(b)) <= Reach(grid, int(other)).reached(int(other_b))


def represented(p: Fraction, s: Fraction, outputs: Fraction, gaps: Fraction) -> bool:
    """Whether networks with weights in Q_(p,s) represent every function; outputs, gaps: their gcds, in levels."""
    return Sums(FixedPoint(int(p), int(s)), int(outputs), int(gaps)).everything()


def each_indicator(p: Fraction, s: Fraction, outputs: Fraction, gaps: Fraction) -> bool:
    """Whether γ·1_C, rounded, is such a network for every γ ∈ Q_(p,s) and every cube C."""
    return Sums(FixedPoint(int(p), int(s)), int(outputs), int(gaps)).each_with_zero()


@written("factor if factor*s <= 2**p - 1 else gcd(min(factor, 2**p - 1), 2**p - 1)")
def divisor_of_hardtanh(p: Fraction, s: Fraction, factor: Fraction) -> int:
    """The greatest common divisor of the outputs of factor·Hardtanh, in levels."""
    return reach("N", rounded_table(scaled_hardtanh(int(factor)), FixedPoint(int(p), int(s)))).step


def _rounding_of(activation: Activation) -> Callable[[Fraction, Fraction, Fraction], Fraction]:
    """(p, s, x) ↦ ⌈σ⌉(x) for x ∈ Q_(p,s)."""

    def value(p: Fraction, s: Fraction, x: Fraction) -> Fraction:
        grid, level = FixedPoint(int(p), int(s)), x * s
        if level.denominator != 1 or abs(level) > grid.top:
            raise InputError(f"{x} is not in Q_({p},{s})")
        return grid.value(grid.clamp(unclamped(activation, int(level), grid.s)))

    inside = "abs(x*s) <= 2**p - 1 and floor(x*s) == x*s"
    return written(f"({LEVEL.format(f'(({activation.formula})*s)')})/s if {inside} else 1/0")(value)


rounded_relu, rounded_elu, rounded_sigmoid = map(_rounding_of, (RELU, ELU, SIGMOID))


CUBE = "sum(1 + 1 for neuron in (1, 4*d))"
"""The number of parameters of ρ₁, whose neurons have a bias and a weight each."""
GATE = "(1 + 4*d) + (1 + 1)"
"""The parameters of ρ′₂, which reads all neurons of ρ₁, and q_max."""
COPIES = "(2*s // drop + 1)"
"""m_q, the least integer above 2s/drop."""

WIDEST_TABLE = 20


def falling_by(grid: FixedPoint, drop: int) -> Normal:
    """A rounded activation with ⌈ρ⌉(q_max) − ⌈ρ⌉(z − 1/s) = drop/s, the only property on which the sizes depend."""
    normal = normal_form(Table(grid, (*(-grid.top,) * (grid.size - 1), drop - grid.top)))
    assert normal is not None
    return normal


def _of_tables(p: Fraction, s: Fraction) -> FixedPoint:
    """Q_(p,s), whose activations are tables.

    Raises:
        LimitError: p > :data:`WIDEST_TABLE`.
    """
    if p > WIDEST_TABLE:
        raise LimitError(f"tables of activations are made up to p = {WIDEST_TABLE}", "a smaller --p")
    return FixedPoint(int(p), int(s))


def _origin(d: Fraction | int) -> Cube:
    return ((0, 0),) * int(d)


@written(f"{CUBE} + 4*d")
def parameters_of_phi(p: Fraction, s: Fraction, d: Fraction) -> int:
    """φ of Eq. (23)."""
    return phi_network(falling_by(_of_tables(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(f"{CUBE} + {GATE} + 2")
def parameters_of_g(p: Fraction, s: Fraction, d: Fraction) -> int:
    """g of Eq. (24)."""
    return gate_network(falling_by(_of_tables(p, s), 1), _origin(d), REPAIRED).parameters - 1


@written(COPIES)
def copies_of_g(p: Fraction, s: Fraction, drop: Fraction) -> int:
    """m_q, the least that the proof of Lemma 5 allows."""
    return copies(falling_by(_of_tables(p, s), int(drop)), False)


@written(f"{CUBE} + {COPIES}*({GATE}) + 1 + 2*{COPIES} + (1 + 1) + 2")
def parameters_of_f(p: Fraction, s: Fraction, d: Fraction, drop: Fraction) -> int:
    """F_q of Eq. (26), any q."""
    made = of_the_proof(falling_by(_of_tables(p, s), int(drop)))
    made.add(_origin(d))
    made.layers[2].extend(made.pair(0))
    return made.network(int(d), (Neuron((0, 1), (int(s), -int(s)), 0),)).parameters - 1


@written("sum(1 for gap in ((1 - 2**p) - (2**p - 1), (2**p - 1) - (1 - 2**p)))")
def most_gaps(p: Fraction, s: Fraction) -> int:
    """|V| for the identity, whose outputs are all of Q_(p,s)."""
    grid = _of_tables(p, s)
    return len(Table(grid, tuple(grid.levels())).gaps)


def parameters_of_constant(layers: Fraction) -> int:
    """The fewest parameters of a network of this many layers: a neuron each, with one input, as Eq. (3) requires."""
    return Network(Table(FixedPoint(1, 1), (-1, 0, 1)), 1, ((held(0),),) * int(layers)).parameters
