"""The exact meaning of every part of a formula: a formula is looked through once and then evaluated in many cases.

No part is evaluated that is not asked: the other branch of an ``if``, what follows a false condition in ``and`` or a true one in ``or``,
and the values behind the one that decides an ``all`` or ``any``. A chain of comparisons asks for all its members.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import NAN, ZERO, Number, Special, infinity, negate
from verifier.arithmetic.rationals import Fraction
from verifier.language.operands import Functions, Given, Value, exact_value, named, no_condition, number, part, refused
from verifier.language.operations import APPLIED, BINARY, ROUNDED, bounded, compare, greatest, least, whole
from verifier.language.syntax import CONDITIONS, infinite, range_of
from verifier.running.errors import InputError

MOST_TERMS = 1 << 20
"""How many values the bound names of one formula take, in all."""
T = TypeVar("T")


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
class Case:
    """One case: the values of the names. ``terms`` counts the values of bound names, in this case and those within it."""

    names: Mapping[str, Given]
    functions: Functions
    terms: Iterator[int]


Part: TypeAlias = Callable[[Case], T]
"""What a part of a formula comes to in a case."""


def part_of(node: ast.expr) -> Part[Value]:
    """A formula, or a part of one, looked through."""
    match node:
        case ast.Constant(value=int() | Fraction() as literal):
            constant = Fraction(literal)
            return lambda case: constant
        case ast.Name(id=name):
            return lambda case: exact_value(case.names[name])
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
            parts = [part_of(each) for each in args]
            return lambda case: exact_value(named(node, case.functions[name], *[x(case) for x in parts]))
    raise TypeError(f"{ast.dump(node)} is no part of a formula")


def _operation(node: ast.expr, operation: Callable[[Number, Number], Number], left: Part[Number], right: Part[Number]) -> Part[Number]:
    def found(case: Case) -> Number:
        x, y = left(case), right(case)
        try:
            return bounded(operation(x, y))
        except InputError as error:
            raise refused(node, error) from None

    return found


def _number(node: ast.expr) -> Part[Number]:
    of = part_of(node)

    def found(case: Case) -> Number:
        value = of(case)
        return value if type(value) is Fraction else number(node, value)

    return found


def _truth(node: ast.expr) -> Part[bool]:
    of = part_of(node)

    def found(case: Case) -> bool:
        value = of(case)
        return value if isinstance(value, bool) else no_condition(node)

    return found


def _either(node: ast.expr) -> Part[Value]:
    """A condition or a number; a string is the number that it spells."""
    of = part_of(node)

    def found(case: Case) -> Value:
        value = of(case)
        return value if isinstance(value, bool) else number(node, value)

    return found


def _comparison(node: ast.Compare) -> Part[bool]:
    if isinstance(node.comparators[0], ast.Tuple):
        compared, *others = [_compared(each) for each in (node.left, *node.comparators[0].elts)]
        expected, equal = isinstance(node.ops[0], ast.In), ast.Eq()

        def member(case: Case) -> bool:
            x, *values = compared(case), *(each(case) for each in others)
            return any(compare(equal, x, each) for each in values) == expected

        return member
    sides, ops = [_compared(each) for each in (node.left, *node.comparators)], node.ops

    def chain(case: Case) -> bool:
        values = [side(case) for side in sides]
        return all(compare(op, x, y) for op, x, y in zip(ops, values, values[1:], strict=False))

    return chain


def _compared(node: ast.expr) -> Part[Number]:
    side = infinite(node)
    if side is None:
        return _number(node)
    end = infinity(side)
    return lambda case: end


def _each(node: ast.GeneratorExp, conditions: bool) -> Callable[[Case], Iterator[Value]]:
    """The values of a part for every value of its bound name, in order, each when it is asked for."""
    bound, ends = range_of(node)
    borders = [(end, _number(end)) for end in ends]
    only = [_truth(condition) for condition in node.generators[0].ifs]
    of: Part[Value] = _truth(node.elt) if conditions else _number(node.elt)

    def values(case: Case) -> Iterator[Value]:
        first, last = (named(end, whole, border(case)) for end, border in borders)
        for k in range(first, last + 1):
            if next(case.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = Case({**case.names, bound: Fraction(k)}, case.functions, case.terms)
            if all(condition(inner) for condition in only):
                yield of(inner)

    return values
