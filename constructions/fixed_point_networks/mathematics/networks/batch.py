"""A network on many inputs at once: sparse integer layers in numpy. Compared with :func:`~.network.run` in the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, greatest_sum
from verifier.arithmetic.levels import LARGEST_NUMERATOR, nearest_levels
from verifier.running.errors import LimitError

CELLS = 1 << 22
"""Products held at a time."""


def run_all(network: Network, inputs: Sequence[Sequence[int]], rounded: bool = True) -> Any:
    """The outputs for all inputs: an int64 array of shape (inputs, outputs); levels, or units of 1/s² where not ``rounded``.

    Raises:
        LimitError: an exact sum could leave 64 bits.
    """
    import numpy as np

    values = np.array(inputs, dtype=np.int64).reshape(len(inputs), network.dimension)
    table = np.array(network.table.levels, dtype=np.int64)
    top, s = network.grid.top, network.grid.s
    for number, layer in enumerate(network.layers, 1):
        sums = _affine(layer, values, s, top)
        if number == network.depth and not rounded:
            return sums
        levels = nearest_levels(sums, s, top)
        if number == network.depth:
            return levels
        values = table[levels + top]
    raise AssertionError("a network has a layer")


def _affine(layer: Layer, values: Any, s: int, top: int) -> Any:
    import numpy as np

    largest = greatest_sum(layer, s, top)
    if largest > LARGEST_NUMERATOR:
        raise LimitError(f"a sum of magnitude {largest} does not fit in 64 bits", "the definition, one input at a time,")
    bias = np.array([s * n.bias for n in layer], dtype=np.int64)
    sums = np.broadcast_to(bias, (len(values), len(layer))).copy()
    fed = [i for i, n in enumerate(layer) if n.inputs]
    if not fed:
        return sums
    index = np.array([k for i in fed for k in layer[i].inputs], dtype=np.intp)
    weight = np.array([w for i in fed for w in layer[i].weights], dtype=np.int64)
    starts = np.cumsum([0, *(len(layer[i].inputs) for i in fed[:-1])])
    rows = max(1, CELLS // len(index))
    for first in range(0, len(values), rows):
        block = slice(first, first + rows)
        sums[block, fed] += np.add.reduceat(values[block][:, index] * weight, starts, axis=1)
    return sums
