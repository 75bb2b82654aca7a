"""Quantized networks as data, and how they run.

Source: Section 2.3, Eqs. (3)–(8). A neuron has distinct inputs of the layer before, weights in Q_{p,s} and a bias in Q_{∞,s}; each affine
map is computed exactly and rounded once, then ⌈σ⌉ is applied. All numbers are levels (units of 1/s); an unrounded affine map is in 1/s².

:func:`run_all` runs a network on many inputs at once, by sparse integer layers in numpy; tests compare it with :func:`run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import EQUATION_5, LARGEST_NUMERATOR, FixedPoint
from verifier.running.errors import InputError, LimitError, amount

MOST_INPUTS = 1 << 24


@dataclass(frozen=True)
class Neuron:
    """aff(·; w, b, I): ``inputs``, one or more (Eq. 3: k ∈ [n]), are indices into the layer before, ``weights`` and ``bias`` are levels.

    So a constant neuron also has an input: of weight 0 (:func:`held`), or one that rounding makes q_max of (:func:`at_top`). With that φ of
    Eq. (23) has the 12d parameters, and g of Eq. (24) the 12d + 5, that Section 5.15 counts; without an input they would have 10d, 10d + 4.
    """

    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int


Layer = tuple[Neuron, ...]


def held(level: int, i: int = 0) -> Neuron:
    """⌈0·xᵢ + level/s⌉, a constant."""
    return Neuron((i,), (0,), level)


def at_top(grid: FixedPoint, i: int = 0) -> Neuron:
    """⌈xᵢ + 2q_max⌉ = q_max, a constant whose weight is 1."""
    return Neuron((i,), (grid.s,), 2 * grid.top)


@dataclass(frozen=True)
class Network:
    """ρ_L ∘ ⌈σ⌉ ∘ ⌈ρ_{L−1}⌉ ∘ … ∘ ⌈ρ_1⌉ on Q_{p,s}^d; whether ρ_L is rounded is asked at each run.

    Raises:
        InputError: a weight that is neither in Q_{p,s} nor ±1 (Section 3.3 allows {−1, 1} whatever Q_{p,s} is), no input, a
            repeated or unknown one, or weights and inputs of different number.
    """

    table: Table
    dimension: int
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        width = self.dimension
        for number, layer in enumerate(self.layers, 1):
            for place, neuron in enumerate(layer):
                defect = _mistake(neuron, width, self.grid)
                if defect is not None:
                    raise InputError(f"layer {number}, neuron {place}: {defect}")
            width = len(layer)

    @property
    def grid(self) -> FixedPoint:
        return self.table.grid

    @property
    def depth(self) -> int:
        """L, the number of affine layers."""
        return len(self.layers)

    @property
    def parameters(self) -> int:
        """I = Σ_ℓ N_ℓ + Σ_ℓ Σ_i |I_ℓ,i| (Section 2.3)."""
        return sum(1 + len(n.inputs) for layer in self.layers for n in layer)

    @property
    def binary(self) -> bool:
        """Whether every weight is 1 or −1."""
        return all(abs(w) == self.grid.s for layer in self.layers for n in layer for w in n.weights)

    @property
    def quantized(self) -> bool:
        """Whether every weight is in Q_{p,s} (Section 2.3), so that ±1 occurs only where 1 ∈ Q_{p,s}."""
        return all(max(map(abs, n.weights), default=0) <= self.grid.top for layer in self.layers for n in layer)


def _mistake(neuron: Neuron, width: int, grid: FixedPoint) -> str | None:
    """What is wrong with a neuron behind a layer of this width, if anything is."""
    inputs, weights = neuron.inputs, neuron.weights
    if len(inputs) != len(weights):
        return f"{len(inputs)} inputs and {len(weights)} weights; as many of each were expected"
    if not inputs:
        return "no input; at least one was expected (a constant has one of weight 0)"
    if len(inputs) > 1 and len(set(inputs)) != len(inputs):
        return "an input is named twice; distinct ones were expected"
    if min(inputs) < 0 or max(inputs) >= width:
        return f"input {next(i for i in inputs if not 0 <= i < width)}; 0..{width - 1} were expected"
    top, one = grid.top, grid.s
    for weight in weights:
        if abs(weight) > top and abs(weight) != one:
            return f"weight {grid.show(weight)}; |w| <= {grid.largest} was expected"
    return None


def affine(neuron: Neuron, values: Sequence[int], s: int) -> int:
    """b + Σ wᵢxᵢ in units of 1/s²."""
    return s * neuron.bias + sum(w * values[i] for i, w in zip(neuron.inputs, neuron.weights, strict=True))


def greatest_sum(layer: Layer, s: int, top: int) -> int:
    """A bound of the magnitudes of a layer's affine maps, in units of 1/s², where the inputs are levels of magnitude up to ``top``."""
    return max(s * abs(n.bias) + top * sum(map(abs, n.weights)) for n in layer)


def run(network: Network, x: Sequence[int]) -> tuple[int, ...]:
    """The definition, one input at a time: the last layer's affine maps, not rounded, in units of 1/s²."""
    values: Sequence[int] = x
    for layer in network.layers[:-1]:
        values = [network.table(network.grid.nearest(affine(n, values, network.grid.s))) for n in layer]
    return tuple(affine(n, values, network.grid.s) for n in network.layers[-1])


def run_rounded(network: Network, x: Sequence[int]) -> tuple[int, ...]:
    """f(x; Q_{p,s}), in levels."""
    return tuple(network.grid.nearest(t) for t in run(network, x))


def all_inputs(grid: FixedPoint, dimension: int) -> list[tuple[int, ...]]:
    """Q_{p,s}^d in lexicographic order.

    Raises:
        LimitError: more than :data:`MOST_INPUTS`.
    """
    if (grid.p + 1) * dimension > MOST_INPUTS.bit_length() and grid.size**dimension > MOST_INPUTS:
        raise LimitError(f"{amount(grid.size**dimension)} inputs, at most {MOST_INPUTS:,} are listed", "a smaller --p or --d")
    return list(product(grid.levels(), repeat=dimension))


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
        levels = np.clip(np.sign(sums) * EQUATION_5.whole(np.abs(sums), s), -top, top)
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
