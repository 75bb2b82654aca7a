"""The inputs that the experiments draw, and how often a question simpler than equality has the right answer on them.

Source: *Every Bit Counts*, Appendix D, Input Generation: with probability 1/2 z = y, y uniform; otherwise z is y with the bits flipped at
⌊0.75 m⌋ positions, which are drawn uniformly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

from verifier.arithmetic.rationals import Fraction


def flips(m: int) -> int:
    """In how many positions unequal strings differ: ⌊3m/4⌋."""
    return 3 * m // 4


@dataclass(frozen=True)
class SameBeginning:
    """Whether the first ``positions`` bits are equal."""

    positions: int

    def says_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> bool:
        return y[: self.positions] == z[: self.positions]

    def bits(self, m: int) -> int:
        """How many bits the holder of y sends."""
        return min(self.positions, m)

    def misled(self, m: int) -> Fraction:
        """How likely it is to call unequal strings equal: none of the flips is among these positions."""
        return Fraction(comb(m - self.bits(m), flips(m)), comb(m, flips(m)))

    def __str__(self) -> str:
        return f"whether the first {self.positions} bits are equal"


@dataclass(frozen=True)
class SameCount:
    """Whether both strings have the same number of ones, modulo ``modulus``."""

    modulus: int

    def says_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> bool:
        return (sum(y) - sum(z)) % self.modulus == 0

    def bits(self, m: int) -> int:
        """How many bits the holder of y sends."""
        return (min(self.modulus, m + 1) - 1).bit_length()

    def misled(self, m: int) -> Fraction:
        """A flip adds 1 or −1 with probability 1/2 each: of f flips b subtract, and f − 2b is 0 modulo ``modulus``."""
        f = flips(m)
        return Fraction(sum(comb(f, b) for b in range(f + 1) if (f - 2 * b) % self.modulus == 0), 2**f)

    def __str__(self) -> str:
        return f"whether the numbers of ones agree modulo {self.modulus}"


Feature = SameBeginning | SameCount


def features(m: int) -> Iterator[Feature]:
    """Every comparison of a beginning, and of a count with every modulus that matters: from m + 1 on it is the count itself."""
    yield from (SameBeginning(k) for k in range(m + 1))
    yield from (SameCount(q) for q in range(2, m + 2))


def score(feature: Feature, m: int) -> Fraction:
    """How likely the answer is right; equal strings are always called equal."""
    return 1 - feature.misled(m) / 2


def score_by_definition(feature: Feature, m: int) -> Fraction:
    """The same by going through every y and every set of flips."""
    strings = list(product((0, 1), repeat=m))
    chosen = list(combinations(range(m), flips(m)))
    equal = Fraction(sum(feature.says_equal(y, y) for y in strings), len(strings))
    flipped = ((y, tuple(bit ^ (i in set(where)) for i, bit in enumerate(y))) for y in strings for where in chosen)
    unequal = Fraction(sum(not feature.says_equal(y, z) for y, z in flipped), len(strings) * len(chosen))
    return (equal + unequal) / 2


def cheapest(m: int) -> tuple[int, Feature]:
    """The fewest bits of a feature that is always right on these inputs, and that feature."""
    right = [(feature.bits(m), feature) for feature in features(m) if score(feature, m) == 1]
    return min(right, key=lambda pair: pair[0])
