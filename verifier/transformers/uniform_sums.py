"""The running sums of heads that attend uniformly, as an automaton that reads the input from left to right.

Sums that are equal after a position are one state. ``following`` has the next state for each state and word; ``reach`` says at each
position from which states an input may still lead to which sums at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array
from verifier.transformers.equal_rows import groups
from verifier.transformers.layers import Layer
from verifier.transformers.rounded_arrays import Columns

MOST_SUMS = 1 << 10
"""Different sums at the end, at most."""


@dataclass(frozen=True)
class UniformSums:
    """following: at each position, of the shape (state, word). reach: before each position and at the end, of the shape (state, end).

    ends: the sums at the end, of the shape (end, sum).
    """

    following: list[Array]
    reach: list[Array]
    ends: Array


def nothing(length: int, words: int) -> UniformSums:
    """No sums: one state."""
    return UniformSums([np.zeros((1, words), np.int64)] * length, [np.ones((1, 1), bool)] * (length + 1), np.zeros((1, 0)))


def uniform_sums(arrays: Arrays, terms: Sequence[Array], choices: Sequence[Sequence[int]], words: int) -> UniformSums:
    """The automaton of sums from left to right.

    terms: of each sum, what it gets, of the shape (word, position). choices: the words of each position.

    Raises:
        LimitError: more than 1,024 sums at the end.
    """
    sums = np.zeros((1, len(terms)), arrays.carrier.dtype)
    following = []
    for j, allowed in enumerate(choices):
        source, word = np.repeat(np.arange(len(sums)), len(allowed)), np.tile(np.array(allowed), len(sums))
        grown = np.stack([arrays.accumulated(sums[source, s], term[word, j]) for s, term in enumerate(terms)], axis=1)
        first, group = groups(list(grown.T))
        if len(first) > MOST_SUMS:
            raise LimitError(f"more than {MOST_SUMS:,} sums", "a smaller length")
        table = np.full((len(sums), words), -1, np.int64)
        table[source, word] = group
        following.append(table)
        sums = grown[first]
    reach = [np.eye(len(sums), dtype=bool)]
    for j in reversed(range(len(choices))):
        reach.append(np.logical_or.reduce([reach[-1][following[j][:, word]] for word in choices[j]]))
    return UniformSums(following, reach[::-1], sums)


def given(arrays: Arrays, layer: Layer, ends: Array, length: int, repeated: int) -> list[Columns]:
    """What the heads give for each of the sums at the end, each in so many rows."""
    found, s = [], 0
    for head in layer.heads:
        _, _, divisor = arrays._weights(head.entry.kind, np.zeros((1, 1, 1), arrays.carrier.dtype), None, length)
        values = {}
        for name in head.value:
            total = arrays.carrier.rounded(np.repeat(ends[:, s], repeated)[:, None])
            values[name] = total if divisor is None else arrays.carrier.rounded(total / divisor)
            s += 1
        found.append(values)
    return found
