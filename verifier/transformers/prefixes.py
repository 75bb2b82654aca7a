"""Merge all inputs that a network cannot distinguish into one case, for a network whose answer one token computes from all others.

Sums run from left to right, so a prefix of the input matters only through its running sums, and through the facts that the right answer
needs. If the first layer attends uniformly, its sums are equal for all tokens; after it, a token depends on these sums, its own word and
position.

*Nothing distinguished*: if keys and values of later heads are the same for all words of a position, whatever the sums are, inputs with
equal sums and equal words at the answering token are one case. PARITY on strings of length n has n + 1 cases.

*One layer distinguishes words*, and only one token reads its output. The largest score and the sum of exponentials come before the weights,
but
depend on all tokens. So the engine first finds each value that an input may give. For each of these values it follows the prefixes, and at
the end it counts the inputs that give this value, each input once. The token's sums grow from left to right: a head of softmax has the
largest
score, the sum of exponentials, and its sums of products; averaging hard attention has the largest score, the number of tokens that have it,
and the sums; choosing hard attention has the largest score and the values of its token. If scores depend only on positions, the largest
score and the sum of exponentials are known beforehand.

Over *real numbers*, heads that take one token need only the order of their scores, which the definition computes: ranks stand for scores.

The smallest input of each case is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, cmp_to_key
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array, to_float
from verifier.arithmetic.numbers import ZERO, Special
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.engines.search import Columns, Reached, Rows, States, Step, key, merge, search
from verifier.running.errors import LimitError
from verifier.transformers.answers import Found, chunk_size, wrong_by_arrays, wrong_by_definition
from verifier.transformers.arrays import Arrays
from verifier.transformers.arrays import Columns as Coordinates
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import Vector, after, embedded, keyed, queried, read_by_heads, scaled, score, valued
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Head, Layer, Network
from verifier.transformers.outputs import place, string_use
from verifier.transformers.records import ONE_TOKEN, SOFTMAX

MOST_GUESSES = 1 << 13


@dataclass(frozen=True)
class HeadTable:
    """A head, asked by one token: scores of the shape (end, query, word, position), values (end, word, position), the tokens seen.

    Under an assumption, scores have a row for each end and query.
    """

    head: Head
    scores: Array
    values: list[Array]
    seen: list[bool]

    @property
    def kind(self) -> str:
        return str(self.head.entry.kind)


@dataclass(frozen=True)
class Scored:
    """The heads of a layer at one position, for each word that may stand at it. allowed: words by position."""

    arrays: Arrays
    heads: list[HeadTable]
    queries: list[int]
    allowed: Array

    def first(self) -> Reading:
        """The quantities that are known before any assumption, which are the first layer's sums and the word that asks."""
        ends, queries = self.heads[0].scores.shape[:2]
        tables = [replace(each, scores=each.scores.reshape(-1, *each.scores.shape[2:])) for each in self.heads]
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
class Reading:
    """The growth of numbers, under the assumption of each guess.

    end, query: the sums of the first layer, and the word that asks; scores: a guess's row of scores. loose: whether a head's scores depend
    on words. tops, totals: of each head, by guess, or None if they are unknown.
    """

    arrays: Arrays
    tables: list[HeadTable]
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
        """Largest scores and sums of exponentials that depend on positions only."""
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
        """A guess for each of these pairs of a guess and its computed values."""
        guess, read = found
        if len(guess) > MOST_GUESSES:
            raise LimitError(f"a head has more than {MOST_GUESSES:,} sums of exponentials", "a smaller length")
        kept = replace(self, end=self.end[guess], query=self.query[guess], scores=self.scores[guess])
        if self.tops is None:
            return replace(kept, tops=read)
        made = replace(kept, tops=self.tops[guess], totals=read[:, len(self.tables) :])
        return replace(made, weighted=made._weighted())

    def start(self) -> Array:
        """The numbers before any token is read: of the shape (guess, number)."""
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
        """The numbers after the largest scores and sums of exponentials: for heads that choose a token the score, and each value."""
        found: list[tuple[int, str, int]] = []
        for h, table in enumerate(self.tables):
            if table.kind in ONE_TOKEN:
                found.append((h, "top", 0))
            found += [(h, "value", v) for v in range(len(table.values))]
        return found

    def grown(self, guess: Array, read: Array, word: Array, j: int) -> Array:
        """The numbers after one more token, at position j."""
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
        """A token's term of the sum of exponentials, or 1 if hard attention averages it."""
        if self.tables[h].kind == "average-hard":
            return (score == top).astype(score.dtype)
        return self.arrays.looked_up("exp", self.arrays.carrier.rounded(score - top) if self._subtracted else score)

    def _weighted(self) -> list[list[Array]]:
        """The product of each token's weight and value, by guess, word and position."""
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

    def _count(self, table: HeadTable, total: Array) -> Array:
        """The divisor of weights, rounded into the format: the sum of exponentials, or the number of tokens."""
        if table.kind != "average-hard":
            return self.arrays.carrier.rounded(total)
        known = {n: to_float(self.arrays.scalar.constant(ZERO + int(n))) for n in np.unique(total).tolist()}
        return np.array([known[n] for n in total.tolist()], total.dtype)

    def fulfilled(self, guess: Array, read: Array) -> Array:
        """Whether the computed values equal the assumed ones."""
        held = np.ones(len(guess), bool)
        heads = len(self.tables)
        for assumed, first in ((self.tops, 0), (self.totals, heads)):
            if assumed is not None and any(self.loose):
                held &= (key(assumed[guess]) == key(read[:, first : first + heads])).all(axis=1)
        return held


