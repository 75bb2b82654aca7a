"""The results of heads at the last token, for all inputs at once: one token's value, or a sum over tokens with bounded weights.

For a head, a query and every choice of symbols, the largest score lies between the largest of the tokens' least scores and the largest of
all. Rounding, exp and division are monotone, so that each weight has two ends that the network's own operations give.

*One token*: if e^(s − t), as the format rounds it, is 0 for the largest score s of every other token and the least score t of one token,
that token has weight 1 and all others 0, whatever the symbols are: the head copies its value. Otherwise the head is a *sum over tokens*:
the products of weight and value have two ends for each token and symbol, in scores that depend on positions only the same two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays, Columns
from verifier.transformers.network import Head
from verifier.transformers.records import HARD, SOFTMAX

Choices = Sequence[Sequence[int]]
"""For each token the symbols and special tokens that it may be."""


@dataclass(frozen=True)
class Copied:
    """A head's value by the token that it copies. token: its place, for each query; values: by name, of the shape (query, word)."""

    token: Array
    values: dict[str, Array]


@dataclass(frozen=True)
class Summed:
    """low, high: the ends of each rounded product, by name, of the shape (query, word, token). divisor: what the sum is divided by."""

    low: dict[str, Array]
    high: dict[str, Array]
    divisor: tuple[Array, Array] | None


