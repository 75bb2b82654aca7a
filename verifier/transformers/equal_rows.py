"""Equal rows of a table as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verifier.transformers.carriers import Array

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def key(x: Array) -> Array:
    """Numbers as integers that are equal where the numbers are: zero has no sign, and there is one NaN."""
    if x.dtype.kind in "iub":
        return x.astype(np.int64)
    wide = x.astype(np.float64) + 0.0
    return np.where(np.isnan(wide), np.nan, wide).view(np.int64)


def groups(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The first row of each group of equal rows, in their order, and the group of each row."""
    keys = np.stack([key(x) for x in columns])
    mixed = np.zeros(keys.shape[1], np.uint64)
    for column in keys.view(np.uint64):
        mixed = (mixed ^ column) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    if (keys != keys[:, first[inverse]]).any():  # two rows that differ have one mixed number
        _, first, inverse = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse.reshape(-1)]
