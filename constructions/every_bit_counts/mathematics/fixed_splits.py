"""Token order with fixed splits: each stored number has its digits split in advance, s in front of the binary point, the rest behind it.

With p bits and s digits in front of the point the values are k·2^(s−p+1), |k| ≤ 2^(p−1) − 1: a grid for each place where a number is
stored. It is the arithmetic of ``proofs/FixedSplit.v``; rounding is to nearest, ties to zero, overflow decided on the rounded value.

The witness has the rows of ``witness-t1``. Weights have every digit in front of the point, those of the last p bits behind it. The
numerator, the quotient and the hidden node have every digit behind the point, the denominator and the output node in front of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verifier.arithmetic.formats import fixed_grid
from verifier.arithmetic.machine import Machine, rectified
from verifier.arithmetic.numbers import ONE, ZERO, Number
from verifier.arithmetic.rationals import Fraction
from verifier.errata.tables import read_construction
from verifier.networks.entries import Large
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate

WITNESS = Path(__file__).parents[1] / "tables" / "witness-t1.toml"

Sums = tuple[Number, Number]
"""Numerator and denominator."""


def split(p: int, s: int) -> Machine:
    """The arithmetic of numbers of p bits with s digits in front of the point."""
    return Machine(fixed_grid(p, Fraction(2**s, 2 ** (p - 1))))


@dataclass(frozen=True)
class SplitWitness:
    """The witness at p and n, m = 2p − 1, on the input representation T1."""

    p: int
    n: int

    @cached_property
    def instance(self) -> Instance:
        return instantiate(read_construction(WITNESS).file, {"p": self.p, "n": self.n})

    @cached_property
    def small(self) -> Machine:
        """Every digit behind the point."""
        return split(self.p, 0)

    @cached_property
    def large(self) -> Machine:
        """Every digit in front of the point."""
        return split(self.p, self.p - 1)

    @cached_property
    def terms(self) -> list[list[Sums]]:
        """For each token the product and the weight that it adds, by the bit that it reads."""
        made = []
        for token in self.instance.tokens:
            of_last_bits = self.p <= token.index <= 2 * self.p - 1 or token.index >= 3 * self.p + 1
            machine = self.small if of_last_bits else self.large
            made.append([self._term(vector, machine) for vector in token.vectors if vector is not None])
        return made

    def _term(self, vector: tuple[object, ...], machine: Machine) -> Sums:
        _, key, value = vector
        assert isinstance(value, Fraction)
        if isinstance(key, Large):
            return self.small.multiply(ZERO, value), ZERO
        assert isinstance(key, Fraction)
        weight = machine.round(Fraction(2) ** int(key))
        return self.small.multiply(weight, value), weight

    def sums(self, y: int, z: int) -> Sums:
        """The two running sums, token by token."""
        numerator: Number = ZERO
        denominator: Number = ZERO
        for token, terms in zip(self.instance.tokens, self.terms, strict=True):
            product, weight = terms[token.pattern(y, z, self.instance.m) if len(terms) > 1 else 0]
            numerator, denominator = self.small.add(numerator, product), self.large.add(denominator, weight)
        return numerator, denominator

    def output(self, sums: Sums) -> Number:
        """The quotient, the hidden node max{0, −2x + 2^(2−p)} and the output node max{0, −2^(p−2) h + 1}."""
        small, large, p = self.small, self.large, self.p
        x = small.divide(*sums)
        h = rectified(small.add(small.add(ZERO, small.multiply(Fraction(-2), x)), Fraction(1, 2 ** (p - 2))))
        return rectified(large.add(large.add(ZERO, large.multiply(Fraction(-(2 ** (p - 2))), h)), ONE))

    def answers(self) -> Iterator[tuple[int, int, Number]]:
        """Every pair y ≤ z with the output."""
        strings = 1 << self.instance.m
        for y in range(strings):
            for z in range(y, strings):
                yield y, z, self.output(self.sums(y, z))


def messages(q: int) -> int:
    """How many pairs two running sums of q bits can be, the denominator not negative: levels, infinities and NaN of each."""
    return ((1 << q) + 2) * ((1 << q - 1) + 2)
