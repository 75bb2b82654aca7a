"""A judge of Fact B.5: eigenvalues of two-by-two integer matrices, in sums of square roots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome

MOST = 2
Matrix = tuple[int, int, int, int]


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """symmetric: whether the matrices are; times: of the Frobenius norm that is subtracted."""

    symmetric: bool
    times: str = "1"


def least_eigenvalue_of(matrix: Matrix) -> RootSum | None:
    """The smaller eigenvalue of ((a, b), (c, d)), where both are real."""
    a, b, c, d = matrix
    discriminant = (a - d) ** 2 + 4 * b * c
    return None if discriminant < 0 else (RootSum.of(a + d) - root(discriminant)) / 2


def least_eigenvalue(query: Query, given: Given) -> Outcome:
    """λ_min of one is at least λ_min of the other minus the Frobenius norm of the difference."""
    entries = sorted(range(-MOST, MOST + 1), key=lambda x: (abs(x), -x))
    every = [(a, b, c, d) for a, b, c, d in product(entries, repeat=4) if b == c or not given.symmetric]
    known = [(m, least) for m in every if (least := least_eigenvalue_of(m)) is not None]

    def trials() -> Iterator[Failure]:
        for (one, least), (other, found) in product(known, repeat=2):
            far = root(sum((x - y) ** 2 for x, y in zip(one, other, strict=True))) * Fraction(given.times)
            shown = {"H": one, "the other": other, "lambda_min(H)": least, "norm of the difference": far, "lambda_min of the other": found}
            yield None if found >= least - far else shown

    which = "symmetric " if given.symmetric else ""
    return decide(
        query, f"all pairs of {which}2 x 2 matrices with entries up to {MOST} and real eigenvalues", trials(), "sums of square roots"
    )
