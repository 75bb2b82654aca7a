"""How many strings x of m bits a promise lets both players hold, as a formula, where each condition excludes one content of some bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.language.syntax import parse, printed
from verifier.language.tree import Comparison, Logic, Node, Slice


@dataclass(frozen=True)
class Excluded:
    """The bits first … last do not spell the number."""

    first: str
    last: str
    number: str

    @property
    def width(self) -> str:
        return f"(({self.last}) - ({self.first}) + 1)"


@dataclass(frozen=True)
class Diagonal:
    """The pairs (x, x) under ``y <= z`` and such conditions. apart: what must hold so that the size is right: the bits of no two
    conditions overlap, all lie inside the string, and each excluded number is one that they spell.
    """

    apart: tuple[str, ...]
    size: str


def diagonal(promise: str, length: str) -> Diagonal | None:
    """The strings of this length that keep a promise of this kind as (x, x), with ``y <= z``; None for any other promise."""
    conditions = list(_conjuncts(parse(promise)))
    excluded = [_excluded(each) for each in conditions if printed(each) != "y <= z"]
    if len(excluded) == len(conditions) or None in excluded:
        return None
    known = [each for each in excluded if each is not None]
    places = ["0", *(end for each in known for end in (each.first, each.last)), length]
    apart = [f"({places[k]}) {'<' if k % 2 == 0 and k + 2 < len(places) else '<='} ({places[k + 1]})" for k in range(len(places) - 1)]
    apart += [f"0 <= ({each.number}) < 2**{each.width}" for each in known]
    free = " - ".join([f"({length})", *(each.width for each in known)])
    return Diagonal(tuple(apart), " * ".join([f"2**({free})", *(f"(2**{each.width} - 1)" for each in known)]))


def _conjuncts(tree: Node) -> Iterator[Node]:
    if isinstance(tree, Logic) and tree.operator == "and":
        for each in tree.parts:
            yield from _conjuncts(each)
    else:
        yield tree


def _excluded(condition: Node) -> Excluded | None:
    """``y[a : b] != c``, or ``y[a : b] > 0``, which excludes 0."""
    match condition:
        case Comparison(Slice(_, first, last), (operator,), (number,)):
            pass
        case _:
            return None
    if operator == "!=" or (operator == ">" and printed(number) == "0"):
        return Excluded(printed(first), printed(last if last is not None else first), printed(number))
    return None
