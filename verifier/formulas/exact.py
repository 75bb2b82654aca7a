"""The exact reading of formulas: one case at a time, in fractions. It defines what a formula means; the other readings agree with it.

No part is evaluated that is not asked: the other branch of an ``if``, what follows a false condition in ``and`` or a true one in ``or``,
and the values behind the one that decides an ``all`` or ``any``. A chain of comparisons asks for all its members.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeAlias, TypeVar

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import NAN, ZERO, Number, Special, infinity, negate, show
from verifier.arithmetic.rationals import Fraction
from verifier.errors import InputError
from verifier.formulas.operations import APPLIED, BINARY, ROUNDED, Irrational, bounded, compare, greatest, least, whole
from verifier.formulas.syntax import CONDITIONS, WORDS, Formula, calls_in, infinite, names_in, quoted, range_of, tree_of

__all__ = ["Bits", "Given", "Irrational", "Value", "integer", "rational", "truth", "value"]

MOST_TERMS = 1 << 20
"""How many values the bound names of one formula take, in all."""


@dataclass(frozen=True)
class Bits:
    """A bit string as the number that it spells, y₁ most significant. In arithmetic it is this number."""

    number: int
    length: int

    def __post_init__(self) -> None:
        if not 0 <= self.number < 1 << self.length:
            raise ValueError(f"{self.number} is no string of {self.length} bits")

    def part(self, first: int, last: int) -> Fraction:
        """The number that bits first … last spell, 0 for no bits (last = first − 1)."""
        if not 1 <= first <= last + 1 <= self.length + 1:
            raise InputError(f"bits {first} to {last} were asked for; the string has bits 1 … {self.length}")
        return Fraction(self.number >> (self.length - last) & (1 << last - first + 1) - 1)


Value: TypeAlias = Number | bool | Bits
Given: TypeAlias = Value | int
"""What a caller may give for a name."""
Functions: TypeAlias = Mapping[str, Callable[..., Given]]
"""What a caller may give beside the functions of the language: from exact values to one."""


def value(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Value:
    """The value of a formula.

    Raises:
        InputError: outside the language, an unknown name or function, a division by zero, a number of more than 4096 bits.
        Irrational: (an InputError) a value that only balls can enclose.
    """
    if isinstance(formula, int):
        return exact(formula)
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    return _Case(names, functions or {}, iter(range(MOST_TERMS))).value(tree)


def truth(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> bool:
    """Whether a condition such as ``p >= 8 and n > 4*p`` holds."""
    found = value(formula, names, functions)
    return found if isinstance(found, bool) else no_condition(tree_of(formula))


def rational(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Fraction:
    """The value of a formula that must be a finite number."""
    found = value(formula, names, functions)
    if not isinstance(found, Fraction):
        found = number(tree_of(formula), found)
    if isinstance(found, Special):
        raise InputError(f"{quoted(formula)} is {show(found)}, a finite number was expected")
    return found


def integer(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> int:
    """The value of a formula that must be an integer."""
    found = rational(formula, names, functions)
    if found.denominator != 1:
        raise InputError(f"{quoted(formula)} is {found}, an integer was expected")
    return found.numerator


def no_condition(node: ast.expr) -> NoReturn:
    raise InputError(f"{quoted(node)} is no condition such as p >= 8 and n > 4*p")


def check_given(tree: ast.expr, names: Mapping[str, object], functions: Mapping[str, Callable[..., object]]) -> None:
    """Whether every name and function of a formula was given.

    Raises:
        InputError: naming the first that was not, and those that were.
    """
    unknown = names_in(tree) - names.keys()
    if unknown:
        raise InputError(f"no name {min(unknown)!r} here; the names are {', '.join(names) or 'none'}")
    for name, count in sorted(calls_in(tree)):
        if name not in functions:
            raise InputError(f"no function {name!r} here; the functions are {', '.join((WORDS, *functions))}")
        if not _takes(functions[name], count):
            raise InputError(f"{name} was given {count} arguments")


@lru_cache(maxsize=256)
def _takes(function: Callable[..., object], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


def exact(given: object) -> Value:
    """A value as the readings have it: an int is a fraction.

    Raises:
        TypeError: a float, or anything else that no reading knows.
    """
    if isinstance(given, int) and not isinstance(given, bool):
        return bounded(Fraction(given))
    if isinstance(given, bool | Fraction | Special | Bits):
        return given
    raise TypeError(f"{given!r} is no exact value of a formula")


T = TypeVar("T")


def named(node: ast.expr, compute: Callable[..., T], *values: object) -> T:
    """What a part of a formula comes to; where it is refused, the message begins with the part."""
    try:
        return bounded(compute(*values))
    except InputError as error:
        raise type(error)(f"{quoted(node)}: {error}") from None


def part(string: Given, first: Number, last: Number | None = None) -> Fraction:
    """The bits first … last of a string, as a number; one bit where there is no last."""
    if not isinstance(string, Bits):
        raise InputError("bits of a string were asked for, and this is none")
    return string.part(whole(first), whole(first if last is None else last))


def number(node: ast.expr, found: Value) -> Number:
    """What a part came to, as a number: a string is the one that it spells."""
    if isinstance(found, bool):
        raise InputError(f"{quoted(node)} is a condition, a number was expected")
    return Fraction(found.number) if isinstance(found, Bits) else found


def roundable(outer: str, inner: str) -> bool:
    """Whether ``outer(inner(x))`` is exact though ``inner(x)`` need not be."""
    return outer in ("floor", "ceil") and inner in ROUNDED


def _total(values: Iterator[Number]) -> Number:
    total: Number = ZERO
    for x in values:
        total = bounded(exact_sum(total, x))
    return total


def _extreme(choose: Callable[..., Number]) -> Callable[[Iterator[Number]], Number]:
    def chosen(values: Iterator[Number]) -> Number:
        every = list(values)
        if not every:
            raise InputError("no value at all; one or more were expected")
        return choose(*every)

    return chosen


FORMED: dict[str, Callable[..., Value]] = {"sum": _total, "min": _extreme(least), "max": _extreme(greatest), "all": all, "any": any}
PREDICATES: dict[str, Callable[[Number], bool]] = {"finite": lambda x: not isinstance(x, Special), "nan": lambda x: x is NAN}


class _Case:
    """One case: the values of the names. ``terms`` counts the values of bound names, in this case and those within it."""

    def __init__(self, names: Mapping[str, Given], functions: Functions, terms: Iterator[int]) -> None:
        self.names, self.functions, self.terms = names, functions, terms

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int() | Fraction() as literal):
                return Fraction(literal)
            case ast.Name(id=name):
                return exact(self.names[name])
            case ast.BinOp(left=left, op=op, right=right):
                return named(node, BINARY[type(op)], self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.truth(operand)
            case ast.UnaryOp(op=op, operand=operand):
                return negate(self.number(operand)) if isinstance(op, ast.USub) else self.number(operand)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp(op=op, values=conditions):
                decided = all if isinstance(op, ast.And) else any
                return decided(self.truth(c) for c in conditions)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen = body if self.truth(test) else orelse
                found = self.value(chosen)
                return found if isinstance(found, bool) else number(chosen, found)
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                ends = (place.lower, place.upper) if isinstance(place, ast.Slice) else (place,)
                return named(node, part, self.names[name], *(self.number(end) for end in ends if end is not None))
            case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as each]):
                return named(node, FORMED[name], self.each(each, name in CONDITIONS))
            case ast.Call(func=ast.Name(id=name), args=[ast.Call(func=ast.Name(id=inner), args=[of])]) if roundable(name, inner):
                return named(node, ROUNDED[inner], self.number(of), name == "ceil")
            case ast.Call(func=ast.Name(id=name), args=args) if name in APPLIED:
                return named(node, APPLIED[name], *map(self.number, args))
            case ast.Call(func=ast.Name(id=name), args=[of]) if name in PREDICATES:
                return PREDICATES[name](self.number(of))
            case ast.Call(func=ast.Name(id=name), args=args):
                return exact(named(node, self.functions[name], *map(self.value, args)))
        raise TypeError(f"{ast.dump(node)} is no part of a formula")

    def number(self, node: ast.expr) -> Number:
        return number(node, self.value(node))

    def truth(self, node: ast.expr) -> bool:
        found = self.value(node)
        return found if isinstance(found, bool) else no_condition(node)

    def comparison(self, node: ast.Compare) -> bool:
        if isinstance(node.comparators[0], ast.Tuple):
            x, *others = [self.compared(n) for n in (node.left, *node.comparators[0].elts)]
            return any(compare(ast.Eq(), x, other) for other in others) == isinstance(node.ops[0], ast.In)
        values = [self.compared(n) for n in (node.left, *node.comparators)]
        return all(compare(op, x, y) for op, x, y in zip(node.ops, values, values[1:], strict=False))

    def compared(self, node: ast.expr) -> Number:
        side = infinite(node)
        return self.number(node) if side is None else infinity(side)

    def each(self, node: ast.GeneratorExp, conditions: bool) -> Iterator[Value]:
        """The values of a part for every value of its bound name, in order, each when it is asked for."""
        bound, ends = range_of(node)
        first, last = (named(end, whole, self.number(end)) for end in ends)
        for k in range(first, last + 1):
            if next(self.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = _Case({**self.names, bound: Fraction(k)}, self.functions, self.terms)
            if all(inner.truth(condition) for condition in node.generators[0].ifs):
                yield inner.truth(node.elt) if conditions else inner.number(node.elt)
