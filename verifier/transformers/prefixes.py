"""One case for all prefixes that a token cannot tell apart, of a network whose answer one token reads from all others.

The last layer of heads is asked at one token only. What it reads of another token depends on that token's own word and position, and, if
the first layer attends uniformly, on that layer's sums, which are equal for all tokens. Sums run from left to right, so that a prefix of
the input matters by its running sums, and by what the right answer asks of it. The largest score and the sum of exponentials come before
the weights, but depend on all tokens: each value that an input may lead to is found first, then assumed, and prefixes are followed for
each assumption; at the end those inputs count that fulfil it, each input once. The smallest input of each state is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verifier.running.errors import LimitError
from verifier.transformers import formulas, interned
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array
from verifier.transformers.equal_rows import groups
from verifier.transformers.inputs import Strings
from verifier.transformers.layers import Layer
from verifier.transformers.network import Network
from verifier.transformers.outputs import place
from verifier.transformers.read_by_token import Reading, Scored, scored
from verifier.transformers.rounded_arrays import Columns
from verifier.transformers.uniform_sums import UniformSums, given, nothing, uniform_sums

METHOD = "prefix states"
MOST_ROWS = 1 << 16


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why prefixes are not counted by states; empty if they may be."""
    if arithmetic.exact or arithmetic.sums != "left-to-right" or arithmetic.products == "fused" or arithmetic.rounding != "operation":
        return "sums of rounded products from left to right were expected"
    if network.file.decode is not None:
        return "an answer at one token was expected"
    if reason := interned.no_string_of_bits(network):
        return reason
    layers = _reading(network)
    if not 1 <= len(layers) <= 2:
        return "one or two layers of heads were expected"
    if len(layers) == 2 and not all(interned.uniform(head) for head in layers[0].heads):
        return "heads of the first layer whose scores are all equal were expected"
    if _asked(network) is None:
        return "a right answer that depends on the number of ones or on single bits was expected"
    return ""


def _reading(network: Network) -> list[Layer]:
    """The layers whose heads give something."""
    return [layer for layer in network.layers if any(head.value for head in layer.heads)]


def _asked(network: Network) -> formulas.StringUse | None:
    """What the right answer asks of the string."""
    entry = network.file.accept or network.file.choose
    assert entry is not None
    (name,) = network.input.lengths
    found = formulas.use_of_string(entry.function, name, network.names)
    inside = found is not None and all(1 <= bit <= network.input.lengths[name] for bit in found.bits)
    return found if inside else None


@dataclass
class _Rows:
    """Prefixes, a row each. guess: what is assumed; sums: the state of the first layer's sums; read: of the token that reads; asked: of
    the right answer. steps: for each position the row that a row continues, and its word. count: inputs.
    """

    guess: Array
    sums: Array
    read: Array
    asked: Array
    count: Array
    steps: list[tuple[Array, Array]]


