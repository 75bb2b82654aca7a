"""The transformer of Appendix D in jax, evaluated at the last token only, which is where the answer is read.

With one layer a token's key and value depend on its position and bit alone. So everything about the tokens is a table over (bit, position),
and the attention's sums over a batch are two products of the batch's bits with such tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from constructions.every_bit_counts.experiments.choices import Attention, Network, Shift

Parameters = dict[str, Any]

Round = Callable[[Any], Any]
"""What is done to every activation."""

EPSILON = 1e-5
"""PyTorch's, in the layer norms."""


def positions(n: int, d: int) -> Any:
    """The sinusoidal encoding: (n, d)."""
    rates = np.exp(-np.log(10_000.0) * np.arange(0, d, 2) / d)
    angles = np.arange(n)[:, None] * rates
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d).astype(np.float32)


def initial(seed: int, network: Network) -> Parameters:
    """PyTorch's defaults: embeddings standard normal, linear maps uniform within one over the square root of their inputs."""
    found: Parameters = {}
    draw = np.random.default_rng(seed)
    inputs = {"hidden-bias": network.d, "output-bias": network.hidden, "head-bias": network.d}
    for name, shape in network.shapes().items():
        if name == "embedding":
            made = draw.standard_normal(shape)
        elif name.startswith(("gain", "shift")):
            made = np.full(shape, 1.0 if name.startswith("gain") else 0.0)
        else:
            made = draw.uniform(-1, 1, shape) / np.sqrt(inputs.get(name, network.d if len(shape) == 1 else shape[0]))
        found[name] = made.astype(np.float32)
    return found


def exact(x: Any) -> Any:
    """No rounding."""
    return x


def logits(
    p: Parameters, bits: Any, network: Network, rounded: Round = exact, attention: Attention = "sums", shift: Shift = "maximum"
) -> Any:
    """(rows, 2): how much speaks for unequal and for equal, from (rows, 2m) bits; every activation passes ``rounded``."""
    tokens = rounded(p["embedding"] + positions(network.n, network.d))
    asking = tokens[0, -1]
    split = (network.heads, network.d // network.heads)

    def projected(x: Any, name: str) -> Any:
        made = x @ p[name]
        if network.biases:
            made = made + p[f"{name}-bias"]
        return rounded(made).reshape(*x.shape[:-1], *split)

    query, key, value = projected(asking, "query"), projected(tokens, "key"), projected(tokens, "value")
    scores = jnp.einsum("hk,bnhk->bnh", query, key)
    if network.scaled:
        scores = scores / jnp.sqrt(float(split[1]))
    scores = rounded(scores)
    if shift == "maximum":
        # Without rounding the quotient does not change where all scores of a head are lowered by the same number.
        scores = scores - jax.lax.stop_gradient(scores.max(axis=(0, 1)))
    weights = rounded(jnp.exp(scores))
    ones = jnp.concatenate([bits, jnp.zeros((bits.shape[0], 1), bits.dtype)], axis=1)
    attended = (_sums if attention == "sums" else _shares)(ones, weights, value, rounded).reshape(bits.shape[0], network.d)
    if network.residual:
        attended = rounded(attended + asking)
    normed = rounded(_norm(attended, p["gain-1"], p["shift-1"]))
    hidden = rounded(jax.nn.relu(normed @ p["hidden"] + p["hidden-bias"]))
    made = rounded(hidden @ p["output"] + p["output-bias"])
    if network.residual:
        made = rounded(made + normed)
    return rounded(rounded(_norm(made, p["gain-2"], p["shift-2"])) @ p["head"] + p["head-bias"])


def _sums(ones: Any, weights: Any, value: Any, rounded: Round) -> Any:
    """Numerator over denominator, (rows, heads, k): sums over the tokens of what a token has for its bit."""
    table = jnp.concatenate([weights[..., None] * value, weights[..., None]], axis=-1)
    n = table.shape[1]
    sums = ones @ table[1].reshape(n, -1) + (1 - ones) @ table[0].reshape(n, -1)
    sums = sums.reshape(ones.shape[0], *table.shape[2:])
    return rounded(rounded(sums[..., :-1]) / rounded(sums[..., -1:]))


def _shares(ones: Any, weights: Any, value: Any, rounded: Round) -> Any:
    """The same with each token's share of the denominator rounded first."""
    shares = jnp.where(ones[..., None] > 0, weights[1], weights[0])
    shares = rounded(shares / shares.sum(axis=1, keepdims=True))
    of_ones, of_zeros = shares * ones[..., None], shares * (1 - ones[..., None])
    return rounded(jnp.einsum("rnh,nhk->rhk", of_ones, value[1]) + jnp.einsum("rnh,nhk->rhk", of_zeros, value[0]))


def _norm(x: Any, gain: Any, shift: Any) -> Any:
    """Layer norm over the last axis."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / jnp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON) * gain + shift
