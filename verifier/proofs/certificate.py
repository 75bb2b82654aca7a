"""Certificates: the lines that prove a condition, and the cases in which they do, in a form that a reader can check.

A condition holds for all slacks at once, for none, or neither is known; a line gives the form of a formula that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from verifier.language import printer
from verifier.language.tree import Node, Numeral, Operation, Ranged
from verifier.proofs.nonnegative import Expr, Quantities, Wants
from verifier.proofs.signs import Form
from verifier.running.printable import assignment


def text(tree: Node) -> str:
    """A tree as a formula, with powers closed up."""
    return printer.printed(tree).replace(" ** ", "**")


def listed(terms: Ranged) -> str:
    """The content of a range in brackets."""
    return printer.terms(terms).replace(" ** ", "**")


def difference(left: Node, right: Node) -> str:
    """left − right."""
    return text(left if right == Numeral(0) else Operation(left, "-", right))


def count(low: Node, high: Node, without: int) -> str:
    """high − low + 1, the number of integers from low to high, reduced by a given number."""
    return text(Operation(Operation(high, "-", low), "+", Numeral(1 - without)))


def above(name: str, low: Expr, quantities: Quantities) -> str:
    """``p - 3``, ``n - (4*k + 5)``: the distance of a name above a value."""
    if low.is_Integer:
        return f"{name} - {low}" if low > 0 else f"{name} + {-low}" if low < 0 else name
    return f"{name} - ({quantities.shown(low)})"


@dataclass(frozen=True)
class Line:
    """A line of a certificate: a formula in the parameters, in a form whose signs decide the condition.

    ``given``: the conditions, in the formula language, under which it was needed; the form's slacks are ≥ 0 there.
    """

    formula: str
    form: Form
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"where {' and '.join(self.given)}: " if self.given else ""
        return f"{where}{self.formula} = {self.form}"


@dataclass(frozen=True)
class Judgement:
    """A condition holds for all slacks (True), for none (False), or neither is known (None), for this reason. wants: what would help."""

    value: bool | None
    lines: tuple[Line, ...] = ()
    reason: str = ""
    wants: Wants = ()


Asked = Callable[[], Judgement]
TRUE = Judgement(True)


def denied(found: Judgement) -> Judgement:
    return found if found.value is None else replace(found, value=not found.value)


def conjunction(parts: Sequence[Asked]) -> Judgement:
    """Whether all hold, evaluated from the left: nothing after a part that is false for all slacks is evaluated."""
    lines: tuple[Line, ...] = ()
    unknown: Judgement | None = None
    for part in parts:
        found = part()
        if found.value is False:
            return found
        lines += found.lines
        unknown = unknown or (found if found.value is None else None)
    return unknown or Judgement(True, lines)


def disjunction(parts: Sequence[Asked]) -> Judgement:
    """Whether one of them holds: the negation of all failing."""
    return denied(conjunction([_denial(part) for part in parts]))


def _denial(part: Asked) -> Asked:
    return lambda: denied(part())


Point: TypeAlias = Mapping[str, int]
Check: TypeAlias = Callable[[Node, Point], bool]
"""The truth of a condition at a point."""


@dataclass(frozen=True)
class Where:
    """A case, with the parameters as formulas in slacks, and the slacks as formulas in the parameters. Slacks are integers ≥ 0."""

    text: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    slacks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A condition in one case: with lines that prove it, or a point that exact values decide, or neither if the case lies outside the
    domain."""

    condition: str
    where: Where
    lines: tuple[Line, ...] = ()
    point: Point | None = None

    def __str__(self) -> str:
        if self.point is not None:
            return f"{self.where.text}: exact values"
        return f"{self.where.text}: " + ("; ".join(map(str, self.lines)) or "outside the domain")


def at_point(point: Point) -> Where:
    """The case of one assignment."""
    return Where(assignment(point), {name: str(value) for name, value in point.items()})
