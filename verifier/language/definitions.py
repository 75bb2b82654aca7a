"""Definitions put into the formulas that use them, so that every reading sees one tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.language.printer import terms
from verifier.language.syntax import DEEPEST, names_in, parse, quoted
from verifier.language.tree import Name, Node, Ranged, Slice, children, rebuilt
from verifier.running.errors import InputError

MOST_PARTS = 20_000
"""Numbers, names and operations of a formula once its definitions are put in."""
DEEPEST_PUT_IN = 2 * DEEPEST
"""How deep they may then stand within each other."""


@dataclass(frozen=True)
class _Whole:
    """A formula with its definitions put in, how many parts it has, and how deep they stand."""

    tree: Node
    parts: int
    depth: int


def inlined(tree: Node, definitions: Mapping[str, str]) -> Node:
    """The tree with every defined name replaced by its definition, also inside other definitions.

    Raises:
        InputError: a definition that uses itself, or one of a name that a sum or quantifier binds; a result that is too large or deep.
    """
    return _inlined(tree, definitions, (), {}).tree


def inlined_text(text: str, definitions: Mapping[str, str]) -> Node:
    """:func:`inlined` of a formula's text; the tree is kept and shared."""
    return _kept(text, tuple(definitions.items()))


@lru_cache(maxsize=4096)
def _kept(text: str, definitions: tuple[tuple[str, str], ...]) -> Node:
    return inlined(parse(text), dict(definitions))


def _inlined(tree: Node, definitions: Mapping[str, str], above: tuple[str, ...], made: dict[str, _Whole]) -> _Whole:
    """made: the definitions that are put together already. Sizes are asked for before a tree is built."""
    used = names_in(tree) & definitions.keys()
    if circular := used & set(above):
        raise InputError(f"the definition of {min(circular)} uses itself: {_path([*above, min(circular)])}")
    if len(above) > DEEPEST:
        raise InputError(f"definitions that use definitions more than {DEEPEST} deep: {_path(above)}")
    for name in used - made.keys():
        made[name] = _inlined(parse(definitions[name]), definitions, (*above, name), made)
    inner = {name: made[name] for name in used}
    parts, depth = _size(tree, inner)
    if parts > MOST_PARTS or depth > DEEPEST_PUT_IN:
        size = f"has {parts:,} parts; at most {MOST_PARTS:,}" if parts > MOST_PARTS else f"is {depth} deep; at most {DEEPEST_PUT_IN}"
        raise InputError(f"{quoted(tree)} with its definitions put in {size} were expected")
    return _Whole(_put_in(tree, {name: whole.tree for name, whole in inner.items()}) if used else tree, parts, depth)


def _path(names: Sequence[str]) -> str:
    """The names, of many the first and the last."""
    return " -> ".join(names if len(names) <= 8 else [*names[:4], "...", *names[-3:]])


def _size(node: Node, meanings: Mapping[str, _Whole]) -> tuple[int, int]:
    """How many parts a tree has and how deep it is once these names are replaced."""
    if isinstance(node, Name) and node.name in meanings:
        return meanings[node.name].parts, meanings[node.name].depth
    sizes = [_size(child, meanings) for child in children(node)]
    return 1 + sum(parts for parts, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)


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
