"""Judges of what is beyond orthogonal transformations, and of how far these can go."""

from __future__ import annotations

from constructions.parameter_space_symmetry.judges.estimates import pairs, shown
from constructions.parameter_space_symmetry.mathematics.noise import Rows, least_spread, sums, true_noise
from constructions.parameter_space_symmetry.mathematics.signed_permutations import signed_permutations
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Verdict
from verifier.judges.declaring import Formula, judge
from verifier.running.errors import InputError

MEMBERS = 16
"""Of a family, s = 1, 1/2, 1/4, …."""


@judge
def unattained(query: Query, *, q: list[int], k: list[int], g: list[list[Formula]], inverse: list[list[Formula]], noise: Formula) -> Cases:
    """Whether the noise of W_q g(s), W_k g(s)^(−T) is the formula, and falls to 0 with s, while no invertible g has the noise 0.

    The noise is 0 only where both ranges are (or all weights): then W_q g = a and W_k g^(−T) = c in every entry, so that an entry of the
    product is m a c. Where W_q W_kᵀ = 0, a or c is 0, and the weights W_q or W_k are.

    q, k: a row of weights each, taken n times; g, inverse: matrices whose entries are formulas in s; noise: a formula in s and b.
    """
    n, m, bits = query["n"], len(q), query["b"]
    weights_q, weights_k = ([list(map(Fraction, row))] * n for row in (q, k))
    product = side_by_side("W_q W_k^T where no noise is to be 0", "0", str(sum(x * y for x, y in zip(q, k, strict=True))))
    if product.verdict is Verdict.REFUTED or not any(q) or not any(k):
        return product
    yield Over(f"g(s) for s = 1, 1/2, …, 2^-{MEMBERS - 1}, the noise halved at least each time,", "algebra")
    before: Fraction | None = None
    for power in range(MEMBERS):
        s = Fraction(1, 2**power)
        matrix, back = (_matrix(rows, s, m) for rows in (g, inverse))
        if _times(matrix, back) != [[Fraction(i == j) for j in range(m)] for i in range(m)]:
            yield {"s": s, "wrong": "g times its inverse is not 1"}
        new_q, new_k = _times(weights_q, matrix), _times(weights_k, [list(column) for column in zip(*back, strict=True)])
        found, claimed = true_noise(sums(new_q), sums(new_k), bits), noise(s=s, b=bits)
        if found != claimed or found <= 0 or (before is not None and 2 * found > before):
            yield {"s": s, "W_q g": shown(new_q), "W_k g^-T": shown(new_k), "noise": found, "claimed": claimed}
        before = found
        yield True


def _matrix(rows: list[list[Formula]], s: Fraction, m: int) -> list[list[Fraction]]:
    if len(rows) != m or any(len(row) != m for row in rows):
        raise InputError(f"a matrix with other than {m} rows and columns")
    return [[entry(s=s) for entry in row] for row in rows]


def _times(left: Rows, right: Rows) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


@judge
def least_range(query: Query) -> Cases:
    """How small the range of W g can be: R² is at least 4 (mean square − square of the largest mean), and where that is met."""
    n, m = query["n"], query["m"]
    met: list[str] = []
    yield Over("weights up to 1 in magnitude, every signed permutation,")
    for q, _ in pairs(n, m, 1, keys=False):
        totals = sum((sum(column, Fraction(0)) ** 2 for column in zip(*q, strict=True)), Fraction(0))
        least = least_spread(sums(q), totals)
        for g in signed_permutations(m):
            spread = sums(g(q)).spread
            if spread**2 == least and least > 0 and not met:
                met.append(f"met at W g = {shown(g(q))}")
            yield spread**2 >= least or {"W": shown(q), "g": str(g), "R^2": spread**2, "bound": least}
    said = "R^2 >= 4 (sum w^2/(n m) - sum_j (sum_i w_ij)^2/(n^2 m)), as a range is at least twice the standard deviation"
    return "; ".join([said, *(met or ["met nowhere here"])])
