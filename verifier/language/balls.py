"""The reading of formulas in balls: rigorous enclosures where a value is irrational, and decisions that no radius can overturn.

What is rational stays exact, as in :mod:`verifier.language.exact`. A decision doubles the precision until every comparison that it asks
for is certain; balls that touch are never equal, so that an equality holds only where both sides are rational. Where the test of an
``if`` is not decided, as over an interval that it cuts, a value is enclosed together with that of the other branch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from math import factorial
from typing import Any, TypeAlias, TypeVar

import flint

from verifier.arithmetic.enclosure import FIRST_PRECISION, LAST_PRECISION
from verifier.arithmetic.numbers import ZERO, Number, infinity
from verifier.arithmetic.rationals import Fraction
from verifier.language import operations
from verifier.language.ball_operations import (
    ENCLOSED,
    Mixed,
    Unclear,
    apply,
    around,
    combine,
    compare,
    greatest,
    hull,
    indeterminate,
    is_exact,
    known,
    least,
    opposite,
)
from verifier.language.evaluator import FORMED, MOST_TERMS, PREDICATES
from verifier.language.operands import Bits, check_given, exact_value, named, no_condition, number, part
from verifier.language.syntax import CONDITIONS, Formula, infinite, quoted, range_of, tree_of
from verifier.running.errors import InputError

Real: TypeAlias = Callable[[], Any]
"""A real number, as what encloses it at the present precision (python-flint's ``ctx.prec``)."""
Names: TypeAlias = Mapping[str, Any]
"""For each name an exact value, a ball (all of whose numbers are meant), or a :data:`Real`."""
Functions: TypeAlias = Mapping[str, Callable[..., Any]]
"""A caller's functions are given exact values, and a ball where a value is not known to be rational."""
T = TypeVar("T")


def pi() -> Any:
    """π, to be given for a name: ``{"pi": balls.pi}``."""
    return flint.arb.pi()


class Undecided(InputError):  # noqa: N818  # what balls leave open
    """A comparison, or a rounding, that no precision tried decides."""


def enclosure(formula: Formula, names: Names, functions: Functions | None = None, bits: int = FIRST_PRECISION) -> Any:
    """A ball (python-flint's ``arb``) around the value of a formula, computed with this precision; NaN where none can be formed.

    Raises:
        InputError: as the exact reading.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    with flint.ctx.workprec(bits):
        try:
            return around(_Balls(names, functions or {}).number(tree))
        except Unclear:
            return indeterminate()


def derivative(
    formula: Formula, name: str, names: Names, order: int = 1, functions: Functions | None = None, bits: int = FIRST_PRECISION
) -> Any:
    """A ball around a derivative of a formula in ``name``, from its power series there; NaN where none can be formed.

    Where a test compares what is equal there, as ``x >= 0`` does at 0, it holds the derivatives of both branches.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    with flint.ctx.workprec(bits):
        point = around(_Balls(names, functions or {}).number(ast.Name(name)))
        developed = {**names, name: flint.arb_series([point, 1], order + 1)}
        try:
            found = _Balls(developed, functions or {}).number(tree)
        except Unclear:
            return indeterminate()
        if isinstance(found, flint.arb_series):
            return found[order] * factorial(order)
        return flint.arb(0) if around(found).is_finite() else indeterminate()


def truth(formula: Formula, names: Names, functions: Functions | None = None) -> bool:
    """Whether a condition holds.

    Raises:
        Undecided: not at 65,536 bits.
    """
    return _decided(formula, names, functions or {}, lambda balls, tree: balls.truth(tree))


def rational(formula: Formula, names: Names, functions: Functions | None = None) -> Fraction:
    """The value of a formula that is rational, such as a rounding floor(s*exp(x) + 1/2).

    Raises:
        Undecided: not known at 65,536 bits.
    """

    def certain(balls: _Balls, tree: ast.expr) -> Fraction:
        found = balls.number(tree)
        if not is_exact(found):
            raise Unclear
        return named(tree, operations.finite, found)

    return _decided(formula, names, functions or {}, certain)


def _decided(formula: Formula, names: Names, functions: Functions, decide: Callable[[_Balls, ast.expr], T]) -> T:
    """What ``decide`` finds at the first precision that suffices."""
    tree = tree_of(formula)
    check_given(tree, names, functions)
    bits = FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with flint.ctx.workprec(bits):
            try:
                return decide(_Balls(names, functions), tree)
            except Unclear:
                bits *= 2
    raise Undecided(f"{quoted(tree)} is not decided at {LAST_PRECISION} bits")


class _Balls:
    """Names, and the values of parts at the present precision."""

    def __init__(self, names: Names, functions: Functions, terms: Iterator[int] | None = None) -> None:
        self.names, self.functions = names, functions
        self.terms = iter(range(MOST_TERMS)) if terms is None else terms

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=int() | Fraction() as literal):
                return Fraction(literal)
            case ast.Name(id=name):
                return _read(self.names[name])
            case ast.BinOp(left=left, op=op, right=right):
                return named(node, combine, op, self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.truth(operand)
            case ast.UnaryOp(op=op, operand=operand):
                return opposite(self.number(operand)) if isinstance(op, ast.USub) else self.number(operand)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp(op=op, values=conditions):
                connected = all if isinstance(op, ast.And) else any
                return connected(self.truth(c) for c in conditions)
            case ast.IfExp():
                return self.chosen(node)
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                ends = (place.lower, place.upper) if isinstance(place, ast.Slice) else (place,)
                return named(node, part, self.names[name], *(self.known(end) for end in ends if end is not None))
            case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as each]):
                return named(node, _formed, name, self.each(each, name in CONDITIONS))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.applied(node, name, args)
        raise TypeError(f"{ast.dump(node)} is no part of a formula")

    def number(self, node: ast.expr) -> Mixed:
        found = self.value(node)
        return number(node, found) if isinstance(found, bool | Bits) else found

    def truth(self, node: ast.expr) -> bool:
        found = self.value(node)
        return found if isinstance(found, bool) else no_condition(node)

    def known(self, node: ast.expr) -> Number:
        return named(node, known, self.number(node))

    def comparison(self, node: ast.Compare) -> bool:
        if isinstance(node.comparators[0], ast.Tuple):
            x, *others = [self.compared(n) for n in (node.left, *node.comparators[0].elts)]
            return any(compare(ast.Eq(), x, other) for other in others) == isinstance(node.ops[0], ast.In)
        values = [self.compared(n) for n in (node.left, *node.comparators)]
        return all(compare(op, x, y) for op, x, y in zip(node.ops, values, values[1:], strict=False))

    def compared(self, node: ast.expr) -> Mixed:
        at = infinite(node)
        return self.number(node) if at is None else infinity(at)

    def chosen(self, node: ast.IfExp) -> Any:
        """The branch that the test chooses; where it is not decided, what holds both."""
        try:
            branch = node.body if self.truth(node.test) else node.orelse
        except Unclear:
            try:
                return hull(self.number(node.body), self.number(node.orelse))
            except InputError:  # perhaps of the branch that is not asked
                raise Unclear from None
        found = self.value(branch)
        return found if isinstance(found, bool) else self.number(branch)

    def each(self, node: ast.GeneratorExp, conditions: bool) -> Iterator[Any]:
        """The values of a part for every value of its bound name, in order, each when it is asked for."""
        bound, ends = range_of(node)
        first, last = (named(end, operations.whole, self.known(end)) for end in ends)
        for k in range(first, last + 1):
            if next(self.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = _Balls({**self.names, bound: Fraction(k)}, self.functions, self.terms)
            if all(inner.truth(condition) for condition in node.generators[0].ifs):
                yield inner.truth(node.elt) if conditions else inner.number(node.elt)

    def applied(self, node: ast.Call, name: str, args: list[ast.expr]) -> Any:
        """A function: of the language, or the caller's."""
        if name in self.functions and name not in operations.APPLIED:
            return _read(named(node, self.functions[name], *map(self.value, args)))
        numbers = [self.number(a) for a in args]
        if name in PREDICATES:
            x = numbers[0]
            if not is_exact(x) and not around(x).is_finite():
                raise Unclear
            return PREDICATES[name](x if is_exact(x) else ZERO)
        if name in ("min", "max"):
            return reduce(least if name == "min" else greatest, numbers)
        if name in ENCLOSED:
            return named(node, apply, name, numbers[0])
        return named(node, operations.APPLIED[name], *(named(a, known, x) for a, x in zip(args, numbers, strict=True)))


def _read(given: Any) -> Any:
    """A value as it was given for a name or by a function."""
    if isinstance(given, flint.arb | flint.arb_series):
        return given
    return given() if callable(given) else exact_value(given)


def _formed(name: str, values: Iterator[Any]) -> Any:
    """A sum, an extreme, *all* or *any*."""
    if name in CONDITIONS:
        return FORMED[name](values)
    every = list(values)
    if is_exact(*every):
        return FORMED[name](iter(every))
    return reduce({"sum": lambda x, y: combine(ast.Add(), x, y), "min": least, "max": greatest}[name], every)
