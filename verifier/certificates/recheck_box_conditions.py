"""Conditions on boxes: whether a formula on coordinates is true, false or open where each coordinate lies between two numbers."""

import ast
from collections.abc import Mapping
from fractions import Fraction

from .recheck_formulas import Formula

Ends = tuple[Fraction, Fraction]


def truth_on(formula: Formula, node: ast.AST, names: Mapping[str, Ends]) -> bool | None:
    """Whether a condition holds on a whole box; None where that is open."""

    def truth(part: ast.AST) -> bool | None:
        return truth_on(formula, part, names)

    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            found = [truth(part) for part in parts]
            return False if False in found else None if None in found else True
        case ast.BoolOp(op=ast.Or(), values=parts):
            found = [truth(part) for part in parts]
            return True if True in found else None if None in found else False
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand)
            return None if inner is None else not inner
        case ast.Compare(left=left, ops=operators, comparators=others):
            ends = [ends_of(formula, part, names) for part in (left, *others)]
            found = [compared(operator, x, y) for operator, x, y in zip(operators, ends, ends[1:], strict=False)]
            return False if False in found else None if None in found else True
    formula.refuse("comparisons with and, or, not were expected, for boxes")
    return None


def compared(operator: ast.cmpop, x: Ends, y: Ends) -> bool | None:
    """Whether all numbers between two ends compare so with all others."""
    match operator:
        case ast.Lt():
            return True if x[1] < y[0] else False if x[0] >= y[1] else None
        case ast.LtE():
            return True if x[1] <= y[0] else False if x[0] > y[1] else None
        case ast.Gt() | ast.GtE():
            other = compared(ast.LtE() if isinstance(operator, ast.Gt) else ast.Lt(), x, y)
            return None if other is None else not other
        case ast.Eq():
            return True if x[0] == x[1] == y[0] == y[1] else False if x[1] < y[0] or y[1] < x[0] else None
        case ast.NotEq():
            other = compared(ast.Eq(), x, y)
            return None if other is None else not other
    return None


def ends_of(formula: Formula, node: ast.AST, names: Mapping[str, Ends]) -> Ends:
    """The ends of a number."""
    match node:
        case ast.Constant(value=int(whole)) if type(whole) is int:
            return Fraction(whole), Fraction(whole)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            low, high = ends_of(formula, operand, names)
            return -high, -low
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            x, y = ends_of(formula, left, names), ends_of(formula, right, names)
            return (x[0] + y[0], x[1] + y[1]) if isinstance(operator, ast.Add) else (x[0] - y[1], x[1] - y[0])
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Pow() as operator, right=right):
            x, y = ends_of(formula, left, names), ends_of(formula, right, names)
            if isinstance(operator, ast.Pow) and x[0] == x[1] and y[0] == y[1]:
                power: Fraction = formula.power(x[0], y[0])
                return power, power
            if isinstance(operator, ast.Div) and (y[0] == y[1] != 0):
                x, y = x, (1 / y[0], 1 / y[0])
            elif not isinstance(operator, ast.Mult):
                formula.refuse("a quotient by a number was expected, for boxes")
            products = [a * b for a in x for b in y]
            return min(products), max(products)
    formula.refuse("numbers, names, + - * / were expected, for boxes")
    return Fraction(0), Fraction(0)
