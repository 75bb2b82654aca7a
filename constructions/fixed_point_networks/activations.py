"""Activation functions and their roundings ⌈σ⌉, decided with certainty.

Source: Section 2.1 (definitions) and Eq. (5). A rational-valued activation is an exact fraction. The others are enclosed by balls, and
the precision doubles until no midpoint lies in the ball. That ends, because no rational x ≠ 0 has a rational image:
e^x is transcendental there (Lindemann), Sigmoid, SiLU, Mish and ELU are non-constant rational functions of x and e^x, and
log(1 + e^x) = r would make e^r = 1 + e^x a linear relation that Lindemann–Weierstrass forbids; log 2 is irrational. At x = 0 the value is
given exactly. For GELU no such theorem is at hand: there the ball itself, once it holds no midpoint, is the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from constructions.fixed_point_networks.grid import FixedPoint, half_away
from verifier.arithmetic.enclosure import FIRST_PRECISION, LAST_PRECISION
from verifier.errors import InputError

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)

Series = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Activation:
    """σ: R → R.

    exact:  the rational σ(x) of a rational x, or None where σ(x) is to be enclosed.
    series: ``(flint, X)`` → σ(X) for a ball or a power series X; None for a function that is exact everywhere.
    slope0: σ′(0), where it is rational.
    """

    name: str
    exact: Callable[[Fraction], Fraction | None]
    series: Series | None = None
    slope0: Fraction | None = None
    monotone: bool = False

    def level(self, k: int, s: int) -> int:
        """s·σ(k/s) rounded to the nearest integer, ties away from zero, not clamped."""
        x = Fraction(k, s)
        value = self.exact(x)
        if value is not None:
            return half_away(value.numerator * s, value.denominator)
        return _certain_level(self, x, s)


def _certain_level(activation: Activation, x: Fraction, s: int) -> int:
    """The nearest integer to s·σ(x), from a ball around s·σ(x) + 1/2 that holds no integer.

    Raises:
        ArithmeticError: not decided at 65,536 bits.
    """
    import flint

    assert activation.series is not None
    bits = FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with flint.ctx.workprec(bits):
            ball = activation.series(flint, flint.arb(x.numerator) / x.denominator) * s + flint.arb(0.5)
            if ball.is_finite() and not ball.contains_integer():
                return int(ball.floor().unique_fmpz())
        bits *= 2
    raise ArithmeticError(f"the rounding of {activation.name}({x}) is not decided at {LAST_PRECISION} bits")


def _at_zero(value: Fraction | None) -> Callable[[Fraction], Fraction | None]:
    return lambda x: value if x == 0 else None


def _sigmoid(flint: Any, x: Any) -> Any:
    return 1 / (1 + (-x).exp())


def _silu(flint: Any, x: Any) -> Any:
    return x / (1 + (-x).exp())


def _softplus(flint: Any, x: Any) -> Any:
    return (1 + x.exp()).log()


def _mish(flint: Any, x: Any) -> Any:
    """x·tanh(log(1 + e^x)) = x·(1 − 2/((1 + e^x)² + 1))."""
    y = 1 + x.exp()
    return x * (1 - 2 / (y * y + 1))


def _gelu(flint: Any, x: Any) -> Any:
    root = flint.arb(2).sqrt()
    return x * (1 + (x / root).erf()) / 2


def _expm1(flint: Any, x: Any) -> Any:
    return x.exp() - 1


def _hardtanh(x: Fraction) -> Fraction:
    """The paper's Hardtanh runs from 0 to 1."""
    return max(ZERO, min(ONE, x))


NAMED: Mapping[str, Activation] = {
    a.name: a
    for a in (
        Activation("relu", lambda x: max(ZERO, x), monotone=True),
        Activation("leaky-relu", lambda x: x if x >= 0 else x / 100, monotone=True),
        Activation("elu", lambda x: x if x >= 0 else None, _expm1, monotone=True),
        Activation("silu", _at_zero(ZERO), _silu, HALF),
        Activation("mish", _at_zero(ZERO), _mish, Fraction(3, 5)),
        Activation("gelu", _at_zero(ZERO), _gelu, HALF),
        Activation("softplus", _at_zero(None), _softplus, HALF, monotone=True),
        Activation("sigmoid", _at_zero(HALF), _sigmoid, Fraction(1, 4), monotone=True),
        Activation("hardtanh", _hardtanh, monotone=True),
        Activation("identity", lambda x: x, monotone=True),
    )
}
"""The paper's activations. Leaky ReLU, which the paper names without a slope, has slope 1/100 below 0."""

CURVED = ("silu", "mish", "gelu", "softplus", "sigmoid")


def scaled_hardtanh(factor: int) -> Activation:
    """x ↦ factor · Hardtanh(x)."""
    return Activation(f"{factor}*hardtanh", lambda x: factor * _hardtanh(x), monotone=True)


def step() -> Activation:
    """The binary step: 1 for x ≥ 0, else 0."""
    return Activation("step", lambda x: ONE if x >= 0 else ZERO, monotone=True)


def activation_named(name: str) -> Activation:
    """The activation of this name.

    Raises:
        InputError: there is none.
    """
    if name not in NAMED:
        raise InputError(f"no activation {name!r}; there are {', '.join(NAMED)}")
    return NAMED[name]


@lru_cache(maxsize=1 << 20)
def _level(activation: Activation, k: int, s: int) -> int:
    return activation.level(k, s)


@dataclass(frozen=True)
class Table:
    """⌈σ⌉ on Q_{p,s}: ``levels[k + top]`` is the level of ⌈σ⌉(k/s). Any finite table is one."""

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
    return Table(grid, tuple(grid.clamp(_level(activation, k, grid.s)) for k in grid.levels()))


def has_unit_gap(activation: Activation, grid: FixedPoint) -> tuple[int, int] | None:
    """The inputs (k, k + 1) nearest to 0 at which ⌈σ⌉ moves by one level, so that 1/s ∈ V; None where no neighbours do."""
    for k in sorted(range(-grid.top, grid.top), key=lambda k: (abs(k), k)):
        if abs(grid.clamp(_level(activation, k + 1, grid.s)) - grid.clamp(_level(activation, k, grid.s))) == 1:
            return k, k + 1
    return None
