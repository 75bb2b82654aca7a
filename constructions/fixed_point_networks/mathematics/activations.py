"""Activation functions, with their values: an exact fraction where it is rational, else a ball around it.

Source: Section 2.1 (definitions). At x = 0 the value is given exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.arithmetic.numbers import HALF, ONE, ZERO

Series = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Activation:
    """σ: R → R.

    formula: σ(x), in the language of the statements' formulas.
    exact:   the rational σ(x) of a rational x, or None where σ(x) is to be enclosed.
    series:  ``(flint, X)`` → σ(X) for a ball or a power series X; None for a function that is exact everywhere.
    slope0:  σ′(0), where it is rational.
    """

    name: str
    formula: str
    exact: Callable[[Fraction], Fraction | None]
    series: Series | None = None
    slope0: Fraction | None = None
    monotone: bool = False


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
        Activation("relu", "max(0, x)", lambda x: max(ZERO, x), monotone=True),
        Activation("leaky-relu", "x if x >= 0 else x / 100", lambda x: x if x >= 0 else x / 100, monotone=True),
        Activation("elu", "x if x >= 0 else exp(x) - 1", lambda x: x if x >= 0 else None, _expm1, monotone=True),
        Activation("silu", "x / (1 + exp(-x))", _at_zero(ZERO), _silu, HALF),
        Activation("mish", "x * tanh(log(1 + exp(x)))", _at_zero(ZERO), _mish, Fraction(3, 5)),
        Activation("gelu", "x * (1 + erf(x / sqrt(2))) / 2", _at_zero(ZERO), _gelu, HALF),
        Activation("softplus", "log(1 + exp(x))", _at_zero(None), _softplus, HALF, monotone=True),
        Activation("sigmoid", "1 / (1 + exp(-x))", _at_zero(HALF), _sigmoid, Fraction(1, 4), monotone=True),
        Activation("hardtanh", "max(0, min(1, x))", _hardtanh, monotone=True),
        Activation("identity", "x", lambda x: x, monotone=True),
    )
}
"""The paper's activations. Leaky ReLU, which the paper names without a slope, has slope 1/100 below 0."""


def scaled_hardtanh(factor: int) -> Activation:
    """x ↦ factor · Hardtanh(x)."""
    return Activation(f"{factor}*hardtanh", f"{factor} * max(0, min(1, x))", lambda x: factor * _hardtanh(x), monotone=True)


def step() -> Activation:
    """The binary step: 1 for x ≥ 0, else 0."""
    return Activation("step", "1 if x >= 0 else 0", lambda x: ONE if x >= 0 else ZERO, monotone=True)
