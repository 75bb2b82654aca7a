"""One case for all inputs that a network cannot tell apart, of a network whose answer one token reads from all others.

Sums run from left to right, so that a prefix of the input matters by its running sums, and by what the right answer asks of it. If the
first layer attends uniformly, its sums are equal for all tokens; after it, a token depends on these sums, its own word and position.

*Nothing told apart*: where keys and values of later heads are the same for all words of a position, whatever the sums are, inputs with
equal sums and equal words at the token that is asked for are one case. PARITY on strings of length n has n + 1 cases.

*One layer that tells words apart*: it is asked at one token only. The largest score and the sum of exponentials come before the weights,
but depend on all tokens: each value that an input may lead to is found first, then assumed, and prefixes are followed for each assumption;
at the end those inputs count that fulfil it, each input once.

The smallest input of each case is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.arithmetic.semantics import Arithmetic
from verifier.language.string_use import StringUse, use_of_string
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Head, Layer, Network
from verifier.transformers.outputs import place
from verifier.transformers.read_by_token import Reading, Scored, scored
from verifier.transformers.rounded_arrays import Columns
from verifier.transformers.search import Rows, groups, key, search

METHOD = "prefix states"
MOST_SUMS = 1 << 10
"""Different sums of the first layer, at most, where words are told apart behind it."""
CHUNK = 1 << 17
"""Numbers of one coordinate, for some of the sums."""


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why prefixes are not counted by states; empty if they may be."""
    if arithmetic.exact or arithmetic.sums != "left-to-right" or arithmetic.products == "fused" or arithmetic.rounding == "dot-product":
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
    if asked(network) is None:
        return "a right answer that depends on the number of ones or on single bits was expected"
    return ""


def _reading(network: Network) -> list[int]:
    """The numbers of the layers whose heads give something; of the last layer where none does."""
    found = [k for k, layer in enumerate(network.layers) if any(head.value for head in layer.heads)]
    return found or [*range(len(network.layers))][-1:]


def _uniform(layer: Layer) -> bool:
    """Whether all heads attend to all tokens alike, whatever the input is."""

    def alike(head: Head) -> bool:
        return head.uniform and head.entry.mask == "none" and head.entry.kind in ("softmax", "softmax-plus-one", "average-hard")

    return all(alike(head) for head in layer.heads)


def asked(network: Network) -> StringUse | None:
    """What the right answer asks of the string."""
    entry = network.file.accept or network.file.choose
    assert entry is not None
    (name,) = network.input.lengths
    found = use_of_string(entry.function, name, network.names)
    inside = found is not None and all(1 <= bit <= network.input.lengths[name] for bit in found.bits)
    return found if inside else None


@dataclass(frozen=True)
class UniformSums:
    """The running sums of the first layer as an automaton.

    following: at each position the next state, of the shape (state, word). ends: the sums at the end, of the shape (end, sum).
    """

    following: list[Array]
    ends: Array

    @cached_property
    def reach(self) -> list[Array]:
        """Before each position and at the end, from which states some input leads to which sums at the end: of the shape (state, end)."""
        found = [np.eye(len(self.ends), dtype=bool)]
        for table in reversed(self.following):
            found.append(np.logical_or.reduce([found[-1][column] & (column >= 0)[:, None] for column in table.T]))
        return found[::-1]


