"""Quantized networks as data, and the evaluation of them.

Source: Section 2.3, Eqs. (3)–(8). A neuron has distinct inputs of the layer before, weights in Q_{p,s} and a bias in Q_{∞,s}; each affine
map is computed exactly and rounded once, then ⌈σ⌉ is applied. All numbers are levels (units of 1/s); an unrounded affine map is in 1/s².

:func:`run_all` runs a network on many inputs at once, by sparse integer layers in numpy; tests compare it with :func:`run`.

Indicator functions γ·1_C of a quantized cube, as the proofs of Lemmas 5 and 14 build them.

Source: Sections 5.4 and 5.11, Eqs. (23)–(29). Networks are built for ρ (Condition 1 with α = β = 1) and then turned into σ's.

The universal representator: a network for any target f*: Q_{p,s}^d → Q_{p,s}.

Source: Theorems 6 and 15 (Sections 5.5, 5.12): ⌈b + Σ_v γ_v·1_{v}⌉ with ⌈b + γ_v⌉ = f*(v).

Not in the paper: indicators and representators with one layer less than its own.

The network of the proofs cube by cube: the summands of its last layer, for every possible level of a cube.

Source: Sections 5.5, 5.12 and 5.16. The network is ⌈b′ + Σ_C γ_C·1_C⌉: one sub-network for each cube C, and their last sums are exact
before the one rounding. So a cube's sub-network, run once with an output for each level v, serves every target: if it is γ_v on C and 0 off
C for every C of a partition, and ⌈b′ + γ_v⌉ = v, the network has any given level on each cube.

Cubes differ only in the first layer, ρ₁ of Section 5.4; the other layers run once, on the distinct outputs of the first layers.

Networks without Condition 1, and without 1 ∈ Q_{p,s}: the inputs that the first layer must separate, and a construction if it does; not
in the paper.

A first-layer neuron computes ⌈σ⌉∘h, h(x) = ⌈b + w·x⌉, and the inputs are not repeated. So if two inputs have the same ⌈σ⌉(h(x)) for every w
and b, no network of two or more layers (d = 1) has different values there. If 1 is a weight, this does not happen, unless ⌈σ⌉ is constant:
for x < y some b puts x just below the inputs on which ⌈σ⌉ keeps its last value, and y among them. From the second layer on, k copies of a
neuron give the weight k/s for every integer k (the remark after Lemma 8), and with weights ±1 the weight k.

So if every two inputs are separated, indicators exist, and with them every target. Layer 2: ⌈t + M(u(x) − u(v))⌉ is t, or an end of Q_{p,s}
by the sign of u(x) − u(v), u = ⌈σ⌉∘h. The difference of two such outputs, for t and t′, is ⌈σ⌉(t) − ⌈σ⌉(t′) if u(x) = u(v), and 0
elsewhere. Layer 3 does the same for the sum of these over coordinates and h: it is greatest exactly at x = v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, count, product
from typing import Any

import numpy as np

from constructions.fixed_point_networks.mathematics.activations import Normal, Table, normal_form
from constructions.fixed_point_networks.mathematics.grid import EQUATION_5, LARGEST_NUMERATOR, FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError, LimitError, amount
from verifier.running.limits import Advance, silent

MOST_INPUTS = 1 << 24


@dataclass(frozen=True)
class Neuron:
    """aff(·; w, b, I): ``inputs``, one or more (Eq. 3: k ∈ [n]), are indices into the layer before, ``weights`` and ``bias`` are levels.

    So a constant neuron also has an input: with weight 0 (:func:`held`), or with a sum that is rounded to q_max (:func:`at_top`). With that
    φ of Eq. (23) has the 12d parameters, and g of Eq. (24) the 12d + 5, that Section 5.15 counts; without an input they would have 10d, 10d
    + 4.
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
    """ρ_L ∘ ⌈σ⌉ ∘ ⌈ρ_{L−1}⌉ ∘ … ∘ ⌈ρ_1⌉ on Q_{p,s}^d; each run says whether ρ_L is rounded.

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
        """Whether every weight is in Q_{p,s} (Section 2.3), so that ±1 occurs only if 1 ∈ Q_{p,s}."""
        return all(max(map(abs, n.weights), default=0) <= self.grid.top for layer in self.layers for n in layer)


def _mistake(neuron: Neuron, width: int, grid: FixedPoint) -> str | None:
    """The mistake of a neuron after a layer of this width, if any."""
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
    """A bound of the magnitudes of a layer's affine maps, in units of 1/s², if the inputs are levels of magnitude up to ``top``."""
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
    """The outputs for all inputs: an int64 array of shape (inputs, outputs); levels, or units of 1/s² if not ``rounded``.

    Raises:
        LimitError: an exact sum could leave 64 bits.
    """
    values = np.array(inputs, dtype=np.int64).reshape(len(inputs), network.dimension)
    table, top, s = np.array(network.table.levels, dtype=np.int64), network.grid.top, network.grid.s

    def nearest(sums: Any) -> Any:
        return np.clip(np.sign(sums) * EQUATION_5.whole(np.abs(sums), s), -top, top)

    *hidden, last = network.layers
    for layer in hidden:
        values = table[nearest(_affine(layer, values, s, top)) + top]
    sums = _affine(last, values, s, top)
    return nearest(sums) if rounded else sums


