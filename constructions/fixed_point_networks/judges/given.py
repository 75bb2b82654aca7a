"""From a question's parameters and fields to what they name: the grid, a divisor, formulas, and what is tried for *every activation*."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import images, shapes
from constructions.fixed_point_networks.mathematics.samples import tables
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


LISTED = 3
"""The largest p at which every set of outputs is tried; beyond, every shape."""


def scope_of(question: Question, what: str) -> str:
    """``all 18 activation tables that satisfy Condition 1, …``, without the parameters."""
    grid = grid_of(question)
    if chosen(question, "sigma"):
        name, admitted = question.parameters["sigma"], any(tables(grid, chosen(question, "sigma")))
        return f"{name}{'' if admitted else ', which does not satisfy Condition 1'}, {what},"
    count = sum(1 for _ in tables(grid))
    which = f"all {count} activation tables" if question["p"] == 1 else f"those {count} of ten named activations and twelve drawn tables"
    return f"{which} that satisfy Condition 1, {what},"


def outputs_tried(question: Question, grid: FixedPoint) -> tuple[Iterator[frozenset[int]], bool, str]:
    """The sets of outputs to try for every activation, whether they are shapes, and how to say so.

    Raises:
        LimitError: too many.
    """
    if grid.p <= LISTED:
        question.within(2**grid.size, "sets of outputs")
        return images(grid), False, "by its set of outputs"
    question.within(grid.size**2, "shapes of outputs")
    return shapes(grid), True, "by its least output and the gcd of its gaps"
