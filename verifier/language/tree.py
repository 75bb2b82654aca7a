"""The syntax tree of formulas: eleven frozen classes of nodes, traversals, and :func:`fold`, which every reading uses.

Nodes are compared by content and cache their hash, so a formula can be a key of a cache. ``1.0`` and ``1`` are two different numbers here,
because they are written differently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import astuple

from verifier.arithmetic.rationals import Fraction

T = TypeVar("T")


class Node(msgspec.Struct, frozen=True, cache_hash=True, dict=True):
    """A part of a formula."""

    role: ClassVar[str]
    """The method of an :class:`Algebra` that reads such a part."""

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The parts of the part, in their order; cached, because trees are traversed again and again."""
        values = (value if isinstance(value, tuple) else (value,) for value in astuple(self))
        return tuple(each for value in values for each in value if isinstance(each, Node))


class Numeral(Node, frozen=True):
    """``12``, ``0.45``; a decimal is a :class:`verifier.language.syntax.Decimal`."""

    value: int | Fraction
    role: ClassVar[str] = "numeral"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numeral) and type(self.value) is type(other.value) and self.value == other.value

    __hash__ = Node.__hash__


class Name(Node, frozen=True):
    name: str
    role: ClassVar[str] = "name"


class Signed(Node, frozen=True):
    """``-x`` and ``+x``."""

    sign: str
    operand: Node
    role: ClassVar[str] = "signed"


class Operation(Node, frozen=True):
    """``x + y``, and likewise - * / // % **."""

    left: Node
    operator: str
    right: Node
    role: ClassVar[str] = "operation"


class Comparison(Node, frozen=True):
    """``x < y``, or a chain ``x < y <= z``: one operator (== != < <= > >=) before each of the others."""

    left: Node
    operators: tuple[str, ...]
    others: tuple[Node, ...]
    role: ClassVar[str] = "comparison"

    def links(self) -> list[Comparison]:
        """The comparisons of two numbers that a chain joins."""
        sides = (self.left, *self.others)
        return [comparison(x, operator, y) for x, operator, y in zip(sides, self.operators, self.others, strict=False)]


class Membership(Node, frozen=True):
    """``x in (a, b)``; ``inside`` is false for ``not in``."""

    left: Node
    values: tuple[Node, ...]
    inside: bool = True
    role: ClassVar[str] = "membership"


class Logic(Node, frozen=True):
    """Conditions joined by ``and`` or by ``or``; a single one under ``not``."""

    operator: str
    parts: tuple[Node, ...]
    role: ClassVar[str] = "logic"


class Choice(Node, frozen=True):
    """``body if test else orelse``."""

    test: Node
    body: Node
    orelse: Node
    role: ClassVar[str] = "choice"


class Call(Node, frozen=True):
    """A function of its arguments."""

    function: str
    arguments: tuple[Node, ...]
    role: ClassVar[str] = "call"


class Ranged(Node, frozen=True):
    """``sum(body for name in (first, last) if test …)``, and likewise min, max, all and any."""

    function: str
    body: Node
    name: str
    ends: tuple[Node, Node]
    tests: tuple[Node, ...] = ()
    role: ClassVar[str] = "ranged"


class Slice(Node, frozen=True):
    """``y[first : last]``, the number that these bits of a string spell; ``y[first]``, one bit, without ``last``."""

    name: str
    first: Node
    last: Node | None = None
    role: ClassVar[str] = "slice"

    @property
    def ends(self) -> tuple[Node, ...]:
        """The given places, of which there may be one or two."""
        return (self.first,) if self.last is None else (self.first, self.last)


def comparison(left: Node, operator: str, right: Node) -> Comparison:
    """A comparison of two numbers."""
    return Comparison(left, (operator,), (right,))


def denial(condition: Node) -> Logic:
    """``not condition``."""
    return Logic("not", (condition,))


def negative(x: Node) -> Signed:
    """``-x``."""
    return Signed("-", x)


def walk(node: Node) -> Iterator[Node]:
    """The part and all within it, layer by layer."""
    waiting = deque([node])
    while waiting:
        first = waiting.popleft()
        waiting.extend(first.children)
        yield first


def words_in(node: Node) -> Iterator[str]:
    """Every name in a formula: quantities, strings, functions and bound names."""
    for part in walk(node):
        match part:
            case Name(name) | Slice(name) | Call(name):
                yield name
            case Ranged(function, _, name):
                yield from (function, name)


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Change each part of this part. The result is the same object if nothing changes."""

    def changed(value: Any) -> Any:
        if isinstance(value, Node):
            return change(value)
        if isinstance(value, tuple):
            return tuple(change(each) if isinstance(each, Node) else each for each in value)
        return value

    if isinstance(node, Numeral | Name):
        return node
    old = astuple(node)
    new = [changed(value) for value in old]
    return node if all(map(_same, old, new)) else type(node)(*new)


def _same(old: object, new: object) -> bool:
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(x is y for x, y in zip(old, new, strict=True))
    return old is new


class Algebra(Generic[T]):
    """The values of the parts of a formula: a method for each class of nodes in the reading, named by its ``role``.
    :meth:`outside` handles any other part.

    A method receives the part itself and calls :func:`fold` for the children that it needs, so nothing else is read.
    """

    def outside(self, node: Node) -> T:
        raise TypeError(f"{node!r} is not a part of a formula")


def fold(node: Node, algebra: Algebra[T]) -> T:
    """The value of a formula in an algebra."""
    found: T = getattr(algebra, node.role, algebra.outside)(node)
    return found
