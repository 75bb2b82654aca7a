"""Activation functions, each a formula: its values, its rounding and the ranges of its derivatives are read from that text.

Source: Section 2.1 (definitions).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import Irrational
from verifier.language.real_functions import RealFunction


@dataclass(frozen=True)
class Activation:
    """σ: R → R; formula: σ(x), in the language of the statements' formulas."""

    name: str
    formula: str
    monotone: bool = False

    @cached_property
    def real(self) -> RealFunction:
        return RealFunction(self.formula)

    def exact(self, x: Fraction) -> Fraction | None:
        """The rational σ(x) of a rational x; None where σ(x) is to be enclosed."""
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


RELU = Activation("relu", "max(0, x)", monotone=True)
LEAKY_RELU = Activation("leaky-relu", "x if x >= 0 else x / 100", monotone=True)
ELU = Activation("elu", "x if x >= 0 else exp(x) - 1", monotone=True)
SILU = Activation("silu", "x / (1 + exp(-x))")
MISH = Activation("mish", "x * tanh(log(1 + exp(x)))")
GELU = Activation("gelu", "x * (1 + erf(x / sqrt(2))) / 2")
SOFTPLUS = Activation("softplus", "log(1 + exp(x))", monotone=True)
SIGMOID = Activation("sigmoid", "1 / (1 + exp(-x))", monotone=True)
HARDTANH = Activation("hardtanh", "max(0, min(1, x))", monotone=True)
IDENTITY = Activation("identity", "x", monotone=True)

NAMED: Mapping[str, Activation] = {a.name: a for a in (RELU, LEAKY_RELU, ELU, SILU, MISH, GELU, SOFTPLUS, SIGMOID, HARDTANH, IDENTITY)}
"""The paper's activations. Leaky ReLU, which the paper names without a slope, has slope 1/100 below 0; its Hardtanh runs from 0 to 1."""


def scaled_hardtanh(factor: int) -> Activation:
    """x ↦ factor · Hardtanh(x)."""
    return Activation(f"{factor}*hardtanh", f"{factor} * max(0, min(1, x))", monotone=True)


def step() -> Activation:
    """The binary step: 1 for x ≥ 0, else 0."""
    return Activation("step", "1 if x >= 0 else 0", monotone=True)
