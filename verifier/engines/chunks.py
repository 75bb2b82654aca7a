"""Element by element over large arrays, a piece at a time: what is computed on the way stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

PIECE = 1 << 14
"""Elements at once: ten 64-bit intermediates of a piece take about 1 MiB."""

Whole = npt.NDArray[np.int64]


def in_pieces(compute: Callable[..., Whole], *arrays: Whole) -> Whole:
    """``compute(*arrays)`` for a function of the elements alone; the arrays broadcast."""
    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    if int(np.prod(shape, dtype=np.int64)) <= PIECE:
        return compute(*arrays)
    whole = [np.broadcast_to(a, shape) for a in arrays]
    result = np.empty(shape, dtype=np.int64)
    below = result[0].size
    step = max(1, PIECE // below)
    for start in range(0, len(result), step):
        part = (slice(start, start + step),) if below <= PIECE else (start,)
        result[part] = in_pieces(compute, *(a[part] for a in whole))
    return result
