"""Comparisons by cases: where a number in one is a choice, the comparison is a choice of comparisons."""

from __future__ import annotations

import ast
from collections.abc import Iterator

MOST_CHOICES = 8
"""Numbers in a comparison that are told apart by cases, one after the other."""


def in_cases(condition: ast.Compare) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """A test, the comparison where it holds, and the comparison where it fails: by the first number in it that is a choice.

    Choices are conditional numbers, ``max`` and ``min`` of numbers, and ``abs``. None where there is no choice, or too many.
    """
    choices = list(_choices(condition))
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    test, body, orelse = _alternatives(choices[0])
    return test, _replaced(condition, choices[0], body), _replaced(condition, choices[0], orelse)


def _choices(node: ast.AST) -> Iterator[ast.expr]:
    """The choices outside the ranges of bound names, the outermost first."""
    match node:
        case ast.GeneratorExp():
            return
        case ast.IfExp() | ast.Call(func=ast.Name(id="abs")):
            yield node
        case ast.Call(func=ast.Name(id="max" | "min"), args=[_, _, *_]):
            yield node
    for child in ast.iter_child_nodes(node):
        yield from _choices(child)


def _alternatives(choice: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr]:
    match choice:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return test, body, orelse
        case ast.Call(func=ast.Name(id="abs"), args=[x]):
            return ast.Compare(x, [ast.GtE()], [ast.Constant(0)]), x, ast.UnaryOp(ast.USub(), x)
        case ast.Call(func=ast.Name(id=name) as func, args=[x, y, *others]):
            test = ast.Compare(x, [ast.GtE() if name == "max" else ast.LtE()], [y])
            x, y = (ast.Call(func, [each, *others], []) if others else each for each in (x, y))
            return test, x, y
    raise TypeError(f"{ast.dump(choice)} is no choice")


def _replaced(tree: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    """A copy of the tree with one part of it replaced."""

    def copied(value: object) -> object:
        if value is old:
            return new
        if isinstance(value, list):
            return [copied(v) for v in value]
        return type(value)(**{k: copied(v) for k, v in ast.iter_fields(value)}) if isinstance(value, ast.AST) else value

    found = copied(tree)
    assert isinstance(found, ast.expr)
    return found


def joined(test: ast.expr) -> tuple[ast.boolop, ast.expr, ast.expr] | None:
    """How a condition joins others (a chain of comparisons by ``and``), the first of them, and the rest; None where it joins none."""
    match test:
        case ast.BoolOp(op=op, values=[first, *others]):
            return op, first, others[0] if len(others) == 1 else ast.BoolOp(op, others)
        case ast.Compare(left=left, ops=[op, *ops], comparators=[right, *rights]) if ops:
            return ast.And(), ast.Compare(left, [op], [right]), ast.Compare(right, ops, rights)
    return None
