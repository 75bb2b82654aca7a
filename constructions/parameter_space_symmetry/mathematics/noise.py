"""The noise of a pair of weight matrices: the expected squared error of their product, and the expression of Proposition 4.1.

The sums are exact: every floating-point entry of a matrix is an integer times one power of two, and Python's integers are added.

The signed permutations are the orthogonal integer matrices, for which everything is exact. The orthogonal matrices of two rows are the
rotations and, with the second column negated, the reflections: balls of angles cover them all.

The quantizer of Eq. (3) as repaired: 2^b steps of width R/2^b from the least entry on, each reconstructed by its middle.

R is the range of the entries that share a scale: a head as in the paper, a whole tensor, a column (an output channel), or some rows of a
column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.rationals import Fraction

Floats = npt.NDArray[Any]
Rows = npt.NDArray[Any]
"""A matrix of fractions, balls, integers or floats."""


@dataclass(frozen=True)
class Sums:
    """Sums of an n × m matrix w, which are Σ w², Σ_i (Σ_j w_ij)² and Σ w, and the range R = max w − min w.

    They are fractions; or balls, or arrays of floats with an entry for each of several matrices, to which the same formulas apply.
    """

    rows: int
    columns: int
    squares: Fraction
    row_squares: Fraction
    total: Fraction
    spread: Fraction

    def half_step(self, bits: int) -> Fraction:
        """r = R/2^(b+1) (Eqs. 6 and 7)."""
        return self.spread / (1 << bits + 1)


def sums(matrix: Rows, spread: Any = None) -> Sums:
    """The sums of a matrix, or of each matrix of a stack. spread: the range, if it is known."""
    by_row, (n, m) = matrix.sum(-1), matrix.shape[-2:]
    spread = matrix.max((-2, -1)) - matrix.min((-2, -1)) if spread is None else spread
    return Sums(n, m, (matrix * matrix).sum((-2, -1)), (by_row * by_row).sum(-1), by_row.sum(-1), spread)


def sums_of_floats(matrix: Floats, known: Exact | None = None) -> Sums:
    """The exact sums of finite floats, each of which is an integer times a power of two. known: those integers, if they are known."""
    (n, m), (whole, unit) = matrix.shape, known or exact_integers(matrix)
    found, spread = sums(whole, 0), Fraction(float(matrix.max())) - Fraction(float(matrix.min()))
    return Sums(n, m, found.squares * unit**2, found.row_squares * unit**2, found.total * unit, spread)


def true_noise(q: Sums, k: Sums, bits: int) -> Fraction:
    """mean E|ΔY|² for independent errors uniform in (−r, r): r_k² Σq²/(3n) + r_q² Σk²/(3n) + m r_q² r_k²/9 (Prop. 4.1, repaired).

    Each n is that of its own matrix: several heads of queries that share a key are one matrix of more rows.
    """
    rq, rk, m = q.half_step(bits), k.half_step(bits), q.columns
    return rk**2 * q.squares / (3 * q.rows) + rq**2 * k.squares / (3 * k.rows) + m * rq**2 * rk**2 / 9


def printed_estimate(q: Sums, k: Sums, bits: int) -> Fraction:
    """The expression of Proposition 4.1 as printed. Each n is the number of rows of its matrix."""
    rq, rk, m = q.half_step(bits), k.half_step(bits), q.columns
    squares = rk**2 / q.rows * (q.squares / 12 + q.row_squares / 4) + rq**2 / k.rows * (k.squares / 12 + k.row_squares / 4)
    products = m * rq**2 * rk**2 * (9 * m + 7) / 144 + rq * rk * q.total * k.total / (2 * q.rows * k.rows)
    return squares + products + rq * rk * (3 * m + 1) * (rk * q.total / q.rows + rq * k.total / k.rows) / 12


Noise = Callable[[Sums, Sums, int], Any]
NOISES: dict[str, Noise] = {"printed": printed_estimate, "true": true_noise}


def turn(cosine: Any, sine: Any, sign: int) -> Rows:
    """The rotation g = (c −s; s c), whose second column ``sign`` = −1 negates (a reflection)."""
    return np.array([[cosine, -sign * sine], [sine, sign * cosine]], dtype=object)


HALF_ANGLES = tuple(sorted({Fraction(a, b) for b in range(1, 5) for a in range(1 - b, b + 1)}, key=lambda t: (abs(t), t)))
"""Tangents of half an angle: the rotations with a rational cosine and sine that are tried as better ones."""


def rational_turns() -> Iterator[Rows]:
    """Rotations and reflections with small fractions, first the identity."""
    for t, half, sign in product(HALF_ANGLES, (1, -1), (1, -1)):
        yield turn(half * (1 - t * t) / (1 + t * t), half * 2 * t / (1 + t * t), sign)


def enclosed_sums(matrix: Rows, angle: Any, sign: int) -> Sums:
    """The sums of W g in balls, for every g whose angle is in the ball ``angle``."""
    ball = type(angle)
    rows = np.vectorize(lambda x: ball(x.numerator) / x.denominator, otypes=[object])(matrix) @ turn(angle.cos(), angle.sin(), sign)
    return sums(rows, reduce(ball.max, rows.flat) - reduce(ball.min, rows.flat))


MOST_BALLS = 20_000


def every_turn(holds: Callable[[Any, int], bool]) -> bool:
    """Whether ``holds(angle, sign)`` is certain on balls of angles that cover all rotations and reflections, halved where it is not.

    False after :data:`MOST_BALLS` balls: not certain.
    """
    import flint

    left = [(Fraction(0), Fraction(4), sign) for sign in (1, -1)]  # [-4, 4] has a whole turn
    for _ in range(MOST_BALLS):
        if not left:
            return True
        middle, radius, sign = left.pop()
        angle = flint.arb(flint.fmpq(middle.numerator, middle.denominator), float(radius))
        if not holds(angle, sign):
            left += [(middle - radius / 2, radius / 2, sign), (middle + radius / 2, radius / 2, sign)]
    return False


def least_spread(q: Sums, column_totals_squared: Fraction) -> Fraction:
    """A lower bound for the square of the range of W g, for every orthogonal g.

    A range is at least twice the standard deviation: R² >= 4 (Σw²/(nm) − mean²); Σw² is that of W, and the mean of W g is at most
    |1ᵀW| √m/(nm) in magnitude. ``column_totals_squared``: Σ_j (Σ_i w_ij)².
    """
    n, m = q.rows, q.columns
    return max(Fraction(0), 4 * (q.squares / (n * m) - column_totals_squared / (n**2 * m)))


MANTISSA = 53

Exact = tuple[npt.NDArray[np.object_], Fraction]
"""The entries of a matrix as Python's integers, and their unit."""


