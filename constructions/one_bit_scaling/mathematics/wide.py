"""The two networks and their training in NumPy: :mod:`training` vectorised over neurons, for large widths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from verifier.running.errors import LimitError, amount

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Start:
    """Weights (m, d), signs (m,), inputs (n, d) of norm 1, targets (n,)."""

    weights: Array
    signs: Array
    inputs: Array
    targets: Array


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


def columns(inputs: Array) -> Array:
    """The transposed inputs, laid out row by row: NumPy then gives no product with small ones to threads, which would cost more."""
    return np.ascontiguousarray(inputs.T)


def summed(signs: Array, values: Array) -> Array:
    """Σ_r a_r values_r, shape (n,); without threads, as :func:`columns`."""
    made: Array = np.einsum("r,rn->n", signs, values)
    return made


def dequantized(weights: Array, inputs: Array) -> Array:
    """dq(⟨w̃_r, xᵢ⟩), shape (m, n) (D.5)."""
    mean = weights.mean(axis=1, keepdims=True)
    centred = weights - mean
    scale = np.sqrt((centred**2).mean(axis=1, keepdims=True))
    made: Array = scale * (np.where(centred < 0, -1.0, 1.0) @ columns(inputs)) + mean * inputs.sum(axis=1)
    return made


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
    factor = kappa / np.sqrt(len(start.signs))
    one, full = start.weights.copy(), start.weights.copy()
    weights = errors = 0.0
    x, a = start.inputs, start.signs
    quantized, plain = dequantized(one, x), one @ columns(x)
    for step in range(steps + 1):
        active, classical = quantized >= 0, full @ columns(x)
        outputs = factor * summed(a, np.where(active, quantized, 0.0))
        others = factor * summed(a, np.where(classical >= 0, classical, 0.0))
        e, e_full = outputs - start.targets, others - start.targets
        beyond = 0.0
        if unseen is not None:
            gaps = summed(a, np.maximum(dequantized(one, unseen), 0.0) - np.maximum(full @ columns(unseen), 0.0))
            beyond = float(factor * gaps[np.abs(gaps).argmax()])
        yield Moment(step, float(e @ e / 2), float(e_full @ e_full / 2), float(np.abs(outputs - others).max()), weights, errors, beyond)
        if step == steps:
            return
        one = one - (a[:, None] * (active * (eta * factor * e))) @ x
        full = full - (a[:, None] * ((classical >= 0) * (eta * factor * e_full))) @ x
        then, then_plain = dequantized(one, x), one @ columns(x)
        still = then >= 0
        weights = float(-factor * (summed(a, active * plain - still * then_plain) @ e))
        errors = float(-factor * (summed(a, active * (quantized - plain) - still * (then - then_plain)) @ e))
        quantized, plain = then, then_plain


def across(d: int) -> Array:
    """The input (1, −1, 0, …, 0)/√2, shape (1, d)."""
    x = np.zeros((1, d))
    x[0, :2] = 2**-0.5, -(2**-0.5)
    return x


def gap_at_start(width: int, d: int, seed: int, kappa: float) -> float:
    """f − f′ at initialisation, at x = (1, −1, 0, …, 0)/√2."""
    start = single(width, d, seed)
    weights, signs, x = start.weights, start.signs, across(d)
    quantized, plain = dequantized(weights, x)[:, 0], weights @ x[0]
    return float(kappa / np.sqrt(width) * (signs @ (np.maximum(quantized, 0) - np.maximum(plain, 0))))


def second_term_share(width: int, d: int, seed: int, length: float) -> float:
    """C₂/(ηκ²L) of a step at initialisation, at x = (1, −1, 0, …, 0)/√2; the weights of active neurons move by ``length``.

    C₂ is over the neurons whose pattern the step changes; the others of S^⊥ add a share of the order of ``length``.
    """
    start = single(width, d, seed)
    weights, signs, x = start.weights, start.signs, across(d)
    active = dequantized(weights, x)[:, 0] >= 0
    moved = weights - length * (signs * active)[:, None] * x
    then = dequantized(moved, x)[:, 0] >= 0
    change = (active * (weights @ x[0]) - then * (moved @ x[0]))[active != then]
    return float(-2 * (signs[active != then] @ change) / (width * length))