class Keys:
    """Keys and values of every word at every position, of one layer's heads."""

    def __init__(self, arrays: Arrays, heads: Sequence[Head], columns: Columns, words: int, length: int) -> None:
        self.arrays, self.heads = arrays, heads
        self.shape = (words, length)
        self._query = [arrays.turned(head, head.query, columns, length) for head in heads]
        self._key = [arrays.turned(head, head.key, columns, length) for head in heads]
        self._value = [
            {name: np.broadcast_to(arrays.applied(form, columns), self.shape) for name, form in head.value.items()} for head in heads
        ]

    def given(self, h: int, choices: Choices, queries: Sequence[int]) -> Copied | Summed:
        """What head h gives at the last of the tokens, whose words are ``queries``.

        Raises:
            LimitError: the weights are not bounded in this way.
        """
        head, length = self.heads[h], len(choices)
        scores, seen = self._scores(h, length, queries)
        allowed = np.zeros((1, self.shape[0], length), bool)
        for j, words in enumerate(choices):
            allowed[0, list(words), j] = True
        allowed = np.broadcast_to(allowed, scores.shape).copy()
        last = np.asarray(queries)
        allowed[:, :, -1] = np.arange(self.shape[0])[None] == last[:, None]
        if np.isnan(np.where(allowed & seen, scores, 0)).any():
            raise LimitError("a score is NaN", "another arithmetic")
        infinity = scores.dtype.type(np.inf)
        least = np.where(allowed & seen, scores, infinity).min(axis=1)
        most = np.where(allowed & seen, scores, -infinity).max(axis=1)
        values = {name: value[:, :length] for name, value in self._value[h].items()}
        if any(not np.isfinite(np.where(allowed[0], value, 0)).all() for value in values.values()):
            raise LimitError("a value is not finite", "another arithmetic")
        visible = np.broadcast_to(seen, (len(queries), 1, length))[:, 0]
        token = self._copied(head.entry.kind, least, most, visible)
        if token is not None:
            one = self.arrays.one[0, 0]
            return Copied(token, {name: self._weighted(value[:, token].T * one) for name, value in values.items()})
        if head.entry.kind not in SOFTMAX:
            raise LimitError("hard attention whose choice depends on symbols", "a head that always chooses one token")
        return self._summed(head, scores, allowed & seen, least, most, values, visible)

    def _scores(self, h: int, length: int, queries: Sequence[int]) -> tuple[Array, Array]:
        """Scores of the shape (query, word, token) at the last of ``length`` tokens, and which tokens take part."""
        head, i = self.heads[h], length - 1
        if not any(head.sees(i, j) for j in range(length)):
            raise LimitError("a head that sees no token", "a mask that leaves one")
        query = [np.broadcast_to(x, self.shape)[list(queries), i][:, None, None] for x in self._query[h]]
        key = [np.broadcast_to(x, self.shape)[None, :, :length] for x in self._key[h]]
        scores, seen = self.arrays.scores(head, query, key, [i], length)
        scores = np.broadcast_to(scores, (len(queries), self.shape[0], length))
        return scores, np.ones((1, 1, length), bool) if seen is None else seen[None]

    def _copied(self, kind: str, least: Array, most: Array, visible: Array) -> Array | None:
        """The place of the one token that has all weight, for each query."""
        rows = np.arange(len(least))
        token = np.where(visible, least, -np.inf).argmax(axis=1)
        others = visible.copy()
        others[rows, token] = False
        low = least[rows, token][:, None]
        if kind == "softmax" and self.arrays.arithmetic.maximum == "subtracted":
            differences = self.arrays.carrier.rounded(np.where(others, most, low) - low)
            copied = (~others | ((differences < 0) & (self._exp(np.minimum(differences, 0)) == 0))).all()
        elif kind in HARD:
            before = np.arange(least.shape[1])[None] < token[:, None]
            ties = {"leftmost": ~before, "rightmost": before, "average-hard": np.zeros_like(before)}[kind]
            copied = (~others | (most < low) | (ties & (most == low))).all()
        else:
            return None
        return token if copied else None

    def _summed(
        self, head: Head, scores: Array, counted: Array, least: Array, most: Array, values: dict[str, Array], visible: Array
    ) -> Summed:
        arrays, rounded = self.arrays, self.arrays.carrier.rounded
        plus_one = head.entry.kind == "softmax-plus-one"
        low = high = scores
        extra = [arrays.one] * 2
        if arrays.arithmetic.maximum == "subtracted":
            bottom, top = least.max(axis=1, initial=-np.inf, where=visible), most.max(axis=1)
            bottom, top = (np.maximum(x, 0) if plus_one else x for x in (bottom, top))
            low, high = (rounded(scores - x[:, None, None].astype(scores.dtype)) for x in (top, bottom))
            high = np.minimum(high, high.dtype.type(0))
            extra = [self._exp(rounded(-x[:, None].astype(scores.dtype))) for x in (top, bottom)]
        ends = [np.where(counted, self._exp(np.where(counted, x, 0)), 0) for x in (low, high)]
        totals = []
        for end, reduce, first in zip(ends, (np.min, np.max), extra, strict=True):
            hidden = end.dtype.type(np.inf) if reduce is np.min else end.dtype.type(0)
            exponentials = reduce(np.where(counted, end, hidden), axis=1)
            terms = [np.where(visible[:, j], exponentials[:, j], 0)[:, None] for j in range(scores.shape[2])]
            totals.append(arrays.total([*([first] if plus_one else []), *terms]))
        if not ((totals[0] > 0) & np.isfinite(totals[1])).all():
            raise LimitError("a sum of exponentials that may be 0 or beyond the format", "another arithmetic")
        divisor = None
        if arrays.arithmetic.division == "output":
            divisor = (totals[0], totals[1])
        else:
            ends = [rounded(end / total[:, :, None]) for end, total in zip(ends, reversed(totals), strict=True)]
        lows, highs = {}, {}
        for name, value in values.items():
            products = [self.arrays.term(end * value[None]) for end in ends]
            lows[name] = np.where(counted, np.minimum(*products), 0)
            highs[name] = np.where(counted, np.maximum(*products), 0)
            if not (np.isfinite(lows[name]).all() and np.isfinite(highs[name]).all()):
                raise LimitError("a weight times a value is not finite", "another arithmetic")
        return Summed(lows, highs, divisor)

    def _exp(self, x: Array) -> Array:
        return self.arrays.looked_up("exp", x)

    def _weighted(self, x: Array) -> Array:
        """A sum with this one term."""
        return self.arrays.carrier.rounded(self.arrays.term(x))
