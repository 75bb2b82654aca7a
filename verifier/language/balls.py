"""The reading of formulas in balls: rigorous enclosures where a value is irrational, and decisions that no radius can overturn.

What is rational stays exact, as in :mod:`verifier.language.exact`. A decision doubles the precision until every comparison that it asks
for is certain; balls that touch are never equal, so that an equality holds only where both sides are rational. Where the test of an
``if`` is not decided, as over an interval that it cuts, a value is enclosed together with that of the other branch.
"""

from __future__ import annotations

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
from verifier.language.syntax import CONDITIONS, Formula, infinite, quoted, tree_of
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
        point = around(_Balls(names, functions or {}).number(Name(name)))
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

    def certain(balls: _Balls, tree: Node) -> Fraction:
        found = balls.number(tree)
        if not is_exact(found):
            raise Unclear
        return named(tree, operations.finite, found)

    return _decided(formula, names, functions or {}, certain)


def _decided(formula: Formula, names: Names, functions: Functions, decide: Callable[[_Balls, Node], T]) -> T:
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


class _Balls(Algebra[Any]):
    """Names, and the values of parts at the present precision."""

    def __init__(self, names: Names, functions: Functions, terms: Iterator[int] | None = None) -> None:
        self.names, self.functions = names, functions
        self.terms = iter(range(MOST_TERMS)) if terms is None else terms

    def value(self, node: Node) -> Any:
        return fold(node, self)

    def numeral(self, node: Numeral) -> Any:
        return Fraction(node.value)

    def name(self, node: Name) -> Any:
        return _read(self.names[node.name])

    def signed(self, node: Signed) -> Any:
        return opposite(self.number(node.operand)) if node.sign == "-" else self.number(node.operand)

    def operation(self, node: Operation) -> Any:
        return named(node, combine, node.operator, self.number(node.left), self.number(node.right))

    def comparison(self, node: Comparison) -> Any:
        values = [self.compared(each) for each in (node.left, *node.others)]
        return all(compare(op, x, y) for op, x, y in zip(node.operators, values, values[1:], strict=False))

    def membership(self, node: Membership) -> Any:
        x, *others = [self.compared(each) for each in (node.left, *node.values)]
        return any(compare("==", x, other) for other in others) == node.inside

    def logic(self, node: Logic) -> Any:
        if node.operator == "not":
            return not self.truth(node.parts[0])
        connected = all if node.operator == "and" else any
        return connected(self.truth(part) for part in node.parts)

    def slice(self, node: Slice) -> Any:
        return named(node, part, self.names[node.name], *map(self.known, node.ends))

    def ranged(self, node: Ranged) -> Any:
        return named(node, _formed, node.function, self.each(node))

    def number(self, node: Node) -> Mixed:
        found = self.value(node)
        return number(node, found) if isinstance(found, bool | Bits) else found

    def truth(self, node: Node) -> bool:
        found = self.value(node)
        return found if isinstance(found, bool) else no_condition(node)

    def known(self, node: Node) -> Number:
        return named(node, known, self.number(node))

    def compared(self, node: Node) -> Mixed:
        at = infinite(node)
        return self.number(node) if at is None else infinity(at)

    def choice(self, node: Choice) -> Any:
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

    def each(self, node: Ranged) -> Iterator[Any]:
        """The values of a part for every value of its bound name, in order, each when it is asked for."""
        bound = node.name
        first, last = (named(end, operations.whole, self.known(end)) for end in node.ends)
        for k in range(first, last + 1):
            if next(self.terms, None) is None:
                raise InputError(f"more than {MOST_TERMS:,} values of bound names such as {bound}")
            inner = _Balls({**self.names, bound: Fraction(k)}, self.functions, self.terms)
            if all(inner.truth(condition) for condition in node.tests):
                yield inner.truth(node.body) if node.function in CONDITIONS else inner.number(node.body)

    def call(self, node: Call) -> Any:
        """A function: of the language, or the caller's."""
        name, args = node.function, node.arguments
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
    return reduce({"sum": lambda x, y: combine("+", x, y), "min": least, "max": greatest}[name], every)
