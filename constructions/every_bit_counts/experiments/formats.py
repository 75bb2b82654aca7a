"""Rounding arrays into the formats of Tables 1 to 4: integers with a scale, floating-point formats exactly as they are.

The results of operations are float32 and rounded then, as quantized training does it. A floating-point format is rounded to by powers of
two alone, which float32 does exactly; an integer is the float32 quotient by the scale, rounded to the nearest integer, ties to even.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from constructions.every_bit_counts.experiments.choices import Quantization, bits_of, exponent_and_mantissa
from constructions.every_bit_counts.experiments.network import Parameters
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.rationals import Fraction


def floating_format(name: str, choice: Quantization) -> BitFormat:
    """A format of Tables 3 and 4, or E4M3 and the like with the infinities of IEEE 754."""
    exponent, mantissa = exponent_and_mantissa(name)
    return BitFormat(name, exponent, mantissa, "one-nan" if name == "FP8_E4M3" and choice.e4m3 == "fn" else "ieee")


def largest(form: BitFormat) -> Fraction:
    """The largest finite value."""
    value = form.value(form.largest)
    assert isinstance(value, Fraction)
    return value


def _exponent(x: Any) -> Any:
    """⌊log₂ abs(x)⌋ of float32 numbers, -127 below the normal ones."""
    return (jax.lax.bitcast_convert_type(x, jnp.int32) >> 23 & 255) - 127


def _power_of_two(exponent: Any) -> Any:
    """2^exponent, a normal float32 number."""
    return jax.lax.bitcast_convert_type(exponent + 127 << 23, jnp.float32)


@dataclass(frozen=True)
class Integer:
    """Rounding with a scale of the array's own; top: the largest integer, a number or a traced one."""

    top: Any
    choice: Quantization

    def activation(self, x: Any) -> Any:
        return self._scaled(x, jnp.abs(x).max())

    def weight(self, x: Any) -> Any:
        """Of a matrix (inputs, outputs) each output may have its own scale."""
        if self.choice.scale == "channel" and x.ndim == 2:
            return self._scaled(x, jnp.abs(x).max(axis=0))
        return self.activation(x)

    def _scaled(self, x: Any, largest: Any) -> Any:
        scale = largest * self.choice.clip / self.top
        scale = jnp.where(scale > 0, scale, 1.0)
        nearest = jnp.round(x / scale)
        beyond = jnp.inf if self.choice.overflow == "infinity" else self.top
        return jnp.where(jnp.abs(nearest) > self.top, jnp.sign(x) * beyond, nearest) * scale


@dataclass(frozen=True)
class Floating:
    """Rounding to the nearest value, ties to even, with subnormals. mantissa: its bits; least: the smallest exponent; largest: value."""

    mantissa: Any
    least: Any
    largest: Any
    choice: Quantization

    def activation(self, x: Any) -> Any:
        exponent = jnp.maximum(_exponent(x), self.least)
        unit = _power_of_two(exponent - self.mantissa)
        nearest = jnp.round(x / unit) * unit
        beyond = jnp.inf if self.choice.overflow == "infinity" else self.largest
        rounded = jnp.where(jnp.abs(nearest) > self.largest, jnp.sign(x) * beyond, nearest)
        return jnp.where(jnp.isfinite(x), rounded, x)

    weight = activation


Rounding = Integer | Floating


def straight_through(rounded: Any, x: Any) -> Any:
    """The rounded value, with the gradient of x itself."""
    return x + jax.lax.stop_gradient(rounded - x)


def passed(rounding: Rounding, x: Any) -> Any:
    """An activation, rounded, its gradient as if it were not."""
    value = rounding.activation(jax.lax.stop_gradient(x))
    return jnp.where(jnp.isfinite(value), straight_through(value, x), value)


def weights(rounding: Rounding, p: Parameters) -> Parameters:
    """Every parameter rounded, gradients as if they were not."""
    found = {}
    for name, x in p.items():
        value = rounding.weight(jax.lax.stop_gradient(x))
        found[name] = jnp.where(jnp.isfinite(value), straight_through(value, x), value)
    return found


def tops(names: Sequence[str]) -> Any:
    """The largest integers of integer formats, as an array."""
    return jnp.array([2 ** (bits_of(name) - 1) - 1 for name in names], jnp.float32)


def floating_numbers(names: Sequence[str], choice: Quantization) -> tuple[Any, Any, Any]:
    """Mantissa bits, smallest exponent and largest value of floating-point formats, as arrays."""
    formats = [floating_format(name, choice) for name in names]
    mantissas = jnp.array([form.mantissa_bits for form in formats], jnp.int32)
    least = jnp.array([1 - form.offset for form in formats], jnp.int32)
    top = jnp.array([float(largest(form)) for form in formats], jnp.float32)
    return mantissas, least, top
