"""One case for all inputs that a network cannot tell apart after uniform attention.

Where every head of the first layer attends uniformly and sums run from left to right, a prefix of the input matters only by the running
sums of the heads: prefixes with equal sums are one state with a count and its smallest prefix. If nothing else that depends on a symbol
of the strings reaches the output (:func:`reaching`), inputs with equal sums have equal answers; each state is run once, on its smallest
input. A state also holds what the right answer depends on: the number of ones, or single bits. PARITY on strings of length n has n + 1
states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from verifier.arithmetic.numbers import Number
from verifier.running.errors import LimitError
from verifier.transformers import formulas
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array, to_number
from verifier.transformers.formulas import Map
from verifier.transformers.inputs import Strings
from verifier.transformers.layers import Head, Layer
from verifier.transformers.network import Network

MOST_STATES = 1 << 16


@dataclass(frozen=True)
class State:
    """Inputs with equal sums and equal right answers: how many they are, and the smallest.

    sums: of each value of each head; ones, bits: what the right answer reads, ones is -1 where it does not read them.
    """

    count: int
    smallest: Strings
    sums: tuple[Number, ...]
    ones: int
    bits: tuple[int, ...]


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why states do not decide a network; empty if they do."""
    if reason := not_countable(network, arithmetic):
        return reason
    if passed := reaching(network):
        return f"{', '.join(sorted(passed))} of single symbols reach the output"
    return ""


def not_countable(network: Network, arithmetic: Arithmetic) -> str:
    """Why inputs cannot be counted by states; empty if they can."""
    file = network.file
    if arithmetic.exact or arithmetic.sums != "left-to-right" or arithmetic.products == "fused" or arithmetic.rounding != "operation":
        return "sums of rounded products from left to right were expected"
    if file.accept is None or file.accept.at not in network.input.words:
        return "an answer yes or no at a special token was expected"
    if reason := no_string_of_bits(network):
        return reason
    if not network.layers or any(not uniform(head) for layer in network.layers[:1] for head in layer.heads):
        return "heads of the first layer whose scores are all equal were expected"
    if _signature(network) is None:
        return "a right answer that depends on the number of ones or on single bits was expected"
    return ""


def no_string_of_bits(network: Network) -> str:
    """Why a network does not read one string of bits from left to right; empty if it does."""
    if len(network.input.lengths) != 1 or network.file.input.promise != "none" or len(network.input.letters) != 2:
        return "one string of bits without a promise was expected"
    places = [entry[1] for entry in network.input.layout if not isinstance(entry, int)]
    if places != list(range(len(places))):
        return "a string that is read once, in its order, was expected"
    return ""


def uniform(head: Head) -> bool:
    """Whether a head attends to all tokens alike, whatever the input is."""
    return head.uniform and head.entry.mask == "none" and head.entry.kind in ("softmax", "softmax-plus-one", "average-hard")


def _signature(network: Network) -> formulas.StringUse | None:
    accept = network.file.accept
    assert accept is not None
    (name,) = network.input.lengths
    return formulas.use_of_string(accept.function, name, network.names)


def reaching(network: Network) -> set[str]:
    """The coordinates that differ between symbols of a string and are read where that could change the output, beside the first layer's
    uniform heads. They are followed by name: a map that reads one differs, and a norm mixes all.
    """
    dependent = {name for name, formula in network.file.embedding.items() if _differs(network, name, formula)}
    everything = set(network.coordinates)
    for k, layer in enumerate(network.layers):
        dependent = _mixed(layer, "attention", "before", dependent, everything)
        if k > 0:
            for head in layer.heads:
                read = _read([*head.key, *head.value.values()]) & dependent
                if read:
                    return read
                if _read(head.query) & dependent:
                    dependent |= set(layer.combine)
        dependent = _mixed(layer, "attention", "after", dependent, everything) if layer.heads else dependent
        if layer.network is not None:
            dependent = _mixed(layer, "network", "before", dependent, everything)
            hidden = {name for name, form in layer.network.hidden.items() if _read([form]) & dependent}
            hidden |= {name for name, form in layer.network.gate.items() if _read([form]) & dependent}
            dependent |= {name for name, form in layer.network.into.items() if _read([form]) & hidden}
            dependent = _mixed(layer, "network", "after", dependent, everything)
    return set()  # the output stands at a special token, whose own symbol is fixed


def _read(maps: Iterable[Map]) -> set[str]:
    return {name for form in maps for name, _ in form.terms}


def _mixed(layer: Layer, block: str, place: str, dependent: set[str], everything: set[str]) -> set[str]:
    """What differs after a norm, if there is one at this place."""
    norm = layer.norms.get(block)
    return everything if norm is not None and norm.entry.place == place and dependent else dependent


def _differs(network: Network, name: str, formula: Any) -> bool:
    """Whether a coordinate may differ between two symbols of the string: by its values where it does not read i, else by its names."""
    if not formulas.reads(formula, ("token",)):
        return False
    if formulas.reads(formula, ("i",)):
        return True
    values = [network.embedding(symbol, 0)[name] for symbol in range(len(network.input.letters))]
    return any(x != values[0] for x in values)


@dataclass(frozen=True)
class SumStates:
    """The states of all inputs, in the order of their smallest inputs; a row of each list for each.

    sums: of the shape (state, sum), or a row for each state; ones, bits: as in a :class:`State`. smallest: the smallest input of a state.
    """

    sums: Array
    counts: list[int]
    ones: list[int]
    bits: list[tuple[int, ...]]
    smallest: Callable[[int], Strings]


