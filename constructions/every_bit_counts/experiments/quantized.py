"""Accuracies in every format of a table at once, after training and after fine-tuning in the format.

Arrays are rounded into the formats of Tables 1 to 4: integers with a scale, floating-point formats exactly as they are. The results of
operations are float32 and rounded then, as quantized training does it. A floating-point format is rounded to by powers of two alone, which
float32 does exactly; an integer is the float32 quotient by the scale, rounded to the nearest integer, ties to even.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from constructions.every_bit_counts.experiments.choices import Choices, Kind, Network, Quantization, bits_of, exponent_and_mantissa
from constructions.every_bit_counts.experiments.network import Parameters, exact, logits
from constructions.every_bit_counts.experiments.training import State, fresh, pairs, step
from constructions.every_bit_counts.mathematics.test_inputs import flips
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.rationals import Fraction

PAPER, ONE_BIT, FINE_TUNING = 1 << 20, 2 << 20, 3 << 20
"""The numbers of a seed's batches: of test pairs as the paper draws them, of pairs one bit apart, and the first of fine-tuning."""


@dataclass(frozen=True)
class Numbers:
    """The numbers in which formats of one kind differ, as arrays over the formats."""

    kind: Kind
    choice: Quantization
    names: tuple[str, ...]

    def arrays(self) -> Any:
        return tops(self.names) if self.kind == "integer" else floating_numbers(self.names, self.choice)

    def of(self, numbers: Any) -> Rounding:
        """The rounding of one format."""
        if self.kind == "integer":
            return Integer(numbers, self.choice)
        mantissa, least, largest = numbers
        return Floating(mantissa, least, largest, self.choice)


def right(p: Parameters, bits: Any, equal: Any, network: Network, rounding: Rounding | None = None) -> Any:
    """How many answers are right. A tie, of two infinities too, says unequal; so may NaN."""
    found = logits(p, bits, network) if rounding is None else run(p, bits, network, rounding)
    answered = (found[:, 1] > found[:, 0]) == (equal == 1)
    if rounding is not None and rounding.choice.no_number == "wrong":
        answered &= ~jnp.isnan(found).any(axis=1)
    return answered.sum()


def run(p: Parameters, bits: Any, network: Network, rounding: Rounding) -> Any:
    """The logits with weights, and activations unless they are chosen to be exact, in the format."""
    rounded = partial(passed, rounding) if rounding.choice.activations == "rounded" else exact
    return logits(weights(rounding, p), bits, network, rounded, rounding.choice.attention, rounding.choice.shift)


@partial(jax.jit, static_argnames=("network", "rows"))
def test_pairs(seeds: Any, network: Network, rows: int) -> Any:
    """Fresh pairs of each seed, as the paper draws them and one bit apart: (seeds, 2, rows, 2m) bits, (seeds, 2, rows) equal or not."""
    counts, different = jnp.array([PAPER, ONE_BIT]), jnp.array([flips(network.m), 1])

    def of_one(seed: Any) -> Any:
        return jax.vmap(lambda count, many: pairs(seed, count, rows, network.m, many))(counts, different)

    return jax.vmap(of_one)(seeds)


@partial(jax.jit, static_argnames=("network",))
def float_accuracies(parameters: Parameters, tests: Any, network: Network) -> Any:
    """(seeds, 2): right answers before quantization, on both sorts of pairs."""
    return _right(parameters, tests, network, None)


@partial(jax.jit, static_argnames=("choices", "kind"))
def after_training(parameters: Parameters, tests: Any, choices: Choices, kind: Kind) -> Any:
    """(formats, seeds, 2): right answers after post-training quantization."""
    made = Numbers(kind, choices.quantization, choices.names(kind))
    return jax.lax.map(lambda numbers: _right(parameters, tests, choices.network, made.of(numbers)), made.arrays())


@partial(jax.jit, static_argnames=("choices", "kind"))
def after_fine_tuning(parameters: Parameters, tests: Any, seeds: Any, choices: Choices, kind: Kind) -> Any:
    """(formats, seeds, 2): right answers after quantization-aware training from the trained weights."""
    made = Numbers(kind, choices.quantization, choices.names(kind))

    def of_format(numbers: Any) -> Any:
        rounding = made.of(numbers)
        tuned = jax.vmap(lambda p, seed: fine_tuned(p, seed, choices, rounding))(parameters, seeds)
        return _right(tuned, tests, choices.network, rounding)

    return jax.lax.map(of_format, made.arrays())


def _right(parameters: Parameters, tests: Any, network: Network, rounding: Rounding | None) -> Any:
    """(seeds, 2). Each sort of pairs is a batch of its own: the scales of activations are chosen for it."""
    return jax.vmap(lambda p, own: jax.lax.map(lambda one: right(p, one[0], one[1], network, rounding), own))(parameters, tests)


def fine_tuned(p: Parameters, seed: Any, choices: Choices, rounding: Rounding) -> Parameters:
    """Steps of training in float32 with the weights rounded after each step, or of the rounded network, straight through the rounding."""
    training, network = choices.training, choices.network
    project = choices.quantization.fine_tuning == "project"

    def of(q: Parameters, bits: Any) -> Any:
        return logits(q, bits, network, exact) if project else run(q, bits, network, rounding)

    def one(state: State, k: Any) -> tuple[State, None]:
        bits, equal = pairs(seed, FINE_TUNING + k, training.batch, network.m)
        state, _ = step(state, k.astype(jnp.float32), bits, equal, training.rate, of)
        if project:
            state = {**state, "parameters": weights(rounding, state["parameters"])}
        return state, None

    last, _ = jax.lax.scan(one, fresh(p), 1 + jnp.arange(training.fine_tuning))
    tuned: Parameters = last["parameters"]
    return tuned


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
