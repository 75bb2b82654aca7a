"""The exact meaning of every part of a formula: a formula is looked through once and then evaluated in many cases.

No part is evaluated that is not asked: the other branch of an ``if``, what follows a false condition in ``and`` or a true one in ``or``,
and the values behind the one that decides an ``all`` or ``any``. A chain of comparisons asks for all its members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeVar

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import NAN, ZERO, Number, Special, infinity, negate, show
from verifier.arithmetic.rationals import Fraction
from verifier.language.operands import Bits, Functions, Given, Value, check_given, exact_value, named, no_condition, number, part, refused
from verifier.language.operations import APPLIED, BINARY, ROUNDED, Irrational, bounded, compare, greatest, least, whole
from verifier.language.syntax import CONDITIONS, Formula, calls_in, infinite, names_in, quoted, tree_of
from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Numeral,
    Operation,
    Ranged,
    Signed,
    Slice,
    fold,
)
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


def part_of(node: Node) -> Part[Value]:
    """A formula, or a part of one, looked through."""
    return fold(node, _PARTS)


class _Parts(Algebra[Part[Value]]):
    def numeral(self, node: Numeral) -> Part[Value]:
        constant = Fraction(node.value)
        return lambda case: constant

    def name(self, node: Name) -> Part[Value]:
        name = node.name
        return lambda case: exact_value(case.names[name])

    def signed(self, node: Signed) -> Part[Value]:
        positive = _number(node.operand)
        return (lambda case: negate(positive(case))) if node.sign == "-" else positive

    def operation(self, node: Operation) -> Part[Value]:
        return _operation(node, BINARY[node.operator], _number(node.left), _number(node.right))

    def comparison(self, node: Comparison) -> Part[Value]:
        sides, operators = [_compared(each) for each in (node.left, *node.others)], node.operators

        def chain(case: Case) -> bool:
            values = [side(case) for side in sides]
            return all(compare(operator, x, y) for operator, x, y in zip(operators, values, values[1:], strict=False))

        return chain

    def membership(self, node: Membership) -> Part[Value]:
        compared, others, expected = _compared(node.left), [_compared(each) for each in node.values], node.inside

        def member(case: Case) -> bool:
            x, *values = compared(case), *(each(case) for each in others)
            return any(compare("==", x, each) for each in values) == expected

        return member

    def logic(self, node: Logic) -> Part[Value]:
        conditions = [_truth(each) for each in node.parts]
        if node.operator == "not":
            (condition,) = conditions
            return lambda case: not condition(case)
        decided = all if node.operator == "and" else any
        return lambda case: decided(condition(case) for condition in conditions)

    def choice(self, node: Choice) -> Part[Value]:
        chosen, yes, no = _truth(node.test), _either(node.body), _either(node.orelse)
        return lambda case: yes(case) if chosen(case) else no(case)

    def slice(self, node: Slice) -> Part[Value]:
        name, ends = node.name, [_number(end) for end in node.ends]
        return lambda case: named(node, part, case.names[name], *(end(case) for end in ends))

    def ranged(self, node: Ranged) -> Part[Value]:
        formed, values = FORMED[node.function], _each(node)
        return lambda case: named(node, formed, values(case))

    def call(self, node: Call) -> Part[Value]:
        match node:
            case Call(name, (Call(inner, (of,)),)) if roundable(name, inner):
                rounded, up, argument = ROUNDED[inner], name == "ceil", _number(of)
                return lambda case: named(node, rounded, argument(case), up)
            case Call(name, (of,)) if name in PREDICATES:
                holds, argument = PREDICATES[name], _number(of)
                return lambda case: holds(argument(case))
        if node.function in APPLIED:
            applied, numbers = APPLIED[node.function], [_number(each) for each in node.arguments]
            return lambda case: named(node, applied, *[x(case) for x in numbers])
        name, parts = node.function, [part_of(each) for each in node.arguments]
        return lambda case: exact_value(named(node, case.functions[name], *[x(case) for x in parts]))


_PARTS = _Parts()


def _operation(node: Node, operation: Callable[[Number, Number], Number], left: Part[Number], right: Part[Number]) -> Part[Number]:
    def found(case: Case) -> Number:
        x, y = left(case), right(case)
        try:
            return bounded(operation(x, y))
        except InputError as error:
            raise refused(node, error) from None

    return found


def _number(node: Node) -> Part[Number]:
    of = fold(node, _PARTS)

    def found(case: Case) -> Number:
        value = of(case)
        return value if type(value) is Fraction else number(node, value)

    return found


def _truth(node: Node) -> Part[bool]:
    of = fold(node, _PARTS)

    def found(case: Case) -> bool:
        value = of(case)
        return value if isinstance(value, bool) else no_condition(node)

    return found


def _either(node: Node) -> Part[Value]:
    """A condition or a number; a string is the number that it spells."""
    of = fold(node, _PARTS)

    def found(case: Case) -> Value:
        value = of(case)
        return value if isinstance(value, bool) else number(node, value)

    return found


def _compared(node: Node) -> Part[Number]:
    side = infinite(node)
    if side is None:
        return _number(node)
    end = infinity(side)
    return lambda case: end


def _each(node: Ranged) -> Callable[[Case], Iterator[Value]]:
    """The values of a part for every value of its bound name, in order, each when it is asked for."""
    bound, borders = node.name, [(end, _number(end)) for end in node.ends]
    only = [_truth(condition) for condition in node.tests]
    of: Part[Value] = _truth(node.body) if node.function in CONDITIONS else _number(node.body)

    def values(case: Case) -> Iterator[Value]:
        first, last = (named(end, whole, border(case)) for end, border in borders)
        for k in range(first, last + 1):
            if next(case.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = Case({**case.names, bound: Fraction(k)}, case.functions, case.terms)
            if all(condition(inner) for condition in only):
                yield of(inner)

    return values


__all__ = ["Bits", "Given", "Irrational", "Value", "integer", "rational", "truth", "value"]


def value(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Value:
    """The value of a formula.

    Raises:
        InputError: outside the language, an unknown name or function, a division by zero, a number of more than 4096 bits.
        Irrational: (an InputError) a value that only balls can enclose.
    """
    if isinstance(formula, int):
        return exact_value(formula)
    of, read, calls = _whole(formula)
    if calls or not read <= names.keys():
        check_given(tree_of(formula), names, functions or {})
    return of(Case(names, functions or {}, iter(range(MOST_TERMS))))


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


@lru_cache(maxsize=1 << 14)
def _whole(formula: Formula) -> tuple[Part[Value], frozenset[str], frozenset[tuple[str, int]]]:
    """A formula looked through, the names that it reads and the caller's functions that it asks for."""
    tree = tree_of(formula)
    return part_of(tree), names_in(tree), calls_in(tree)
