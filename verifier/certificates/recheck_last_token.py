"""The results of heads at the last token, for all inputs at once: one token's value, or a sum over tokens with bounded weights.

For a head and a query every token has a least and a largest score over the words that it may be. If e^(s - t), as the format rounds it, is
0 for the largest score s of every other token and the least score t of one token, that one has weight 1 and all others 0: the head *copies*
it. Otherwise it *sums*: rounding, exp and division are monotone, so that the product of weight and value has two ends for each word.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from .recheck_layers import Head, Vector
from .recheck_reading import Rejected, demand
from .recheck_rounding import INF
from .recheck_transformer import Transformer

Words = Sequence[Sequence[int]]  # for each token the words that it may be
Ends = tuple[int, int]


class Summed(NamedTuple):
    """products: for each value, token and word the two ends; divisor: what the sum is divided by."""

    products: list[list[dict[int, Ends]]]
    divisor: Ends | None


class Copied(NamedTuple):
    """values: of the token that is copied, by its word."""

    token: int
    values: dict[int, Vector]


class LastToken:
    """Keys and values of every word at every position, of the heads of one layer; ``vectors`` are what they read."""

    def __init__(self, transformer: Transformer, heads: list[Head], vectors: list[dict[int, Vector]]) -> None:
        self.t, self.heads, self.vectors = transformer, heads, vectors
        self.keyed = [
            [{word: transformer.keys(head, x, j) for word, x in each.items()} for j, each in enumerate(vectors)] for head in heads
        ]
        for of_head in self.keyed:
            for each in of_head:
                demand(all(-INF < x < INF for _, values in each.values() for x in values), "a value is not finite")

    def scores(self, h: int, words: Words, query: int) -> list[dict[int, int] | None]:
        """The score of each word at each token; None where the token takes no part."""
        head, i = self.heads[h], len(words) - 1
        queried = self.t.queried(head, self.vectors[i][query], i)
        found: list[dict[int, int] | None] = []
        for j, choices in enumerate(words):
            if not head.sees(i, j) and not head.masked:
                found.append(None)
                continue
            each = {}
            for word in choices if j < i else [query]:
                score = self.t.score(head, queried, self.keyed[h][j][word][0], i, j)
                demand(score is not None and -INF < score < INF, "a score is not finite")
                each[word] = score or 0
            found.append(each)
        demand(any(each is not None for each in found), "a head sees no token")
        return found

    def given(self, h: int, words: Words, query: int, token: int | None) -> Copied | Summed:
        """What a head gives, if it copies ``token`` or, where that is None, sums.

        Raises:
            Rejected: it does not copy that token, or its weights are not bounded.
        """
        self.t.limits.spend(8 * sum(map(len, words)))
        head, scores = self.heads[h], self.scores(h, words, query)
        if token is not None:
            demand(token < len(words) and self.copies(head.kind, scores, token), f"head {h + 1} does not copy token {token}")
            one, floats = self.t.floats.one, self.t.floats
            values = {
                word: [floats.settle(floats.product(floats.into, one, x)) for x in self.keyed[h][token][word][1]]
                for word in scores[token] or {}
            }
            return Copied(token, values)
        if head.kind not in ("softmax", "softmax-plus-one"):
            raise Rejected(f"head {h + 1} neither copies one token nor has weights that are bounded here")
        return self.summed(h, scores, head.kind == "softmax-plus-one")

    def copies(self, kind: str, scores: list[dict[int, int] | None], token: int) -> bool:
        """Whether one token has all weight, whatever the words are."""
        floats, chosen = self.t.floats, scores[token]
        if chosen is None:
            return False
        low = min(chosen.values())
        for j, each in enumerate(scores):
            if j == token or each is None:
                continue
            high = max(each.values())
            if kind == "softmax":
                difference = floats.subtract(high, low)
                if difference >= 0 or floats.exp(difference) != 0:
                    return False
            elif high > low or (high == low and (kind, j > token) not in (("leftmost", True), ("rightmost", False))):
                return False
        return kind in ("leftmost", "rightmost", "average-hard") or (kind == "softmax" and floats.knobs["maximum"] == "subtracted")

    def summed(self, h: int, scores: list[dict[int, int] | None], plus_one: bool) -> Summed:
        floats = self.t.floats
        seen = [each for each in scores if each is not None]
        bottom, top = max(min(each.values()) for each in seen), max(max(each.values()) for each in seen)
        if plus_one:
            bottom, top = max(bottom, 0), max(top, 0)
        subtracted = floats.knobs["maximum"] == "subtracted"

        @cache
        def ends(score: int) -> Ends:
            if not subtracted:
                return floats.exp(score), floats.exp(score)
            return floats.exp(floats.subtract(score, top)), floats.exp(min(floats.subtract(score, bottom), 0))

        exponentials = [None if each is None else {word: ends(score) for word, score in each.items()} for each in scores]
        first = [ends(0)] if plus_one else []
        lows = [None if each is None else min(low for low, _ in each.values()) for each in exponentials]
        highs = [None if each is None else max(high for _, high in each.values()) for each in exponentials]
        total = floats.total([*(low for low, _ in first), *lows]), floats.total([*(high for _, high in first), *highs])
        demand(total[0] > 0 and total[1] < INF, "a sum of exponentials may be 0 or beyond the format")
        divided = floats.knobs["division"] == "weights"
        shares: dict[Ends, Ends] = {}
        products: list[list[dict[int, Ends]]] = [[] for _ in self.heads[h].value]
        for j, each in enumerate(exponentials):
            for of_value in products:
                of_value.append({})
            for word, weights in (each or {}).items():
                if divided:
                    if weights not in shares:
                        shares[weights] = floats.divide(weights[0], total[1]), floats.divide(weights[1], total[0])
                    weights = shares[weights]
                for v, value in enumerate(self.keyed[h][j][word][1]):
                    if weights == (0, 0):  # values are finite
                        products[v][j][word] = (0, 0)
                        continue
                    low = high = floats.product(floats.into, weights[0], value)
                    if weights[0] != weights[1]:
                        high = floats.product(floats.into, weights[1], value)
                    demand(-INF < low < INF and -INF < high < INF, "a weight times a value is not finite")
                    products[v][j][word] = (low, high) if low <= high else (high, low)
        return Summed(products, None if divided else total)
