"""Comparisons by cases: where a number in one is a choice, the comparison is a choice of comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.language.tree import (
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Node,
    Numeral,
    Ranged,
    children,
    comparison,
    negative,
    rebuilt,
)

MOST_CHOICES = 8
"""Numbers in a comparison that are told apart by cases, one after the other."""


def in_cases(condition: Comparison | Membership) -> tuple[Node, Node, Node] | None:
    """A test, the comparison where it holds, and the comparison where it fails: by the first number in it that is a choice.

    Choices are conditional numbers, ``max`` and ``min`` of numbers, and ``abs``. None where there is no choice, or too many.
    """
    choices = list(_choices(condition))
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    test, body, orelse = _alternatives(choices[0])
    return test, _replaced(condition, choices[0], body), _replaced(condition, choices[0], orelse)


def _choices(node: Node) -> Iterator[Node]:
    """The choices outside the ranges of bound names, the outermost first."""
    match node:
        case Ranged():
            return
        case Choice() | Call("abs") | Call("max" | "min"):
            yield node
    for child in children(node):
        yield from _choices(child)


def _alternatives(choice: Node) -> tuple[Node, Node, Node]:
    match choice:
        case Choice(test, body, orelse):
            return test, body, orelse
        case Call("abs", (x,)):
            return comparison(x, ">=", Numeral(0)), x, negative(x)
        case Call(name, (x, y, *others)):
            test = comparison(x, ">=" if name == "max" else "<=", y)
            x, y = (Call(name, (each, *others)) if others else each for each in (x, y))
            return test, x, y
    raise TypeError(f"{choice!r} is not a choice")


def _replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one part of it replaced."""
    return new if tree is old else rebuilt(tree, lambda part: _replaced(part, old, new))


def joined(test: Node) -> tuple[str, Node, Node] | None:
    """How a condition joins others (a chain of comparisons by ``and``), the first of them, and the rest; None where it joins none."""
    match test:
        case Logic("and" | "or" as operator, (first, *others)):
            return operator, first, others[0] if len(others) == 1 else Logic(operator, tuple(others))
        case Comparison(left, (operator, *more), (right, *rights)) if more:
            return "and", comparison(left, operator, right), Comparison(right, tuple(more), tuple(rights))
    return None
