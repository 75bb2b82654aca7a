"""Definitions put into the formulas that use them, so that every reading sees one tree."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from verifier.language.syntax import names_in, parse
from verifier.running.errors import InputError


def inlined(tree: ast.expr, definitions: Mapping[str, str]) -> ast.expr:
    """The tree with every defined name replaced by its definition, definitions inside definitions too.

    Raises:
        InputError: a definition that uses itself, or one of a name that a sum or quantifier binds.
    """
    return _inlined(tree, definitions, ())


def inlined_text(text: str, definitions: Mapping[str, str]) -> ast.expr:
    """:func:`inlined` of a formula's text; the tree is kept and shared."""
    return _kept(text, tuple(definitions.items()))


@lru_cache(maxsize=4096)
def _kept(text: str, definitions: tuple[tuple[str, str], ...]) -> ast.expr:
    return inlined(parse(text), dict(definitions))


def _inlined(tree: ast.expr, definitions: Mapping[str, str], above: tuple[str, ...]) -> ast.expr:
    used = names_in(tree) & definitions.keys()
    if not used:
        return tree
    if circular := used & set(above):
        raise InputError(f"the definition of {min(circular)} uses itself: {' -> '.join([*above, min(circular)])}")
    inner = {name: _inlined(parse(definitions[name]), definitions, (*above, name)) for name in used}
    return _Inline(inner).visit(tree)  # type: ignore[no-any-return]


def with_meanings(tree: ast.expr, meanings: Mapping[str, ast.expr]) -> ast.expr:
    """A copy of the tree with every one of these names replaced by what it stands for."""
    found: ast.expr = _Inline(meanings).visit(tree)
    return found


class _Inline(ast.NodeTransformer):
    def __init__(self, inner: Mapping[str, ast.expr]) -> None:
        self.inner = inner

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A copy, so that trees that are shared stay as they are."""
        changed = {name: self._field(value) for name, value in ast.iter_fields(node)}
        return type(node)(**changed)

    def _field(self, value: object) -> object:
        if isinstance(value, list):
            return [self._field(v) for v in value]
        return self.visit(value) if isinstance(value, ast.AST) else value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.inner.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The name of a function is no quantity."""
        return ast.Call(node.func, [self.visit(a) for a in node.args], [])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        for generator in node.generators:
            if isinstance(generator.target, ast.Name) and generator.target.id in self.inner:
                raise InputError(f"{generator.target.id} is defined and bound in {ast.unparse(node)!r}")
        return self.generic_visit(node)
