"""Judges of Equations (21), (22), (31) and of SoftPlus(0) = log 2, with what each follows from at every p (Sections 5.2, 5.7, 5.14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from constructions.fixed_point_networks.judges.query_objects import chosen, grid_of
from verifier.arithmetic.enclosure import decided
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Claim, Query
from verifier.judges.declaring import Formula, Rational, Reduction, judge

TOP = "(2**p - 1)"


def _each_remainder_is_a_level(claim: Claim, fixed: Mapping[str, int], *, low: str, most: str) -> Reduction:
    """A remainder x of r = x + 1 + v is its own level: low <= 0 <= x < r <= most <= 2^p − 1. And s·r in Q_(p,s) is s²r <= 2^p − 1."""
    del claim, fixed
    conditions = (f"{low} <= 0", f"{most} <= {TOP}", "(x + 1 + v) > x and x % (x + 1 + v) == x", "x + 1 + v <= s*s*(x + 1 + v)")
    over = {"x": "x >= 0", "v": "v >= 0"}
    return Reduction(conditions, "each remainder x of r <= 2^p - 1 is itself a level, and r <= s^2 r; r = x + 1 + v", over)


@judge(for_every=_each_remainder_is_a_level)
def every_remainder(query: Query, *, low: Formula, most: Formula) -> Cases:
    """Eq. (21): the levels from ``low`` to 2^p − 1 leave every remainder modulo r, r = 1 … ``most``; s·r in Q_(p,s) implies r <= 2^p − 1.

    low, most: in levels.
    """
    grid = grid_of(query)
    first, last = low.integer(), most.integer()
    query.within(last * (grid.top - first + 1), "levels and divisors")
    yield Over(f"every r in 1 .. {last}, and every r with s r in Q_(p,s)")
    for r in range(1, last + 1):
        missing = set(range(r)) - {q % r for q in range(first, grid.top + 1)}
        yield not missing or {"r": r, "no level leaves": min(missing)}
    for r in range(1, grid.top // grid.s**2 + 2):
        yield grid.s**2 * r > grid.top or r <= grid.top or {"r": r}


def _too_few(claim: Claim, fixed: Mapping[str, int], *, even: bool = True) -> Reduction | None:
    """Three numbers have at most three remainders; for r = 3 and p = 2q both 2^p − 1 and its negative have the remainder 0."""
    del claim, fixed
    if not even:
        return None
    condition = "2**(2*q) - 1 == 3*sum(4**i for i in (0, q - 1))"
    return Reduction(
        (condition,), "three numbers have three remainders; 3 divides 2^p - 1 for p = 2q, which leaves two", {"r": "r >= 3", "q": "q >= 1"}
    )


@judge(for_every=_too_few)
def missing_remainder(query: Query, *, even: bool = True) -> Cases:
    """Eq. (22): {2^p − 1, −2^p + 1, s·b} modulo r misses a remainder, whatever b is; r >= 4, or r = 3 for even p.

    even: whether r = 3 is asked for even p only.
    """
    grid, only = grid_of(query), chosen(query, "r")
    most = grid.top // grid.s**2
    query.within(most * most, "divisors and biases")
    yield Over("every r and every class of s*b modulo r")
    for r in [only] if only else range(3, most + 1):
        if r > 3 or grid.p % 2 == 0 or not even:
            for beta in range(r):
                found = {grid.top % r, -grid.top % r, beta}
                yield len(found) < r or {"r": r, "s*b modulo r": beta, "remainders": sorted(found)}


def _triangle(claim: Claim, fixed: Mapping[str, int], *, most: str) -> Reduction:
    """What rounds to an inner level is less than top − 1/2 levels from 0; b′ is top − c levels, and the sum is what is left."""
    del claim, fixed
    conditions = tuple(f"2*{TOP} - 1 {sign} 2*({TOP} - c) <= 2*({most})" for sign in "-+")
    return Reduction(conditions, "the triangle inequality; c = top - b in levels", {"c": f"c >= 0 and c <= 2*{TOP}"})


@judge(for_every=_triangle)
def sums_of_inner_levels(query: Query, *, most: Formula) -> Cases:
    """Eq. (31), in units of 1/s²: if t = s·b + sum rounds to a level other than ±top, b in −top .. top, then \\|sum\\| <= most·s.

    most: the greatest magnitude, in levels. Every t beyond (top + 1)s in magnitude rounds to ±top.
    """
    grid = grid_of(query)
    yield Over("every level b and every sum plus b that rounds to an inner level")
    bound = most() * grid.s
    for t in range(-(grid.top + 1) * grid.s, (grid.top + 1) * grid.s + 1):
        if abs(grid.nearest(t)) == grid.top:
            continue
        yield abs(2 * t) < (2 * grid.top - 1) * grid.s or {"sum plus b'": str(Fraction(t, grid.s**2))}
        for b in grid.levels():
            yield abs(t - grid.s * b) <= bound or {"b'": grid.show(b), "sum": Fraction(t - grid.s * b, grid.s**2)}


def _by_a_rational(claim: Claim, fixed: Mapping[str, int], *, less: str, more: str, above: str) -> Reduction | None:
    """less·log 2 <= less·above <= more, for a rational number above log 2, which a ball decides, and less >= 0."""
    del claim, fixed
    bound = rational(above)
    if not decided(lambda flint: flint.arb(bound.numerator) / bound.denominator - flint.arb(2).log(), _sign):
        return None
    return Reduction((f"({less}) >= 0", f"({less})*({above}) <= ({more})"), f"log 2 is below {above} (ball arithmetic)")


def _sign(ball: Any) -> bool | None:
    return None if ball.contains(0) else bool(ball > 0)


@judge(for_every=_by_a_rational)
def at_most_over_log_two(query: Query, *, less: Formula, more: Formula, above: Rational) -> Cases:
    """less <= more/log 2, by a ball around log 2, which is irrational.

    above: a rational number above log 2, by which it follows for all parameters.
    """
    del above
    left, right = less(), more()
    yield Over(f"{less} <= ({more})/log(2)", "ball arithmetic")

    def slack(flint: Any) -> Any:
        arb = flint.arb
        return arb(right.numerator) / right.denominator - arb(2).log() * left.numerator / left.denominator

    yield left == right == 0 or decided(slack, _sign) or {"left": left, "right": f"({right})/log(2)"}
