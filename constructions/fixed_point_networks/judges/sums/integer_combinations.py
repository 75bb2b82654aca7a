"""Judges of Lemma 26: bounds of the integers with which given numbers come to their greatest common divisor (Section 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, gcd
from typing import Literal

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import number
from constructions.fixed_point_networks.mathematics.divisors import Numbers, numbers, outcomes, within
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome


class Bounds(Struct, frozen=True, forbid_unknown_fields=True):
    """lengths: how many numbers; largest: the greatest tried; first, rest: bounds of |c₁| and of the others, in x1, xn and d, the gcd.

    numbers: ``ascending`` naturals, in other orders (``unordered``), with ``repetitions``, or ``integers`` in ascending order.
    """

    lengths: list[str]
    largest: str
    first: str
    rest: str
    numbers: Literal["ascending", "unordered", "repetitions", "integers"] = "ascending"


def bounded(query: Query, given: Bounds) -> Outcome:
    """Lemma 26: some integers c have Σ cᵢxᵢ = d within the bounds: by the repaired recipe, or, where that gives none, by search."""
    largest = int(number(query, given.largest))

    def trials() -> Iterator[Failure]:
        for n in (int(number(query, text)) for text in given.lengths):
            for xs in numbers(given.numbers, n, largest) if n else ():
                names = {"x1": xs[0], "xn": xs[-1], "d": gcd(*xs)}
                first, rest = (floor(number(query, text, **names)) for text in (given.first, given.rest))
                yield None if within(xs, first, rest) else {"x": xs, "d": gcd(*xs), "|c_1| at most": first, "|c_i| at most": rest}

    lengths = ", ".join(given.lengths)
    return decide(query, f"all {given.numbers} tuples of {lengths} numbers up to {largest}", trials())


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """sign_of: what the sign of the next choice must differ from that of: ``next``, the coefficient c_(j+1), or ``sum``, of all so far.

    sums, first: bounds of |Σ_(i≥j) cᵢxᵢ| for j ≥ 2, and of |c₁|, in x1 and xn.
    """

    sign_of: Literal["next", "sum"]
    sums: str
    first: str


class Choices(Struct, frozen=True, forbid_unknown_fields=True):
    """sign_of: as for a recipe; c1: what the first coefficient is, in b1 and moved = Σ kᵢxᵢ."""

    sign_of: Literal["next", "sum"]
    c1: str


OUTCOMES = "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"


def recipe_bounds(query: Query, given: Recipe) -> Outcome:
    """Whatever the recipe picks, the sums of the later terms and the first coefficient stay within the bounds."""

    def trials() -> Iterator[Failure]:
        for xs, _, picked in outcomes(query["n"], query["x"], given.sign_of == "sum"):
            sums, first = (number(query, text, x1=xs[0], xn=xs[-1]) for text in (given.sums, given.first))
            for cs in picked:
                yield _beyond(xs, cs, floor(sums), floor(first))

    return decide(query, f"all {OUTCOMES}", trials())


def _beyond(xs: Numbers, cs: list[int], sums: int, first: int) -> Failure:
    for j in range(1, len(xs)):
        total = sum(c * x for c, x in zip(cs[j:], xs[j:], strict=True))
        if abs(total) > sums:
            return {"x": xs, "c": tuple(cs), "j": j + 1, "sum": total, "bound": sums}
    return None if abs(cs[0]) <= first else {"x": xs, "c": tuple(cs), "|c_1|": abs(cs[0]), "bound": first}


def recipe_choices(query: Query, given: Choices) -> Outcome:
    """The kᵢ can be picked as asked, and the first coefficient as given keeps the sum at 1."""

    def trials() -> Iterator[Failure]:
        for xs, b, picked in outcomes(query["n"], query["x"], given.sign_of == "sum"):
            yield None if picked else {"x": xs, "outcomes": 0}
            for cs in picked:
                whole = all((new - old) % xs[0] == 0 for old, new in zip(b[1:], cs[1:], strict=True))
                moved = sum((new - old) // xs[0] * x for old, new, x in zip(b[1:], cs[1:], xs[1:], strict=True))
                c1 = number(query, given.c1, b1=b[0], moved=moved)
                total = c1 * xs[0] + sum(c * x for c, x in zip(cs[1:], xs[1:], strict=True))
                yield None if whole and total == 1 else {"x": xs, "b": tuple(b), "c": (c1, *cs[1:]), "sum": total}

    return decide(query, f"all {OUTCOMES}", trials())