class Prefixes:
    """The prefixes of all inputs of a network in an arithmetic."""

    def __init__(self, network: Network, arithmetic: Arithmetic) -> None:
        self.network, self.arrays = network, Arrays(network, arithmetic)
        layout, letters = network.input.layout, list(range(len(network.input.letters)))
        self.length, self.words = len(layout), len(network.input.words)
        self.last: Layer = _reading(network)[-1]
        self.choices: list[Sequence[int]] = [[entry] if isinstance(entry, int) else letters for entry in layout]
        entry = network.file.accept or network.file.choose
        assert entry is not None
        self.at = place(network, entry.at, self.length)
        with np.errstate(all="ignore"):
            self.sums, self.scored = self._before_the_last()

    def _before_the_last(self) -> tuple[UniformSums, Scored]:
        """The first layer's sums, and what the last layer of heads reads of each word at each position, for each of them."""
        arrays, network = self.arrays, self.network
        tokens = np.array([[word if word in here else here[0] for here in self.choices] for word in range(self.words)])
        columns = arrays.embedded(tokens)
        sums = nothing(self.length, self.words)
        *first, last = _reading(network)
        for layer in network.layers:
            if layer is last:
                break
            if layer in first:
                sums, columns = self._summed(layer, columns)
            else:
                columns = arrays._layer(layer, columns, self.length, None)
        read = arrays.read_by_heads(last, columns)
        return sums, scored(arrays, last, read, self.at, self.choices, (len(sums.ends), self.words))

    def _summed(self, layer: Layer, columns: Columns) -> tuple[UniformSums, Columns]:
        """The sums of the first layer, and the coordinates after it: rows are ends and words."""
        arrays, shape = self.arrays, (self.words, self.length)
        read = arrays.read_by_heads(layer, columns)
        terms = [np.broadcast_to(x, shape) for head in layer.heads for x in arrays.uniform_products(head, read, self.length)]
        sums = uniform_sums(arrays, terms, self.choices, self.words)
        ends = len(sums.ends)
        columns = {name: x if len(x) == 1 else np.tile(x, (ends, 1)) for name, x in columns.items()}
        return sums, arrays.layer_given(layer, columns, given(arrays, layer, sums.ends, self.length, self.words))

    def states(self) -> tuple[Reading, End]:
        """What is assumed, and the states that fulfil it; together they hold every input.

        Raises:
            LimitError: more than 65,536 states, or scores that are NaN.
        """
        with np.errstate(all="ignore"):
            reading = self.scored.first()
            while not reading.complete:
                reading = reading.assuming(self._run(reading, False).read_at_end(reading))
            rows = self._run(reading, True)
        letters = len(self.network.input.letters)
        assert sum(rows.count.tolist()) == letters ** sum(self.network.input.lengths.values()), "states lack inputs"
        return reading, rows

    def smallest(self) -> list[Strings]:
        """The smallest input of each state, in their order.

        Raises:
            LimitError: as :meth:`states`.
        """
        _, rows = self.states()
        words = np.zeros((len(rows.count), self.length), np.int64)
        row = np.arange(len(rows.count))
        for j in reversed(range(self.length)):
            before, word = rows.steps[j]
            words[:, j], row = word[row], before[row]
        strings = [j for j, entry in enumerate(self.network.input.layout) if not isinstance(entry, int)]
        (name,) = self.network.input.lengths
        return [{name: string} for string in sorted({tuple(row) for row in words[:, strings].tolist()})]

    def _run(self, reading: Reading, counted: bool) -> End:
        """Every prefix, to the end. counted: with what the right answer asks."""
        use = _asked(self.network)
        assert use is not None
        bits = use.bits if counted else ()
        count = len(reading.end)
        rows = _Rows(
            np.arange(count),
            np.zeros(count, np.int64),
            reading.start(),
            np.zeros((count, 1 + len(bits)), np.int64),
            np.ones(count, object),
            [],
        )
        for j, allowed in enumerate(self.choices):
            rows = self._grown(rows, reading, j, allowed, bits, counted and use.ones)
        fulfilled = np.flatnonzero(self.sums.reach[-1][rows.sums, reading.end[rows.guess]] & reading.fulfilled(rows.guess, rows.read))
        last = rows.steps[-1]
        steps = [*rows.steps[:-1], (last[0][fulfilled], last[1][fulfilled])]
        return End(rows.guess[fulfilled], rows.read[fulfilled], rows.count[fulfilled], steps)

    def _grown(self, rows: _Rows, reading: Reading, j: int, allowed: Sequence[int], bits: tuple[int, ...], ones: bool) -> _Rows:
        """The prefixes with one more word."""
        before, word = np.repeat(np.arange(len(rows.guess)), len(allowed)), np.tile(np.array(allowed), len(rows.guess))
        guess, sums = rows.guess[before], self.sums.following[j][rows.sums[before], word]
        possible = self.sums.reach[j + 1][sums, reading.end[guess]]
        if j == self.at:
            possible = possible & (word == reading.query[guess])
        if not possible.all():
            before, word, guess, sums = (x[possible] for x in (before, word, guess, sums))
        asked = rows.asked[before]
        entry = self.network.input.layout[j]
        if not isinstance(entry, int):
            asked = asked + np.stack([word * ones, *(word * (entry[1] + 1 == bit) for bit in bits)], axis=1)
        read = reading.grown(guess, rows.read[before], word, j)
        first, group = groups([guess, sums, *read.T, *asked.T])
        if len(first) > MOST_ROWS:
            raise LimitError(f"more than {MOST_ROWS:,} states", "a smaller length")
        total = np.zeros(len(first), object)
        np.add.at(total, group, rows.count[before])
        return _Rows(guess[first], sums[first], read[first], asked[first], total, [*rows.steps, (before[first], word[first])])


@dataclass(frozen=True)
class End:
    """The states at the end that fulfil what they assume."""

    guess: Array
    read: Array
    count: Array
    steps: list[tuple[Array, Array]]

    def read_at_end(self, reading: Reading) -> tuple[Array, Array]:
        """Each guess with what the token has read."""
        first, _ = groups([self.guess, *self.read.T])
        return self.guess[first], self.read[first]
