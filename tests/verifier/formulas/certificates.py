"""The certificate of a proof, checked point by point in fractions: its cases cover the domain, and its lines are what they say."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

from verifier.formulas.exact import rational
from verifier.formulas.symbolic.certificate import Part, Point
from verifier.formulas.symbolic.judgement import Line
from verifier.formulas.syntax import names_in


def with_slacks(meanings: Mapping[str, str], point: Mapping[str, int | Fraction]) -> dict[str, int | Fraction] | None:
    """A point with the values of slacks, the later over the earlier; None where one would be negative."""
    known = dict(point)
    for name, meaning in meanings.items():
        if names_in(meaning) <= known.keys():  # else it is a slack of a bound name
            known[name] = rational(meaning, known)
            if known[name] < 0:
                return None
    return known


def holds_at(part: Part, point: Point) -> bool:
    """Whether a point belongs to the case of a part: the slacks are integers ≥ 0 there, and give the point again."""
    known = with_slacks(part.where.slacks, point)
    if known is None or any(known[name].denominator > 1 for name in part.where.slacks if name in known):
        return False
    return all(rational(value, known) == point[name] for name, value in part.where.values.items())


def check_line(line: Line, point: Point) -> None:
    """The formula has the value of its form, with slacks ≥ 0, and one of the signs that the form claims."""
    if not names_in(line.formula) <= point.keys():
        return  # it is about a bound name
    known = with_slacks(line.form.slacks, point)
    assert known is not None, f"{line} at {point}: a slack is negative"
    value = rational(line.formula, point)
    assert rational(line.form.text, known) == value, f"{line} at {point}: {value}"
    assert (value > 0) - (value < 0) in line.form.signs, f"{line} at {point}: {value}"


def coefficients_agree(line: Line) -> bool:
    """Whether the signs of a form are those of its coefficients: sums of terms with one sign each above and below."""
    tree = ast.parse(line.form.text, mode="eval").body
    sides = [tree.left, tree.right] if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div) else [tree]
    return all(len({_sign(term) for term in _terms(side)} - {0}) <= 1 for side in sides)


def _terms(tree: ast.expr) -> list[ast.expr]:
    match tree:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_terms(left), *_terms(right)]
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return [*_terms(left), *(ast.UnaryOp(ast.USub(), term) for term in _terms(right))]
    return [tree]


def _sign(term: ast.expr) -> int:
    """The sign of a coefficient: minus signs in front of it."""
    match term:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_sign(operand)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div()):
            return _sign(left)
        case ast.Constant(value=0):
            return 0
    return 1
