"""The one formula language: from a text to the syntax tree that every reading shares.

    condition := e (== != < <= > >=) e … | e in (e, …) | e not in (e, …) | not, and, or | condition if condition else condition
               | all/any(condition for j in [a : b] if condition …) | finite(e) | nan(e)
    e         := 12 | 0.45 | name | - + | + - * / // % ** | e if condition else e | sum/min/max(e for j in [a : b] if condition …)
               | y[i] (bit i of a string, from 1) | y[a : b] (the number that these bits spell) | y, value(y) (that of all of them)
               | a function of :data:`FUNCTIONS`, or one that the caller supplies

Both ends of ``(a, b)`` and ``a : b`` are included; ``inf`` and ``-inf`` stand in comparisons only. The tree is that of
:mod:`verifier.language.tree`, read by :mod:`verifier.language.parser` and written by :mod:`verifier.language.printer`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.language.kinds import Kind, bounded_literal, infinite, kind, quoted
from verifier.language.parser import parse, parse_written
from verifier.language.printer import printed
from verifier.language.tree import Call, Name, Node, Numeral, Operation, Ranged, Slice, children, negative, walk
from verifier.language.words import CONDITIONS, DEEPEST, FUNCTIONS, LARGEST, LONGEST, OVER_RANGES, RESERVED, WORDS, Decimal

__all__ = [
    "CONDITIONS",
    "DEEPEST",
    "FUNCTIONS",
    "LARGEST",
    "LONGEST",
    "OVER_RANGES",
    "RESERVED",
    "WORDS",
    "Decimal",
    "Formula",
    "Kind",
    "calls_in",
    "constant",
    "infinite",
    "kind",
    "names_in",
    "parse",
    "parse_written",
    "printed",
    "quoted",
    "tree_of",
]

Formula: TypeAlias = str | int | Node
"""A formula as a file has it, or its tree."""


def tree_of(formula: Formula) -> Node:
    """The tree of a formula in any of its forms."""
    if isinstance(formula, Node):
        return formula
    return constant(Fraction(formula)) if isinstance(formula, int) else parse(formula)


def constant(value: Fraction) -> Node:
    """A number as a tree."""
    if value < 0:
        return negative(constant(-value))
    numerator = Numeral(bounded_literal(value.numerator))
    return numerator if value.denominator == 1 else Operation(numerator, "/", Numeral(bounded_literal(value.denominator)))


@lru_cache(maxsize=1 << 14)
def names_in(formula: Formula) -> frozenset[str]:
    """The names that a formula leaves open: neither bound in it nor those of functions."""
    return frozenset(_free(tree_of(formula), frozenset({"inf"})))


def _free(node: Node, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case Name(name):
            yield from {name} - bound
        case Ranged():
            for end in node.ends:
                yield from _free(end, bound)
            for part in (*node.tests, node.body):
                yield from _free(part, bound | {node.name})
        case _:
            if isinstance(node, Slice):
                yield from {node.name} - bound
            for child in children(node):
                yield from _free(child, bound)


@lru_cache(maxsize=1 << 14)
def calls_in(formula: Formula) -> frozenset[tuple[str, int]]:
    """The caller's functions that a formula asks for, each with the number of its arguments."""
    asked = {(node.function, len(node.arguments)) for node in walk(tree_of(formula)) if isinstance(node, Call)}
    return frozenset((name, count) for name, count in asked if name not in RESERVED and name not in FUNCTIONS)