def scored(arrays: Arrays, layer: Layer, read: Coordinates, at: int, words: Sequence[int], shape: tuple[int, int]) -> Scored:
    """The tables of a layer's heads, asked at position ``at``.

    read: the input of heads, for each end and word, of the shape (end · word, position). words: the number of possible words at each
    position, numbered from 0. shape: the numbers of ends and words.

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


def _scores(arrays: Arrays, head: Head, read: Coordinates, at: int, queries: list[int], length: int, table: Any) -> Array:
    """Scores of the shape (end, query, word, position)."""
    ends, words, _ = table(arrays.zero).shape
    query = [table(x)[:, queries, at][:, :, None, None] for x in arrays.turned(head, head.query, read, length)]
    key = [table(x)[:, None] for x in arrays.turned(head, head.key, read, length)]
    return np.broadcast_to(arrays.scores(head, query, key, [at], length)[0], (ends, len(queries), words, length))


METHOD = "prefix states"
MOST_ROWS = 1 << 16
"""States after a position, at most."""
MOST_SUMS = 1 << 10
"""The most different sums of the first layer for which later layers may distinguish words."""
CHUNK = 1 << 17
"""Numbers of one coordinate, for some of the sums."""


def prefixes_of(network: Network, how: Arithmetic) -> Prefixes:
    """The prefixes of all inputs in an arithmetic for which :func:`not_applicable` gives no reason."""
    return ExactPrefixes(network, how) if how.exact else Prefixes(network, how)


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why prefixes are not counted by states, or empty if they are."""
    if arithmetic.exact:
        if len(_reading(network)) != 1 or not all(_takes_one_token(head) for layer in network.layers for head in layer.heads):
            return "one layer of heads that take one token each was expected over real numbers"
    elif arithmetic.sums != "left-to-right" or arithmetic.products == "fused" or arithmetic.rounding == "dot-product":
        return "sums of rounded products from left to right were expected"
    if network.file.decode is not None:
        return "an answer at one token was expected"
    if len(network.input.lengths) != 1 or network.file.input.promise != "none" or len(network.input.letters) != 2:
        return "one string of bits without a promise was expected"
    places = [entry[1] for entry in network.input.layout if not isinstance(entry, int)]
    if places != list(range(len(places))):
        return "a string that is read once, in its order, was expected"
    layers = _reading(network)
    if not layers:
        return "a layer was expected"
    if len(layers) > 1 and not _uniform(network.layers[layers[0]]):
        return "heads of the first layer whose scores are all equal were expected"
    if string_use(network) is None:
        return "a right answer that depends on the number of ones or on single bits was expected"
    return ""


def _reading(network: Network) -> list[int]:
    """The numbers of the layers whose heads have outputs; without any, the last layer."""
    found = [k for k, layer in enumerate(network.layers) if any(head.value for head in layer.heads)]
    return found or [*range(len(network.layers))][-1:]


def _takes_one_token(head: Head) -> bool:
    return head.entry.kind in ONE_TOKEN and head.masked is None


