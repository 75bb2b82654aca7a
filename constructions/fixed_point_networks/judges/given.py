"""From a question's parameters to what they name: the grid Q_(p,s), and parameters that can be ``every``."""

from __future__ import annotations

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.statements.model import Question


def grid_of(question: Question) -> FixedPoint:
    """Q_(p,s) at the question's p and s."""
    return FixedPoint(question["p"], question["s"])


def chosen(question: Question, name: str) -> int:
    """The number of a parameter that can be ``every``; 0 for that, and where the claim has no such parameter."""
    return int(question.parameters.get(name, 0))
