"""A transformer of the experiments' size, its weights set by hand in four bits, that compares the strings' beginnings.

H = 2 heads of value dimension 4, embedding dimension 8, at most 32 hidden nodes (Appendix D), with softmax attention as in Definition A.2,
numbers of Definition A.7 and the arithmetic of Section A.4; e^(k ln 2) is 2^k. Columns 0 to 6 of an embedding carry the bits, three
positions to a column, with the weights 1, 2, 4 and for z -1, -2, -4; column 7 is 1. Every key is -3, so that a token's share is 1/8: the
denominator reaches 1 and stays there, and a column's numerator is (y' - z')/8 for the three bits that it compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

from verifier.arithmetic.formats import power_of_two
from verifier.arithmetic.machine import Machine, rectified
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction

COLUMNS = 7
PLACES = 3
KEY = -3
HIDDEN_WEIGHTS = (Fraction(1), Fraction(-1))
"""Of the two hidden nodes that look at a column."""
OUTPUT_WEIGHT = Fraction(-1)
OUTPUT_BIAS = Fraction(1, 8)


@dataclass(frozen=True)
class Comparer:
    """The network for strings of m bits, run by a machine of its precision."""

    m: int
    machine: Machine

    @property
    def compared(self) -> int:
        """How many positions it compares."""
        return min(self.m, COLUMNS * PLACES)

    def places(self, column: int) -> range:
        """The positions that a column compares."""
        return range(PLACES * column, min(PLACES * (column + 1), self.m))

    def entry(self, token: int, bit: int, column: int) -> Fraction:
        """Of the embedding: token 0 … m - 1 holds y, m … 2m - 1 holds z, the last one nothing."""
        position = token % self.m if token < 2 * self.m else -1
        if bit == 0 or position not in self.places(column):
            return Fraction(0)
        return Fraction((1 if token < self.m else -1) << position % PLACES)

    def constants(self) -> set[Fraction]:
        """Every number that the network is made of."""
        entries = {self.entry(t, 1, c) for t in range(2 * self.m + 1) for c in range(COLUMNS)}
        return entries | {Fraction(1), Fraction(KEY), *HIDDEN_WEIGHTS, OUTPUT_WEIGHT, OUTPUT_BIAS}

    @cached_property
    def weight(self) -> Number:
        """e^<Q,K> of every token."""
        return self.machine.round(power_of_two(KEY))

    @cached_property
    def denominator(self) -> Number:
        """The sum of the attention weights, from left to right."""
        return self.total([self.weight] * (2 * self.m + 1))

    def total(self, terms: Iterable[Number]) -> Number:
        """The sum from left to right."""
        start: Number = Fraction(0)
        return reduce(self.machine.add, terms, start)

    def column(self, column: int, y: tuple[int, ...], z: tuple[int, ...]) -> Number:
        """The attention's output in a column; tokens whose entry is 0 add nothing."""
        entries = (self.entry(token, bit, column) for token, bit in enumerate((*y, *z)) if bit)
        numerator = self.total(self.machine.multiply(self.weight, entry) for entry in entries if entry)
        return self.machine.divide(self.machine.multiply(numerator, Fraction(1)), self.denominator)

    def after(self, total: Number, seen: Number) -> Number:
        """The output node's running sum with the two hidden nodes of one more column."""
        for weight in HIDDEN_WEIGHTS:
            node = rectified(self.machine.multiply(weight, seen))
            total = self.machine.add(total, self.machine.multiply(OUTPUT_WEIGHT, node))
        return total

    def says_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> bool:
        """The answer: whether the output is positive."""
        output: Number = OUTPUT_BIAS
        for c in range(COLUMNS):
            output = self.after(output, self.column(c, y, z))
        return isinstance(output, Fraction) and output > 0

    def wrong(self) -> Iterator[tuple[object, ...]]:
        """Where the answer would not be whether the compared positions are equal, over all values of every column.

        A column depends on its own bits only: all of them are tried, with the others 0. The output node's running sums are followed as a
        set: they are the bias as long as every column was 0, and no more than 0 afterwards.
        """
        unequal: set[Number] = set()
        for c in range(COLUMNS):
            found: set[Number] = set()
            width = len(self.places(c))
            for bits in product((0, 1), repeat=2 * width):
                value = self.column(c, self._string(c, bits[:width]), self._string(c, bits[width:]))
                if (value == 0) != (bits[:width] == bits[width:]):
                    yield ("column", c, "bits", bits, "value", value)
                found.add(value)
            unequal = {self.after(t, v) for t in unequal for v in found} | {self.after(OUTPUT_BIAS, v) for v in found if v != 0}
            yield from (("column", c, "running sum", total) for total in unequal if not isinstance(total, Fraction) or total > 0)
        if self.after(OUTPUT_BIAS, Fraction(0)) != OUTPUT_BIAS:
            yield ("running sum", self.after(OUTPUT_BIAS, Fraction(0)))

    def _string(self, column: int, bits: tuple[int, ...]) -> tuple[int, ...]:
        chosen = dict(zip(self.places(column), bits, strict=True))
        return tuple(chosen.get(i, 0) for i in range(self.m))
