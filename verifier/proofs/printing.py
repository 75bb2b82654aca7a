"""How formulas and differences are written in certificates."""

from __future__ import annotations

import ast

from verifier.proofs.nonnegative import Expr, Quantities


def text(tree: ast.AST) -> str:
    """A tree as a formula, with powers closed up."""
    return ast.unparse(tree).replace(" ** ", "**")


def difference(left: ast.expr, right: ast.expr) -> str:
    """left − right."""
    return text(left if isinstance(right, ast.Constant) and right.value == 0 else ast.BinOp(left, ast.Sub(), right))


def count(low: ast.expr, high: ast.expr, without: int) -> str:
    """high − low + 1, the number of integers from low to high, less so many."""
    return text(ast.BinOp(ast.BinOp(high, ast.Sub(), low), ast.Add(), ast.Constant(1 - without)))


def above(name: str, low: Expr, quantities: Quantities) -> str:
    """``p - 3``, ``n - (4*k + 5)``: how far a name is above a value."""
    if low.is_Integer:
        return f"{name} - {low}" if low > 0 else f"{name} + {-low}" if low < 0 else name
    return f"{name} - ({quantities.shown(low)})"
