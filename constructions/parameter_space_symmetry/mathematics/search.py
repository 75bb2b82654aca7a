"""The search of Section 5 on the true noise: orthogonal g, one for each head, that make the ranges of W_q g and W_k g small.

An orthogonal g keeps the sums of squares, so the true noise is A R_k² + B R_q² + C R_q² R_k² with fixed A, B, C: it depends on g only
through the two ranges. We know no closed form for the least range, but a lower bound (:func:`.noise.least_spread`). The search descends on
the smoothed ranges, log-sum-exp at a growing sharpness, along O(m): it turns the gradient into a skew matrix, takes a step, and returns to
O(m) by Newton's iteration for the polar factor, which keeps the component. It starts on both components of O(m). It uses floats throughout:
a heuristic, whose result is then measured exactly.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.parameter_space_symmetry.mathematics.noise import NOISES, Noise, sums
from verifier.running.limits import Advance

Batch = npt.NDArray[np.floating[Any]]
"""heads × rows × columns."""

LEAST_EXPONENT = -60


STEPS = 60
"""The steps of descent from each start, by default."""
RATE = 0.3
"""The first step's angle, in radians."""
SHARPNESS = 15.0, 150.0
"""The sharpness of the smoothed range at the first and at the last step."""


def range_gradient(x: Batch, sharpness: float) -> tuple[npt.NDArray[np.floating[Any]], Batch]:
    """The smoothed range of each matrix and its derivative by the entries: soft-max minus soft-min weights.

    A weight below e^-60 of the largest becomes e^-60 of it. Smaller ones would be subnormal floats, with which a product of matrices
    takes many times as long.
    """
    high, low = x.max((1, 2), keepdims=True), x.min((1, 2), keepdims=True)
    beta = sharpness / np.maximum(high, -low)
    up, down = (x - high) * beta, (low - x) * beta
    for exponents in (up, down):
        np.maximum(exponents, LEAST_EXPONENT, out=exponents)
        np.exp(exponents, out=exponents)
    up_sum, down_sum = up.sum((1, 2), keepdims=True), down.sum((1, 2), keepdims=True)
    smooth = (np.log(up_sum) + np.log(down_sum)) / beta + (high - low)
    up /= up_sum
    down /= down_sum
    up -= down
    return smooth[:, 0, 0], up


STEP = 2.0**-40
"""Along the imaginary axis: the imaginary part of f(a + STEP·i), over STEP, is f′(a) up to rounding, as f is a polynomial."""


def gradient(objective: Noise, x: Batch, y: Batch, bits: int, sharpness: float) -> Batch:
    """xᵀ ∂x + yᵀ ∂y, the derivatives of the objective, its ranges smoothed, by the entries of x = W_q g and y = W_k g.

    The objective is a polynomial in sums of either matrix. Along O(m) the sums of squares stay constant; the others have the given
    derivatives by an entry, which are the same in a whole row if there is one column.
    """
    spreads: list[Any] = [range_gradient(matrix, sharpness) for matrix in (x, y)]
    sides = [sums(matrix, spread) for matrix, (spread, _) in zip((x, y), spreads, strict=True)]
    found: Any = 0
    for side, (matrix, (_, toward)) in enumerate(zip((x, y), spreads, strict=True)):
        rows = matrix.sum(2, keepdims=True)
        for name, by_entry in {"spread": toward, "row_squares": 2 * rows, "total": np.ones_like(rows)}.items():
            moved = list(sides)
            moved[side] = replace(sides[side], **{name: getattr(sides[side], name) + 1j * STEP})
            slope = objective(moved[0], moved[1], bits).imag / STEP
            found = found + slope[:, None, None] * (np.swapaxes(matrix, 1, 2) @ by_entry)
    gradients: Batch = found
    return gradients


def measured(objective: str, bits: int, q: Batch, k: Batch) -> npt.NDArray[np.floating[Any]]:
    """The objective of each head, in floats."""
    found: npt.NDArray[np.floating[Any]] = NOISES[objective](sums(q), sums(k), bits)
    return found


def orthogonal(matrices: Batch) -> Batch:
    """The Q of Q R with a positive diagonal of R, which reaches all of O(m) and is continuous where the matrix is invertible."""
    q, r = np.linalg.qr(matrices)
    signs = np.where(np.diagonal(r, axis1=1, axis2=2) < 0, -1.0, 1.0)
    found: Batch = q * signs[:, None, :]
    return found


def polar(g: Batch) -> Batch:
    """The nearest orthogonal matrices, for singular values between 0 and √3: Newton's iteration g (3 − gᵀg)/2."""
    for _ in range(3):
        g = 1.5 * g - 0.5 * (g @ (np.swapaxes(g, 1, 2) @ g))
    return g


def starts(heads: int, m: int) -> list[Batch]:
    """The identity, and a drawn g on each component of O(m)."""
    drawn = orthogonal(np.random.default_rng(0).standard_normal((heads, m, m)))
    other = drawn.copy()
    other[:, :, 0] *= -1
    return [np.broadcast_to(np.eye(m), (heads, m, m)).copy(), drawn, other]


def hadamard(m: int) -> npt.NDArray[np.float64] | None:
    """An orthogonal m x m matrix of entries ±1/√m, Sylvester's with rows of drawn signs; None unless m is a power of two."""
    if m & (m - 1):
        return None
    found = np.ones((1, 1))
    while len(found) < m:
        found = np.block([[found, found], [found, -found]])
    signed: npt.NDArray[np.float64] = found * np.random.default_rng(0).choice([-1.0, 1.0], m)[:, None] / np.sqrt(m)
    return signed


def _scaled(x: Batch) -> Batch:
    """The heads times a power of two that brings all entries to at most 1: the best g is the same, and float32 suffices."""
    _, exponent = np.frexp(np.abs(x).max(initial=0.0))
    made: Batch = np.ldexp(x, -exponent)
    return made


def search(q: Batch, k: Batch, bits: int, objective: str, steps: int, advance: Advance) -> Batch:
    """Find for each head the best g by the objective itself, without smoothing; the identity if no other is better."""
    measure = partial(measured, objective, bits)
    heads, _, m = q.shape
    best = np.broadcast_to(np.eye(m), (heads, m, m)).copy()
    exact = q, k
    q, k = (_scaled(x).astype(np.float32) for x in exact)  # half the time; the result is measured again below
    least = measure(q, k)
    begun = [g.astype(np.float32) for g in starts(heads, m)]
    label, total = f"search ({objective} objective)", steps * len(begun)
    for turn, g in enumerate(begun):
        momentum = np.zeros_like(g)
        for step in range(steps):
            advance(label, turn * steps + step, total)
            done = step / max(steps - 1, 1)
            sharpness = SHARPNESS[0] * (SHARPNESS[1] / SHARPNESS[0]) ** done
            x, y = q @ g, k @ g
            value = measure(x, y)
            better = value < least
            best[better], least = g[better], np.where(better, value, least)
            along = gradient(NOISES[objective], x, y, bits, sharpness)
            skew = along - np.swapaxes(along, 1, 2)
            momentum = 0.8 * momentum + skew / np.maximum(np.sqrt((skew**2).sum((1, 2), keepdims=True)), 1e-30)
            angle = RATE * (1 - done) ** 1.5 + 1e-3
            g = polar(g - angle * (g @ momentum))
    advance(label, total, total)
    found = orthogonal(best)
    worse = measure(exact[0] @ found, exact[1] @ found) >= measure(*exact)
    found[worse] = np.eye(m)
    return found
