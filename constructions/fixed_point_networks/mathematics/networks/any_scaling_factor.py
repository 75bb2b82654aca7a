"""Networks with weights in Q_{p,s} for any s, 1 ∈ Q_{p,s} or not: what the first layer must tell apart, and a construction where it does.

Not in the paper. A first-layer neuron computes ⌈σ⌉∘h, h(x) = ⌈b + w·x⌉ with |w| ≤ q_max, and the inputs are not repeated. So where two
inputs have the same ⌈σ⌉(h(x)) for every w and b, no network of two or more layers (d = 1) has different values there. From the second
layer on k copies of a neuron give the weight k/s for every integer k (the remark after Lemma 8). So where every two inputs are told
apart, indicators exist, and every target with them:
layer 2: ⌈t + M(u(x) − u(v))⌉ is t, or an end of Q_{p,s} by the sign of u(x) − u(v), u = ⌈σ⌉∘h. The difference of two such, for t and t′,
is ⌈σ⌉(t) − ⌈σ⌉(t′) where u(x) = u(v), and 0 elsewhere;
layer 3: the same for the sum of these over coordinates and h: it is greatest exactly at x = v.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, count, product

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron, all_inputs, held
from constructions.fixed_point_networks.mathematics.networks.representator import bias_of
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError

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
