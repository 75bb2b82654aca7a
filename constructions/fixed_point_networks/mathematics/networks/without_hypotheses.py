"""Networks without one of the paper's hypotheses; not in the paper.

Without Condition 1, the indicator and the representator for any ⌈σ⌉ that is not constant. Let z be the least input from which ⌈σ⌉ keeps its
last value M = ⌈σ⌉(q_max); z > −q_max, as ⌈σ⌉ is not constant. Then h_k(x) = ⌈σ⌉(⌈x − k + z⌉) − M is 0 for x ≥ k and not 0 at k − 1/s. So
whole multiples c_k of the h_k, chosen from k = α downward, add up to a function that is 0 for x ≥ α and at least 1/s for x < α: it takes
the place of one term of φ (Eq. 23), and the rest of Section 5.4 goes through with the sign of M − ⌈σ⌉(z − 1/s). Every weight but the last
layer's is ±1.

Without 1 ∈ Q_{p,s}, with weights in Q_{p,s}: what the first layer must tell apart, and a construction where it does. A first-layer neuron
computes ⌈σ⌉∘h, h(x) = ⌈b + w·x⌉ with |w| ≤ q_max, and the inputs are not repeated. So where two inputs have the same ⌈σ⌉(h(x)) for every w
and b, no network of two or more layers (d = 1) has different values there. From the second layer on k copies of a neuron give the weight
k/s for every integer k (the remark after Lemma 8). So where every two inputs are told apart, indicators exist, and every target with them:
layer 2: ⌈t + M(u(x) − u(v))⌉ is t, or an end of Q_{p,s} by the sign of u(x) − u(v), u = ⌈σ⌉∘h. The difference of two such, for t and t′, is
⌈σ⌉(t) − ⌈σ⌉(t′) where u(x) = u(v), and 0 elsewhere; layer 3: the same for the sum of these over coordinates and h: it is greatest exactly
at x = v.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations, count, product

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Cube,
    Indicators,
    Layer,
    Network,
    Neuron,
    all_inputs,
    at_top,
    bias_of,
    closed,
    held,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError


def last_constant(table: Table) -> int:
    """z: the least level from which ⌈σ⌉ is constant.

    Raises:
        InputError: ⌈σ⌉ is constant.
    """
    top = table.grid.top
    found = next((k + 1 for k in range(top - 1, -top - 1, -1) if table(k) != table(top)), None)
    if found is None:
        raise InputError("the rounded activation is constant")
    return found


def multiples(table: Table, edge: int) -> dict[int, int]:
    """c_k for k = edge, edge − 1, …: Σ c_k·h_k is 0 from ``edge`` on and at least one level below it."""
    grid, z, end = table.grid, last_constant(table), table(table.grid.top)

    def h(k: int, x: int) -> int:
        return table(grid.clamp(x - k + z)) - end

    found: dict[int, int] = {}
    for x in range(edge - 1, -grid.top - 1, -1):
        so_far = sum(c * h(k, x) for k, c in found.items())
        own = h(x + 1, x)
        if so_far < 1:
            copies = -(-(1 - so_far) // abs(own))
            found[x + 1] = copies if own > 0 else -copies
    return found


def copies_of(table: Table) -> int:
    """The most pairs of neurons that one side of a cube takes (:func:`multiples`).

    For the tables of the claims at most 125 at p = 2, but over a million at p = 3.
    """
    top = table.grid.top
    return max(sum(map(abs, multiples(table, edge).values())) for edge in range(-top, top + 1))


def first_layer(table: Table, cube: Cube) -> tuple[Layer, tuple[int, ...]]:
    """The neurons of φ and their weights, ±1 in levels: φ is 0 on the cube and at least 1/s off it; two that cancel where it is 0."""
    grid, z = table.grid, last_constant(table)
    neurons: list[Neuron] = []
    weights: list[int] = []
    for i, (low, high) in enumerate(cube):
        for side, edge in ((1, low), (-1, -high)):
            for k, c in multiples(table, edge).items():
                sign = grid.s if c > 0 else -grid.s
                neurons += [Neuron((i,), (side * grid.s,), z - k), at_top(grid, i)] * abs(c)
                weights += [sign, -sign] * abs(c)
    if not neurons:
        return (at_top(grid),) * 2, (grid.s, -grid.s)
    return tuple(neurons), tuple(weights)


def unconditional(table: Table) -> Indicators:
    """The indicators of the proofs with this φ, for any ⌈σ⌉ that is not constant; every weight but the last layer's is ±1."""
    grid, z = table.grid, last_constant(table)
    drop = table(grid.top) - table(z - 1)
    sign = grid.s if drop > 0 else -grid.s
    return Indicators(table, z, partial(first_layer, table), (-sign, sign) * max(2, -(-2 * grid.top // abs(drop))), True)


def side_by_side(table: Table, cube: Cube, terms: Sequence[Term]) -> Network:
    """w·(⌈σ⌉(v₁) − ⌈σ⌉(v₂))·1_C for each term, as outputs that are not rounded."""
    made = unconditional(table)
    return made.network(len(cube), made.add(cube, [[term] for term in terms]))


def constant_network(table: Table, level: int, dimension: int, binary: bool = False) -> Network:
    """Four layers with the value ``level`` at every input, for any ⌈σ⌉ and any s."""
    if binary:
        return Network(table, dimension, closed(table.grid, ([], [], []), [], level))
    return Network(table, dimension, (*((held(0),),) * 3, (held(level),)))


def unconditional_representator(table: Table, target: Sequence[int], dimension: int, binary: bool = False) -> Network:
    """A four-layer network for ``target`` (levels, inputs in lexicographic order), Condition 1 or not.

    Raises:
        InputError: no bias reaches every value of it.
    """
    sets, bias = bias_of("BS" if binary else "S", table, target)
    points = zip(all_inputs(table.grid, dimension), target, strict=True)
    sums = [(v, combination(table, sets.sum_for(bias, level) or 0, binary)) for v, level in points]
    made = unconditional(table)
    last = [neuron for v, terms in sums if terms for neuron in made.add(tuple((x, x) for x in v), [terms])]
    return made.summed(dimension, last, bias)


Pair = tuple[int, int]


@lru_cache(maxsize=1 << 10)
def first_layer_functions(grid: FixedPoint) -> dict[tuple[int, ...], Pair]:
    """Every h that is not constant, as its levels at all inputs, with one (w, b) in levels.

    |w·x| ≤ (2^p − 1)²/s, so a bias further than that beyond the ends makes h constant.
    """
    furthest = grid.top + grid.top**2 // grid.s + 1
    found: dict[tuple[int, ...], Pair] = {}
    for w in sorted(grid.levels(), key=lambda w: (-abs(w), -w)):
        for b in sorted(range(-furthest, furthest + 1), key=lambda b: (abs(b), b)):
            values = tuple(grid.nearest(grid.s * b + w * x) for x in grid.levels())
            if len(set(values)) > 1:
                found.setdefault(values, (w, b))
    return found


def unseparated(table: Table) -> Pair | None:
    """The first two inputs that ⌈σ⌉∘h never tells apart; None where each two are told apart."""
    together = set(combinations(table.grid.levels(), 2))
    for values in first_layer_functions(table.grid):
        out = {x: table(h) for x, h in zip(table.grid.levels(), values, strict=True)}
        together = {pair for pair in together if out[pair[0]] == out[pair[1]]}
        if not together:
            return None
    return min(together, key=lambda pair: (max(map(abs, pair)), abs(pair[0] - pair[1]), pair))


@lru_cache(maxsize=1 << 8)
def _tellers(table: Table) -> tuple[Pair, ...]:
    """Few (w, b) whose ⌈σ⌉∘h together tell every two inputs apart: greedily, the one that parts most first.

    Raises:
        InputError: no such neurons exist.
    """
    levels = list(table.grid.levels())
    outputs = {wb: [table(h) for h in values] for values, wb in first_layer_functions(table.grid).items()}
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
    """A lower bound for :func:`number_of_tellers`: t neurons whose outputs take r values tell at most r^t inputs apart."""
    outputs = max(2, len({table(x) for x in table.grid.levels()}))
    return next(t for t in count(1) if outputs**t >= table.grid.size)


def number_of_tellers(table: Table) -> int:
    """How many kinds of neurons the first layer has for each coordinate.

    Raises:
        InputError: the first layer cannot tell two inputs apart.
    """
    return len(_tellers(table))


def _at_value(grid: FixedPoint, inputs: Sequence[tuple[int, int]], value: int, t: int, sign: int = 1) -> Neuron:
    """⌈t + M·sign·(Σ − value)⌉ with Σ over groups (first index, copies) of neurons, M = 2(2^p − 1)·s in units of 1/s² per level.

    Each group has enough copies for the weight M/s; ``value`` in levels.
    """
    indices: list[int] = []
    weights: list[int] = []
    for first, copies in inputs:
        left = 2 * grid.top * grid.s
        for i in range(first, first + copies):
            w = min(grid.top, left)
            indices.append(i)
            weights.append(sign * w)
            left -= w
        assert left == 0
    return Neuron(tuple(indices), tuple(weights), t - sign * 2 * grid.top * value)


def gap_pair(table: Table) -> Pair:
    """Two levels at which ⌈σ⌉ differs, the first output the greater.

    Raises:
        InputError: ⌈σ⌉ is constant.
    """
    found = [(a, b) for a in table.grid.levels() for b in table.grid.levels() if table(a) > table(b)]
    if not found:
        raise InputError("the rounded activation is constant")
    return min(found, key=lambda ab: (abs(ab[0]) + abs(ab[1]), ab))


def separating_sum(table: Table, parts: Sequence[tuple[tuple[int, ...], Sequence[Term]]], dimension: int, bias: int = 0) -> Network:
    """b + Σ γ_v·1_{v} over the ``parts`` (v, terms of γ_v), as a four-layer network with weights in Q_{p,s}, for any s.

    Raises:
        InputError: ⌈σ⌉ is constant, or the first layer cannot tell two inputs apart.
    """
    grid = table.grid
    copies, tellers, (high, low) = 2 * grid.s, _tellers(table), gap_pair(table)
    first: Layer = tuple(Neuron((i,), (w,), b) for i in range(dimension) for w, b in tellers for _ in range(copies))
    second: list[Neuron] = []
    third: list[Neuron] = []
    last: list[int] = []
    for v, terms in parts:
        sums: dict[int, list[Pair]] = {high: [], low: []}
        for number, (i, (w, b)) in enumerate(product(range(dimension), tellers)):
            u = table(grid.nearest(grid.s * b + w * v[i]))
            for t, groups in sums.items():
                groups.append((len(second), copies))
                second += [_at_value(grid, [(number * copies, copies)], u, t)] * copies
        greatest = dimension * len(tellers) * (table(high) - table(low))
        for w, v1, v2 in terms:
            third += [_gate(grid, sums[high], sums[low], greatest, v1), _gate(grid, sums[high], sums[low], greatest, v2)]
            last += [w, -w]
    hidden = tuple(layer or (held(0),) for layer in (first, tuple(second), tuple(third)))
    final = Neuron(tuple(range(len(last))), tuple(last), bias) if last else held(bias)
    return Network(table, dimension, (*hidden, (final,)))


def _gate(grid: FixedPoint, plus: Sequence[Pair], minus: Sequence[Pair], greatest: int, t: int) -> Neuron:
    """⌈t + M(Σ plus − Σ minus − greatest)⌉: t where every difference is there, an end of Q_{p,s} elsewhere."""
    up, down = _at_value(grid, plus, greatest, t), _at_value(grid, minus, 0, 0, -1)
    return Neuron(up.inputs + down.inputs, up.weights + down.weights, up.bias)


def separating_representator(table: Table, target: Sequence[int], dimension: int) -> Network:
    """A four-layer network for ``target`` (levels, inputs in lexicographic order) with weights in Q_{p,s}, for any s.

    Raises:
        InputError: no bias reaches every value of it, or as :func:`separating_sum`.
    """
    sets, bias = bias_of("S", table, target)
    points = zip(all_inputs(table.grid, dimension), target, strict=True)
    parts = [(v, combination(table, sets.sum_for(bias, level) or 0, False)) for v, level in points]
    return separating_sum(table, [(v, terms) for v, terms in parts if terms], dimension, bias)
