"""Activation functions, each a formula, whose text gives its values, its rounding and the ranges of its derivatives (Section 2.1); rounded
activations ⌈σ⌉ on Q_{p,s}, as tables (Section 2.3); and Condition 1.

A rational value is rounded directly. Other values are enclosed, and the precision doubles until no midpoint lies in the ball. This ends,
because no rational x ≠ 0 has a rational image: e^x is transcendental there (Lindemann), Sigmoid, SiLU, Mish and ELU are non-constant
rational functions of x and e^x, and log(1 + e^x) = r would make e^r = 1 + e^x a linear relation that Lindemann–Weierstrass forbids; log 2
is irrational. For GELU we know no such theorem: there the ball itself, once it contains no midpoint, is the proof.

Condition 1 (Section 3.2.1): up to the signs α and β, ⌈σ⌉ takes its maximum exactly on an upper interval that is not all of Q_{p,s}.
Rounding is odd (ties away from zero), so ⌈ρ⌉(x) = α⌈σ⌉(βx) if σ(x) = αρ(βx).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.arithmetic.enclosure import round_to_integer
from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import Irrational
from verifier.language.real_functions import RealFunction
from verifier.running.errors import InputError


@dataclass(frozen=True)
class Activation:
    """σ: R → R; formula: σ(x), in the language of the statements' formulas."""

    name: str
    formula: str

    @cached_property
    def real(self) -> RealFunction:
        return RealFunction(self.formula)

    def exact(self, x: Fraction) -> Fraction | None:
        """The rational σ(x) of a rational x, or None if σ(x) must be enclosed."""
        return self.real.exact(x)

    def __call__(self, x: Fraction) -> Fraction:
        """σ(x) in a formula.

        Raises:
            Irrational: it is not known to be rational.
        """
        value = self.exact(x)
        if value is None:
            raise Irrational(f"{self.name}({x}) is not known to be rational")
        return value


RELU = Activation("relu", "max(0, x)")
LEAKY_RELU = Activation("leaky-relu", "x if x >= 0 else x / 100")
ELU = Activation("elu", "x if x >= 0 else exp(x) - 1")
SILU = Activation("silu", "x / (1 + exp(-x))")
MISH = Activation("mish", "x * tanh(log(1 + exp(x)))")
GELU = Activation("gelu", "x * (1 + erf(x / sqrt(2))) / 2")
SOFTPLUS = Activation("softplus", "log(1 + exp(x))")
SIGMOID = Activation("sigmoid", "1 / (1 + exp(-x))")
HARDTANH = Activation("hardtanh", "max(0, min(1, x))")
IDENTITY = Activation("identity", "x")


class Activations(dict[str, Activation]):
    """Activations by name; another text is read as a formula."""

    def __missing__(self, formula: str) -> Activation:
        return Activation(formula, formula)


NAMED = Activations((a.name, a) for a in (RELU, LEAKY_RELU, ELU, SILU, MISH, GELU, SOFTPLUS, SIGMOID, HARDTANH, IDENTITY))
"""The paper's activations. Leaky ReLU, which the paper names without a slope, has slope 1/100 below 0; its Hardtanh runs from 0 to 1."""


def scaled_hardtanh(factor: int) -> Activation:
    """x ↦ factor · Hardtanh(x)."""
    return Activation(f"{factor}*hardtanh", f"{factor} * max(0, min(1, x))")


@lru_cache(maxsize=1 << 20)
def unclamped(activation: Activation, k: int, s: int) -> int:
    """s·σ(k/s) rounded to the nearest integer, ties away from zero, not clamped.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    x = Fraction(k, s)

    def rational() -> Fraction | None:
        value = activation.exact(x)
        return None if value is None else value * s

    return round_to_integer(lambda flint: activation.real.enclosed(x) * s, rational)


@dataclass(frozen=True)
class Table:
    """⌈σ⌉ on Q_{p,s}: ``levels[k + top]`` is the level of ⌈σ⌉(k/s). Any finite table is the table of some σ."""

    grid: FixedPoint
    levels: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.levels) != self.grid.size:
            raise InputError(f"an activation table has {self.grid.size} levels here, not {len(self.levels)}")
        outside = [v for v in self.levels if abs(v) > self.grid.top]
        if outside:
            raise InputError(f"an activation table has levels from -{self.grid.top} to {self.grid.top}, not {outside[0]}")

    def __call__(self, level: int) -> int:
        return self.levels[level + self.grid.top]

    @property
    def image(self) -> frozenset[int]:
        return frozenset(self.levels)

    @property
    def gaps(self) -> frozenset[int]:
        """V_{σ,p,s} in levels: every difference of two outputs."""
        return frozenset(a - b for a in self.image for b in self.image)


def rounded(activation: Activation, grid: FixedPoint) -> Table:
    """⌈σ⌉ as a table."""
    return Table(grid, tuple(grid.clamp(unclamped(activation, k, grid.s)) for k in grid.levels()))


def has_unit_gap(activation: Activation, grid: FixedPoint) -> tuple[int, int] | None:
    """The inputs (k, k + 1) nearest to 0 whose outputs, not clamped, are one level apart, so that 1/s ∈ V, or None if no neighbours are."""
    for k in sorted(range(-grid.top, grid.top), key=lambda k: (abs(k), k)):
        first, second = unclamped(activation, k, grid.s), unclamped(activation, k + 1, grid.s)
        if abs(first - second) == 1 and max(abs(first), abs(second)) <= grid.top:
            return k, k + 1
    return None


@dataclass(frozen=True)
class Normal:
    """σ(x) = αρ(βx), with ⌈ρ⌉ as a table and z, the level from which ⌈ρ⌉ is maximal."""

    alpha: int
    beta: int
    z: int
    rho: Table

    @property
    def drop(self) -> int:
        """⌈ρ⌉(q_max) − ⌈ρ⌉(z − 1/s) in levels; positive."""
        return self.rho(self.rho.grid.top) - self.rho(self.z - 1)


SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def normal_form(table: Table) -> Normal | None:
    """Condition 1's α, β, z and ρ, with the first signs that work; None if the condition fails."""
    for alpha, beta in SIGNS:
        rho = Table(table.grid, tuple(alpha * v for v in table.levels[::beta]))
        z = threshold(rho)
        if z is not None:
            return Normal(alpha, beta, z, rho)
    return None


def threshold(rho: Table) -> int | None:
    """The level z > −top with ⌈ρ⌉(x) = max ⌈ρ⌉ if and only if x ≥ z; None without one."""
    maximum = max(rho.levels)
    at_maximum = [k for k in rho.grid.levels() if rho(k) == maximum]
    z = at_maximum[0]
    return z if z > -rho.grid.top and len(at_maximum) == rho.grid.top - z + 1 else None
