"""Functions that are formulas: of a paper's mathematics, as Python computes them, with the formula that the symbols read in their place.

Exact values always come from the function itself, so a proof for all parameters compares the two at small parameters; beyond these a
function and its formula are one by their definition, which the paper states or a construction file holds.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from verifier.language.definitions import with_meanings
from verifier.language.exact import truth
from verifier.language.syntax import Formula, names_in, tree_of
from verifier.language.tree import Call, Choice, Comparison, Name, Node, Numeral, Ranged, rebuilt, walk
from verifier.running.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


def written(formula: str | Callable[[], Formula]) -> Callable[[F], F]:
    """Marks a function with its formula, over the names of its arguments; or with what reads it from a file when it is asked for."""

    def mark(function: F) -> F:
        function.formula = formula  # type: ignore[attr-defined]
        return function

    return mark


def formula_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], Node] | None:
    """The names of a function's arguments and its formula, where it has one."""
    found = getattr(function, "formula", None)
    if found is None:
        return None
    tree = tree_of(found() if callable(found) else found)
    names = tuple(inspect.signature(function).parameters)
    return (names, tree) if names_in(tree) <= set(names) else None


MOST_PARTS = 25_000
"""Parts of a formula in which functions are written out."""


def written_out(tree: Node, functions: Mapping[str, Callable[..., Any]]) -> Node:
    """The tree with every call of a function that is a formula replaced by it; where a name that it binds occurs in an argument, left.

    Raises:
        InputError: the tree becomes too large.
    """
    return _Written(functions).of(tree)


class _Written:
    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions, self.parts = functions, 0

    def of(self, node: Node) -> Node:
        node = rebuilt(node, self.of)
        match node:
            case Call(name, arguments) if name in self.functions and (own := formula_of(self.functions[name])):
                names, formula = own
                bound = {part.name for part in walk(formula) if isinstance(part, Ranged)}
                if all(bound.isdisjoint(names_in(argument)) for argument in arguments):
                    return self._put_in(name, formula, dict(zip(names, arguments, strict=True)))
        return node

    def _put_in(self, function: str, formula: Node, arguments: Mapping[str, Node]) -> Node:
        """The formula with its arguments, those first that are numbers, which may decide its choices."""
        numbers = {name: argument for name, argument in arguments.items() if isinstance(argument, Numeral)}
        formula = _folded(with_meanings(formula, numbers))
        size = {name: sum(1 for _ in walk(argument)) for name, argument in arguments.items()}
        self.parts += sum(size.get(part.name, 1) if isinstance(part, Name) else 1 for part in walk(formula))
        if self.parts > MOST_PARTS:
            raise InputError(f"{function} written out has more than {MOST_PARTS:,} parts")
        return with_meanings(formula, arguments)


def _folded(node: Node) -> Node:
    """A choice by a comparison of two numbers that are written out is the side that it chooses."""
    node = rebuilt(node, _folded)
    match node:
        case Choice(Comparison(Numeral(), (_,), (Numeral(),)) as test, body, orelse):
            return body if truth(test, {}) else orelse
    return node
