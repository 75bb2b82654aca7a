"""The domain of a statement for all parameters. A domain has integers, each with a lower bound, and cases that cover it.

A parameter is written low + k with an integer k ≥ 0, where low is a formula in the parameters before it. A case gives each k a form
offset + step·t with an integer t ≥ 0, or fixes it; splitting a case off at its least value, or by remainders, keeps it covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from verifier.language.exact import integer
from verifier.language.printer import printed
from verifier.language.syntax import FLIPPED, names_in
from verifier.language.tree import (
    Call,
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
    comparison,
    negative,
    walk,
)
from verifier.running.errors import InputError

MOST_ALTERNATIVES = 16


@dataclass(frozen=True)
class Parameter:
    """An integer: ``low`` and above, or, if ``fixed``, only ``low``."""

    name: str
    low: Node
    fixed: bool = False


@dataclass(frozen=True)
class Slack:
    """k = offset + step·t for the integers t ≥ 0; step 0 fixes k."""

    offset: int = 0
    step: int = 1

    def least(self) -> Slack:
        return Slack(self.offset, 0)

    def above(self, times: int = 1) -> Slack:
        return replace(self, offset=self.offset + times * self.step)

    def remainders(self, modulus: int) -> list[Slack]:
        return [Slack(self.offset + r * self.step, modulus * self.step) for r in range(modulus)]


Case = Mapping[str, Slack]
"""The slack of every parameter."""


@dataclass(frozen=True)
class BoundName:
    """The range of a quantifier: its ``ends``, their consequences for the name (``within``), and the ``tests`` after ``if``.

    All must have a meaning, the ends first: if an end is not an integer, the range has no meaning, rather than being empty.
    """

    ends: tuple[Node, Node]
    within: tuple[Node, ...]
    tests: tuple[Node, ...]


@dataclass(frozen=True)
class Domain:
    """Parameters in their order and the conditions on them. The last may be the bound names of quantifiers, the outer ones first."""

    parameters: tuple[Parameter, ...]
    conditions: tuple[Node, ...]
    ranges: tuple[BoundName, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters)

    def all_cases(self) -> Case:
        return {p.name: Slack(0, 0 if p.fixed else 1) for p in self.parameters}

    def __str__(self) -> str:
        conditions = ", ".join(map(printed, self.conditions)).replace(" ** ", "**")
        return f"{conditions}; {', '.join(self.names)} integers"

    def with_bound_name(self, terms: Ranged) -> Domain:
        """The domain with the name that a quantifier binds as one more parameter."""
        name, (low, high) = terms.name, terms.ends
        ends = (comparison(low, "<=", Name(name)), comparison(Name(name), "<=", high))
        parameters = (*self.parameters, Parameter(name, _call("ceil", low)))
        bound = BoundName((low, high), ends, terms.tests)
        return Domain(parameters, self.conditions, (*self.ranges, bound))

    def has(self, point: Mapping[str, int], check: Callable[[Node, Mapping[str, int]], bool]) -> bool:
        """Whether a point belongs to the domain, by exact values.

        Raises:
            InputError: a condition has no meaning there, or the end of a range is not an integer.
        """
        if not all(check(c, point) for c in self.conditions):
            return False
        for bound in self.ranges:
            for end in bound.ends:
                integer(end, point)
            if not all(check(c, point) for c in (*bound.within, *bound.tests)):
                return False
        return True


def alternatives(conditions: Sequence[Node]) -> list[list[Node]]:
    """The conjuncts of the conditions, once for each choice of a side of every outer ``or`` among them.

    If the choices are many, the conjuncts unchanged.
    """
    atoms = [atom for condition in conditions for atom in conjuncts(condition)]
    sides: list[list[list[Node]]] = []
    for atom in atoms:
        match atom:
            case Logic("or", values):
                sides.append([choice for value in values for choice in alternatives([value])])
            case _:
                sides.append([[atom]])
    if prod(map(len, sides)) > MOST_ALTERNATIVES:
        return [atoms]
    return [[atom for side in choice for atom in side] for choice in product(*sides)]


def domain_of(names: Iterable[str], conditions: Sequence[Node]) -> Domain:
    """The domain of parameters in their order; some condition must bound each from below by those before it.

    Raises:
        InputError: a parameter without a lower bound that is affine in it.
    """
    parameters: list[Parameter] = []
    for name in names:
        known = {p.name for p in parameters}
        bounds = [b for atom in conditions for b in isolated(atom, name) if names_in(b.low) <= known]
        if not bounds:
            raise InputError(f"{name} has no lower bound such as {name} >= 1 in terms of the parameters before it")
        parameters.append(_best(bounds))
    return Domain(tuple(parameters), tuple(conditions))


def _best(bounds: Sequence[Parameter]) -> Parameter:
    """An equation, else a bound by other parameters, else the largest number; the remaining bounds stay conditions."""
    fixed = [b for b in bounds if b.fixed] or [b for b in bounds if names_in(b.low)]
    return fixed[0] if fixed else max(bounds, key=lambda b: integer(b.low, {}))


def conjuncts(condition: Node) -> Iterator[Node]:
    """The conditions that ``and`` and chains of comparisons join."""
    match condition:
        case Logic("and", parts):
            for part in parts:
                yield from conjuncts(part)
        case Comparison(_, (_, _, *_)):
            yield from condition.links()
        case _:
            yield condition


def isolated(condition: Node, name: str) -> Iterator[Parameter]:
    """The lower bound, or the value, that follows from a comparison in which the name occurs once: n > 4*p gives floor(4*p) + 1."""
    match condition:
        case Comparison(left, (op,), (right,)):
            count = [sum(isinstance(n, Name | Slice) and n.name == name for n in walk(side)) for side in (left, right)]
            if count == [0, 1]:
                left, op, right = right, FLIPPED[op], left
            if sum(count) == 1:
                yield from _solved(left, op, right, name)
        case Membership(Name(named), values, True) if named == name:
            yield Parameter(name, _call("ceil", values[0] if len(values) == 1 else _call("min", *values)))


def _solved(left: Node, op: str, right: Node, name: str) -> Iterator[Parameter]:
    """Reduce the left side, which contains the name, to it."""
    match left:
        case Name():
            if op == "==":
                yield Parameter(name, right, fixed=True)
            elif op == ">":
                yield Parameter(name, Operation(_call("floor", right), "+", Numeral(1)))
            elif op == ">=":
                yield Parameter(name, _call("ceil", right))
        case Signed("-", x):
            yield from _solved(x, FLIPPED[op], negative(right), name)
        case Operation(x, "+", c) if name in names_in(x):
            yield from _solved(x, op, Operation(right, "-", c), name)
        case Operation(c, "+", x):
            yield from _solved(x, op, Operation(right, "-", c), name)
        case Operation(x, "-", c) if name in names_in(x):
            yield from _solved(x, op, Operation(right, "+", c), name)
        case Operation(c, "-", x):
            yield from _solved(x, FLIPPED[op], Operation(c, "-", right), name)
        case Operation(x, "*", Numeral(n) as c) | Operation(Numeral(n) as c, "*", x):
            if n > 0:
                yield from _solved(x, op, Operation(right, "/", c), name)
        case Operation(x, "/", Numeral(n) as c) if n > 0:
            yield from _solved(x, op, Operation(right, "*", c), name)
        case Call("floor", (x,)) if op in (">", ">="):
            least = _call("ceil", right) if op == ">=" else Operation(_call("floor", right), "+", Numeral(1))
            yield from _solved(x, ">=", least, name)
        case Call("ceil", (x,)) if op in (">", ">="):
            below = Operation(_call("ceil", right), "-", Numeral(1)) if op == ">=" else _call("floor", right)
            yield from _solved(x, ">", below, name)


def _call(function: str, *arguments: Node) -> Node:
    return Call(function, arguments)
