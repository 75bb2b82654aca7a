"""One-bit quantization of a weight vector (Section 3.1, Appendix D), and the two networks and their training (Sections 3.2, 3.3, Appendices
C, F, J), one number at a time: the definition of the process.

Numbers are sums of square roots (:class:`Real`) for single steps, or balls for many; the vectorised networks of
:mod:`constructions.one_bit_scaling.mathematics.wide` agree with this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import Real, root


@dataclass(frozen=True)
class Neuron:
    """A hidden neuron at one input: dq(⟨w̃, x⟩), ⟨w, x⟩, and whether each of them is >= 0."""

    quantized: Any
    full: Any
    active: bool
    full_active: bool

    @property
    def error(self) -> Any:
        """⟨u(w), x⟩."""
        return self.quantized - self.full


@dataclass(frozen=True)
class Problem:
    """n inputs of norm 1, the fixed signs a of m neurons, and κ."""

    inputs: Sequence[Numbers]
    signs: Numbers
    kappa: Any

    @cached_property
    def factor(self) -> Any:
        """κ/√m."""
        return square_root(self.kappa * self.kappa / len(self.signs))

    def neuron(self, w: Numbers, x: Numbers) -> Neuron:
        return self._at(Quantized.of(w), x)

    def _at(self, q: Quantized, x: Numbers) -> Neuron:
        quantized, full = q.dequantized(x), inner(q.w, x)
        return Neuron(quantized, full, not negative(quantized), not negative(full))

    def neurons(self, weights: Sequence[Numbers]) -> list[list[Neuron]]:
        """Each neuron r at each input i."""
        return [[self._at(q, x) for x in self.inputs] for q in map(Quantized.of, weights)]

    def outputs(self, neurons: Sequence[Sequence[Neuron]], quantized: bool = True) -> list[Any]:
        """F: κ/√m Σ_r a_r ReLU(dq(⟨w̃_r, xᵢ⟩)) at each input (C.5), or else F′, the same with ReLU(⟨w_r, xᵢ⟩) (J.1)."""

        def rectified(n: Neuron) -> Any:
            return n.quantized * n.active if quantized else n.full * n.full_active

        sums = (sum((rectified(n) * a for a, n in zip(self.signs, at, strict=True)), self.factor * 0) for at in zip(*neurons, strict=True))
        return [self.factor * total for total in sums]

    def gradient(self, r: int, active: Numbers, errors: Numbers) -> list[Any]:
        """Δw_r = Σᵢ eᵢ κ/√m a_r 1{active} xᵢ (F.2, F.3)."""
        zero = errors[0] * 0 * self.factor
        on = [(e * self.factor * g, x) for e, x, g in zip(errors, self.inputs, active, strict=True)]
        return [sum((e * (v[k] * self.signs[r]) for e, v in on), zero) for k in range(len(self.inputs[0]))]

    def step(self, weights: Sequence[Numbers], errors: Numbers, eta: Fraction, quantized: bool = True) -> list[list[Any]]:
        """w_r(t + 1) = w_r(t) − η·Δw_r(t) (C.8), of the quantized network or of the full one (J.3)."""
        made = []
        for r, w in enumerate(weights):
            at = [self.neuron(w, x) for x in self.inputs]
            active = [n.active if quantized else n.full_active for n in at]
            made.append([v - g * eta for v, g in zip(w, self.gradient(r, active, errors), strict=True)])
        return made


def loss(errors: Numbers) -> Any:
    """L = ½‖F − y‖²."""
    return sum((e * e for e in errors), errors[0] * 0) / 2


@dataclass(frozen=True)
class Change:
    """A problem at two steps, and F(t) − y: the data of the terms C₁ to C₄ of Claim H.2."""

    problem: Problem
    before: Sequence[Sequence[Neuron]]
    after: Sequence[Sequence[Neuron]]
    errors: Numbers

    def _sum(self, part: Callable[[Neuron], Any]) -> Any:
        total = self.problem.factor * 0
        for r, (row, then) in enumerate(zip(self.before, self.after, strict=True)):
            for i, e in enumerate(self.errors):
                change = part(row[i]) * row[i].active - part(then[i]) * then[i].active
                total = total - self.problem.factor * (change * e * self.problem.signs[r])
        return total

    @property
    def c1_and_c2(self) -> Any:
        """C₁ + C₂: −κ/√m Σ a_r (g⟨w, x⟩ at t − at t + 1) eᵢ."""
        return self._sum(lambda n: n.full)

    @property
    def c3(self) -> Any:
        """The same with u in the place of w."""
        return self._sum(lambda n: n.error)

    @property
    def c4(self) -> Any:
        """½‖F(t) − F(t + 1)‖²."""
        f, then = self.problem.outputs(self.before), self.problem.outputs(self.after)
        return loss([a - b for a, b in zip(f, then, strict=True)])

    @property
    def losses(self) -> tuple[Any, Any]:
        """L(t) and L(t + 1), for the targets y = F(t) − e."""
        f, then = self.problem.outputs(self.before), self.problem.outputs(self.after)
        return loss(self.errors), loss([e + b - a for e, a, b in zip(self.errors, f, then, strict=True)])


Numbers = Sequence[Any]


def square_root(x: Any) -> Any:
    """√x of a ball, or exactly of a rational number, which may be written as a sum of roots."""
    if isinstance(x, Real):
        return root(x.rational)
    return root(x) if isinstance(x, Fraction) else x.sqrt()


def negative(x: Any) -> bool:
    """Whether x < 0."""
    return x.sign < 0 if isinstance(x, Real) else bool(x < 0)


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
