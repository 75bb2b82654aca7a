"""Networks without Condition 1, and without 1 ∈ Q_{p,s}: the inputs that the first layer must separate, and a construction if it does; not
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

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, count, product

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Layer,
    Network,
    Neuron,
    all_inputs,
    bias_of,
    closed,
    held,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import Term, combination
from verifier.running.errors import InputError

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