def _uniform(layer: Layer) -> bool:
    """Whether every head gives all tokens the same weight on every input."""

    def alike(head: Head) -> bool:
        return head.uniform and head.entry.mask == "none" and head.entry.kind in (*SOFTMAX, "average-hard")

    return all(alike(head) for head in layer.heads)


@dataclass(frozen=True)
class UniformSums:
    """The running sums of the first layer as an automaton.

    following: at each position the next state, of the shape (state, word). ends: the sums at the end, of the shape (end, sum).
    """

    following: list[Array]
    ends: Array

    @cached_property
    def reach(self) -> list[Array]:
        """The states, before each position and at the end, from which some input leads to given sums at the end. The shape is (state,
        end).
        """
        found = [np.eye(len(self.ends), dtype=bool)]
        for table in reversed(self.following):
            found.append(np.logical_or.reduce([found[-1][column] & (column >= 0)[:, None] for column in table.T]))
        return found[::-1]


@dataclass(frozen=True)
class Growing(States):
    """Prefixes that are read word by word. first: the columns of the empty prefix; grown: those after one more word, and the states that go
    on."""

    symbols: list[range]
    first: Columns
    grown: Callable[[int, Array, Columns], tuple[Columns, Array | None]]
    together = True

    def start(self) -> dict[str, Columns]:
        return {"": self.first}

    def step(self, position: int, kind: str, symbol: Array, columns: Columns) -> Iterator[Step]:
        made, kept = self.grown(position, symbol, columns)
        if kept is None or kept.all():
            yield "", None, made
        elif kept.any():
            source = np.flatnonzero(kept)
            yield "", source, {name: x[source] for name, x in made.items()}


