"""The signed permutations: the orthogonal matrices of integers, for which everything is exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from constructions.parameter_space_symmetry.mathematics.noise import Rows
from verifier.arithmetic.rationals import Fraction


@dataclass(frozen=True)
class SignedPermutation:
    """W ↦ W g: column ``order[j]`` times ``signs[j]`` becomes column j."""

    order: tuple[int, ...]
    signs: tuple[int, ...]

    def __call__(self, matrix: Rows) -> list[list[Fraction]]:
        return [[sign * row[place] for place, sign in zip(self.order, self.signs, strict=True)] for row in matrix]

    @property
    def determinant(self) -> int:
        """1 or −1: the component of O(m)."""
        inversions = sum(a > b for k, b in enumerate(self.order) for a in self.order[:k])
        negative = sum(s < 0 for s in self.signs)
        return -1 if (inversions + negative) % 2 else 1

    @property
    def rows(self) -> list[list[int]]:
        """The matrix g."""
        size = len(self.order)
        return [[self.signs[j] if self.order[j] == i else 0 for j in range(size)] for i in range(size)]

    def __str__(self) -> str:
        return "; ".join(" ".join(map(str, row)) for row in self.rows)


def signed_permutations(size: int) -> Iterator[SignedPermutation]:
    """All 2^m m! of them, first the identity."""
    for order in permutations(range(size)):
        for signs in product((1, -1), repeat=size):
            yield SignedPermutation(order, signs)
