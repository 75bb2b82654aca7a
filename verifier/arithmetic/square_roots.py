"""Exact sums of rational multiples of square roots of rationals: a ring in which signs, and so equality and order, are decided.

Square roots of distinct squarefree positive integers are linearly independent over the rationals: a sum in lowest form is 0 only where it
has no terms, and the sign of any other is found by balls whose precision doubles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, total_ordering
from typing import Any

from verifier.arithmetic.enclosure import ball_around, decided
from verifier.arithmetic.rationals import Fraction


@lru_cache(maxsize=1 << 14)
def squarefree(n: int) -> tuple[int, int]:
    """(k, m) with n = k²·m and m squarefree, for n >= 1."""
    import flint

    k = m = 1
    for p, power in flint.fmpz(n).factor():
        k *= int(p) ** (power // 2)
        m *= int(p) ** (power % 2)
    return k, m


@total_ordering
@dataclass(frozen=True, eq=False)
class RootSum:
    """Σ c_m·√m over squarefree m >= 1, no c_m zero. Mixes with int and Fraction; division by a rational or a single root."""

    terms: Mapping[int, Fraction] = field(default_factory=dict)

    @classmethod
    def of(cls, x: RootSum | Fraction | int) -> RootSum:
        """A rational as such a sum."""
        return x if isinstance(x, RootSum) else cls({1: Fraction(x)} if x else {})

    @property
    def rational(self) -> Fraction:
        """Its value where it has no root.

        Raises:
            ValueError: it has.
        """
        if self.terms.keys() - {1}:
            raise ValueError(f"{self} is irrational")
        return self.terms.get(1, Fraction(0))

    def __add__(self, other: RootSum | Fraction | int) -> RootSum:
        right = RootSum.of(other).terms
        summed = {m: self.terms.get(m, Fraction(0)) + right.get(m, Fraction(0)) for m in {**self.terms, **right}}
        return RootSum({m: c for m, c in summed.items() if c})

    __radd__ = __add__

    def __neg__(self) -> RootSum:
        return RootSum({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: RootSum | Fraction | int) -> RootSum:
        return self + -RootSum.of(other)

    def __rsub__(self, other: Fraction | int) -> RootSum:
        return RootSum.of(other) - self

    def __mul__(self, other: RootSum | Fraction | int) -> RootSum:
        made: dict[int, Fraction] = {}
        for m, c in self.terms.items():
            for n, d in RootSum.of(other).terms.items():
                k, rest = squarefree(m * n)
                made[rest] = made.get(rest, Fraction(0)) + c * d * k
        return RootSum({m: c for m, c in made.items() if c})

    __rmul__ = __mul__

    def __truediv__(self, other: RootSum | Fraction | int) -> RootSum:
        bottom = RootSum.of(other).terms
        if len(bottom) != 1:
            raise ZeroDivisionError("division by a sum of roots, or by 0")
        ((m, c),) = bottom.items()
        return self * RootSum({m: 1 / (c * m)})

    @property
    def sign(self) -> int:
        """−1, 0 or 1. A sum with a root in it is not 0, so a fine enough ball decides its sign."""
        if self.terms.keys() <= {1}:
            value = self.terms.get(1, Fraction(0))
            return (value > 0) - (value < 0)
        found: int = decided(lambda flint: self.ball(), lambda ball: 1 if ball > 0 else -1 if ball < 0 else None)
        return found

    def ball(self) -> Any:
        """An enclosure (python-flint's ``arb``) at the present precision."""
        import flint

        return sum((ball_around(flint, c) * flint.arb(m).sqrt() for m, c in self.terms.items()), flint.arb(0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RootSum | Fraction | int) and self.terms == RootSum.of(other).terms

    def __lt__(self, other: RootSum | Fraction | int) -> bool:
        return (self - other).sign < 0

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __abs__(self) -> RootSum:
        return -self if self.sign < 0 else self

    def __str__(self) -> str:
        parts = [str(c) if m == 1 else f"{'' if c == 1 else '-' if c == -1 else f'{c}*'}sqrt({m})" for m, c in sorted(self.terms.items())]
        return " + ".join(parts).replace("+ -", "- ") or "0"


def root(x: Fraction | int) -> RootSum:
    """√x of a rational x >= 0."""
    value = Fraction(x)
    if value < 0:
        raise ValueError(f"{value} has no real root")
    if value == 0:
        return RootSum()
    k, m = squarefree(value.numerator * value.denominator)
    return RootSum({m: Fraction(k, value.denominator)})
