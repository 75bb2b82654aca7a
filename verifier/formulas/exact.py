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
    of, read, calls = _whole(formula)
    if calls or not read <= names.keys():
        check_given(tree_of(formula), names, functions or {})
    return of(_Case(names, functions or {}, iter(range(MOST_TERMS))))


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
    if isinstance(given, Fraction | bool):
        return given
    if isinstance(given, int):
        return bounded(Fraction(given))
    if isinstance(given, Special | Bits):
        return given
    raise TypeError(f"{given!r} is no exact value of a formula")


T = TypeVar("T")


def named(node: ast.expr, compute: Callable[..., T], *values: object) -> T:
    """What a part of a formula comes to; where it is refused, the message begins with the part."""
    try:
        return bounded(compute(*values))
    except InputError as error:
        raise _refused(node, error) from None


def _refused(node: ast.expr, error: InputError) -> InputError:
    return type(error)(f"{quoted(node)}: {error}")


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


@dataclass(frozen=True, slots=True)
class _Case:
    """One case: the values of the names. ``terms`` counts the values of bound names, in this case and those within it."""

    names: Mapping[str, Given]
    functions: Functions
    terms: Iterator[int]


Part: TypeAlias = Callable[[_Case], T]
"""What a part of a formula comes to in a case. A formula is looked through once and then evaluated in many cases."""


@lru_cache(maxsize=1 << 14)
def _whole(formula: Formula) -> tuple[Part[Value], frozenset[str], frozenset[tuple[str, int]]]:
    """A formula looked through, the names that it reads and the caller's functions that it asks for."""
    tree = tree_of(formula)
    return _part(tree), names_in(tree), calls_in(tree)


def _part(node: ast.expr) -> Part[Value]:
    match node:
        case ast.Constant(value=int() | Fraction() as literal):
            constant = Fraction(literal)
            return lambda case: constant
        case ast.Name(id=name):
            return lambda case: exact(case.names[name])
        case ast.BinOp(left=left, op=op, right=right):
            return _operation(node, BINARY[type(op)], _number(left), _number(right))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            condition = _truth(operand)
            return lambda case: not condition(case)
        case ast.UnaryOp(op=op, operand=operand):
            positive = _number(operand)
            return (lambda case: negate(positive(case))) if isinstance(op, ast.USub) else positive
        case ast.Compare():
            return _comparison(node)
        case ast.BoolOp(op=op, values=values):
            decided, conditions = all if isinstance(op, ast.And) else any, [_truth(each) for each in values]
            return lambda case: decided(condition(case) for condition in conditions)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            chosen, yes, no = _truth(test), _either(body), _either(orelse)
            return lambda case: yes(case) if chosen(case) else no(case)
        case ast.Subscript(value=ast.Name(id=name), slice=place):
            ends = [_number(end) for end in ((place.lower, place.upper) if isinstance(place, ast.Slice) else (place,)) if end is not None]
            return lambda case: named(node, part, case.names[name], *(end(case) for end in ends))
        case ast.Call():
            return _call(node)
    raise TypeError(f"{ast.dump(node)} is no part of a formula")


def _call(node: ast.Call) -> Part[Value]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as each]):
            formed, values = FORMED[name], _each(each, name in CONDITIONS)
            return lambda case: named(node, formed, values(case))
        case ast.Call(func=ast.Name(id=name), args=[ast.Call(func=ast.Name(id=inner), args=[of])]) if roundable(name, inner):
            rounded, up, argument = ROUNDED[inner], name == "ceil", _number(of)
            return lambda case: named(node, rounded, argument(case), up)
        case ast.Call(func=ast.Name(id=name), args=args) if name in APPLIED:
            applied, numbers = APPLIED[name], [_number(each) for each in args]
            return lambda case: named(node, applied, *[x(case) for x in numbers])
        case ast.Call(func=ast.Name(id=name), args=[of]) if name in PREDICATES:
            holds, argument = PREDICATES[name], _number(of)
            return lambda case: holds(argument(case))
        case ast.Call(func=ast.Name(id=name), args=args):
            parts = [_part(each) for each in args]
            return lambda case: exact(named(node, case.functions[name], *[x(case) for x in parts]))
    raise TypeError(f"{ast.dump(node)} is no part of a formula")


def _operation(node: ast.expr, operation: Callable[[Number, Number], Number], left: Part[Number], right: Part[Number]) -> Part[Number]:
    def found(case: _Case) -> Number:
        x, y = left(case), right(case)
        try:
            return bounded(operation(x, y))
        except InputError as error:
            raise _refused(node, error) from None

    return found


def _number(node: ast.expr) -> Part[Number]:
    of = _part(node)

    def found(case: _Case) -> Number:
        value = of(case)
        return value if type(value) is Fraction else number(node, value)

    return found


def _truth(node: ast.expr) -> Part[bool]:
    of = _part(node)

    def found(case: _Case) -> bool:
        value = of(case)
        return value if isinstance(value, bool) else no_condition(node)

    return found


def _either(node: ast.expr) -> Part[Value]:
    """A condition or a number; a string is the number that it spells."""
    of = _part(node)

    def found(case: _Case) -> Value:
        value = of(case)
        return value if isinstance(value, bool) else number(node, value)

    return found


def _comparison(node: ast.Compare) -> Part[bool]:
    if isinstance(node.comparators[0], ast.Tuple):
        compared, *others = [_compared(each) for each in (node.left, *node.comparators[0].elts)]
        expected, equal = isinstance(node.ops[0], ast.In), ast.Eq()

        def member(case: _Case) -> bool:
            x, *values = compared(case), *(each(case) for each in others)
            return any(compare(equal, x, each) for each in values) == expected

        return member
    sides, ops = [_compared(each) for each in (node.left, *node.comparators)], node.ops

    def chain(case: _Case) -> bool:
        values = [side(case) for side in sides]
        return all(compare(op, x, y) for op, x, y in zip(ops, values, values[1:], strict=False))

    return chain


def _compared(node: ast.expr) -> Part[Number]:
    side = infinite(node)
    if side is None:
        return _number(node)
    end = infinity(side)
    return lambda case: end


def _each(node: ast.GeneratorExp, conditions: bool) -> Callable[[_Case], Iterator[Value]]:
    """The values of a part for every value of its bound name, in order, each when it is asked for."""
    bound, ends = range_of(node)
    borders = [(end, _number(end)) for end in ends]
    only = [_truth(condition) for condition in node.generators[0].ifs]
    of: Part[Value] = _truth(node.elt) if conditions else _number(node.elt)

    def values(case: _Case) -> Iterator[Value]:
        first, last = (named(end, whole, border(case)) for end, border in borders)
        for k in range(first, last + 1):
            if next(case.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = _Case({**case.names, bound: Fraction(k)}, case.functions, case.terms)
            if all(condition(inner) for condition in only):
                yield of(inner)

    return values