def exact_integers(matrix: npt.NDArray[Any]) -> Exact:
    """The entries of a matrix of finite floats as integers of one unit, a power of two."""
    mantissas, exponents = np.frexp(np.asarray(matrix, dtype=np.float64))
    whole = np.ldexp(mantissas, MANTISSA).astype(np.int64)
    used = int(np.bitwise_or.reduce(np.abs(whole), axis=None))
    if not used:
        return whole.astype(object), Fraction(1)
    trailing = (used & -used).bit_length() - 1
    least = int(exponents[whole != 0].min())
    shifts = np.where(whole == 0, 0, exponents - least)
    return (whole >> trailing).astype(object) << shifts.astype(object), Fraction(2) ** (least - MANTISSA + trailing)


def signed_permutations(size: int) -> Iterator[Rows]:
    """All 2^m m! signed permutations as matrices, the identity first."""
    for order in permutations(range(size)):
        for signs in product((1, -1), repeat=size):
            yield np.eye(size, dtype=int).astype(object)[:, order] * signs


Matrix = npt.NDArray[np.float64]
"""n x m: a head's weights."""


@dataclass(frozen=True)
class Ends:
    """The least and the greatest entry of each block of a matrix, blocks x columns; one column stands for all."""

    low: Matrix
    high: Matrix

    def mean_squares(self, columns: int) -> tuple[Fraction, ...]:
        """The exact mean of (high - low)² over the blocks of each column, which have the same number of rows."""
        ends = zip(self.low.T.tolist(), self.high.T.tolist(), strict=True)
        means = tuple(sum(((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(*c, strict=True)), Fraction(0)) / len(self.low) for c in ends)
        return means if len(means) == columns else means * columns


@dataclass(frozen=True)
class Ranges:
    """The entries that share a scale: ``head``, ``tensor``, ``channel``, or ``group`` with its number of rows."""

    kind: str = "head"
    rows: int = 0

    def ends(self, x: Matrix, tensor: tuple[float, float]) -> Ends:
        """The ends of the blocks of a head's weights; tensor: those of the tensor that contains them."""
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
    """The mean squared error of the product q kᵀ after quantizing both: the actual rounding error, not an expectation, in float64.

    By m x m Gram matrices: with D the errors, ΔY = D_q k̂ᵀ + q D_kᵀ, and the scalar product of A Bᵀ and C Dᵀ is that of AᵀC and BᵀD.
    """
    off_q, off_k = quantized_q - q, quantized_k - k
    total = ((off_q.T @ off_q) * (quantized_k.T @ quantized_k)).sum()
    total += 2 * ((off_q.T @ q) * (quantized_k.T @ off_k)).sum()
    total += ((q.T @ q) * (off_k.T @ off_k)).sum()
    return float(total) / (len(q) * len(k))


@dataclass(frozen=True)
class ColumnMeans:
    """For each column of a matrix, the mean square of its entries and the mean square of their ranges."""

    squares: tuple[Fraction, ...]
    ranges: tuple[Fraction, ...]


def column_means(x: Matrix, ends: Ends, known: Exact | None = None) -> ColumnMeans:
    """The exact means of the columns of a matrix of floats. known: its entries as integers, if they are known."""
    n, m = x.shape
    whole, unit = known or exact_integers(x)
    return ColumnMeans(tuple(s * unit**2 / n for s in (whole * whole).sum(axis=0).tolist()), ends.mean_squares(m))


def noise_of_columns(q: ColumnMeans, k: ColumnMeans, bits: int) -> Fraction:
    """mean E|ΔY|² for independent errors, uniform within half a step of each entry: Σ_j (S_q ρ_k + S_k ρ_q)/3 + ρ_q ρ_k/9.

    S_j is the mean square of a column, ρ_j that of its half steps. If a head has one range, this equals :func:`.noise.true_noise`.
    """
    half = Fraction(1, 4 ** (bits + 1))
    total = Fraction(0)
    for sq, rq, sk, rk in zip(q.squares, q.ranges, k.squares, k.ranges, strict=True):
        total += (sq * rk + sk * rq) * half / 3 + rq * rk * half**2 / 9
    return total
