"""Judges of what is beyond orthogonal transformations, and of how far these can go."""

from __future__ import annotations

from constructions.parameter_space_symmetry.judges.estimates import pairs, shown
from constructions.parameter_space_symmetry.mathematics.noise import Rows, least_spread, sums, true_noise
from constructions.parameter_space_symmetry.mathematics.signed_permutations import signed_permutations
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Verdict
from verifier.judges.declaring import Rational, judge

Matrix = list[list[Rational]]


@judge
def unattained(query: Query, *, q: list[int], k: list[int], g: list[Matrix], inverse: list[Matrix], noise: Rational) -> Cases:
    """Whether the noise of W_q g(s), W_k g(s)^(−T) is noise·s² for every real s > 0, and so falls to 0 with s, while no invertible g has
    the noise 0.

    W_q g is the same for every s, and W_k g^(−T) is s times a matrix: the noise has the factor s² in each of its three terms. It is 0 only
    where both ranges are (or all weights): then W_q g = a and W_k g^(−T) = c in every entry, so that an entry of the product is m a c.
    Where W_q W_kᵀ = 0, a or c is 0, and the weights W_q or W_k are.

    q, k: a row of weights each, taken n times; g: the matrices of g(s) = g₀ + g₁/s; inverse: those of its inverse h₀ + h₁ s.
    """
    rows, bits = query["n"], query["b"]
    weights_q, weights_k = ([list(map(Fraction, row))] * rows for row in (q, k))
    product = side_by_side("W_q W_k^T where no noise is to be 0", "0", str(sum(x * y for x, y in zip(q, k, strict=True))))
    if product.verdict is Verdict.REFUTED or not any(q) or not any(k):
        return product
    yield Over("every real s > 0, by the coefficients of 1/s, 1 and s,", "algebra")
    (g0, g1), (h0, h1) = g, inverse
    one = [[Fraction(i == j) for j in range(len(q))] for i in range(len(q))]
    whole = [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(_times(g0, h0), _times(g1, h1), strict=True)]
    yield whole == one or {"wrong": "g times its inverse is not 1", "found": shown(whole)}
    for factor, power in ((_times(g1, h0), "1/s"), (_times(g0, h1), "s")):
        yield _is_zero(factor) or {"wrong": f"g times its inverse has a term in {power}", "found": shown(factor)}
    back0, back1 = ([list(column) for column in zip(*rows, strict=True)] for rows in (h0, h1))
    grows, stays = _times(weights_q, g1), _times(weights_k, back0)
    yield _is_zero(grows) or {"wrong": "W_q g changes with s", "factor of 1/s": shown(grows)}
    yield _is_zero(stays) or {"wrong": "the noise does not fall to 0 with s", "W_k g^-T at s = 0": shown(stays)}
    new_q, new_k = _times(weights_q, g0), _times(weights_k, back1)
    found = true_noise(sums(new_q), sums(new_k), bits)
    yield found == noise > 0 or {"W_q g": shown(new_q), "W_k g^-T / s": shown(new_k), "noise / s^2": found, "claimed": noise}


def _is_zero(matrix: Rows) -> bool:
    return not any(x for row in matrix for x in row)


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
