"""Numbers put into a formula for the names that are known, so that it speaks of the others alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from verifier.language.exact import Given, rational
from verifier.language.operands import check_given
from verifier.language.syntax import Formula, constant, infinite, kind, names_in, tree_of
from verifier.language.tree import Node, Ranged, rebuilt


def with_numbers(formula: Formula, names: Mapping[str, Given], open_names: Collection[str]) -> Node:
    """The formula with the number put in for every part that depends on no open name.

    Raises:
        InputError: a name that is neither given nor open, or such a part that has no value.
    """
    tree = tree_of(formula)
    check_given(tree, {**dict.fromkeys(open_names), **names}, {})
    return _put_in(tree, names, frozenset(open_names))


def _put_in(node: Node, names: Mapping[str, Given], open_names: frozenset[str]) -> Node:
    if infinite(node):
        return node
    if names_in(node).isdisjoint(open_names) and kind(node) != "condition":
        return constant(rational(node, names))
    if isinstance(node, Ranged):
        inner = open_names | {node.name}
        first, last = (_put_in(end, names, open_names) for end in node.ends)
        body, *tests = (_put_in(part, names, inner) for part in (node.body, *node.tests))
        return Ranged(node.function, body, node.name, (first, last), tuple(tests))
    return rebuilt(node, lambda part: _put_in(part, names, open_names))
