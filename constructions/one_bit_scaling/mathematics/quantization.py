"""One-bit quantization of a weight vector (Section 3.1, Appendix D), exactly: rationals and square roots of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root

Vector = Sequence[Fraction | int]


def inner(x: Sequence[RootSum | Fraction | int], y: Sequence[RootSum | Fraction | int]) -> RootSum:
    """⟨x, y⟩."""
    return sum((RootSum.of(a) * b for a, b in zip(x, y, strict=True)), RootSum())


@dataclass(frozen=True)
class Quantized:
    """A weight vector w with the variance of Definition D.3."""

    w: tuple[Fraction, ...]

    @classmethod
    def of(cls, w: Vector) -> Quantized:
        return cls(tuple(map(Fraction, w)))

    @cached_property
    def mean(self) -> Fraction:
        """E(w) = ⟨w, 1⟩/d (D.2)."""
        return sum(self.w, Fraction(0)) / len(self.w)

    @cached_property
    def centred(self) -> tuple[Fraction, ...]:
        """w − E(w)1."""
        return tuple(x - self.mean for x in self.w)

    @cached_property
    def variance(self) -> Fraction:
        """V(w)."""
        return sum((x * x for x in self.centred), Fraction(0)) / len(self.w)

    @property
    def defined(self) -> bool:
        """Whether Ln(w) = (w − E(w)1)/√V(w) is defined: not 0/0."""
        return self.variance != 0

    @cached_property
    def signs(self) -> tuple[int, ...]:
        """w̃ = Sign(w − E(w)1), which is Sign(Ln(w)) where that is defined (D.1)."""
        return tuple(-1 if x < 0 else 1 for x in self.centred)

    @cached_property
    def scale(self) -> RootSum:
        """√V(w)."""
        return root(self.variance)

    def dequantized(self, x: Sequence[RootSum | Fraction | int]) -> RootSum:
        """dq(⟨w̃, x⟩) = √V(w)·⟨w̃, x⟩ + E(w)·⟨1, x⟩ (D.5)."""
        return self.scale * inner(self.signs, x) + self.mean * sum(map(RootSum.of, x), RootSum())

    @cached_property
    def error(self) -> tuple[RootSum, ...]:
        """u(w) = √V(w)·w̃ + E(w)·1 − w (D.6)."""
        return tuple(self.scale * s + (self.mean - x) for s, x in zip(self.signs, self.w, strict=True))


def weights(d: int, most: int, least: int | None = None) -> Iterator[tuple[int, ...]]:
    """Integer vectors of dimension d with entries −most … most (or least … most), those of smaller entries first."""
    if least is not None:
        yield from product(range(least, most + 1), repeat=d)
        return
    for size in range(most + 1):
        yield from (w for w in product(range(-size, size + 1), repeat=d) if max(map(abs, w)) == size)
