"""Judges of Lemma 26: bounds of the integers with which given numbers come to their greatest common divisor (Section 5.15)."""

from __future__ import annotations

from math import floor, gcd
from typing import Literal

from constructions.fixed_point_networks.mathematics import divisors
from constructions.fixed_point_networks.mathematics.divisors import Numbers, outcomes, within
from verifier.claims.finite_cases import Cases, Failure, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Formula, Integer, judge


@judge
def bounded(
    query: Query,
    *,
    lengths: list[Formula],
    largest: Integer,
    first: Formula,
    rest: Formula,
    numbers: Literal["ascending", "unordered", "repetitions", "integers"] = "ascending",
) -> Cases:
    """Lemma 26: some integers c have Σ cᵢxᵢ = d within the bounds: by the repaired recipe, or, where that gives none, by search.

    lengths: how many numbers; largest: the greatest tried; first, rest: bounds of |c₁| and of the others, in x1, xn and d, the gcd;
    numbers: ``ascending`` naturals, in other orders (``unordered``), with ``repetitions``, or ``integers`` in ascending order.
    """
    yield Over(f"all {numbers} tuples of {', '.join(map(str, lengths))} numbers up to {largest}")
    for n in (length.integer() for length in lengths):
        for xs in divisors.numbers(numbers, n, largest) if n else ():
            names = {"x1": xs[0], "xn": xs[-1], "d": gcd(*xs)}
            one, others = floor(first(**names)), floor(rest(**names))
            ok = within(xs, one, others)
            yield ok or {"x": xs, "d": gcd(*xs), "|c_1| at most": one, "|c_i| at most": others}


OUTCOMES = "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"


@judge
def recipe_bounds(query: Query, *, sign_of: Literal["next", "sum"], sums: Formula, first: Formula) -> Cases:
    """Whatever the recipe picks, the sums of the later terms and the first coefficient stay within the bounds.

    sign_of: what the sign of the next choice must differ from that of: ``next``, the coefficient c_(j+1), or ``sum``, of all so far;
    sums, first: bounds of |Σ_(i≥j) cᵢxᵢ| for j ≥ 2, and of |c₁|, in x1 and xn.
    """
    yield Over(f"all {OUTCOMES}")
    for xs, _, picked in outcomes(query["n"], query["x"], sign_of == "sum"):
        ends = {"x1": xs[0], "xn": xs[-1]}
        most, one = floor(sums(**ends)), floor(first(**ends))
        for cs in picked:
            yield _beyond(xs, cs, most, one)


def _beyond(xs: Numbers, cs: list[int], sums: int, first: int) -> Failure:
    for j in range(1, len(xs)):
        total = sum(c * x for c, x in zip(cs[j:], xs[j:], strict=True))
        if abs(total) > sums:
            return {"x": xs, "c": tuple(cs), "j": j + 1, "sum": total, "bound": sums}
    return None if abs(cs[0]) <= first else {"x": xs, "c": tuple(cs), "|c_1|": abs(cs[0]), "bound": first}


@judge
def recipe_choices(query: Query, *, sign_of: Literal["next", "sum"], c1: Formula) -> Cases:
    """The kᵢ can be picked as asked, and the first coefficient as given keeps the sum at 1.

    sign_of: as for a recipe; c1: what the first coefficient is, in b1 and moved = Σ kᵢxᵢ.
    """
    yield Over(f"all {OUTCOMES}")
    for xs, b, picked in outcomes(query["n"], query["x"], sign_of == "sum"):
        yield bool(picked) or {"x": xs, "outcomes": 0}
        for cs in picked:
            whole = all((new - old) % xs[0] == 0 for old, new in zip(b[1:], cs[1:], strict=True))
            moved = sum((new - old) // xs[0] * x for old, new, x in zip(b[1:], cs[1:], xs[1:], strict=True))
            one = c1(b1=b[0], moved=moved)
            total = one * xs[0] + sum(c * x for c, x in zip(cs[1:], xs[1:], strict=True))
            yield (whole and total == 1) or {"x": xs, "b": tuple(b), "c": (one, *cs[1:]), "sum": total}
