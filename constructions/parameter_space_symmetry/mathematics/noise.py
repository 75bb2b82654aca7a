"""The noise of a pair of weight matrices: the expected squared error of their product, and what Proposition 4.1 prints for it.

Exact: sums of floating-point entries are taken in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from constructions.parameter_space_symmetry.mathematics.exact_integers import ExactIntegers, exact_integers
from verifier.arithmetic.rationals import Fraction

Rows = Sequence[Sequence[Fraction]]
Floats = npt.NDArray[Any]


@dataclass(frozen=True)
class Sums:
    """Of an n × m matrix w: Σ w², Σ_i (Σ_j w_ij)², Σ w, and the range R = max w − min w."""

    rows: int
    columns: int
    squares: Fraction
    row_squares: Fraction
    total: Fraction
    spread: Fraction

    def half_step(self, bits: int) -> Fraction:
        """r = R/2^(b+1) (Eqs. 6 and 7)."""
        return self.spread / (1 << bits + 1)


def sums(matrix: Rows) -> Sums:
    """The sums of a matrix of fractions."""
    entries = [x for row in matrix for x in row]
    by_row = [sum(row, Fraction(0)) for row in matrix]
    squares = sum((x * x for x in entries), Fraction(0))
    row_squares = sum((s * s for s in by_row), Fraction(0))
    return Sums(len(matrix), len(matrix[0]), squares, row_squares, sum(by_row, Fraction(0)), max(entries) - min(entries))


def sums_of_floats(matrix: Floats, known: ExactIntegers | None = None) -> Sums:
    """The same of finite floats, each of which is an integer times a power of two: exact. known: those integers, if they are."""
    whole = known or exact_integers(matrix)
    n, m = matrix.shape
    by_row = whole.row_sums()
    squares, row_squares = sum(whole.column_squares()) * whole.unit**2, sum(s * s for s in by_row) * whole.unit**2
    spread = Fraction(float(matrix.max())) - Fraction(float(matrix.min()))
    return Sums(n, m, squares, row_squares, sum(by_row) * whole.unit, spread)


def true_noise(q: Sums, k: Sums, bits: int) -> Fraction:
    """mean E|ΔY|² for independent errors uniform in (−r, r): r_k² Σq²/(3n) + r_q² Σk²/(3n) + m r_q² r_k²/9 (Prop. 4.1, repaired).

    Each n is that of its own matrix: several heads of queries that share a key are one matrix of more rows.
    """
    rq, rk, m = q.half_step(bits), k.half_step(bits), q.columns
    return rk**2 * q.squares / (3 * q.rows) + rq**2 * k.squares / (3 * k.rows) + m * rq**2 * rk**2 / 9


def printed_estimate(q: Sums, k: Sums, bits: int) -> Fraction:
    """The expression of Proposition 4.1 as printed; each n is that of its own matrix."""
    rq, rk, m = q.half_step(bits), k.half_step(bits), q.columns
    squares = rk**2 / q.rows * (q.squares / 12 + q.row_squares / 4) + rq**2 / k.rows * (k.squares / 12 + k.row_squares / 4)
    products = m * rq**2 * rk**2 / 16 * (m + Fraction(7, 9)) + rq * rk / (2 * q.rows * k.rows) * q.total * k.total
    return squares + products + rq * rk * Fraction(3 * m + 1, 12) * (rk * q.total / q.rows + rq * k.total / k.rows)


def least_spread(q: Sums, column_totals_squared: Fraction) -> Fraction:
    """A bound below for the square of the range of W g, for every orthogonal g.

    A range is at least twice the standard deviation: R² >= 4 (Σw²/(nm) − mean²); Σw² is that of W, and the mean of W g is at most
    |1ᵀW| √m/(nm) in magnitude. ``column_totals_squared``: Σ_j (Σ_i w_ij)².
    """
    n, m = q.rows, q.columns
    return max(Fraction(0), 4 * (q.squares / (n * m) - column_totals_squared / (n**2 * m)))
