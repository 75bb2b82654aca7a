"""Judges of the toy paper."""

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.judges.declaring import judge


def numbers(query: Query) -> list[int]:
    """Those that the hypotheses leave."""
    predicates = {"even": lambda k: k % 2 == 0, "positive": lambda k: k > 0}
    return [k for k in range(-2, query["p"] + 1) if all(predicates[name](k) for name in query.assuming)]


@judge
def at_least_two(query: Query, *, least: int) -> Cases:
    yield Over("every number")
    for k in numbers(query):
        yield k >= least or {"k": k}


@judge
def least_is(query: Query, *, number: int) -> Outcome:
    return side_by_side("the least even number", number, min(k for k in range(1, query["p"] + 1) if k % 2 == 0))


def double(x: Fraction) -> Fraction:
    return 2 * x
