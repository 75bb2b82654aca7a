"""One-bit quantization of a weight vector (Section 3.1, Appendix D), exactly: rationals and square roots of them, or balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root

Numbers = Sequence[Any]


def square_root(x: Any) -> Any:
    """√x of a ball, or exactly of a rational number, which may be written as a sum of roots."""
    if isinstance(x, RootSum):
        return root(x.rational)
    return root(x) if isinstance(x, Fraction) else x.sqrt()


def negative(x: Any) -> bool:
    """Whether x < 0."""
    return x.sign < 0 if isinstance(x, RootSum) else bool(x < 0)


def inner(x: Numbers, y: Numbers) -> Any:
    """⟨x, y⟩."""
    return sum((a * b for a, b in zip(x, y, strict=True)), x[0] * 0)


@dataclass(frozen=True)
class Quantized:
    """A weight vector w with the variance of Definition D.3."""

    w: tuple[Any, ...]

    @classmethod
    def of(cls, w: Numbers) -> Quantized:
        return cls(tuple(Fraction(v) if isinstance(v, int) else v for v in w))

    @cached_property
    def mean(self) -> Any:
        """E(w) = ⟨w, 1⟩/d (D.2)."""
        return sum(self.w[1:], self.w[0]) / len(self.w)

    @cached_property
    def centred(self) -> tuple[Any, ...]:
        """w − E(w)1."""
        return tuple(x - self.mean for x in self.w)

    @cached_property
    def variance(self) -> Any:
        """V(w)."""
        return inner(self.centred, self.centred) / len(self.w)

    @property
    def defined(self) -> bool:
        """Whether Ln(w) = (w − E(w)1)/√V(w) is defined: not 0/0."""
        return bool(self.variance != 0)

    @cached_property
    def signs(self) -> tuple[int, ...]:
        """w̃ = Sign(w − E(w)1), which equals Sign(Ln(w)) if that is defined (D.1)."""
        return tuple(-1 if negative(x) else 1 for x in self.centred)

    @cached_property
    def scale(self) -> Any:
        """√V(w)."""
        return square_root(self.variance)

    def dequantized(self, x: Numbers) -> Any:
        """dq(⟨w̃, x⟩) = √V(w)·⟨w̃, x⟩ + E(w)·⟨1, x⟩ (D.5)."""
        return self.scale * inner(x, self.signs) + self.mean * sum(x[1:], x[0])

    @cached_property
    def error(self) -> tuple[Any, ...]:
        """u(w) = √V(w)·w̃ + E(w)·1 − w (D.6)."""
        return tuple(self.scale * s + (self.mean - x) for s, x in zip(self.signs, self.w, strict=True))


def weights(d: int, most: int) -> Iterator[tuple[int, ...]]:
    """Integer vectors of dimension d with entries −most … most, those of smaller entries first."""
    for size in range(most + 1):
        yield from (w for w in product(range(-size, size + 1), repeat=d) if max(map(abs, w)) == size)
