"""Pairs of strings as Appendix D draws them, and pairs that differ in one bit."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from constructions.every_bit_counts.mathematics.test_inputs import flips


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
