"""A judge of Fact B.5: eigenvalues of two-by-two integer matrices, in sums of square roots."""

from __future__ import annotations

from itertools import product

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Rational, judge

MOST = 2
ONE = Fraction(1)
Matrix = tuple[int, int, int, int]


def least_eigenvalue_of(matrix: Matrix) -> RootSum | None:
    """The smaller eigenvalue of ((a, b), (c, d)), where both are real."""
    a, b, c, d = matrix
    discriminant = (a - d) ** 2 + 4 * b * c
    return None if discriminant < 0 else (RootSum.of(a + d) - root(discriminant)) / 2


@judge
def least_eigenvalue(query: Query, *, symmetric: bool, times: Rational = ONE) -> Cases:
    """λ_min of one is at least λ_min of the other minus the Frobenius norm of the difference.

    symmetric: whether the matrices are; times: of the Frobenius norm that is subtracted.
    """
    entries = sorted(range(-MOST, MOST + 1), key=lambda x: (abs(x), -x))
    every = [(a, b, c, d) for a, b, c, d in product(entries, repeat=4) if b == c or not symmetric]
    known = [(m, least) for m in every if (least := least_eigenvalue_of(m)) is not None]
    which = "symmetric " if symmetric else ""
    yield Over(f"all pairs of {which}2 x 2 matrices with entries up to {MOST} and real eigenvalues", "sums of square roots")
    for (one, least), (other, found) in product(known, repeat=2):
        far = root(sum((x - y) ** 2 for x, y in zip(one, other, strict=True))) * times
        shown = {"H": one, "the other": other, "lambda_min(H)": least, "norm of the difference": far, "lambda_min of the other": found}
        yield found >= least - far or shown
