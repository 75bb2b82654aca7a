"""Definitions put into the formulas that use them, so that every reading sees one tree."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from verifier.language.printer import terms
from verifier.language.syntax import names_in, parse, quoted
from verifier.language.tree import Name, Node, Ranged, Slice, rebuilt
from verifier.running.errors import InputError


def inlined(tree: Node, definitions: Mapping[str, str]) -> Node:
    """The tree with every defined name replaced by its definition, also inside other definitions.

    Raises:
        InputError: a definition that uses itself, or one of a name that a sum or quantifier binds.
    """
    return _inlined(tree, definitions, ())


def inlined_text(text: str, definitions: Mapping[str, str]) -> Node:
    """:func:`inlined` of a formula's text; the tree is kept and shared."""
    return _kept(text, tuple(definitions.items()))


@lru_cache(maxsize=4096)
def _kept(text: str, definitions: tuple[tuple[str, str], ...]) -> Node:
    return inlined(parse(text), dict(definitions))


def _inlined(tree: Node, definitions: Mapping[str, str], above: tuple[str, ...]) -> Node:
    used = names_in(tree) & definitions.keys()
    if not used:
        return tree
    if circular := used & set(above):
        raise InputError(f"the definition of {min(circular)} uses itself: {' -> '.join([*above, min(circular)])}")
    inner = {name: _inlined(parse(definitions[name]), definitions, (*above, name)) for name in used}
    return _put_in(tree, inner)


def with_meanings(tree: Node, meanings: Mapping[str, Node]) -> Node:
    """The tree with every one of these names replaced by what it stands for.

    Raises:
        InputError: one of them is bound in it, or its bits are asked for and it stands for no name.
    """
    return _put_in(tree, meanings)


def _put_in(node: Node, meanings: Mapping[str, Node]) -> Node:
    match node:
        case Name(name):
            return meanings.get(name, node)
        case Ranged() if node.name in meanings:
            raise InputError(f"{node.name} is defined and bound in {terms(node)!r}")
        case Slice(name) if name in meanings:
            string = meanings[name]
            if not isinstance(string, Name):
                raise InputError(f"{quoted(node)}: bits of a string were asked for, and {name} is {quoted(string)}")
            node = Slice(string.name, node.first, node.last)
    return rebuilt(node, lambda part: _put_in(part, meanings))