def _affine(layer: Layer, values: Any, s: int, top: int) -> Any:
    largest = greatest_sum(layer, s, top)
    if largest > LARGEST_NUMERATOR:
        raise LimitError(f"a sum of magnitude {largest} does not fit in 64 bits", "the definition, one input at a time,")
    bias = np.array([s * n.bias for n in layer], dtype=np.int64)
    index = np.array([k for n in layer for k in n.inputs], dtype=np.intp)
    weight = np.array([w for n in layer for w in n.weights], dtype=np.int64)
    starts = np.cumsum([0, *(len(n.inputs) for n in layer[:-1])])
    rows = max(1, CELLS // len(index))
    blocks = (values[first : first + rows] for first in range(0, len(values), rows))
    return np.concatenate([bias + np.add.reduceat(block[:, index] * weight, starts, axis=1) for block in blocks])


Cube = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Signs:
    """The signs of ρ₂ on the pairs (⌈ρ⌉(·), ⌈ρ⌉(q_max)) and of q_max·ρ₃ on (x₁, x₂)."""

    phi: tuple[int, int]
    amplified: tuple[int, int]


PRINTED = Signs((1, 1), (1, -1))
REPAIRED = Signs((-1, 1), (-1, 1))


def copies(normal: Normal, binary: bool) -> int:
    """The least m_q that the proof allows: m_q·q_max·(drop/s) > 2q_max, or m_q > 2^(p+1) − 2 with weights ±1."""
    grid = normal.rho.grid
    return 2 * grid.top + 1 if binary else 2 * grid.s // normal.drop + 1


def cube_layer(normal: Normal, cube: Cube) -> Layer:
    """ρ₁: for each coordinate (x − α + z, q_max, −x + β + z, q_max)."""
    grid, neurons = normal.rho.grid, []
    for i, (low, high) in enumerate(cube):
        neurons += [Neuron((i,), (grid.s,), normal.z - low), at_top(grid, i)]
        neurons += [Neuron((i,), (-grid.s,), high + normal.z), at_top(grid, i)]
    return tuple(neurons)


def phi_weights(grid: FixedPoint, first: Layer, signs: Signs) -> tuple[int, ...]:
    """The weights of ρ₂ on ρ₁'s neurons."""
    return tuple(sign * grid.s for sign in signs.phi) * (len(first) // 2)


@dataclass(frozen=True)
class Indicators:
    """Three hidden layers that grow cube by cube, and the last maps γ·1_C on them (Eqs. 23 to 29).

    phi: for a cube, the neurons that φ reads and its weights; φ is 0 on the cube and at least 1/s off it; z: as in ρ′₂ = φ + z − 1/s;
    carried: the weights of f_{q,1} on the copies of (ρ′₂, q_max); binary: whether every weight is ±1.
    """

    table: Table
    z: int
    phi: Callable[[Cube], tuple[Layer, tuple[int, ...]]]
    carried: tuple[int, ...]
    binary: bool
    layers: tuple[list[Neuron], list[Neuron], list[Neuron]] = field(default_factory=lambda: ([], [], []))

    def add(self, cube: Cube, gammas: Iterable[Sequence[Term]] = ()) -> Layer:
        """Add the neurons of a cube; return, for each γ = Σ w(⌈ρ⌉(v₁) − ⌈ρ⌉(v₂)), the last map γ·1_C of Eq. (28)."""
        one, two, _ = self.layers
        first, second = len(one), len(two)
        neurons, weights = self.phi(cube)
        one += neurons
        gate = Neuron(tuple(range(first, len(one))), weights, self.z - 1)
        two += (gate, at_top(self.table.grid, first)) * (len(self.carried) // 2)
        nothing = ((self.table.grid.s, 0, 0),)
        return tuple(self._times(terms or nothing, second) for terms in gammas)

    def _times(self, terms: Sequence[Term], second: int) -> Neuron:
        """Eq. (29)'s neurons f_{v₁,1}, f_{v₁,2}, f_{v₂,1}, f_{v₂,2} of each term, and Eq. (28)'s weights −w, w, w, −w."""
        three = self.layers[2]
        first = len(three)
        for _, *ends in terms:
            for v in ends:
                three += self.pair(v, second)
        return Neuron(tuple(range(first, len(three))), tuple(sign * w for w, _, _ in terms for sign in (-1, 1, 1, -1)), 0)

    def pair(self, q: int, second: int = 0) -> tuple[Neuron, Neuron]:
        """f_{q,1} = ⌈q + Σ_{m_q} q_max·g⌉ and f_{q,2} = ⌈q⌉, after the gates from index ``second`` on.

        With weights ±1 the second is the difference of the q_max of two gates (m_q ≥ 2).
        """
        one = self.table.grid.s
        constant = Neuron((second + 1, second + 3), (one, -one), q) if self.binary else held(q, second)
        return Neuron(tuple(range(second, second + len(self.carried))), self.carried, q), constant

    def network(self, dimension: int, last: Layer) -> Network:
        """The network with these last maps."""
        return Network(self.table, dimension, (*map(tuple, self.layers), last))

    def summed(self, dimension: int, last: Iterable[Neuron], bias: int) -> Network:
        """The network with b + the sum of these last maps."""
        return Network(self.table, dimension, closed(self.table.grid, self.layers, [w for n in last for w in n.weights], bias))


def of_the_proof(normal: Normal, signs: Signs = REPAIRED, binary: bool = False, m: int | None = None) -> Indicators:
    """The indicators of Sections 5.4 and 5.11, for ρ. m: m_q, by default the least that the proof allows."""
    grid = normal.rho.grid
    m, size = copies(normal, binary) if m is None else m, grid.s if binary else grid.top

    def phi(cube: Cube) -> tuple[Layer, tuple[int, ...]]:
        first = cube_layer(normal, cube)
        return first, phi_weights(grid, first, signs)

    return Indicators(normal.rho, normal.z, phi, tuple(sign * size for sign in signs.amplified) * m, binary)


def indicator_network(
    normal: Normal, cube: Cube, gammas: Iterable[Sequence[Term]], signs: Signs = REPAIRED, binary: bool = False
) -> Network:
    """ρ ∘ ⌈ρ⌉ ∘ f, not rounded, with an output γ·1_C for each γ = Σ w(⌈ρ⌉(v₁) − ⌈ρ⌉(v₂)): three layers f and the last affine maps of Eq.
    (28), a ρ network."""
    made = of_the_proof(normal, signs, binary)
    return made.network(len(cube), made.add(cube, gammas))


def for_sigma(network: Network, normal: Normal, sigma: Table) -> Network:
    """The σ network that equals a ρ network: ⌈ρ⌉(y) = α⌈σ⌉(βy), so the input of σ is multiplied by β and its output by α."""
    layers = []
    for number, layer in enumerate(network.layers, 1):
        into = normal.beta if number < network.depth else 1
        out_of = normal.alpha if number > 1 else 1
        layers.append(tuple(Neuron(n.inputs, tuple(into * out_of * w for w in n.weights), into * n.bias) for n in layer))
    return Network(sigma, network.dimension, tuple(layers))


def closed(grid: FixedPoint, hidden: Iterable[Sequence[Neuron]], weights: Sequence[int], bias: int) -> tuple[Layer, ...]:
    """The hidden layers, and the last one, b + Σ. For a constant, empty layers have two idle neurons, whose difference is taken."""
    idle = (at_top(grid),) * 2
    last = Neuron(tuple(range(len(weights))), tuple(weights), bias) if weights else Neuron((0, 1), (grid.s, -grid.s), bias)
    return (*(tuple(layer) or idle for layer in hidden), (last,))


def phi_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """φ = ρ₂ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉, not rounded."""
    first = cube_layer(normal, cube)
    last = Neuron(tuple(range(len(first))), phi_weights(normal.rho.grid, first, signs), 0)
    return Network(normal.rho, len(cube), (first, (last,)))


def gate_network(normal: Normal, cube: Cube, signs: Signs) -> Network:
    """g = ρ₃ ∘ ⌈ρ⌉ ∘ ⌈ρ′₂⌉ ∘ ⌈ρ⌉ ∘ ⌈ρ₁⌉ with the signs of q_max·ρ₃ in ρ₃, not rounded."""
    made = of_the_proof(normal, signs, m=1)
    made.add(cube)
    last = Neuron((0, 1), tuple(sign * normal.rho.grid.s for sign in signs.amplified), 0)
    return Network(normal.rho, len(cube), (*map(tuple, made.layers[:2]), (last,)))


def f_network(normal: Normal, cube: Cube, signs: Signs, binary: bool = False, m: int | None = None) -> Network:
    """All F_q = ⌈ρ⌉(f_{q,1}) − ⌈ρ⌉(f_{q,2}) side by side, not rounded."""
    s, levels = normal.rho.grid.s, normal.rho.grid.levels()
    made = of_the_proof(normal, signs, binary, m)
    made.add(cube)
    made.layers[2].extend(neuron for q in levels for neuron in made.pair(q))
    return made.network(len(cube), tuple(Neuron((2 * i, 2 * i + 1), (s, -s), 0) for i in range(len(levels))))


def terms_apart(network: Network, width: int) -> Network:
    """Divide the inputs of the network's last neuron into groups of ``width``, each of which becomes a separate output."""
    (last,) = network.layers[-1]
    groups = [slice(first, first + width) for first in range(0, len(last.inputs), width)]
    outputs = tuple(Neuron(last.inputs[group], last.weights[group], 0) for group in groups)
    return Network(network.table, network.dimension, (*network.layers[:-1], outputs))


def cubes(grid: FixedPoint, dimension: int) -> list[Cube]:
    """Every quantized cube with [α_i, β_i] in each coordinate."""
    sides = list(combinations_with_replacement(grid.levels(), 2))
    return list(product(sides, repeat=dimension))


def show_cube(grid: FixedPoint, cube: Cube) -> str:
    """``[-1, 0] x [1, 1]``."""
    return " x ".join(f"[{grid.show(low)}, {grid.show(high)}]" for low, high in cube)


def in_cube(x: Sequence[int], cube: Cube) -> bool:
    return all(low <= v <= high for v, (low, high) in zip(x, cube, strict=True))


@dataclass(frozen=True)
class Plan:
    """The plan for targets: the normal form of σ, the bias β, and the terms of γ for each level."""

    normal: Normal
    bias: int
    terms: dict[int, tuple[Term, ...]]
    binary: bool


def plan(table: Table, binary: bool = False, levels: Iterable[int] | None = None) -> Plan:
    """Plan the networks of a table, for targets with these values only or, by default, for any target.

    Raises:
        InputError: Condition 1 fails, or no bias reaches every value (S ≠ Q_{p,s}); the message says which.
    """
    asked = table.grid.levels() if levels is None else sorted(set(levels))
    normal = normal_form(table)
    if normal is None:
        raise InputError("the activation does not satisfy Condition 1 on this Q_(p,s), which the construction needs")
    reached, bias = bias_of("BS" if binary else "S", normal.rho, asked)
    terms = {}
    for level in asked:
        t = reached.sum_for(bias, level)
        assert t is not None
        terms[level] = combination(normal.rho, t, binary)
    return Plan(normal, bias, terms, binary)


def bias_of(kind: str, table: Table, levels: Sequence[int]) -> tuple[Reach, int]:
    """The sums of a table, and the least bias from which they reach these levels.

    Raises:
        InputError: no bias does.
    """
    reached = reach(kind, table)
    bias = reached.bias_for(levels)
    if bias is not None:
        return reached, bias
    lacks = reached.missing_from(0, sorted(levels, key=lambda q: (abs(q), q)))
    assert lacks is not None
    raise InputError(f"no bias reaches every value: {kind} lacks {table.grid.show(lacks)} for b = 0, the gaps have gcd {reached.step}/s^2")


def representator(table: Table, target: Sequence[int], dimension: int, signs: Signs = REPAIRED, binary: bool = False) -> Network:
    """The paper's four-layer network for ``target``, which lists f*(v) in levels for v in lexicographic order."""
    return assembled(plan(table, binary, target), table, dimension, points_of(table, target, dimension), signs)


def assembled(made: Plan, table: Table, dimension: int, valued: Iterable[tuple[Cube, int]], signs: Signs = REPAIRED) -> Network:
    """⌈b + Σ_C γ_C·1_C⌉ with ⌈b + γ_C⌉ the level put on C: four layers. ``valued``: disjoint cubes with their levels."""
    parts = of_the_proof(made.normal, signs, made.binary)
    last = [neuron for cube, level in valued if made.terms[level] for neuron in parts.add(cube, [made.terms[level]])]
    return for_sigma(parts.summed(dimension, last, made.bias), made.normal, table)


def points_of(table: Table, target: Sequence[int], dimension: int) -> list[tuple[Cube, int]]:
    """List every input as a cube with the target's level at the input.

    Raises:
        InputError: too few or too many values, or a value outside Q_{p,s}.
    """
    inputs = all_inputs(table.grid, dimension)
    if len(target) != len(inputs):
        raise InputError(f"the target has {len(target)} values; one for each of the {len(inputs)} inputs was expected")
    outside = [v for v in target if abs(v) > table.grid.top]
    if outside:
        raise InputError(f"the target has the value {table.grid.show(outside[0])}; |f*| <= {table.grid.largest} was expected")
    return [(tuple((x, x) for x in v), level) for v, level in zip(inputs, target, strict=True)]


def first_difference(
    network: Network, target: Sequence[int], advance: Advance = silent, at_once: int | None = None
) -> tuple[tuple[int, ...], int, int] | None:
    """The first input at which the network, run on all of Q_{p,s}^d, differs from the target: input, computed, wanted; None for equal.

    at_once: the number of inputs that are run together, by default all.
    """
    inputs = all_inputs(network.grid, network.dimension)
    many = at_once or len(inputs)
    for first in range(0, len(inputs), many):
        advance("running it", first, len(inputs))
        some = inputs[first : first + many]
        outputs = run_all(network, some)[:, 0].tolist()
        rows = zip(some, outputs, target[first : first + many], strict=True)
        found = next(((x, got, want) for x, got, want in rows if got != want), None)
        if found is not None:
            return found
    advance("running it", len(inputs), len(inputs))
    return None


def short_indicator(normal: Normal, cube: Cube, terms: Sequence[Term]) -> Network:
    """γ·1_C with a two-layer f of weights ±1: f_v = ⌈v + m·φ⌉ is v on the cube and q_max off it, so
    Σ w(⌈ρ⌉(f_{v₁}) − ⌈ρ⌉(f_{v₂})) is γ on the cube and 0 off it. φ ≥ 1/s off the cube, so that m = 2(2^p − 1) is enough.
    """
    grid = normal.rho.grid
    first = cube_layer(normal, cube) * 2 * grid.top
    phi = phi_weights(grid, first, REPAIRED)
    second = tuple(Neuron(tuple(range(len(first))), phi, v) for _, *ends in terms for v in ends)
    weights = tuple(sign * w for w, _, _ in terms for sign in (1, -1))
    return Network(normal.rho, len(cube), (first, second, (Neuron(tuple(range(len(weights))), weights, 0),)))


ROWS = 1 << 16
"""Pairs of a cube and an input that are run at a time."""

Wrong = tuple[Cube, tuple[int, ...], int, int, int]
"""(cube, input, level, computed, expected), the last two in units of 1/s²."""


def gammas(made: Plan) -> list[int]:
    """γ_v = Σ w(⌈ρ⌉(v₁) − ⌈ρ⌉(v₂)) for each level v, ascending; in units of 1/s²."""
    rho = made.normal.rho
    return [sum(w * (rho(a) - rho(b)) for w, a, b in made.terms[level]) for level in rho.grid.levels()]


def sub_network(made: Plan, table: Table, cube: Cube, signs: Signs = REPAIRED) -> Network:
    """The σ network of one cube, with an output γ_v·1_C for each level v; to be run unrounded."""
    each = (made.terms[level] for level in table.grid.levels())
    return for_sigma(indicator_network(made.normal, cube, each, signs, made.binary), made.normal, table)


def parameters_of(made: Plan, dimension: int) -> list[int]:
    """For each level, ascending, the parameters (Section 2.3) that a cube with it adds to the whole; the whole also has a last bias."""

    def of(terms: Sequence[Term]) -> int:
        return indicator_network(made.normal, ((0, 0),) * dimension, [terms], binary=made.binary).parameters - 1 if terms else 0

    return [of(made.terms[level]) for level in made.normal.rho.grid.levels()]


def part_outputs(made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[Sequence[int]], signs: Signs = REPAIRED) -> Any:
    """:func:`sub_network` of each cube on each input: an int64 array of shape (cubes, inputs, levels), in units of 1/s²."""
    return outputs_on_cubes(made.normal, table, sub_network(made, table, cubes[0], signs), cubes, inputs)


def first_wrong(
    made: Plan, table: Table, cubes: Sequence[Cube], inputs: Sequence[tuple[int, ...]], signs: Signs = REPAIRED
) -> Iterator[Wrong | None]:
    """For each cube, in order: None if every output is γ_v on it and 0 off it, else the first input and level at which one is not."""
    levels, one = made.normal.rho.grid.levels(), sub_network(made, table, cubes[0], signs)
    for cube, found in zip(cubes, wrong_outputs(made.normal, table, one, cubes, inputs, gammas(made)), strict=True):
        yield None if found is None else (cube, inputs[found[0]], levels[found[1]], *found[2:])


def wrong_outputs(
    normal: Normal, table: Table, one: Network, cubes_: Sequence[Cube], inputs: Sequence[tuple[int, ...]], values: Sequence[int]
) -> Iterator[tuple[int, int, int, int] | None]:
    """For each cube: None if each output of the σ network is its value on the cube and 0 off it, else the first that is not: the numbers of
    input and output, and the computed and expected values, in units of 1/s². ``one``: as :func:`outputs_on_cubes`."""
    at_once = max(1, ROWS // len(inputs))
    for start in range(0, len(cubes_), at_once):
        some = cubes_[start : start + at_once]
        outputs = outputs_on_cubes(normal, table, one, some, inputs)
        expected = inside(some, inputs)[:, :, None] * np.array(values, dtype=np.int64)
        bad = outputs != expected
        for number, wrong in enumerate(bad.any(axis=(1, 2)).tolist()):
            if wrong:
                x, v = np.argwhere(bad[number])[0].tolist()
                yield x, v, int(outputs[number, x, v]), int(expected[number, x, v])
            else:
                yield None


def outputs_on_cubes(normal: Normal, table: Table, one: Network, cubes_: Sequence[Cube], inputs: Sequence[Sequence[int]]) -> Any:
    """The outputs of ``one``, the σ network of some cube, unrounded, changed to each of the cubes: int64, (cubes, inputs, outputs), units
    of 1/s².

    The first layer of ``one`` is ρ₁ of its cube, or copies of it; the effect of the other layers on equal first layers is computed once.
    """
    dimension, width = one.dimension, len(one.layers[0])
    copies = width // (4 * dimension)
    wide = tuple(neuron for cube in cubes_ for neuron in _first_layer(normal, table, cube))
    entered = np.array(table.levels, dtype=np.int64)[run_all(Network(table, dimension, (wide,)), inputs) + table.grid.top]
    rows = entered.reshape(len(inputs), len(cubes_), 4 * dimension).swapaxes(0, 1).reshape(-1, 4 * dimension)
    distinct, where = _distinct(rows, table.grid.size)
    outputs = run_all(Network(table, width, one.layers[1:]), np.tile(distinct, (1, copies)).tolist(), rounded=False)
    return outputs[where].reshape(len(cubes_), len(inputs), -1)


def _first_layer(normal: Normal, table: Table, cube: Cube) -> Layer:
    first = Network(normal.rho, len(cube), (cube_layer(normal, cube), (held(0),)))
    return for_sigma(first, normal, table).layers[0]


def _distinct(rows: Any, size: int) -> tuple[Any, Any]:
    """The distinct rows of levels, and the place of each row among them; rows are distinguished by their numbers in base ``size``."""
    if size ** rows.shape[1] >= 1 << 63:
        distinct, where = np.unique(rows, axis=0, return_inverse=True)
        return distinct, where.reshape(-1)
    numbers = (rows + size // 2) @ np.array([size**i for i in range(rows.shape[1])], dtype=np.int64)
    _, first, where = np.unique(numbers, return_index=True, return_inverse=True)
    return rows[first], where


def inside(cubes_: Sequence[Cube], inputs: Sequence[Sequence[int]]) -> Any:
    """1_C(x): a boolean array of shape (cubes, inputs)."""
    sides, points = np.array(cubes_), np.array(inputs)
    return ((sides[:, None, :, 0] <= points) & (points <= sides[:, None, :, 1])).all(axis=2)


Pair = tuple[int, int]


def constant_network(table: Table, level: int, dimension: int, binary: bool = False) -> Network:
    """Four layers with the value ``level`` at every input, for any ⌈σ⌉ and any s."""
    if binary:
        return Network(table, dimension, closed(table.grid, ([], [], []), [], level))
    return Network(table, dimension, (*((held(0),),) * 3, (held(level),)))


def by_ones(grid: FixedPoint, binary: bool) -> bool:
    """Whether the first layer has the weights ±1; otherwise 1 is not in Q_{p,s}, and any of its weights are tried."""
    return binary or grid.s <= grid.top


@lru_cache(maxsize=1 << 10)
def first_layer_functions(grid: FixedPoint, binary: bool = False) -> dict[tuple[int, ...], Pair]:
    """Every non-constant h, as its levels at all inputs, with one (w, b) in levels.

    A bias further beyond the ends than |w·x| makes h constant.
    """
    weights = (grid.s, -grid.s) if by_ones(grid, binary) else sorted(grid.levels(), key=lambda w: (-abs(w), -w))
    furthest = grid.top + max(map(abs, weights)) * grid.top // grid.s + 1
    found: dict[tuple[int, ...], Pair] = {}
    for w in weights:
        for b in sorted(range(-furthest, furthest + 1), key=lambda b: (abs(b), b)):
            values = tuple(grid.nearest(grid.s * b + w * x) for x in grid.levels())
            if len(set(values)) > 1:
                found.setdefault(values, (w, b))
    return found


def unseparated(table: Table) -> Pair | None:
    """The first two inputs that ⌈σ⌉∘h never separates, or None if it separates every two."""
    together = set(combinations(table.grid.levels(), 2))
    for values in first_layer_functions(table.grid):
        out = {x: table(h) for x, h in zip(table.grid.levels(), values, strict=True)}
        together = {pair for pair in together if out[pair[0]] == out[pair[1]]}
        if not together:
            return None
    return min(together, key=lambda pair: (max(map(abs, pair)), abs(pair[0] - pair[1]), pair))


@lru_cache(maxsize=1 << 8)
def tellers(table: Table, binary: bool = False) -> tuple[Pair, ...]:
    """A few (w, b) whose ⌈σ⌉∘h together separate every two inputs: chosen greedily, the one that separates most first.

    Raises:
        InputError: no such neurons exist.
    """
    levels = list(table.grid.levels())
    outputs = {wb: [table(h) for h in values] for values, wb in first_layer_functions(table.grid, binary).items()}
    together = set(combinations(range(len(levels)), 2))
    chosen: list[Pair] = []
    while together:
        best = max(outputs, key=lambda wb: sum(outputs[wb][i] != outputs[wb][j] for i, j in together), default=None)
        left = together if best is None else {(i, j) for i, j in together if outputs[best][i] == outputs[best][j]}
        if best is None or len(left) == len(together):
            x, y = (table.grid.show(levels[i]) for i in min(together))
            raise InputError(
                f"no weight and bias of the first layer tells {x} from {y}, so networks of two or more layers have equal values there"
            )
        chosen.append(best)
        together = left
    return tuple(chosen)


def least_number_of_tellers(table: Table) -> int:
    """A lower bound for the number of :func:`tellers`: t neurons whose outputs take r values separate at most r^t inputs."""
    outputs = max(2, len({table(x) for x in table.grid.levels()}))
    return next(t for t in count(1) if outputs**t >= table.grid.size)


def copies_of(grid: FixedPoint, binary: bool) -> int:
    """The number of copies of a neuron, each ±1 or ±q_max, that together have the weight M = 2(2^p − 1)."""
    return 2 * grid.top if binary else 2 * grid.s


def gap_pair(table: Table) -> Pair:
    """Two levels at which ⌈σ⌉ differs, the first output the greater.

    Raises:
        InputError: ⌈σ⌉ is constant.
    """
    found = [(a, b) for a in table.grid.levels() for b in table.grid.levels() if table(a) > table(b)]
    if not found:
        raise InputError("the rounded activation is constant")
    return min(found, key=lambda ab: (abs(ab[0]) + abs(ab[1]), ab))


def separating_sum(
    table: Table, parts: Sequence[tuple[tuple[int, ...], Sequence[Term]]], dimension: int, bias: int = 0, binary: bool = False
) -> Network:
    """b + Σ γ_v·1_{v} over the ``parts`` (v, terms of γ_v), as a four-layer network: weights in Q_{p,s}, for any s, or ±1.

    Raises:
        InputError: ⌈σ⌉ is constant, or the first layer cannot separate two inputs.
    """
    grid = table.grid
    copies, told, (high, low), one = copies_of(grid, binary), tellers(table, binary), gap_pair(table), grid.s if binary else grid.top
    first: Layer = tuple(Neuron((i,), (w,), b) for i in range(dimension) for w, b in told for _ in range(copies))
    second: list[Neuron] = []
    third: list[Neuron] = []
    last: list[int] = []
    for v, terms in parts:
        begin = len(second)
        for number, (i, (w, b)) in enumerate(product(range(dimension), told)):
            inputs, u = tuple(range(number * copies, (number + 1) * copies)), table(grid.nearest(grid.s * b + w * v[i]))
            for t in (high, low):
                second += [Neuron(inputs, (one,) * copies, t - 2 * grid.top * u)] * copies
        reads = tuple(range(begin, len(second)))
        weights = ((one,) * copies + (-one,) * copies) * (dimension * len(told))
        greatest = dimension * len(told) * (table(high) - table(low))
        for w, *ends in terms:
            third += [Neuron(reads, weights, t - 2 * grid.top * greatest) for t in ends]
            last += [w, -w]
    if not last:
        return constant_network(table, bias, dimension, binary)
    final = Neuron(tuple(range(len(last))), tuple(last), bias)
    return Network(table, dimension, (first, tuple(second), tuple(third), (final,)))


def separating_representator(table: Table, target: Sequence[int], dimension: int, binary: bool = False) -> Network:
    """A four-layer network for ``target`` (levels, inputs in lexicographic order), built by :func:`separating_sum`.

    Raises:
        InputError: no bias reaches every value of the target, or as :func:`separating_sum`.
    """
    sets, bias = bias_of("BS" if binary else "S", table, target)
    points = zip(all_inputs(table.grid, dimension), target, strict=True)
    parts = [(v, combination(table, sets.sum_for(bias, level) or 0, binary)) for v, level in points]
    return separating_sum(table, [(v, terms) for v, terms in parts if terms], dimension, bias, binary)
