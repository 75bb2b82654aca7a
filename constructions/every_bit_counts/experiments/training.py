"""AdamW on fresh batches, all seeds in one batch of networks, many steps in one call.

The pairs of strings are drawn as Appendix D draws them; others differ in one bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from constructions.every_bit_counts.experiments.choices import Network, Training
from constructions.every_bit_counts.experiments.network import Parameters, initial, logits
from constructions.every_bit_counts.mathematics.test_inputs import flips

DECAY_1, DECAY_2, SMALL = 0.9, 0.999, 1e-8
"""PyTorch's defaults of AdamW."""

State = dict[str, Any]
"""parameters, and AdamW's running means of gradients and of their squares."""


def started(seeds: int, network: Network) -> State:
    """The first states of seeds 0, 1, …, each array with an axis for them."""
    each = [initial(seed, network) for seed in range(seeds)]
    return fresh({name: jnp.asarray(np.stack([p[name] for p in each])) for name in network.shapes()})


def fresh(parameters: Parameters) -> State:
    """These parameters, and an optimizer that has seen nothing."""
    zeros = {name: jnp.zeros_like(x) for name, x in parameters.items()}
    return {"parameters": parameters, "first": zeros, "second": zeros}


def loss(p: Parameters, bits: Any, equal: Any, of: Callable[[Parameters, Any], Any]) -> Any:
    """Mean cross-entropy."""
    found = jax.nn.log_softmax(of(p, bits))
    return -jnp.take_along_axis(found, equal[:, None], axis=1).mean()


def step(state: State, k: Any, bits: Any, equal: Any, rate: float, of: Callable[[Parameters, Any], Any]) -> tuple[State, Any]:
    """The k-th step (from 1 on) of AdamW without weight decay. What is not finite of a gradient (0/0 in a narrow format) counts as 0."""
    value, gradient = jax.value_and_grad(loss)(state["parameters"], bits, equal, of)
    gradient = {name: jnp.where(jnp.isfinite(g), g, 0.0) for name, g in gradient.items()}
    first = {name: DECAY_1 * state["first"][name] + (1 - DECAY_1) * g for name, g in gradient.items()}
    second = {name: DECAY_2 * state["second"][name] + (1 - DECAY_2) * g * g for name, g in gradient.items()}
    unbiased, spread = 1 - DECAY_1**k, 1 - DECAY_2**k
    moved = {
        name: x - rate * (first[name] / unbiased) / (jnp.sqrt(second[name] / spread) + SMALL) for name, x in state["parameters"].items()
    }
    return {"parameters": moved, "first": first, "second": second}, value


@partial(jax.jit, static_argnames=("network", "training", "many"))
def trained(states: State, seeds: Any, begin: Any, network: Network, training: Training, many: int) -> tuple[State, Any]:
    """``many`` steps after the first ``begin`` of every seed, and the mean loss of each over them. Step k has batch k of its seed."""

    def of_one(state: State, seed: Any) -> tuple[State, Any]:
        def one(state: State, k: Any) -> tuple[State, Any]:
            bits, equal = pairs(seed, k, training.batch, network.m)
            return step(state, k.astype(jnp.float32), bits, equal, training.rate, lambda p, b: logits(p, b, network))

        state, losses = jax.lax.scan(one, state, begin + 1 + jnp.arange(many))
        return state, losses.mean()

    after: tuple[State, Any] = jax.vmap(of_one)(states, seeds)
    return after


def subset(words: Any, many: Any) -> Any:
    """(rows, m) of 0 and 1 from (rows, m) random words of 32 bits: in each row a uniform set of ``many`` positions.

    One position after the other is taken with the probability that the sets still possible have it (Knuth's algorithm S); draws are
    multiples of 2^-24.
    """
    rows, m = words.shape
    draws = (words >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)

    def choose(left: Any, given: tuple[Any, Any]) -> tuple[Any, Any]:
        draw, remaining = given
        taken = draw * remaining < left
        return left - taken, taken

    remaining = jnp.arange(m, 0, -1, dtype=jnp.float32)
    _, chosen = jax.lax.scan(choose, jnp.full(rows, many, jnp.float32), (draws.T, remaining))
    return chosen.T.astype(jnp.float32)


def pairs(seed: Any, count: Any, rows: int, m: int, different: int | None = None) -> tuple[Any, Any]:
    """(rows, 2m) bits of y and z, and (rows,) whether they are equal: with probability 1/2, else ``different`` bits are flipped.

    seed, count: the two words of the key, so that a seed's batches are numbered. different: by default as many as Appendix D has,
    ⌊0.75 m⌋.
    """
    key = jax.random.wrap_key_data(jnp.stack([jnp.uint32(seed), jnp.uint32(count)]))
    of_y = -(-m // 32)
    words = jax.random.bits(key, (rows, of_y + 1 + m), jnp.uint32)
    y = ((words[:, :of_y, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1).reshape(rows, -1)[:, :m].astype(jnp.float32)
    equal = words[:, of_y] & 1
    flipped = subset(words[:, of_y + 1 :], flips(m) if different is None else different) * (1 - equal.astype(jnp.float32)[:, None])
    return jnp.concatenate([y, jnp.abs(y - flipped)], axis=1), equal.astype(jnp.int32)
