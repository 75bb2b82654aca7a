"""From a question's parameters and fields to what they name: the grid Q_(p,s), parameters that can be ``every``, formulas."""

from __future__ import annotations

from fractions import Fraction

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.syntax import parse
from verifier.statements.model import Question


def grid_of(question: Question) -> FixedPoint:
    """Q_(p,s) at the question's p and s."""
    return FixedPoint(question["p"], question["s"])


def chosen(question: Question, name: str) -> int:
    """The number of a parameter that can be ``every``; 0 for that, and where the claim has no such parameter."""
    return int(question.parameters.get(name, 0))


def number(question: Question, formula: str, **names: Fraction | int) -> Fraction:
    """The value of a formula among the fields: in the parameters, the claim's definitions, and ``names``."""
    return exact.rational(inlined(parse(formula), question.claim.lets), {**question.names, **names})


def holds(question: Question, condition: str, **names: Fraction | int) -> bool:
    """Whether a condition among the fields holds."""
    return exact.truth(inlined(parse(condition), question.claim.lets), {**question.names, **names})
