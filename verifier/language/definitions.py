"""Substitutions in formulas before they are read: definitions, so that every reading sees one tree; numbers, for known names; and the
formulas of a paper's functions, which symbols read in place of what Python computes.

Exact values always come from the function itself, so a proof for all parameters compares the two at small parameters; beyond these a
function and its formula agree by the definition in the paper or construction file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from verifier.language.exact import Given, rational, truth
from verifier.language.operands import check_given
from verifier.language.printer import terms
from verifier.language.syntax import DEEPEST, Formula, constant, infinite, kind, names_in, parse, quoted, tree_of
from verifier.language.tree import Call, Choice, Comparison, Name, Node, Numeral, Ranged, Slice, rebuilt, walk
from verifier.running.errors import BeyondError, InputError

MOST_PARTS = 20_000
"""Numbers, names and operations of a formula once its definitions are put in."""
DEEPEST_PUT_IN = 2 * DEEPEST
"""The greatest depth to which functions may then be nested."""


@dataclass(frozen=True)
class _Whole:
    """A formula with its definitions put in, its number of parts, and its depth."""

    tree: Node
    parts: int
    depth: int


def inlined(tree: Node, definitions: Mapping[str, str]) -> Node:
    """The tree with every defined name replaced by its definition, also inside other definitions.

    Raises:
        InputError: a definition uses itself, or a sum or quantifier binds a defined name; the result is too large or deep.
    """
    return _inlined(tree, definitions, (), {}).tree


def inlined_text(text: str, definitions: Mapping[str, str]) -> Node:
    """:func:`inlined` of a formula's text; the tree is kept and shared."""
    return _kept(text, tuple(definitions.items()))


@lru_cache(maxsize=4096)
def _kept(text: str, definitions: tuple[tuple[str, str], ...]) -> Node:
    return inlined(parse(text), dict(definitions))


def _inlined(tree: Node, definitions: Mapping[str, str], above: tuple[str, ...], made: dict[str, _Whole]) -> _Whole:
    """made: the definitions that are already expanded. Sizes are checked before a tree is built."""
    used = names_in(tree) & definitions.keys()
    if circular := used & set(above):
        raise InputError(f"the definition of {min(circular)} uses itself: {_path([*above, min(circular)])}")
    if len(above) > DEEPEST:
        raise BeyondError(f"definitions that use definitions more than {DEEPEST} deep: {_path(above)}")
    for name in used - made.keys():
        made[name] = _inlined(parse(definitions[name]), definitions, (*above, name), made)
    inner = {name: made[name] for name in used}
    parts, depth = _size(tree, inner)
    if parts > MOST_PARTS or depth > DEEPEST_PUT_IN:
        size = f"has {parts:,} parts; at most {MOST_PARTS:,}" if parts > MOST_PARTS else f"is {depth} deep; at most {DEEPEST_PUT_IN}"
        raise InputError(f"{quoted(tree)} with its definitions put in {size} were expected")
    return _Whole(with_meanings(tree, {name: whole.tree for name, whole in inner.items()}) if used else tree, parts, depth)


def _path(names: Sequence[str]) -> str:
    """The names in a line; of many names, the first and the last."""
    return " -> ".join(names if len(names) <= 8 else [*names[:4], "...", *names[-3:]])


def _size(node: Node, meanings: Mapping[str, _Whole]) -> tuple[int, int]:
    """The number of parts of a tree and its depth once these names are replaced."""
    if isinstance(node, Name) and node.name in meanings:
        return meanings[node.name].parts, meanings[node.name].depth
    sizes = [_size(child, meanings) for child in node.children]
    return 1 + sum(parts for parts, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)


def with_meanings(tree: Node, meanings: Mapping[str, Node]) -> Node:
    """The tree with every one of these names replaced by its meaning.

    Raises:
        InputError: one of the names is bound in the tree, or its bits are used although it does not stand for a name.
    """
    match tree:
        case Name(name):
            return meanings.get(name, tree)
        case Ranged() if tree.name in meanings:
            raise InputError(f"{tree.name} is defined and bound in {terms(tree)!r}")
        case Slice(name) if name in meanings:
            string = meanings[name]
            if not isinstance(string, Name):
                raise InputError(f"{quoted(tree)}: bits of a string were asked for, and {name} is {quoted(string)}")
            tree = Slice(string.name, tree.first, tree.last)
    return rebuilt(tree, lambda part: with_meanings(part, meanings))


def with_numbers(formula: Formula, names: Mapping[str, Given], open_names: Collection[str]) -> Node:
    """The formula with every part that depends on no open name replaced by its number.

    Raises:
        InputError: a name is neither given nor open, or such a part has no value.
    """
    tree = tree_of(formula)
    check_given(tree, {**dict.fromkeys(open_names), **names}, {})
    return _numbers_put_in(tree, names, frozenset(open_names))


def _numbers_put_in(node: Node, names: Mapping[str, Given], open_names: frozenset[str]) -> Node:
    if infinite(node):
        return node
    if names_in(node).isdisjoint(open_names) and kind(node) != "condition":
        return constant(rational(node, names))
    if isinstance(node, Ranged):
        inner = open_names | {node.name}
        first, last = (_numbers_put_in(end, names, open_names) for end in node.ends)
        body, *tests = (_numbers_put_in(part, names, inner) for part in (node.body, *node.tests))
        return Ranged(node.function, body, node.name, (first, last), tuple(tests))
    return rebuilt(node, lambda part: _numbers_put_in(part, names, open_names))


F = TypeVar("F", bound=Callable[..., Any])


def written(formula: str | Callable[[], Formula]) -> Callable[[F], F]:
    """Attach to a function its formula over the names of its arguments, or a reader that loads the formula from a file on demand."""

    def mark(function: F) -> F:
        function.formula = formula  # type: ignore[attr-defined]
        return function

    return mark


def formula_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], Node] | None:
    """The names of a function's arguments and its formula, if it has one."""
    found = getattr(function, "formula", None)
    if found is None:
        return None
    tree = tree_of(found() if callable(found) else found)
    names = tuple(inspect.signature(function).parameters)
    return (names, tree) if names_in(tree) <= set(names) else None


MOST_WRITTEN_OUT = 25_000
"""Parts of a formula in which functions are written out."""


def written_out(tree: Node, functions: Mapping[str, Callable[..., Any]]) -> Node:
    """The tree with every call of a function that is a formula replaced by the formula; a call stays if a bound name occurs in an argument.

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
        """The formula with its arguments put in; numbers first, because they may decide its choices."""
        numbers = {name: argument for name, argument in arguments.items() if isinstance(argument, Numeral)}
        formula = _folded(with_meanings(formula, numbers))
        size = {name: sum(1 for _ in walk(argument)) for name, argument in arguments.items()}
        self.parts += sum(size.get(part.name, 1) if isinstance(part, Name) else 1 for part in walk(formula))
        if self.parts > MOST_WRITTEN_OUT:
            raise BeyondError(f"{function} written out has more than {MOST_WRITTEN_OUT:,} parts")
        return with_meanings(formula, arguments)


def _folded(node: Node) -> Node:
    """A choice by a comparison of two explicit numbers becomes the branch that it chooses."""
    node = rebuilt(node, _folded)
    match node:
        case Choice(Comparison(Numeral(), (_,), (Numeral(),)) as test, body, orelse):
            return body if truth(test, {}) else orelse
    return node