class Prefixes:
    """The prefixes of all inputs of a network in an arithmetic. A word is a symbol of the string, or 0 for a special token."""

    def __init__(self, network: Network, arithmetic: Arithmetic) -> None:
        self.network, self.arrays = network, Arrays(network, arithmetic)
        layout, letters = network.input.layout, list(range(len(network.input.letters)))
        self.length, self.words = len(layout), len(letters)
        self.choices = [range(1) if isinstance(entry, int) else range(self.words) for entry in layout]
        self.tokens = np.array([[entry if isinstance(entry, int) else word for entry in layout] for word in letters])
        self.first, self.final = _reading(network)[0], _reading(network)[-1]
        self.last, averaging = network.layers[self.final], network.layers[self.first]
        self.summed: Layer | None = averaging if _uniform(averaging) else None
        entry = network.file.accept or network.file.choose
        assert entry is not None
        self.at = place(network, entry.at, self.length)

    @cached_property
    def before(self) -> Coordinates:
        """The coordinates before the first layer with heads, in a row for each word."""
        columns = self.arrays.embedded(self.tokens)
        for layer in self.network.layers[: self.first]:
            columns = self.arrays._layer(layer, columns, self.length, None)
        return columns

    @cached_property
    def _added(self) -> list[Array]:
        """The term of each sum of the first layer if its heads attend uniformly, of the shape (word, position)."""
        if self.summed is None:
            return []
        arrays, shape = self.arrays, (self.words, self.length)
        read = arrays.read_by_heads(self.summed, self.before)
        return [np.broadcast_to(x, shape) for head in self.summed.heads for x in arrays.uniform_products(head, read, self.length)]

    @cached_property
    def _varying(self) -> list[int]:
        """The sums whose terms differ from word to word somewhere; the others are the same for all inputs."""
        words = np.array([[word in choices for choices in self.choices] for word in range(self.words)])
        return [k for k, term in enumerate(self._added) if (words & (key(term) != key(term[:1]))).any()]

    def _summed(self, j: int, word: Array, columns: Columns) -> Columns:
        return {name: self.arrays.accumulated(columns[name], self._added[k][word, j]) for k in self._varying for name in [f"sum {k}"]}

    @property
    def _nothing(self) -> Columns:
        """The sums before the first token."""
        return {f"sum {k}": np.zeros(1, self.arrays.carrier.dtype) for k in self._varying}

    @cached_property
    def _of_zeros(self) -> list[Array]:
        """All sums of the input of zeros."""
        found = [np.zeros(1, self.arrays.carrier.dtype) for _ in self._added]
        for k, term in enumerate(self._added):
            for x in term[0]:
                found[k] = self.arrays.accumulated(found[k], x)
        return found

    def ends(self, rows: Rows) -> Array:
        """All sums of some states at the end, of the shape (state, sum)."""
        sums = [rows.columns.get(f"sum {k}", total) for k, total in enumerate(self._of_zeros)]
        return np.stack([np.broadcast_to(x, (len(rows),)) for x in sums], axis=1) if sums else np.zeros((1, 0))

    @cached_property
    def sums(self) -> UniformSums:
        """The sums of the first layer if its heads attend uniformly; otherwise no sums, which make one state.

        Raises:
            LimitError: more than 65,536 states.
        """
        if not self._added:
            return UniformSums([np.zeros((1, self.words), np.int64)] * self.length, np.zeros((1, 0)))
        found = search(Growing(self.choices, self._nothing, lambda *given: (self._summed(*given), None)), keep=True, most=MOST_ROWS)
        following = []
        for (rows,), moves in zip((layer.values() for layer in found.layers[:-1]), found.moves, strict=True):
            table = np.full((len(rows), self.words), -1, np.int64)
            for move in moves:
                table[slice(None) if move.source is None else move.source, move.symbol] = move.target
            following.append(table)
        return UniformSums(following, self.ends(found.ends[""]))

    def after_sums(self, ends: Array) -> Coordinates:
        """The coordinates after a first layer that attends uniformly: a row for each of these ends and each word."""
        assert self.summed is not None
        columns = {name: x if len(x) == 1 else np.tile(x, (len(ends), 1)) for name, x in self.before.items()}
        return self.arrays.layer_given(self.summed, columns, self._given(ends))

    def _given(self, ends: Array) -> list[Coordinates]:
        """The outputs of the uniform heads for each of the sums at the end, in a row for each word."""
        assert self.summed is not None
        arrays, found, s = self.arrays, list[Coordinates](), 0
        for head in self.summed.heads:
            _, _, divisor = arrays._weights(head.entry.kind, np.zeros((1, 1, 1), arrays.carrier.dtype), None, self.length)
            values = {}
            for name in head.value:
                total = arrays.carrier.rounded(np.repeat(ends[:, s], self.words)[:, None])
                values[name] = total if divisor is None else arrays.carrier.rounded(total / divisor)
                s += 1
            found.append(values)
        return found

    def tells_words_apart(self, ends: Array) -> bool:
        """Whether, with some of these sums, a head after the first layer has different keys or values for two words at some position."""
        if self.summed is None:
            return True
        if self.first == self.final:
            return False
        size = max(1, CHUNK // (self.words * self.length))
        return any(self._told_apart(ends[k : k + size]) for k in range(0, len(ends), size))

    def _told_apart(self, ends: Array) -> bool:
        arrays, columns = self.arrays, self.after_sums(ends)
        for number in range(self.first + 1, self.final + 1):
            layer = self.network.layers[number]
            read = arrays.read_by_heads(layer, columns)
            forms = [form for head in layer.heads if head.value for form in (*head.key, *head.value.values())]
            for x in (key(arrays.applied(form, read)) for form in forms):
                if len(x) > 1 and (np.diff(x.reshape(-1, self.words, x.shape[1]), axis=1) != 0).any():
                    return True
            if number < self.final:
                columns = arrays._layer(layer, columns, self.length, None)
        return False

    def counted(self) -> Reached:
        """Merge inputs with equal sums of the first layer, equal words at the answering token and equal right answers.

        Its columns: the sums that vary, that word, the number of ones, and the needed bits; other bits are left out.
        """
        use = string_use(self.network)
        assert use is not None
        here = len(self.choices[self.at]) > 1

        def grown(j: int, word: Array, columns: Columns) -> tuple[Columns, None]:
            made = {**columns, **self._summed(j, word, columns)}
            entry = self.network.input.layout[j]
            if not isinstance(entry, int):
                if use.ones:
                    made["ones"] = columns["ones"] + word
                if here and j == self.at:
                    made["here"] = word
                if entry[1] + 1 in use.bits:
                    made[f"bit {entry[1] + 1}"] = word
            return made, None

        names = [*(["here"] if here else []), *(["ones"] if use.ones else []), *(f"bit {bit}" for bit in use.bits)]
        first = {**self._nothing, **{name: np.zeros(1, np.int64) for name in names}}
        return search(Growing(self.choices, first, grown), keep=True, most=MOST_ROWS)

    def alike(self) -> Reached | None:
        """The states of :meth:`counted`, if no sums lead to heads that distinguish words, or else None."""
        if self.tells_words_apart(np.array(self._of_zeros).reshape(1, -1)):
            return None
        found = self.counted()
        return None if self.tells_words_apart(self.ends(found.ends[""])) else found

    @cached_property
    def scored(self) -> Scored:
        """The input of the last layer of heads for each word at each position, for each of the first layer's sums.

        Raises:
            LimitError: more than two layers of heads, more than 1,024 sums, or scores that are NaN.
        """
        arrays = self.arrays
        if len(_reading(self.network)) > 2:
            raise LimitError("heads of a middle layer distinguish words", "a network with two layers of heads")
        if len(self.sums.ends) > MOST_SUMS:
            raise LimitError(f"the first layer has more than {MOST_SUMS:,} sums", "a smaller length")
        columns = self.before if self.first == self.final else self.after_sums(self.sums.ends)
        for layer in self.network.layers[self.first + 1 : self.final]:
            columns = arrays._layer(layer, columns, self.length, None)
        read = arrays.read_by_heads(self.last, columns)
        return scored(arrays, self.last, read, self.at, [*map(len, self.choices)], (len(self.sums.ends), self.words))

    def guessed(self) -> tuple[Reached, Array]:
        """All states under assumptions on the last layer's sums, and the states that fulfil theirs, which together contain every input.

        The columns of a state, which are the number of the assumption, that of the first layer's state, the needed facts, and the token's
        numbers.

        Raises:
            LimitError: more than 65,536 states, or as :attr:`scored`.
        """
        reading = self.scored.first()
        while not reading.complete:
            found, fulfilled = self._read(reading, False)
            columns = {name: x[fulfilled] for name, x in found.ends[""].columns.items() if name != "state"}
            differing, _ = merge(Rows(columns, np.zeros(len(fulfilled), np.int64)), placed=False)
            reading = reading.assuming((differing.columns["guess"], _numbers(differing.columns)))
        return self._read(reading, True)

    def _read(self, reading: Reading, to_answer: bool) -> tuple[Reached, Array]:
        """Every prefix, to the end, and the states that fulfil their assumption. to_answer: with the facts that the right answer needs."""
        use, start, sums = string_use(self.network), reading.start(), self.sums
        assert use is not None
        names = [*(["ones"] if use.ones else []), *(f"bit {bit}" for bit in use.bits)] if to_answer else []

        def grown(j: int, word: Array, columns: Columns) -> tuple[Columns, Array]:
            guess, entry = columns["guess"], self.network.input.layout[j]
            after = sums.following[j][columns["state"], word]
            kept = sums.reach[j + 1][after, reading.end[guess]]
            if j == self.at:
                kept = kept & (word == reading.query[guess])
            made = {**columns, "state": after}
            if not isinstance(entry, int):
                if "ones" in made:
                    made["ones"] = columns["ones"] + word
                if f"bit {entry[1] + 1}" in made:
                    made[f"bit {entry[1] + 1}"] = word
            read = reading.grown(guess, _numbers(columns), np.broadcast_to(word, guess.shape), j)
            return {**made, **{f"read {k}": x for k, x in enumerate(read.T)}}, kept

        columns = {"guess": np.arange(len(start)), **{name: np.zeros(len(start), np.int64) for name in ("state", *names)}}
        columns |= {f"read {k}": x for k, x in enumerate(start.T)}
        found = search(Growing(self.choices, columns, grown), keep=True, most=MOST_ROWS)
        ends = found.ends[""].columns
        guess = ends["guess"]
        return found, np.flatnonzero(sums.reach[-1][ends["state"], reading.end[guess]] & reading.fulfilled(guess, _numbers(ends)))

    def cases(self) -> tuple[Reached, Array]:
        """States whose inputs no network distinguishes, and the numbers of those that contain inputs, each input once.

        Raises:
            LimitError: more than 65,536 states, or as :attr:`scored`.
        """
        with np.errstate(all="ignore"):
            alike = self.alike()
            found, kept = self.guessed() if alike is None else (alike, np.arange(len(alike.ends[""])))
        assert sum(found.ends[""].count[kept].tolist()) == self.network.input.count, "states lack inputs"
        return found, kept

    def strings(self, words: Array) -> list[Strings]:
        """The strings of inputs with given words, of the shape (input, position)."""
        places = [j for j, entry in enumerate(self.network.input.layout) if not isinstance(entry, int)]
        (name,) = self.network.input.lengths
        return [{name: tuple(row)} for row in words[:, places].tolist()]

    def wrong(self, inputs: Sequence[Strings]) -> Sequence[Found]:
        """Those of some inputs that are answered wrongly."""
        return wrong_by_arrays(self.network, self.arrays.arithmetic, inputs, self.arrays)

    def first_wrong(self) -> Found | None:
        """The first wrong input: one input of each case is run, then the smallest of those in wrong cases.

        Raises:
            LimitError: as :meth:`cases`.
        """
        found, kept = self.cases()
        inputs = self.strings(found.inputs()[kept])
        size, (name,) = chunk_size(self.network), self.network.input.lengths
        chunks = (inputs[k : k + size] for k in range(0, len(inputs), size))
        wrong = {strings[name] for chunk in chunks for strings, _ in self.wrong(chunk)}
        if not wrong:
            return None
        marked = np.zeros(len(found.ends[""]), bool)
        marked[kept] = [strings[name] in wrong for strings in inputs]
        words = found.smallest({"": marked})
        assert words is not None, "no input leads to a case that was run"
        (first,) = self.wrong(self.strings(np.array([words])))
        return first


class ExactPrefixes(Prefixes):
    """The prefixes of all inputs over real numbers, for one layer of heads that take one token. Arrays hold ranks and numbers of values."""

    def __init__(self, network: Network, how: Arithmetic) -> None:
        super().__init__(network, arithmetic("float64"))
        self.context = context(how)

    def wrong(self, inputs: Sequence[Strings]) -> Sequence[Found]:
        return list(wrong_by_definition(self.network, self.context.arithmetic, iter(inputs)))

    @cached_property
    def scored(self) -> Scored:
        places = [(word, j) for j, choices in enumerate(self.choices) for word in choices]
        read = {(word, j): self._read_by_heads(int(self.tokens[word, j]), j) for word, j in places}
        allowed = np.zeros((self.words, self.length), bool)
        allowed[tuple(zip(*places, strict=True))] = True
        heads = [self._table(head, read) for head in self.last.heads if head.value]
        return Scored(self.arrays, heads, list(self.choices[self.at]), allowed)

    def _read_by_heads(self, token: int, j: int) -> Vector:
        """The input of the heads at a position, where this token stands at it."""
        x = embedded(self.network, token, j, self.context)
        for layer in self.network.layers[: self.final]:
            x = after(layer, x, [], self.context)[2]
        return read_by_heads(self.last, x, self.context)

    def _table(self, head: Head, read: dict[tuple[int, int], Vector]) -> HeadTable:
        """The ranks of a head's scores, and the numbers of its values, for each word at each position.

        Raises:
            LimitError: a score that is infinite or NaN.
            Undecided: two scores that may be equal.
        """
        network, at, context = self.network, self.at, self.context
        seen = [head.sees(at, j) for j in range(self.length)]
        keys = {(w, j): keyed(network, head, j, x, context) for (w, j), x in read.items() if seen[j]}
        found: dict[tuple[int, int, int], Any] = {}
        for word in self.choices[at]:
            query = scaled(head, queried(network, head, at, read[word, at], context), context)
            found |= {(word, w, j): score(network, head, at, j, query, key, context) for (w, j), key in keys.items()}
        if any(isinstance(x, Special) for x in found.values()):
            raise LimitError("a score is not a number", "another arithmetic")
        order = cmp_to_key(lambda x, y: context.less(y, x) - context.less(x, y))
        ranks: dict[Any, int] = {}
        before: Any = None
        for x in sorted(set(found.values()), key=order):
            ranks[x] = len(ranks) if before is None or context.less(before, x) else ranks[before]
            before = x
        scores = np.zeros((1, len(self.choices[at]), self.words, self.length))
        for (word, w, j), x in found.items():
            scores[0, word, w, j] = ranks[x]
        given = {(w, j): valued(head, x, context) for (w, j), x in read.items()}
        values = []
        for name in head.value:
            numbers: dict[Any, int] = {}
            values.append(np.zeros((1, self.words, self.length)))
            for (w, j), x in given.items():
                values[-1][0, w, j] = numbers.setdefault(x[name], len(numbers))
        return HeadTable(head, scores, values, seen)


def _numbers(columns: Columns) -> Array:
    """The token's numbers so far, of the shape (state, number)."""
    return np.stack([x for name, x in columns.items() if name.startswith("read ")], axis=1)