class Prefixes:
    """The prefixes of all inputs of a network in an arithmetic. A word is a symbol of the string, or 0 where a special token stands."""

    def __init__(self, network: Network, arithmetic: Arithmetic, read: bool = False) -> None:
        """read: whether a last layer of heads that attends uniformly is followed by what one token reads, too."""
        self.network, self.arrays = network, Arrays(network, arithmetic)
        layout, letters = network.input.layout, list(range(len(network.input.letters)))
        self.length, self.words = len(layout), len(letters)
        self.choices = [1 if isinstance(entry, int) else self.words for entry in layout]
        self.tokens = np.array([[entry if isinstance(entry, int) else word for entry in layout] for word in letters])
        self.first, self.final = _reading(network)[0], _reading(network)[-1]
        self.last, averaging = network.layers[self.final], network.layers[self.first]
        self.summed: Layer | None = averaging if _uniform(averaging) and not (read and self.first == self.final) else None
        entry = network.file.accept or network.file.choose
        assert entry is not None
        self.at = place(network, entry.at, self.length)

    @cached_property
    def before(self) -> Columns:
        """The coordinates before the first layer with heads, in a row for each word."""
        columns = self.arrays.embedded(self.tokens)
        for layer in self.network.layers[: self.first]:
            columns = self.arrays._layer(layer, columns, self.length, None)
        return columns

    @cached_property
    def _added(self) -> list[Array]:
        """What each sum of the first layer gets where its heads attend uniformly, of the shape (word, position)."""
        if self.summed is None:
            return []
        arrays, shape = self.arrays, (self.words, self.length)
        read = arrays.read_by_heads(self.summed, self.before)
        return [np.broadcast_to(x, shape) for head in self.summed.heads for x in arrays.uniform_products(head, read, self.length)]

    def _nothing(self) -> list[Array]:
        """The sums before the first token."""
        return [np.zeros(1, self.arrays.carrier.dtype) for _ in self._added]

    def _summed(self, j: int, word: Array, sums: list[Array]) -> list[Array]:
        return [self.arrays.accumulated(x, term[word, j]) for x, term in zip(sums, self._added, strict=True)]

    @cached_property
    def sums(self) -> UniformSums:
        """The sums of the first layer where its heads attend uniformly; else none, which is one state.

        Raises:
            LimitError: more than 65,536 states.
        """
        if not self._added:
            return UniformSums([np.zeros((1, self.words), np.int64)] * self.length, np.zeros((1, 0)))
        found = search(self._nothing(), self.choices, lambda j, word, columns: (self._summed(j, word, columns), None))
        following, states = [], 1
        for each in found.positions:
            table = np.full((states, self.words), -1, np.int64)
            table[each.before, each.word] = each.group
            following.append(table)
            states = len(each.first)
        return UniformSums(following, np.stack(found.columns, axis=1))

    def after_sums(self, ends: Array) -> Columns:
        """The coordinates after the first layer that attends uniformly: a row for each of these ends and each word."""
        assert self.summed is not None
        columns = {name: x if len(x) == 1 else np.tile(x, (len(ends), 1)) for name, x in self.before.items()}
        return self.arrays.layer_given(self.summed, columns, self._given(ends))

    def _given(self, ends: Array) -> list[Columns]:
        """What the uniform heads give for each of the sums at the end, in a row for each word."""
        assert self.summed is not None
        arrays, found, s = self.arrays, list[Columns](), 0
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
        """Whether, with some of these sums, a head behind the first layer has another key or value for another word at some position."""
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

    def counted(self) -> Rows:
        """Inputs with equal sums of the first layer, equal words at the token that is asked for and equal right answers as one row.

        Its columns: the sums, that word, the number of ones (0 where nobody asks), and the bits that are asked for.
        """
        use = asked(self.network)
        assert use is not None
        sums = len(self._added)

        def step(j: int, word: Array, columns: list[Array]) -> tuple[list[Array], None]:
            here, ones, *bits = columns[sums:]
            entry = self.network.input.layout[j]
            if not isinstance(entry, int):
                bits = [word if entry[1] + 1 == bit else x for bit, x in zip(use.bits, bits, strict=True)]
                here, ones = word if j == self.at else here, ones + word * use.ones
            return [*self._summed(j, word, columns[:sums]), here, ones, *bits], None

        return search([*self._nothing(), *(np.zeros(1, np.int64) for _ in range(2 + len(use.bits)))], self.choices, step)

    def alike(self) -> Rows | None:
        """The rows of :meth:`counted`, where no sums lead to heads that tell words apart; else None."""
        sums = self._nothing()
        for j in range(self.length):
            sums = self._summed(j, np.zeros(1, np.int64), sums)
        if self.tells_words_apart(np.array(sums).reshape(1, -1)):
            return None
        rows = self.counted()
        ends = np.stack(rows.columns[: len(sums)], axis=1) if sums else np.zeros((1, 0))
        return None if self.tells_words_apart(ends) else rows

    @cached_property
    def scored(self) -> Scored:
        """What the last layer of heads reads of each word at each position, for each of the first layer's sums.

        Raises:
            LimitError: more than two layers of heads, more than 1,024 sums, or scores that are NaN.
        """
        arrays = self.arrays
        if len(_reading(self.network)) > 2:
            raise LimitError("heads of a layer between two others tell words apart", "a network with two layers of heads")
        if len(self.sums.ends) > MOST_SUMS:
            raise LimitError(f"more than {MOST_SUMS:,} sums", "a smaller length")
        columns = self.before if self.first == self.final else self.after_sums(self.sums.ends)
        for layer in self.network.layers[self.first + 1 : self.final]:
            columns = arrays._layer(layer, columns, self.length, None)
        read = arrays.read_by_heads(self.last, columns)
        return scored(arrays, self.last, read, self.at, self.choices, (len(self.sums.ends), self.words))

    def guessed(self) -> tuple[Reading, Rows]:
        """What is assumed of the last layer's sums, and the rows that fulfil it; together they hold every input.

        The columns of a row: the number of what is assumed, that of the first layer's state, what is asked, what the token reads.

        Raises:
            LimitError: more than 65,536 states, or as :attr:`scored`.
        """
        reading = self.scored.first()
        while not reading.complete:
            rows = self._read(reading, False)
            first, _ = groups([rows.columns[0], *rows.columns[2:]])
            reading = reading.assuming((rows.columns[0][first], np.stack(rows.columns[2:], axis=1)[first]))
        return reading, self._read(reading, True)

    def _read(self, reading: Reading, to_answer: bool) -> Rows:
        """Every prefix, to the end. to_answer: with what the right answer asks."""
        use, start, sums = asked(self.network), reading.start(), self.sums
        assert use is not None
        bits = use.bits if to_answer else ()
        ones, fixed = int(to_answer and use.ones), 2 + to_answer * (1 + len(bits))

        def step(j: int, word: Array, columns: list[Array]) -> tuple[list[Array], Array | None]:
            guess, state, *others = columns
            after = sums.following[j][state, word]
            kept = sums.reach[j + 1][after, reading.end[guess]]
            if j == self.at:
                kept = kept & (word == reading.query[guess])
            known, read, entry = others[: fixed - 2], np.stack(others[fixed - 2 :], axis=1), self.network.input.layout[j]
            if to_answer and not isinstance(entry, int):
                known = [known[0] + word * ones, *(word if entry[1] + 1 == bit else x for bit, x in zip(bits, known[1:], strict=True))]
            return [guess, after, *known, *reading.grown(guess, read, word, j).T], kept

        zeros = [np.zeros(len(start), np.int64) for _ in range(fixed - 1)]
        rows = search([np.arange(len(start)), *zeros, *start.T], self.choices, step)
        guess, state, read = rows.columns[0], rows.columns[1], np.stack(rows.columns[fixed:], axis=1)
        return rows.where(np.flatnonzero(sums.reach[-1][state, reading.end[guess]] & reading.fulfilled(guess, read)))

    def smallest(self) -> list[Strings]:
        """The smallest input of each state, in their order.

        Raises:
            LimitError: more than 65,536 states, or as :attr:`scored`.
        """
        with np.errstate(all="ignore"):
            rows = self.alike() or self.guessed()[1]
        assert sum(rows.count.tolist()) == self.network.input.count, "states lack inputs"
        strings = [j for j, entry in enumerate(self.network.input.layout) if not isinstance(entry, int)]
        (name,) = self.network.input.lengths
        return [{name: string} for string in sorted({tuple(row) for row in rows.smallest()[:, strings].tolist()})]
