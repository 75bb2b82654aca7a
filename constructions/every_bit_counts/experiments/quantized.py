"""Accuracies in every format of a table at once, after training and after fine-tuning in the format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from constructions.every_bit_counts.experiments.choices import Choices, Kind, Network, Quantization
from constructions.every_bit_counts.experiments.data import pairs
from constructions.every_bit_counts.experiments.formats import Floating, Integer, Rounding, floating_numbers, passed, tops, weights
from constructions.every_bit_counts.experiments.network import Parameters, exact, logits
from constructions.every_bit_counts.experiments.training import State, fresh, step
from constructions.every_bit_counts.mathematics.test_inputs import flips

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
