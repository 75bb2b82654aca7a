"""One-bit quantization of weight vectors (Section 3.1, Appendix D), and the two networks and their training (Sections 3.2, 3.3, Appendices
C, F, J), over NumPy arrays of numbers of any kind.

Wide networks have floats. Single steps have exact numbers as objects: fractions and sums of square roots (:class:`Real`), or balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import Real, root
from verifier.running.errors import LimitError, amount

Array = npt.NDArray[Any]


def exact(numbers: Any) -> Array:
    """An array of exact numbers, whose integers are fractions."""
    made: Array = np.vectorize(lambda x: Fraction(x) if isinstance(x, int) else x, otypes=[object])(np.array(numbers, dtype=object))
    return made


def square_root(x: Array) -> Array:
    """√x of floats or balls, or exactly of rational numbers, which may be written as sums of roots."""
    if x.dtype != object:
        return np.asarray(np.sqrt(x))

    def of_one(value: Any) -> Any:
        if isinstance(value, Real):
            return root(value.rational)
        return root(value) if isinstance(value, Fraction) else value.sqrt()

    return np.asarray(np.vectorize(of_one, otypes=[object])(x))


def columns(inputs: Array) -> Array:
    """The transposed inputs, laid out row by row: NumPy then gives no product with small ones to threads, which would cost more."""
    return np.ascontiguousarray(inputs.T)


def summed(signs: Array, values: Array) -> Array:
    """Σ_r a_r values_r, shape (n,); without threads, as :func:`columns`."""
    made: Array = np.einsum("r,rn->n", signs, values)
    return made


def loss(errors: Array) -> Any:
    """L = ½‖F − y‖²."""
    return errors @ errors / 2


@dataclass(frozen=True)
class Quantized:
    """Weight vectors w, shape (…, d), with the variance of Definition D.3."""

    w: Array

    @cached_property
    def mean(self) -> Array:
        """E(w) = ⟨w, 1⟩/d (D.2)."""
        return np.asarray(self.w.sum(axis=-1, keepdims=True) / self.w.shape[-1])

    @cached_property
    def centred(self) -> Array:
        """w − E(w)1."""
        return np.asarray(self.w - self.mean)

    @cached_property
    def variance(self) -> Array:
        """V(w)."""
        return np.asarray((self.centred * self.centred).sum(axis=-1, keepdims=True) / self.w.shape[-1])

    @cached_property
    def signs(self) -> Array:
        """w̃ = Sign(w − E(w)1), which equals Sign(Ln(w)) if that is defined (D.1)."""
        return np.asarray(np.where(self.centred < 0, *map(self.w.dtype.type, (-1, 1))))

    @cached_property
    def scale(self) -> Array:
        """√V(w)."""
        return square_root(self.variance)

    def dequantized(self, inputs: Array) -> Array:
        """dq(⟨w̃, xᵢ⟩) = √V(w)·⟨w̃, xᵢ⟩ + E(w)·⟨1, xᵢ⟩ (D.5), shape (…, n)."""
        return np.asarray(self.scale * (self.signs @ columns(inputs)) + self.mean * inputs.sum(axis=1))

    @property
    def error(self) -> Array:
        """u(w) = √V(w)·w̃ + E(w)·1 − w (D.6)."""
        return np.asarray(self.scale * self.signs + (self.mean - self.w))


@dataclass(frozen=True)
class Layer:
    """The hidden neurons at the inputs, shape (m, n): dq(⟨w̃, x⟩) and ⟨w, x⟩."""

    quantized: Array
    full: Array

    @cached_property
    def active(self) -> Array:
        """Whether dq(⟨w̃, x⟩) >= 0."""
        return self.quantized >= 0


@dataclass(frozen=True)
class Problem:
    """n inputs of norm 1, shape (n, d), the fixed signs a of m neurons, and κ/√m."""

    inputs: Array
    signs: Array
    factor: Any

    def layer(self, weights: Array) -> Layer:
        """The neurons of these weights, shape (m, d)."""
        return Layer(Quantized(weights).dequantized(self.inputs), weights @ columns(self.inputs))

    def outputs(self, values: Array) -> Array:
        """F: κ/√m Σ_r a_r ReLU(dq(⟨w̃_r, xᵢ⟩)) at each input (C.5), or else F′, the same with ReLU(⟨w_r, xᵢ⟩) (J.1)."""
        return np.asarray(self.factor * summed(self.signs, values * (values >= 0)))

    def step(self, weights: Array, active: Array, errors: Array, eta: Any) -> Array:
        """w_r(t + 1) = w_r(t) − η Σᵢ eᵢ κ/√m a_r 1{active} xᵢ (C.8, F.2, F.3), of the quantized network or of the full one (J.3)."""
        return np.asarray(weights - (self.signs[:, None] * (active * (eta * self.factor * errors))) @ self.inputs)


@dataclass(frozen=True)
class Change:
    """A problem at two steps, and F(t) − y: the data of the terms C₁ to C₄ of Claim H.2."""

    problem: Problem
    before: Layer
    after: Layer
    errors: Array

    def _sum(self, before: Array, after: Array) -> Any:
        change = self.before.active * before - self.after.active * after
        return -self.problem.factor * (summed(self.problem.signs, change) @ self.errors)

    @property
    def c1_and_c2(self) -> Any:
        """C₁ + C₂: −κ/√m Σ a_r (g⟨w, x⟩ at t − at t + 1) eᵢ."""
        return self._sum(self.before.full, self.after.full)

    @property
    def c2(self) -> Any:
        """Its part from the neurons whose pattern changes."""
        changed = self.before.active != self.after.active
        return self._sum(changed * self.before.full, changed * self.after.full)

    @property
    def c3(self) -> Any:
        """The same with u in the place of w."""
        return self._sum(self.before.quantized - self.before.full, self.after.quantized - self.after.full)

    @property
    def _moved(self) -> Array:
        """F(t + 1) − F(t)."""
        return self.problem.outputs(self.after.quantized) - self.problem.outputs(self.before.quantized)

    @property
    def c4(self) -> Any:
        """½‖F(t) − F(t + 1)‖²."""
        return loss(self._moved)

    @property
    def losses(self) -> tuple[Any, Any]:
        """L(t) and L(t + 1), for the targets y = F(t) − e."""
        return loss(self.errors), loss(self.errors + self._moved)


def weights(d: int, most: int) -> Iterator[tuple[int, ...]]:
    """Integer vectors of dimension d with entries −most … most, those of smaller entries first."""
    for size in range(most + 1):
        yield from (w for w in product(range(-size, size + 1), repeat=d) if max(map(abs, w)) == size)


@dataclass(frozen=True)
class Start:
    """Weights (m, d), signs (m,), inputs (n, d) of norm 1, targets (n,)."""

    weights: Array
    signs: Array
    inputs: Array
    targets: Array

    def problem(self, kappa: float) -> Problem:
        return Problem(self.inputs, self.signs, kappa / np.sqrt(len(self.signs)))


MOST_DRAWN = 1 << 28


def within(*shape: int) -> None:
    """Check that this many numbers may be drawn.

    Raises:
        LimitError: they are more than :data:`MOST_DRAWN`.
    """
    if prod(shape) > MOST_DRAWN:
        raise LimitError(f"{amount(prod(shape))} numbers, at most {MOST_DRAWN:,} are drawn", "a smaller parameter")


def drawn(width: int, d: int, n: int, seed: int) -> Start:
    """w_r(0) ~ N(0, I), a_r = ±1, inputs uniform on the sphere, targets uniform on [−1, 1]; reproducible."""
    within(width + n, d)
    chance = np.random.default_rng(seed)
    inputs = chance.standard_normal((n, d))
    inputs /= np.linalg.norm(inputs, axis=1, keepdims=True)
    targets = chance.uniform(-1, 1, n)
    return Start(chance.standard_normal((width, d)), chance.choice([-1.0, 1.0], width), inputs, targets)


def single(width: int, d: int, seed: int) -> Start:
    """One datum, x = (1, 0, …, 0) and y = 1; weights and signs as in :func:`drawn`."""
    within(width, d)
    chance = np.random.default_rng(seed)
    inputs = np.zeros((1, d))
    inputs[0, 0] = 1.0
    return Start(chance.standard_normal((width, d)), chance.choice([-1.0, 1.0], width), inputs, np.ones(1))


def across(width: int, d: int, seed: int) -> Start:
    """The same at the input x = (1, −1, 0, …, 0)/√2."""
    start = single(width, d, seed)
    start.inputs[0, :2] = 2**-0.5, -(2**-0.5)
    return start


@dataclass(frozen=True)
class Moment:
    """The record of a step: losses of both networks, the largest gap between their outputs, C₁ + C₂ and C₃ of the step before (0 at the
    start), and f − f′ where it is largest, at inputs outside the training data (0 without any)."""

    step: int
    loss: float
    full_loss: float
    gap: float
    weights_part: float
    error_part: float
    unseen_gap: float = 0.0


def trained(start: Start, kappa: float, eta: float, steps: int, unseen: Array | None = None) -> Iterator[Moment]:
    """Both networks side by side, from the same weights (C.8, J.3); unseen: test inputs, shape (k, d)."""
    problem = start.problem(kappa)
    elsewhere = None if unseen is None else replace(problem, inputs=unseen)
    one = full = start.weights
    at = problem.layer(one)
    weights_part = error_part = 0.0
    for step in range(steps + 1):
        classical = full @ columns(start.inputs)
        outputs, others = problem.outputs(at.quantized), problem.outputs(classical)
        e, e_full = outputs - start.targets, others - start.targets
        beyond = 0.0
        if elsewhere is not None:
            gaps = elsewhere.outputs(Quantized(one).dequantized(elsewhere.inputs)) - elsewhere.outputs(full @ columns(elsewhere.inputs))
            beyond = float(gaps[np.abs(gaps).argmax()])
        gap = float(np.abs(outputs - others).max())
        yield Moment(step, float(loss(e)), float(loss(e_full)), gap, weights_part, error_part, beyond)
        if step == steps:
            return
        one, full = problem.step(one, at.active, e, eta), problem.step(full, classical >= 0, e_full, eta)
        change = Change(problem, at, problem.layer(one), e)
        weights_part, error_part, at = float(change.c1_and_c2), float(change.c3), change.after


def gap_at_start(width: int, d: int, seed: int, kappa: float) -> float:
    """f − f′ at initialisation, at x = (1, −1, 0, …, 0)/√2."""
    start = across(width, d, seed)
    problem = start.problem(kappa)
    layer = problem.layer(start.weights)
    return float((problem.outputs(layer.quantized) - problem.outputs(layer.full))[0])


def second_term_share(width: int, d: int, seed: int, length: float) -> float:
    """C₂/(ηκ²L) of a step at initialisation, at x = (1, −1, 0, …, 0)/√2; the weights of active neurons move by ``length``.

    C₂ is over the neurons whose pattern the step changes; the others of S^⊥ add a share of the order of ``length``.
    """
    start = across(width, d, seed)
    problem, error = start.problem(1.0), np.ones(1)
    eta, before = length / problem.factor, problem.layer(start.weights)
    change = Change(problem, before, problem.layer(problem.step(start.weights, before.active, error, eta)), error)
    return float(change.c2 / (eta * loss(error)))