def states(network: Network, arithmetic: Arithmetic, arrays: Arrays | None = None) -> list[State]:
    """The states of all inputs, by their smallest input. arrays: of the same network and arithmetic, if there are any.

    Raises:
        LimitError: they are more than 65,536.
    """
    found = sum_states(network, arrays or Arrays(network, arithmetic))
    rows = enumerate(zip(found.counts, found.sums.astype(np.float64).tolist(), found.ones, found.bits, strict=True))
    return [State(count, found.smallest(k), tuple(map(to_number, sums)), ones, bits) for k, (count, sums, ones, bits) in rows]


def sum_states(network: Network, arrays: Arrays) -> SumStates:
    """The states of all inputs.

    Raises:
        LimitError: they are more than 65,536.
    """
    use = _signature(network)
    assert use is not None
    (name,) = network.input.lengths
    length = len(network.input.layout)
    added = _added(network, arrays, length)
    if (chained := _chain(network, arrays, added, use)) is not None:
        return chained
    sums = np.zeros((1, len(added)), arrays.carrier.dtype)
    signatures, counts, prefixes = np.zeros((1, 1 + len(use.bits)), np.int64), np.array([1], object), np.array([0], object)
    for j, entry in enumerate(network.input.layout):
        choices = (0,) if isinstance(entry, int) else (0, 1)
        with np.errstate(all="ignore"):
            grown = [
                np.stack([arrays.accumulated(sums[:, h], added[h][c, j]) for h in range(len(added))], 1) if added else sums for c in choices
            ]
        if isinstance(entry, int):
            sums = grown[0]
            continue
        marks = [signatures + np.array([c * use.ones, *(c * (entry[1] + 1 == bit) for bit in use.bits)]) for c in choices]
        sums, signatures = _alternating(grown), _alternating(marks)
        first, group = _groups(sums, signatures)
        sums, signatures, prefixes = sums[first], signatures[first], prefixes[first // 2] * 2 + first % 2
        total = np.zeros(len(first), object)
        np.add.at(total, group, np.repeat(counts, 2))
        counts = total
        if len(counts) > MOST_STATES:
            raise LimitError(f"more than {MOST_STATES:,} states", "a smaller length")
    digits = network.input.lengths[name]
    ones = signatures[:, 0].tolist() if use.ones else [-1] * len(counts)

    def smallest(k: int) -> Strings:
        return {name: tuple(map(int, f"{prefixes[k]:0{digits}b}" if digits else ""))}

    return SumStates(sums, counts.tolist(), ones, [tuple(row) for row in signatures[:, 1:].tolist()], smallest)


def _chain(network: Network, arrays: Arrays, added: list[Array], use: formulas.StringUse) -> SumStates | None:
    """The states where zeros of the string add nothing and all ones add the same: one for each number of ones.

    None where it is not so, or where the right answer reads something else than the number of ones.
    """
    layout = network.input.layout
    places = [j for j, entry in enumerate(layout) if not isinstance(entry, int)]
    if not use.ones or use.bits or not places or places != list(range(places[0], places[-1] + 1)):
        return None
    ((name, length),) = network.input.lengths.items()
    steps = [part[1, places[0]] for part in added]
    alike = all((part[0, places] == 0).all() and (part[1, places] == step).all() for part, step in zip(added, steps, strict=True))
    if not alike:
        return None
    with np.errstate(all="ignore"):
        start = [np.zeros((1, 1), arrays.carrier.dtype) for _ in added]
        start = [_with(arrays, sum, part[0, : places[0]]) for sum, part in zip(start, added, strict=True)]
        sums = []
        for sum, step in zip(start, steps, strict=True):
            sums.append(arrays.running_sums(sum, step, length))
        sums = [_with(arrays, sum, part[0, places[-1] + 1 :]) for sum, part in zip(sums, added, strict=True)]
    counts = [1]
    for ones in range(length):
        counts.append(counts[-1] * (length - ones) // (ones + 1))
    table = np.concatenate(sums, axis=1) if sums else np.zeros((length + 1, 0))
    return SumStates(table, counts, list(range(length + 1)), [()] * (length + 1), lambda ones: {name: (0,) * (length - ones) + (1,) * ones})


def _with(arrays: Arrays, sum: Array, terms: Array) -> Array:
    """A sum with further terms."""
    for term in terms:
        sum = arrays.accumulated(sum, term)
    return sum


def _added(network: Network, arrays: Arrays, length: int) -> list[Array]:
    """For each value of a head of the first layer what the sum gets: by symbol and position, of a special token in row 0."""
    layer = network.layers[0]
    tokens = np.array([[entry if isinstance(entry, int) else c for entry in network.input.layout] for c in (0, 1)])
    with np.errstate(all="ignore"):
        columns = arrays.embedded(tokens)
        norm = layer.norms.get("attention")
        if norm is not None and norm.entry.place == "before":
            columns = arrays.normed(columns, norm)
        return [np.broadcast_to(product, (2, length)) for head in layer.heads for product in arrays.uniform_products(head, columns, length)]


def _alternating(parts: list[Array]) -> Array:
    """The rows of two arrays in turn: prefixes followed by 0 and by 1, smaller ones first."""
    return np.stack(parts, axis=1).reshape(2 * len(parts[0]), -1)


def _groups(sums: Array, signatures: Array) -> tuple[Array, Array]:
    """Equal states as one: the first row of each, in their order, and the group of each row."""
    keys = np.column_stack([(sums + 0.0).astype(np.float64).view(np.int64).reshape(len(sums), -1), signatures])
    rows = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).reshape(-1)
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse.reshape(-1)]
