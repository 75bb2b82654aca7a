"""Functions that are formulas: of a paper's mathematics, as Python computes them, with the formula that the symbols read in their place.

Exact values always come from the function itself, so a proof for all parameters compares the two at small parameters; beyond these a
function and its formula are one by their definition, which the paper states or a construction file holds.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from verifier.language.definitions import with_meanings
from verifier.language.exact import truth
from verifier.language.syntax import Formula, names_in, range_of, tree_of
from verifier.running.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


def written(formula: str | Callable[[], Formula]) -> Callable[[F], F]:
    """Marks a function with its formula, over the names of its arguments; or with what reads it from a file when it is asked for."""

    def mark(function: F) -> F:
        function.formula = formula  # type: ignore[attr-defined]
        return function

    return mark


def formula_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], ast.expr] | None:
    """The names of a function's arguments and its formula, where it has one."""
    found = getattr(function, "formula", None)
    if found is None:
        return None
    tree = tree_of(found() if callable(found) else found)
    names = tuple(inspect.signature(function).parameters)
    return (names, tree) if names_in(tree) <= set(names) else None


MOST_PARTS = 50_000
"""Parts of a formula in which functions are written out."""


def written_out(tree: ast.expr, functions: Mapping[str, Callable[..., Any]]) -> ast.expr:
    """The tree with every call of a function that is a formula replaced by it; where a name that it binds occurs in an argument, left.

    Raises:
        InputError: the tree becomes too large.
    """
    found: ast.expr = _Written(functions).visit(tree)
    return found


class _Copied(ast.NodeTransformer):
    """A copy, so that trees that are shared stay as they are; its parts are visited first."""

    def visit(self, node: ast.AST) -> Any:
        return type(node)(**{name: self._field(value) for name, value in ast.iter_fields(node)})

    def _field(self, value: object) -> object:
        if isinstance(value, list):
            return [self._field(v) for v in value]
        return self.visit(value) if isinstance(value, ast.AST) else value


class _Written(_Copied):
    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions, self.parts = functions, 0

    def visit(self, node: ast.AST) -> Any:
        node = super().visit(node)
        match node:
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in self.functions and (own := formula_of(self.functions[name])):
                names, formula = own
                bound = {range_of(part)[0] for part in ast.walk(formula) if isinstance(part, ast.GeneratorExp)}
                if all(bound.isdisjoint(names_in(argument)) for argument in arguments):
                    return self._put_in(name, formula, dict(zip(names, arguments, strict=True)))
        return node

    def _put_in(self, function: str, formula: ast.expr, arguments: Mapping[str, ast.expr]) -> ast.expr:
        """The formula with its arguments, those first that are numbers, which may decide its choices."""
        numbers = {name: argument for name, argument in arguments.items() if isinstance(argument, ast.Constant)}
        formula = _Folded().visit(with_meanings(formula, numbers))
        size = {name: sum(1 for _ in ast.walk(argument)) for name, argument in arguments.items()}
        self.parts += sum(size.get(part.id, 1) if isinstance(part, ast.Name) else 1 for part in ast.walk(formula))
        if self.parts > MOST_PARTS:
            raise InputError(f"{function} written out has more than {MOST_PARTS:,} parts")
        return with_meanings(formula, arguments)


class _Folded(_Copied):
    """A choice by a comparison of two numbers that are written out is the side that it chooses."""

    def visit(self, node: ast.AST) -> Any:
        node = super().visit(node)
        match node:
            case ast.IfExp(test=ast.Compare(left=ast.Constant(), ops=[_], comparators=[ast.Constant()]) as test):
                return node.body if truth(test, {}) else node.orelse
        return node
