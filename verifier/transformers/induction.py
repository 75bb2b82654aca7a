"""Decoding by induction: if all earlier outputs are right, the next one is; then every output is right, on every input.

The right outputs are digits of a sum (:mod:`digit_sums`), so that a column of digits and a carry give the output and the next carry. At
step k the tokens are digits of columns, earlier outputs, which are right, and special tokens. One pass over the columns lists every state
that an input may lead to: the carry, the symbols that heads copy, and for heads that sum over tokens the extremes of their sums, by dynamic
programming over carries. What follows at the last token is computed on these boxes (:mod:`boxes`), which are halved until the largest logit
is certain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.floats import Array, Box
from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers import formulas
from verifier.transformers.arrays import Arrays
from verifier.transformers.digit_columns import DigitColumns, DigitSum, States, Table, digit_sum, outward, rounding_of_sum
from verifier.transformers.last_token import Copied, Keys, Summed
from verifier.transformers.logit_boxes import LogitBoxes, same
from verifier.transformers.network import Layer, Network

METHOD = "induction"
MOST_BITS = 60


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why induction does not apply; empty if it may."""
    file = network.file
    if file.decode is None or file.decode.until:
        return "a network that appends symbols up to a length was expected"
    if arithmetic.exact or arithmetic.rounding == "dot-product":
        return "operations that are rounded each were expected"
    if max(network.input.lengths.values(), default=0) * len(network.input.alphabet).bit_length() > MOST_BITS:
        return f"strings of at most {MOST_BITS} bits were expected"
    if sum(bool(layer.heads) for layer in network.layers) != 1:
        return "one layer with heads was expected"
    if file.input.promise != "none" or digit_sum(network) is None:
        return "right outputs S//B**(k - 1) % B, S a sum of the strings, B the number of symbols, without a promise were expected"
    return ""


@dataclass(frozen=True)
class Cases:
    """The groups at a step: query and right symbol of each, what heads give as boxes, by head and name.

    heads: how each head gives it; sums: the boxes of sums, before they are divided.
    """

    query: Array
    right: Array
    given: dict[tuple[int, str], Box]
    heads: list[Copied | Summed]
    sums: list[Box]
    path: list[States]
    rows: Array


class Induction:
    """A decoding network in an arithmetic, step by step.

    fixed: digits that every input has, by string and column; all inputs if it is empty.
    """

    def __init__(self, network: Network, arithmetic: Arithmetic, fixed: Mapping[tuple[str, int], int] | None = None) -> None:
        self.network, self.arrays = network, Arrays(network, arithmetic)
        decode = network.file.decode
        assert decode is not None
        self.steps = formulas.integer(decode.steps, network.names)
        found = digit_sum(network)
        assert found is not None
        self.sum: DigitSum = found
        self.digits = DigitColumns(network.input, found, fixed)
        self.width = self.digits.width
        words = len(network.input.words)
        before, self.layer, after = self._parts()
        length = self.digits.prompt + self.steps - 1
        tokens = np.repeat(np.arange(words)[:, None], length, axis=1)
        with np.errstate(all="ignore"):
            columns = self.arrays.embedded(tokens)
            for layer in before:
                columns = self.arrays._layer(layer, columns, length, None)
            norm = self.layer.norms.get("attention")
            wide = {name: np.broadcast_to(x, tokens.shape) for name, x in columns.items()}
            self.logits = LogitBoxes(self.arrays, wide, self.layer, after)
            read = self.arrays.normed(columns, norm) if norm and norm.entry.place == "before" else columns
            self.keys = Keys(self.arrays, self.layer.heads, read, words, length)

    def _parts(self) -> tuple[list[Layer], Layer, list[Layer]]:
        layers = list(self.network.layers)
        at = next(k for k, layer in enumerate(layers) if layer.heads)
        return layers[:at], layers[at], layers[at + 1 :]

    def cases(self, step: int) -> Cases:
        """Every group of inputs at a step, if all earlier outputs are right."""
        choices, queries = self.digits.choices(step), self.digits.queries(step)
        given = [self.keys.given(h, choices, queries) for h in range(len(self.layer.heads))]
        sums = [(h, name) for h, each in enumerate(given) if isinstance(each, Summed) for name in each.low]
        tables = [(_part(given[h]).low[name], _part(given[h]).high[name]) for h, name in sums]
        copied = {j for each in given if isinstance(each, Copied) for j in each.token.tolist()}
        path = list(self.digits.path(step, tables, copied, len(queries)))
        last = path[-1]
        rows = np.arange(len(last.carry))
        assert last.query is not None
        found: dict[tuple[int, str], Box] = {}
        for h, each in enumerate(given):
            if isinstance(each, Copied):
                symbols = self.digits.symbols(each.token, step, last)
                found |= {(h, name): same(table[last.query, symbols]) for name, table in each.values.items()}
        boxes = [self._sum_box(last, s, table, choices) for s, table in enumerate(tables)]
        for box, (h, name) in zip(boxes, sums, strict=True):
            found[h, name] = self._divided(box, _part(given[h]), last)
        query = np.asarray(queries)[last.query]
        return Cases(query, last.watched["right", step], found, given, boxes, path, rows)

    def _sum_box(self, last: States, s: int, table: Table, choices: list[list[int]]) -> Box:
        """The rounded sums of a head, from the extremes of the exact ones."""
        queries = len(table[0])
        errors = []
        for q in range(queries):
            largest = [max(np.abs(end[q][list(words), j]).max() for end in table) for j, words in enumerate(choices)]
            largest[-1] = max(np.abs(end[q][:, -1]).max() for end in table)
            error = float(rounding_of_sum(self.arrays, [float(x) for x in largest]))
            errors.append(error if error == 0 else float(np.nextafter(error, np.inf)))
        bound = np.array(errors)[last.query]
        low, high = last.low[:, 0, s], last.high[:, 0, s]
        wide_low, wide_high = outward(low - bound, high + bound)
        low, high = np.where(bound == 0, low, wide_low), np.where(bound == 0, high, wide_high)
        return self._settled(low), self._settled(high)

    def _divided(self, box: Box, given: Summed, last: States) -> Box:
        """The boxes of sums over the divisors of their queries."""
        if given.divisor is None:
            return box
        low, high = (np.broadcast_to(x, (len(x), 1))[last.query] for x in given.divisor)
        return self.logits.boxes.divide(box, (low, high))

    def _settled(self, x: Array) -> Array:
        """An end of a box of sums as a value of the format: sums are rounded into it, and rounding is monotone."""
        return self.arrays.carrier.rounded(x.astype(self.arrays.carrier.dtype))[:, None]

    def judge(self, step: int) -> tuple[Cases, Array]:
        """The groups at a step, and of each whether its symbol is right (1), wrong for every value of its boxes (−1), or neither (0)."""
        with np.errstate(all="ignore"):
            cases = self.cases(step)
            ends = [np.broadcast_to(end, (len(cases.rows), 1)) for box in cases.given.values() for end in box]
            table = np.concatenate([np.stack([cases.query, cases.right], axis=1), *(end.astype(np.float64) for end in ends)], axis=1)
            _, first, inverse = np.unique(table + 0.0, axis=0, return_index=True, return_inverse=True)
            given = {key: (ends[2 * k][first], ends[2 * k + 1][first]) for k, key in enumerate(cases.given)}
            return cases, self.logits.decided(self.digits.prompt + step - 1, cases.query[first], cases.right[first], given)[
                inverse.reshape(-1)
            ]


def _part(given: Copied | Summed) -> Summed:
    assert isinstance(given, Summed)
    return given
