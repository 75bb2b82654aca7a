"""Judges of the toy paper."""

from msgspec import Struct

from verifier.arithmetic.rationals import Fraction
from verifier.statements.findings import decide, side_by_side
from verifier.statements.model import Question
from verifier.verdicts import Finding


class Least(Struct, frozen=True, forbid_unknown_fields=True):
    least: int


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    number: int


def numbers(question: Question) -> list[int]:
    """Those that the hypotheses leave."""
    predicates = {"even": lambda k: k % 2 == 0, "positive": lambda k: k > 0}
    return [k for k in range(-2, question["p"] + 1) if all(predicates[name](k) for name in question.assuming)]


def at_least_two(question: Question, given: Least) -> Finding:
    return decide(question, "every number", ({"k": k} if k < given.least else None for k in numbers(question)))


def least_is(question: Question, given: Number) -> Finding:
    return side_by_side("the least even number", given.number, min(k for k in range(1, question["p"] + 1) if k % 2 == 0))


def double(x: Fraction) -> Fraction:
    return 2 * x
