"""The numbers that one token reads from all others by its heads, growing from left to right.

A head of softmax has the largest score, the sum of exponentials, and its sums of products; averaging hard attention has the largest score,
how many tokens have it, and the sums; choosing hard attention has the largest score and the values of the token that has it. Where scores
depend on positions only, the largest score and the sum of exponentials are known beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array, to_float
from verifier.arithmetic.numbers import ZERO
from verifier.engines.search import key
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays, Columns
from verifier.transformers.network import Head, Layer
from verifier.transformers.records import ONE_TOKEN, SOFTMAX

MOST_GUESSES = 1 << 13


@dataclass(frozen=True)
class HeadTable:
    """A head, asked by one token: scores of the shape (end, query, word, position), values (end, word, position), the tokens seen."""

    head: Head
    scores: Array
    values: list[Array]
    seen: list[bool]


@dataclass(frozen=True)
class Scored:
    """The heads of a layer, asked at one position by each of the words that may stand there. allowed: words by position."""

    arrays: Arrays
    heads: list[HeadTable]
    queries: list[int]
    allowed: Array

    def first(self) -> Reading:
        """What is known before anything is assumed: the first layer's sums, and the word that asks."""
        ends, queries = self.heads[0].scores.shape[:2]
        tables = [_Table(each.head, each.scores.reshape(-1, *each.scores.shape[2:]), each.values, each.seen) for each in self.heads]
        end, query = np.repeat(np.arange(ends), queries), np.tile(np.array(self.queries), ends)
        loose = [not self._by_position(each) for each in self.heads]
        scores = np.arange(len(end))
        reading = Reading(self.arrays, tables, self.allowed, end, query, scores, loose, None, None)
        return reading if any(loose) else reading.at_once()

    def _by_position(self, table: HeadTable) -> bool:
        """Whether the scores of all words that may stand at a position are equal."""
        if table.head.entry.kind not in (*SOFTMAX, "average-hard"):
            return True
        own = key(np.where(self.allowed, table.scores, np.nan))
        first = key(np.take_along_axis(table.scores, self.allowed.argmax(axis=0)[None, None, None], axis=2))
        return bool(((own == first) | ~self.allowed)[..., table.seen].all())


@dataclass(frozen=True)
class _Table:
    head: Head
    scores: Array
    values: list[Array]
    seen: list[bool]

    @property
    def kind(self) -> str:
        return str(self.head.entry.kind)


