"""Judges of what is beyond orthogonal transformations, and of how far these can go."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from constructions.parameter_space_symmetry.judges.estimates import pairs, shown
from constructions.parameter_space_symmetry.mathematics.noise import Rows, least_spread, sums, true_noise
from constructions.parameter_space_symmetry.mathematics.signed_permutations import signed_permutations
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.language import exact
from verifier.language.syntax import parse
from verifier.running.errors import InputError

MEMBERS = 16
"""Of a family, s = 1, 1/2, 1/4, …."""


class Family(Struct, frozen=True, forbid_unknown_fields=True):
    """q, k: a row of weights each, taken n times; g, inverse: matrices whose entries are formulas in s; noise: a formula in s and b."""

    q: list[int]
    k: list[int]
    g: list[list[str]]
    inverse: list[list[str]]
    noise: str


def unattained(query: Query, given: Family) -> Outcome:
    """Whether the noise of W_q g(s), W_k g(s)^(−T) is the formula, and falls to 0 with s, while no invertible g has the noise 0.

    The noise is 0 only where both ranges are (or all weights): then W_q g = a and W_k g^(−T) = c in every entry, so that an entry of the
    product is m a c. Where W_q W_kᵀ = 0, a or c is 0, and the weights W_q or W_k are.
    """
    n, m, bits = query["n"], len(given.q), query["b"]
    q, k = ([list(map(Fraction, row))] * n for row in (given.q, given.k))
    product = side_by_side("W_q W_k^T where no noise is to be 0", "0", str(sum(x * y for x, y in zip(q[0], k[0], strict=True))))
    if product.verdict is Verdict.REFUTED or not any(given.q) or not any(given.k):
        return product
    formula = parse(given.noise)

    def trials() -> Iterator[Failure]:
        before: Fraction | None = None
        for power in range(MEMBERS):
            s = Fraction(1, 2**power)
            g, inverse = (_matrix(rows, s, m) for rows in (given.g, given.inverse))
            if _times(g, inverse) != [[Fraction(i == j) for j in range(m)] for i in range(m)]:
                yield {"s": s, "wrong": "g times its inverse is not 1"}
            new_q, new_k = _times(q, g), _times(k, [list(column) for column in zip(*inverse, strict=True)])
            noise = true_noise(sums(new_q), sums(new_k), bits)
            claimed = exact.rational(formula, {"s": s, "b": Fraction(bits)})
            if noise != claimed or noise <= 0 or (before is not None and 2 * noise > before):
                yield {"s": s, "W_q g": shown(new_q), "W_k g^-T": shown(new_k), "noise": noise, "claimed": claimed}
            before = noise
            yield None

    return decide(query, f"g(s) for s = 1, 1/2, …, 2^-{MEMBERS - 1}, the noise halved at least each time,", trials(), "algebra")


def _matrix(rows: list[list[str]], s: Fraction, m: int) -> list[list[Fraction]]:
    if len(rows) != m or any(len(row) != m for row in rows):
        raise InputError(f"a matrix with other than {m} rows and columns")
    return [[exact.rational(parse(text), {"s": s}) for text in row] for row in rows]


def _times(left: Rows, right: Rows) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


def least_range(query: Query) -> Outcome:
    """How small the range of W g can be: R² is at least 4 (mean square − square of the largest mean), and where that is met."""
    n, m = query["n"], query["m"]
    met: list[str] = []

    def trials() -> Iterator[Failure]:
        for q, _ in pairs(n, m, 1, keys=False):
            totals = sum((sum(column, Fraction(0)) ** 2 for column in zip(*q, strict=True)), Fraction(0))
            least = least_spread(sums(q), totals)
            for g in signed_permutations(m):
                spread = sums(g(q)).spread
                if spread**2 == least and least > 0 and not met:
                    met.append(f"met at W g = {shown(g(q))}")
                yield {"W": shown(q), "g": str(g), "R^2": spread**2, "bound": least} if spread**2 < least else None

    found = decide(query, "weights up to 1 in magnitude, every signed permutation,", trials())
    if found.verdict is not Verdict.VERIFIED:
        return found
    said = "R^2 >= 4 (sum w^2/(n m) - sum_j (sum_i w_ij)^2/(n^2 m)), as a range is at least twice the standard deviation"
    scope = Scope(found.scope.statement, found.scope.cases, found.scope.method)
    return Outcome(Verdict.VERIFIED, scope, witness="; ".join([said, *(met or ["met nowhere here"])]))
