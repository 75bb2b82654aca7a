"""The quantizer of Eq. (3) as repaired: 2^b steps of width R/2^b from the least entry on, each reconstructed by its middle.

R is the range of what shares a scale: a head as in the paper, a whole tensor, a column (an output channel), or some rows of a column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from constructions.parameter_space_symmetry.mathematics.noise import ExactIntegers, exact_integers
from verifier.arithmetic.rationals import Fraction

Matrix = npt.NDArray[np.float64]
"""n x m: a head's weights."""


@dataclass(frozen=True)
class Ends:
    """The least and the greatest entry of each block of a matrix, blocks x columns; one column stands for all."""

    low: Matrix
    high: Matrix

    def mean_squares(self, columns: int) -> tuple[Fraction, ...]:
        """Of each column: the exact mean of (high - low)² over its blocks, which have the same number of rows."""
        ends = zip(self.low.T.tolist(), self.high.T.tolist(), strict=True)
        means = tuple(sum(((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(*c, strict=True)), Fraction(0)) / len(self.low) for c in ends)
        return means if len(means) == columns else means * columns


@dataclass(frozen=True)
class Ranges:
    """The entries that share a scale: ``head``, ``tensor``, ``channel``, or ``group`` with its number of rows."""

    kind: str = "head"
    rows: int = 0

    def ends(self, x: Matrix, tensor: tuple[float, float]) -> Ends:
        """The ends of the blocks of a head's weights; tensor: those of the tensor that they are a part of."""
        if self.kind == "tensor":
            return Ends(np.full((1, 1), tensor[0]), np.full((1, 1), tensor[1]))
        if self.kind == "head":
            return Ends(x.min(keepdims=True), x.max(keepdims=True))
        blocks = x.reshape(-1, self.rows or len(x), x.shape[1])
        return Ends(blocks.min(axis=1), blocks.max(axis=1))


def reconstructed(x: Matrix, bits: int, ends: Ends) -> Matrix:
    """A matrix after quantization with 2^bits steps a block; the error is at most R/2^(bits+1), up to rounding in float64."""
    low, high = (np.repeat(side, len(x) // len(side), axis=0) for side in (ends.low, ends.high))
    width = (high - low) / 2**bits
    codes = np.minimum(np.floor((x - low) / np.where(width > 0, width, 1)), 2**bits - 1)
    found: Matrix = np.where(width > 0, low + (codes + 0.5) * width, x)
    return found


def measured_noise(q: Matrix, k: Matrix, quantized_q: Matrix, quantized_k: Matrix) -> float:
    """The mean squared error of the product q kᵀ after quantizing both: what rounding does, no expectation, in float64.

    By m x m Gram matrices: with D the errors, ΔY = D_q k̂ᵀ + q D_kᵀ, and the scalar product of A Bᵀ and C Dᵀ is that of AᵀC and BᵀD.
    """
    off_q, off_k = quantized_q - q, quantized_k - k
    total = ((off_q.T @ off_q) * (quantized_k.T @ quantized_k)).sum()
    total += 2 * ((off_q.T @ q) * (quantized_k.T @ off_k)).sum()
    total += ((q.T @ q) * (off_k.T @ off_k)).sum()
    return float(total) / (len(q) * len(k))


@dataclass(frozen=True)
class ColumnMeans:
    """Of each column of a matrix: the mean of the squares of its entries, and the mean of the squares of their ranges."""

    squares: tuple[Fraction, ...]
    ranges: tuple[Fraction, ...]


def column_means(x: Matrix, ends: Ends, known: ExactIntegers | None = None) -> ColumnMeans:
    """The exact means of the columns of a matrix of floats. known: its entries as integers, if they are."""
    n, m = x.shape
    whole = known or exact_integers(x)
    return ColumnMeans(tuple(s * whole.unit**2 / n for s in whole.column_squares()), ends.mean_squares(m))


def noise_of_columns(q: ColumnMeans, k: ColumnMeans, bits: int) -> Fraction:
    """mean E|ΔY|² for independent errors, uniform within half a step of each entry: Σ_j (S_q ρ_k + S_k ρ_q)/3 + ρ_q ρ_k/9.

    S_j is the mean square of a column, ρ_j that of its half steps. Where a head has one range this is :func:`.noise.true_noise`.
    """
    half = Fraction(1, 4 ** (bits + 1))
    total = Fraction(0)
    for sq, rq, sk, rk in zip(q.squares, q.ranges, k.squares, k.ranges, strict=True):
        total += (sq * rk + sk * rq) * half / 3 + rq * rk * half**2 / 9
    return total