@dataclass(frozen=True)
class Reading:
    """How numbers grow, under what is assumed for each guess.

    end, query: the sums of the first layer, and the word that asks; scores: a guess's row of scores. loose: whether a head's scores depend
    on words. tops, totals: of each head, by guess; None: to be found.
    """

    arrays: Arrays
    tables: list[_Table]
    allowed: Array
    end: Array
    query: Array
    scores: Array
    loose: list[bool]
    tops: Array | None
    totals: Array | None
    weighted: Any = None

    @property
    def complete(self) -> bool:
        return self.totals is not None

    @property
    def _subtracted(self) -> bool:
        return self.arrays.arithmetic.maximum == "subtracted"

    def at_once(self) -> Reading:
        """Largest scores and sums of exponentials where they depend on positions only."""
        first = self.allowed.argmax(axis=0)
        found = self
        for _ in ("tops", "totals"):
            rows = np.arange(len(self.end))
            read = found.start()
            for j, word in enumerate(first.tolist()):
                read = found.grown(rows, read, np.full(len(rows), word), j)
            found = found.assuming((rows, read))
        return found

    def assuming(self, found: tuple[Array, Array]) -> Reading:
        """A guess for each of these pairs of a guess and what was read under it."""
        guess, read = found
        if len(guess) > MOST_GUESSES:
            raise LimitError(f"more than {MOST_GUESSES:,} sums of exponentials", "a smaller length")
        kept = replace(self, end=self.end[guess], query=self.query[guess], scores=self.scores[guess])
        if self.tops is None:
            return replace(kept, tops=read)
        made = replace(kept, tops=self.tops[guess], totals=read[:, len(self.tables) :])
        return replace(made, weighted=made._weighted())

    def start(self) -> Array:
        """What is read of no token: of the shape (guess, number)."""
        dtype, count = self.arrays.carrier.dtype, len(self.end)
        tops = np.array([[0 if table.kind == "softmax-plus-one" else -np.inf for table in self.tables]], dtype).repeat(count, axis=0)
        if self.tops is None:
            return tops
        if self.totals is None:
            totals = np.zeros((count, len(self.tables)), dtype)
            for h, table in enumerate(self.tables):
                if table.kind == "softmax-plus-one":
                    extra = self.arrays.carrier.rounded(0 - self.tops[:, h]) if self._subtracted else totals[:, h]
                    totals[:, h] = self.arrays.looked_up("exp", extra)
            return np.concatenate([tops, totals], axis=1)
        before = replace(self, totals=None).start() if any(self.loose) else np.zeros((count, 0), dtype)
        sums = [np.full((count, 1), -np.inf if name == "top" else 0, dtype) for _, name, _ in self._numbers()]
        return np.concatenate([before, *sums], axis=1)

    def _numbers(self) -> list[tuple[int, str, int]]:
        """The numbers after the largest scores and sums of exponentials: of heads that choose a token the score, and each value."""
        found: list[tuple[int, str, int]] = []
        for h, table in enumerate(self.tables):
            if table.kind in ONE_TOKEN:
                found.append((h, "top", 0))
            found += [(h, "value", v) for v in range(len(table.values))]
        return found

    def grown(self, guess: Array, read: Array, word: Array, j: int) -> Array:
        """What is read with one more token, at position j."""
        columns, heads = list(read.T), len(self.tables)
        if self.totals is None or any(self.loose):
            for h, table in enumerate(self.tables):
                if table.kind in (*ONE_TOKEN, "linear") or not table.seen[j]:
                    continue
                score = table.scores[self.scores[guess], word, j]
                columns[h] = np.maximum(columns[h], score)
                if self.tops is not None:
                    more = self._exponential(h, score, self.tops[guess, h])
                    before = columns[heads + h]
                    counted = table.kind == "average-hard"  # a number of tokens, which is rounded at the end
                    columns[heads + h] = before + more if counted else self.arrays.accumulated(before, more)
            start = 0 if self.tops is None else 2 * heads
        else:
            start = 0
        if self.totals is not None:
            self._grown_sums(columns, start, guess, word, j)
        return np.stack(columns, axis=1) if columns else read

    def _grown_sums(self, columns: list[Array], start: int, guess: Array, word: Array, j: int) -> None:
        taken: Array = None
        for k, (h, name, v) in enumerate(self._numbers(), start):
            table = self.tables[h]
            if not table.seen[j]:
                continue
            if name == "top":
                score = table.scores[self.scores[guess], word, j]
                taken = score >= columns[k] if table.kind == "rightmost" else (score > columns[k]) | (not any(table.seen[:j]))
                columns[k] = np.where(taken, score, columns[k])
            elif table.kind in ONE_TOKEN:
                columns[k] = np.where(taken, table.values[v][self.end[guess], word, j], columns[k])
            else:
                columns[k] = self.arrays.accumulated(columns[k], self.weighted[h][v][guess, word, j])

    def _exponential(self, h: int, score: Array, top: Array) -> Array:
        """What a token adds to the sum of exponentials, or 1 where hard attention averages it."""
        if self.tables[h].kind == "average-hard":
            return (score == top).astype(score.dtype)
        return self.arrays.looked_up("exp", self.arrays.carrier.rounded(score - top) if self._subtracted else score)

    def _weighted(self) -> list[list[Array]]:
        """Each token's product of weight and value, by guess, word and position."""
        assert self.tops is not None
        assert self.totals is not None
        carrier, arithmetic = self.arrays.carrier, self.arrays.arithmetic
        found: list[list[Array]] = []
        for h, table in enumerate(self.tables):
            if table.kind in ONE_TOKEN:
                found.append([])
                continue
            weights = table.scores[self.scores]
            if table.kind != "linear":
                top = self.tops[:, h, None, None]
                weights = self._exponential(h, np.where(self.allowed, weights, top), top)
                if arithmetic.division != "output":
                    weights = carrier.rounded(weights / self._count(table, self.totals[:, h])[:, None, None])
            found.append([self.arrays.term(weights * value[self.end]) for value in table.values])
        return found

    def _count(self, table: _Table, total: Array) -> Array:
        """What weights are divided by, rounded into the format: the sum of exponentials, or the number of tokens."""
        if table.kind != "average-hard":
            return self.arrays.carrier.rounded(total)
        known = {n: to_float(self.arrays.scalar.constant(ZERO + int(n))) for n in np.unique(total).tolist()}
        return np.array([known[n] for n in total.tolist()], total.dtype)

    def fulfilled(self, guess: Array, read: Array) -> Array:
        """Whether what was read is what was assumed."""
        held = np.ones(len(guess), bool)
        heads = len(self.tables)
        for assumed, first in ((self.tops, 0), (self.totals, heads)):
            if assumed is not None and any(self.loose):
                held &= (key(assumed[guess]) == key(read[:, first : first + heads])).all(axis=1)
        return held


def scored(arrays: Arrays, layer: Layer, read: Columns, at: int, words: Sequence[int], shape: tuple[int, int]) -> Scored:
    """The tables of a layer's heads, asked at position ``at``.

    read: what heads read, of each end and word, of the shape (end · word, position). words: how many may stand at each position, numbered
    from 0. shape: how many ends, and words.

    Raises:
        LimitError: hard attention with a score that is NaN.
    """
    length, queries = len(words), list(range(words[at]))
    allowed = np.zeros((shape[1], length), bool)
    for j, several in enumerate(words):
        allowed[:several, j] = True
    full = (*shape, length)

    def table(x: Array) -> Array:
        if len(x) == shape[1] and shape[0] > 1 and len(x) != shape[0] * shape[1]:
            x = np.tile(x, (shape[0], 1))
        return np.broadcast_to(x, (shape[0] * shape[1], length)).reshape(full)

    heads = []
    for head in layer.heads:
        if not head.value:
            continue
        scores = _scores(arrays, head, read, at, queries, length, table)
        seen = [head.sees(at, j) or head.masked is not None for j in range(length)]
        if head.entry.kind not in (*SOFTMAX, "linear") and np.isnan(np.where(allowed, scores, 0)).any():
            raise LimitError("a score is NaN", "another arithmetic")
        heads.append(HeadTable(head, scores, [table(arrays.applied(form, read)) for form in head.value.values()], seen))
    return Scored(arrays, heads, queries, allowed)


def _scores(arrays: Arrays, head: Head, read: Columns, at: int, queries: list[int], length: int, table: Any) -> Array:
    """Scores of the shape (end, query, word, position)."""
    ends, words, _ = table(arrays.zero).shape
    query = [table(x)[:, queries, at][:, :, None, None] for x in arrays.turned(head, head.query, read, length)]
    key = [table(x)[:, None] for x in arrays.turned(head, head.key, read, length)]
    return np.broadcast_to(arrays.scores(head, query, key, [at], length)[0], (ends, len(queries), words, length))
