"""Seeds in parts, a thread each: what XLA makes of one small batch of networks keeps one processor busy, not two."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def in_parts(function: Callable[..., Any], *by_seed: Any, many: int, axis: int = 0) -> Any:
    """What a function makes of arrays (or trees of them) whose first axis is that of the seeds; in its results they are along ``axis``.

    many: parts, the same on every machine, so that results depend on none.
    """
    seeds = len(jax.tree.leaves(by_seed)[0])
    own = [slice(int(part[0]), int(part[-1]) + 1) for part in np.array_split(np.arange(seeds), min(many, seeds))]
    given = [jax.tree.map(lambda x, part=part: x[part], by_seed) for part in own]
    with ThreadPoolExecutor(len(own)) as threads:
        found = list(threads.map(lambda each: jax.block_until_ready(function(*each)), given))
    return jax.tree.map(lambda *parts: jnp.concatenate(parts, axis), *found)
