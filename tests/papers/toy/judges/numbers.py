"""Judges of the toy paper."""

from msgspec import Struct

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import decide, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome


class Least(Struct, frozen=True, forbid_unknown_fields=True):
    least: int


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    number: int


def numbers(query: Query) -> list[int]:
    """Those that the hypotheses leave."""
    predicates = {"even": lambda k: k % 2 == 0, "positive": lambda k: k > 0}
    return [k for k in range(-2, query["p"] + 1) if all(predicates[name](k) for name in query.assuming)]


def at_least_two(query: Query, given: Least) -> Outcome:
    return decide(query, "every number", ({"k": k} if k < given.least else None for k in numbers(query)))


def least_is(query: Query, given: Number) -> Outcome:
    return side_by_side("the least even number", given.number, min(k for k in range(1, query["p"] + 1) if k % 2 == 0))


def double(x: Fraction) -> Fraction:
    return 2 * x
