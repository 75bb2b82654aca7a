"""The syntax tree of formulas: eleven frozen classes of nodes, traversals, and :func:`fold`, which every reading uses.

Nodes are compared by content and cache their hash, so a formula can be a key of a cache. ``1.0`` and ``1`` are two different numbers here,
because they are written differently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

from verifier.arithmetic.rationals import Fraction

T = TypeVar("T")


@cache
def _fields_of(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """A function that reads all fields of a class of nodes at once."""
    names = [each.name for each in fields(kind)]
    return attrgetter(*names) if len(names) > 1 else lambda node: (getattr(node, names[0]),)


class Node:
    """A part of a formula."""

    __slots__ = ("_children", "_hash", "_key")
    _key: tuple[Any, ...]
    _hash: int
    _children: tuple[Node, ...]
    role: ClassVar[str]
    """The method of an :class:`Algebra` that reads such a part."""

    def __post_init__(self) -> None:
        key = self._named()
        object.__setattr__(self, "_key", key)
        object.__setattr__(self, "_hash", hash(key))

    def _named(self) -> tuple[Any, ...]:
        """The key that distinguishes this part from others."""
        return type(self), *self._fields()

    def _fields(self) -> tuple[Any, ...]:
        kind: Any = type(self)
        return _fields_of(kind)(self)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Node) and self._hash == other._hash and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild in another process, where texts have other hashes."""
        return type(self), self._fields()


@dataclass(frozen=True, slots=True, eq=False)
class Numeral(Node):
    """``12``, ``0.45``; a decimal is a :class:`verifier.language.syntax.Decimal`."""

    value: int | Fraction
    role = "numeral"

    def _named(self) -> tuple[Any, ...]:
        return Numeral, type(self.value), self.value


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    name: str
    role = "name"


@dataclass(frozen=True, slots=True, eq=False)
class Signed(Node):
    """``-x`` and ``+x``."""

    sign: str
    operand: Node
    role = "signed"


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Node):
    """``x + y``, and likewise - * / // % **."""

    left: Node
    operator: str
    right: Node
    role = "operation"


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Node):
    """``x < y``, or a chain ``x < y <= z``: one operator (== != < <= > >=) before each of the others."""

    left: Node
    operators: tuple[str, ...]
    others: tuple[Node, ...]
    role = "comparison"

    def links(self) -> list[Comparison]:
        """The comparisons of two numbers that a chain joins."""
        sides = (self.left, *self.others)
        return [comparison(x, operator, y) for x, operator, y in zip(sides, self.operators, self.others, strict=False)]


@dataclass(frozen=True, slots=True, eq=False)
class Membership(Node):
    """``x in (a, b)``; ``inside`` is false for ``not in``."""

    left: Node
    values: tuple[Node, ...]
    inside: bool = True
    role = "membership"


@dataclass(frozen=True, slots=True, eq=False)
class Logic(Node):
    """Conditions joined by ``and`` or by ``or``; a single one under ``not``."""

    operator: str
    parts: tuple[Node, ...]
    role = "logic"


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    """``body if test else orelse``."""

    test: Node
    body: Node
    orelse: Node
    role = "choice"


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A function of its arguments."""

    function: str
    arguments: tuple[Node, ...]
    role = "call"


@dataclass(frozen=True, slots=True, eq=False)
class Ranged(Node):
    """``sum(body for name in (first, last) if test …)``, and likewise min, max, all and any."""

    function: str
    body: Node
    name: str
    ends: tuple[Node, Node]
    tests: tuple[Node, ...] = ()
    role = "ranged"


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Node):
    """``y[first : last]``, the number that these bits of a string spell; ``y[first]``, one bit, without ``last``."""

    name: str
    first: Node
    last: Node | None = None
    role = "slice"

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


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a part, in their order; cached, because trees are traversed again and again."""
    try:
        return node._children
    except AttributeError:
        values = (value if isinstance(value, tuple) else (value,) for value in node._key[1:])
        found = tuple(each for value in values for each in value if isinstance(each, Node))
        object.__setattr__(node, "_children", found)
        return found


def walk(node: Node) -> Iterator[Node]:
    """The part and all within it, layer by layer."""
    waiting = deque([node])
    while waiting:
        first = waiting.popleft()
        waiting.extend(children(first))
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
    old = node._key[1:]
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
