"""Numbers put into a formula for the names that are known, so that it speaks of the others alone."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Mapping
from typing import Any

from verifier.language.exact import Given, rational
from verifier.language.operands import check_given
from verifier.language.syntax import Formula, constant, infinite, kind, names_in, range_of, tree_of


def with_numbers(formula: Formula, names: Mapping[str, Given], open_names: Collection[str]) -> ast.expr:
    """The formula with the number put in for every part that depends on no open name.

    Raises:
        InputError: a name that is neither given nor open, or such a part that has no value.
    """
    tree = tree_of(formula)
    check_given(tree, {**dict.fromkeys(open_names), **names}, {})
    found: ast.expr = _PutIn(names, open_names).visit(copy.deepcopy(tree))
    return found


class _PutIn(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, Given], open_names: Collection[str]) -> None:
        self.names, self.open_names = names, open_names

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.GeneratorExp):
            bound, _ = range_of(node)
            each, inner = node.generators[0], _PutIn(self.names, {*self.open_names, bound})
            each.iter, each.ifs, node.elt = self.visit(each.iter), [inner.visit(c) for c in each.ifs], inner.visit(node.elt)
            return node
        if not isinstance(node, ast.expr) or isinstance(node, ast.Slice | ast.Tuple) or infinite(node):
            return self.generic_visit(node)
        if names_in(node).isdisjoint(self.open_names) and kind(node) != "condition":
            return constant(rational(node, self.names))
        if isinstance(node, ast.Subscript):
            node.slice = self.visit(node.slice)
            return node
        if isinstance(node, ast.Call):
            node.args = [self.visit(a) for a in node.args]
            return node
        return self.generic_visit(node)
