"""Theorem 2.4 with fixed splits: both halves, by enumeration of the witness and by counting."""

from __future__ import annotations

from constructions.every_bit_counts.mathematics.fixed_splits import SplitWitness, messages
from verifier.arithmetic.numbers import NAN, ONE, ZERO, show
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Integer, judge
from verifier.networks.problems import bits_of


@judge
def both_halves(query: Query, *, bits: Integer, fewer: Integer, length: Integer, n: Integer) -> Cases:
    """So many bits compute EQ on strings of this length, by every promise pair of the witness; ``fewer`` bits do not, by counting."""
    yield Over("every pair y <= z of the witness with fixed splits, and the pairs of two sums", "enumeration and counting")
    witness, m = SplitWitness(bits, n), length
    assert witness.instance.m == m, "the witness compares strings of this length"
    strings = 1 << m
    query.within(strings * (strings + 1) // 2)
    pairs = messages(fewer)
    yield pairs < strings or {"bits": fewer, "pairs": pairs, "strings": strings}
    for y, z, output in witness.answers():
        right = output == ONE if y == z else output in (ZERO, NAN)
        yield right or {"y": bits_of(y, m), "z": bits_of(z, m), "output": show(output)}
