"""Which parts of a formula have a value in every case, whatever the case is."""

from __future__ import annotations

import ast
from collections.abc import Callable

from verifier.language.syntax import infinite

SAFE = ("floor", "ceil", "abs", "min", "max", "finite", "nan")


def can_fail(node: ast.expr, refused: Callable[[ast.expr], bool | None]) -> bool:
    """Whether a part might have no value in some case; of names, + - * and comparisons that is only for their size.

    Args:
        refused: of a part that does not depend on the case, whether it has no value; None for any other part.
    """
    if infinite(node) is not None:
        return False
    match node:
        case ast.Tuple(elts=parts):
            return any(can_fail(part, refused) for part in parts)
        case _ if (known := refused(node)) is not None:
            return known
        case ast.Name():
            return False
        case ast.UnaryOp(operand=operand):
            return can_fail(operand, refused)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            parts = [left, right]
        case ast.BoolOp(values=parts):
            pass
        case ast.Compare(left=left, comparators=others):
            parts = [left, *others]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [test, body, orelse]
        case ast.Call(func=ast.Name(id=name), args=parts) if name in SAFE:
            pass
        case _:
            return True
    return any(can_fail(part, refused) for part in parts)
