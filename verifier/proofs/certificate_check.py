"""Check the certificate of a proof in fractions: every point belongs to one of its cases, and its lines are true.

This module knows neither the search for the proof nor computer algebra. At a point (:func:`check`) the formula of each line must have the
value of its form; its text shows that the form's signs are those of its coefficients (:func:`coefficients_agree`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import rational, truth
from verifier.language.syntax import names_in, parse_written
from verifier.language.tree import Node, Numeral, Operation, Signed

if TYPE_CHECKING:
    from verifier.proofs.certificate import Line, Part, Point


def check(parts: Sequence[Part], point: Point) -> None:
    """The cases of one condition's proof at a point of the domain.

    Raises:
        AssertionError: the point belongs to no case or to two, or to one marked as outside, or a line is wrong there.
        InputError: a line has a number that is too large to compute.
    """
    belongs = [part for part in parts if holds_at(part, point)]
    assert len(belongs) == 1, f"{point} belongs to {len(belongs)} cases"
    assert belongs[0].lines or belongs[0].point == point, f"{point} lies inside the domain, but the certificate puts it outside"
    for line in belongs[0].lines:
        check_line(line, point)


def check_signs(part: Part) -> None:
    """Check that the lines of a case have the signs that they claim, by their coefficients; only a claim of being non-zero may rest on
    divisibility.

    Raises:
        AssertionError: naming the line.
    """
    for line in part.lines:
        assert {-1, 1} <= line.form.signs or coefficients_agree(line), f"{line}: the coefficients have both signs"


def with_slacks(meanings: Mapping[str, str], point: Mapping[str, int | Fraction]) -> dict[str, int | Fraction] | None:
    """A point with the values of slacks, or None if one would be negative."""
    known = dict(point)
    for name, meaning in meanings.items():
        if names_in(_tree(meaning)) <= known.keys():  # else it is a slack of a bound name
            known[name] = value_of(meaning, known)
            if known[name] < 0:
                return None
    return known


@lru_cache(maxsize=4096)
def _tree(text: str) -> Node:
    """A formula of a certificate, of any length."""
    return parse_written(text)


def value_of(text: str, names: Mapping[str, int | Fraction]) -> Fraction:
    """The value of a formula, which may be a sum or quotient of sums of many terms."""
    tree = _tree(text)
    if isinstance(tree, Operation) and tree.operator == "/":
        return _sum_of(tree.left, names) / _sum_of(tree.right, names)
    return _sum_of(tree, names)


def _sum_of(tree: Node, names: Mapping[str, int | Fraction]) -> Fraction:
    return sum((side * rational(term, names) for side, term in _signed_terms(tree)), Fraction(0))


def holds_at(part: Part, point: Point) -> bool:
    """Whether a point belongs to the case of a part: the slacks are integers ≥ 0 there, and reproduce the point."""
    known = with_slacks(part.where.slacks, point)
    if known is None or any(known[name].denominator > 1 for name in part.where.slacks if name in known):
        return False
    return all(value_of(value, known) == point[name] for name, value in part.where.values.items())


def check_line(line: Line, point: Point) -> None:
    """Check that the formula has the value of its form, with slacks ≥ 0, and one of the signs that the form claims."""
    if not all(names_in(_tree(text)) <= point.keys() for text in (line.formula, *line.given)):
        return  # it is about a bound name
    if not all(truth(_tree(condition), point) for condition in line.given):
        return
    known = with_slacks(line.form.slacks, point)
    assert known is not None, f"{line} at {point}: a slack is negative"
    for left, right in line.form.equal:
        assert value_of(left, known) == value_of(right, known), f"{line} at {point}: {left} is not {right}"
    value = value_of(line.formula, point)
    assert value_of(line.form.text, known) == value, f"{line} at {point}: {value}"
    assert (value > 0) - (value < 0) in line.form.signs, f"{line} at {point}: {value}"


def coefficients_agree(line: Line) -> bool:
    """Whether the signs of a form are those of its coefficients: sums of terms with one sign each above and below."""
    tree = _tree(line.form.text)
    sides = [tree.left, tree.right] if isinstance(tree, Operation) and tree.operator == "/" else [tree]
    return all(len({sign * _sign(term) for sign, term in _signed_terms(side)} - {0}) <= 1 for side in sides)


def _signed_terms(tree: Node) -> list[tuple[int, Node]]:
    """The terms of a sum, each with the sign before it."""
    terms = []
    while isinstance(tree, Operation) and tree.operator in ("+", "-"):
        terms.append((1 if tree.operator == "+" else -1, tree.right))
        tree = tree.left
    return [(1, tree), *reversed(terms)]


def _sign(term: Node) -> int:
    """The sign of a coefficient: minus signs before it."""
    match term:
        case Signed("-", operand):
            return -_sign(operand)
        case Operation(left, "*" | "/"):
            return _sign(left)
        case Numeral(0):
            return 0
    return 1
