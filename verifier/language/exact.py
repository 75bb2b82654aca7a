"""The exact meaning of every part of a formula. A formula is analysed once and then evaluated in many cases.

Parts that are not needed are not evaluated: the other branch of an ``if``, conditions after a false one in ``and`` or a true one in ``or``,
and the values after the one that decides an ``all`` or ``any``. A chain of comparisons evaluates all its members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias, TypeVar

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import NAN, ZERO, Number, Special, infinity, negate, show
from verifier.arithmetic.rationals import Fraction
from verifier.language.operands import Bits, Functions, Given, Value, check_given, exact_value, named, number, part, refused
from verifier.language.operations import APPLIED, BINARY, ROUNDED, Irrational, bounded, compare, greatest, least, whole
from verifier.language.syntax import CONDITIONS, Formula, calls_in, infinite, names_in, no_condition, quoted, tree_of
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
from verifier.running.errors import InputError, TooLargeError

MOST_TERMS = 1 << 20
"""The number of values that all bound names of one formula may take together."""
T = TypeVar("T")


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
    """One case, which gives the values of the names. ``terms`` counts the values of bound names, in this case and those within it."""

    names: Mapping[str, Any]
    functions: Mapping[str, Callable[..., Any]]
    terms: Iterator[int]

    @classmethod
    def of(cls, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Case:
        """A case whose bound names may take :data:`MOST_TERMS` values."""
        return cls(names, functions, iter(range(MOST_TERMS)))

    def with_bound(self, name: str, value: Any) -> Case:
        """The case within, in which a bound name has one more of its values."""
        if next(self.terms, None) is None:
            raise TooLargeError(f"bound names such as {name} take more than {MOST_TERMS:,} values")
        return Case({**self.names, name: value}, self.functions, self.terms)


Part: TypeAlias = Callable[[Case], T]
"""The value of a part of a formula in a case."""


class Parts(Algebra[Part[Any]]):
    """Analyse the parts of a formula. The tables define a reading's operations on numbers. The values are exact here, and enclosed in
    :mod:`verifier.language.balls`.
    """

    read: Callable[[Any], Any] = staticmethod(exact_value)
    """A value as it was given for a name or by a function."""
    known: Callable[[Any], Number] = staticmethod(lambda x: x)
    """A number where only an integer has a meaning."""
    plain: Callable[[Node, Any], Any] = staticmethod(number)
    """A value as a number; a string is the one that it spells."""
    part: Callable[..., Any] = staticmethod(part)
    conditions: ClassVar[Any] = bool
    """The class of the value of a condition."""
    every: Callable[[Iterable[Any]], Any] = staticmethod(all)
    some: Callable[[Iterable[Any]], Any] = staticmethod(any)
    negate: Callable[[Any], Any] = staticmethod(negate)
    compare: Callable[[str, Any, Any], bool] = staticmethod(compare)
    binary: ClassVar[Mapping[str, Callable[[Any, Any], Any]]] = BINARY
    applied: ClassVar[Mapping[str, Callable[..., Any]]] = APPLIED
    rounded: ClassVar[Mapping[str, Callable[[Any, bool], Any]]] = ROUNDED
    """Functions that are exact under floor and ceil though they need not be by themselves."""
    predicates: ClassVar[Mapping[str, Callable[[Any], bool]]] = PREDICATES
    formed: ClassVar[Mapping[str, Callable[[Iterator[Any]], Any]]] = FORMED

    def numeral(self, node: Numeral) -> Part[Any]:
        constant = Fraction(node.value)
        return lambda case: constant

    def name(self, node: Name) -> Part[Any]:
        name, read = node.name, self.read
        return lambda case: read(case.names[name])

    def signed(self, node: Signed) -> Part[Any]:
        positive, negate = self.number(node.operand), self.negate
        return (lambda case: negate(positive(case))) if node.sign == "-" else positive

    def operation(self, node: Operation) -> Part[Any]:
        operation, left, right = self.binary[node.operator], self.number(node.left), self.number(node.right)

        def found(case: Case) -> Any:
            x, y = left(case), right(case)
            try:
                return bounded(operation(x, y))
            except InputError as error:
                raise refused(node, error) from None

        return found

    def comparison(self, node: Comparison) -> Part[Any]:
        sides, operators, compare = [self._compared(each) for each in (node.left, *node.others)], node.operators, self.compare
        every = self.every
        if every is all and len(operators) == 1:
            (operator,), (left, right) = operators, sides
            return lambda case: compare(operator, left(case), right(case))

        def chain(case: Case) -> Any:
            values = [side(case) for side in sides]
            return every(compare(operator, x, y) for operator, x, y in zip(operators, values, values[1:], strict=False))

        return chain

    def membership(self, node: Membership) -> Part[Any]:
        compared, others, compare = self._compared(node.left), [self._compared(each) for each in node.values], self.compare
        some = self.some

        def member(case: Case) -> Any:
            x, *values = compared(case), *(each(case) for each in others)
            return some(compare("==", x, each) for each in values) == node.inside

        return member

    def logic(self, node: Logic) -> Part[Any]:
        conditions = [self.truth(each) for each in node.parts]
        if node.operator == "not":
            (condition,) = conditions
            return lambda case: not condition(case)
        decided = all if node.operator == "and" else any
        return lambda case: decided(condition(case) for condition in conditions)

    def choice(self, node: Choice) -> Part[Any]:
        chosen, yes, no = self.truth(node.test), self.either(node.body), self.either(node.orelse)
        return lambda case: yes(case) if chosen(case) else no(case)

    def slice(self, node: Slice) -> Part[Any]:
        name, ends, known, part = node.name, [(end, self.number(end)) for end in node.ends], self.known, self.part
        return lambda case: named(node, part, case.names[name], *(named(end, known, of(case)) for end, of in ends))

    def ranged(self, node: Ranged) -> Part[Any]:
        formed, values = self.formed[node.function], self._each(node)
        return lambda case: named(node, formed, values(case))

    def call(self, node: Call) -> Part[Any]:
        match node:
            case Call("floor" | "ceil" as name, (Call(inner, (of,)),)) if inner in self.rounded:
                rounded, up, argument = self.rounded[inner], name == "ceil", self.number(of)
                return lambda case: named(node, rounded, argument(case), up)
            case Call(name, (of,)) if name in self.predicates:
                holds, argument = self.predicates[name], self.number(of)
                return lambda case: holds(argument(case))
        if node.function in self.applied:
            applied, numbers = self.applied[node.function], [self.number(each) for each in node.arguments]
            return lambda case: named(node, applied, *[x(case) for x in numbers])
        name, read, parts = node.function, self.read, [fold(each, self) for each in node.arguments]
        return lambda case: read(named(node, case.functions[name], *[x(case) for x in parts]))

    def number(self, node: Node) -> Part[Any]:
        """Evaluate a part that must be a number. A string has the number that it spells."""
        of, plain = fold(node, self), self.plain

        def found(case: Case) -> Any:
            value = of(case)
            return value if type(value) is Fraction else plain(node, value)

        return found

    def truth(self, node: Node) -> Part[Any]:
        """A part that must be a condition."""
        of, conditions = fold(node, self), self.conditions

        def found(case: Case) -> Any:
            value = of(case)
            return value if isinstance(value, conditions) else no_condition(node)

        return found

    def either(self, node: Node) -> Part[Any]:
        """A condition or a number."""
        of, plain, conditions = fold(node, self), self.plain, self.conditions

        def found(case: Case) -> Any:
            value = of(case)
            return value if isinstance(value, conditions) else plain(node, value)

        return found

    def _compared(self, node: Node) -> Part[Any]:
        side = infinite(node)
        if side is None:
            return self.number(node)
        end = infinity(side)
        return lambda case: end

    def _each(self, node: Ranged) -> Callable[[Case], Iterator[Any]]:
        """The values of a part for every value of its bound name, in order, computed on demand."""
        bound, known, borders = node.name, self.known, [(end, self.number(end)) for end in node.ends]
        only = [self.truth(condition) for condition in node.tests]
        of: Part[Any] = self.truth(node.body) if node.function in CONDITIONS else self.number(node.body)

        def values(case: Case) -> Iterator[Any]:
            first, last = (named(end, whole, named(end, known, border(case))) for end, border in borders)
            for k in range(first, last + 1):
                inner = case.with_bound(bound, Fraction(k))
                if all(condition(inner) for condition in only):
                    yield of(inner)

        return values


_PARTS = Parts()


__all__ = ["Bits", "Given", "Irrational", "Value", "integer", "rational", "truth", "value"]


def value(formula: Formula, names: Mapping[str, Given], functions: Functions | None = None) -> Value:
    """The value of a formula.

    Raises:
        InputError: the formula is outside the language, has an unknown name or function, divides by zero, or has a number of more than
            4096 bits.
        Irrational: (an InputError) only balls can enclose the value.
    """
    if isinstance(formula, int):
        return exact_value(formula)
    of, read, calls = _whole(formula)
    if calls or not read <= names.keys():
        check_given(tree_of(formula), names, functions or {})
    return of(Case.of(names, functions or {}))


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
    """A formula after analysis, with the names that it reads and the caller's functions that it calls."""
    tree = tree_of(formula)
    return fold(tree, _PARTS), names_in(tree), calls_in(tree)
