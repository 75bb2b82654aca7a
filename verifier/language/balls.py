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
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, ZERO, Number, Special, infinity, negate
from verifier.arithmetic.rationals import Fraction
from verifier.language import operations
from verifier.language.exact import FORMED, MOST_TERMS, PREDICATES
from verifier.language.operands import Bits, check_given, exact_value, named, no_condition, number, part
from verifier.language.operations import Irrational
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

Mixed: TypeAlias = Any
"""A Fraction, ±inf or NaN, a ball, or a power series."""


class Unclear(Exception):  # noqa: N818  # no error: another precision may decide
    """Not decided at the present precision."""


def is_exact(*numbers: Mixed) -> bool:
    return all(isinstance(x, Fraction | Special) for x in numbers)


def is_series(*numbers: Mixed) -> bool:
    return any(isinstance(x, flint.arb_series) for x in numbers)


def indeterminate() -> Any:
    return flint.arb("nan")


def around(x: Mixed) -> Any:
    """The number as a ball or series, rounded outwards to the present precision."""
    if isinstance(x, Special):
        return {INF: flint.arb.pos_inf(), NEG_INF: flint.arb.neg_inf(), NAN: indeterminate()}[x]
    return flint.arb(flint.fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def constant_term(x: Mixed) -> Any:
    """The ball around a number, or around a power series at the point where it is developed."""
    return x[0] if is_series(x) else around(x)


def side(x: Mixed) -> int:
    """1 where a number is certainly positive, −1 where it is certainly negative.

    Raises:
        Unclear: neither. So it is for a series that is 0 at its point: it may have another side nearby.
    """
    value = constant_term(x)
    if value > 0:
        return 1
    if value < 0:
        return -1
    raise Unclear


def sample(x: Mixed, signed: bool) -> Number:
    """An exact number that stands for an enclosed one beside an infinity or NaN: these see no more than its side, or that it is finite."""
    if isinstance(x, Fraction | Special):
        return x
    if signed:
        return ONE * side(x)
    if not constant_term(x).is_finite():
        raise Unclear
    return ZERO


def known(x: Mixed) -> Number:
    """The number itself, where only an integer has a meaning.

    Raises:
        Unclear: it may be one of several.
        InputError: it is none.
    """
    if isinstance(x, Fraction | Special):
        return x
    value = constant_term(x)
    if value.is_finite() and not value.contains_integer():
        raise InputError(f"an integer was expected, not {value.str(5)}")
    raise Unclear


def compare(op: str, x: Mixed, y: Mixed) -> bool:
    """A comparison that holds, or fails, for all that is enclosed. Between balls equality never does.

    Raises:
        Unclear: neither.
    """
    if is_exact(x, y) or isinstance(x, Special) or isinstance(y, Special):
        return operations.compare(op, sample(x, signed=False), sample(y, signed=False))
    holds = ("!=", ">", ">=") if side(around(x) - around(y)) > 0 else ("!=", "<", "<=")
    return op in holds


def combine(op: str, x: Mixed, y: Mixed) -> Mixed:
    """An operation: exact where it can be."""
    if op == "**":
        y = operations.finite(known(y))
    if is_exact(x, y) or isinstance(x, Special) or isinstance(y, Special):
        signed = op not in ("+", "-")
        return operations.BINARY[op](sample(x, signed), sample(y, signed))
    match op:
        case "+":
            return around(x) + around(y)
        case "-":
            return around(x) - around(y)
        case "*":
            return ZERO if _vanishes(x, y) or _vanishes(y, x) else around(x) * around(y)
        case "/":
            return _divide(x, y)
        case "**":
            return _power(x, operations.whole(y))
    below = apply("floor", _divide(x, y))
    return below if op == "//" else combine("-", x, combine("*", y, below))


def _vanishes(x: Mixed, y: Mixed) -> bool:
    """Whether x is 0 and y a number, so that their product is 0."""
    return isinstance(x, Fraction) and x == 0 and bool(constant_term(y).is_finite())


def _divide(x: Mixed, y: Mixed) -> Mixed:
    if is_exact(y):
        operations.divide(ONE, y)
    if constant_term(y).contains(0):
        return indeterminate()
    return ZERO if _vanishes(x, y) else around(x) / around(y)


def _power(x: Any, exponent: int) -> Any:
    if not is_series(x):
        return x**exponent
    result = flint.arb_series([1], x.prec)
    for _ in range(abs(exponent)):
        result = result * x
    return _divide(ONE, result) if exponent < 0 else result


def hull(x: Mixed, y: Mixed) -> Any:
    """A ball, or a series, that holds both."""
    first, second = around(x), around(y)
    if not is_series(first, second):
        return first.union(second)
    terms = max(each.prec for each in (first, second) if is_series(each))
    first, second = (each if is_series(each) else flint.arb_series([each], terms) for each in (first, second))
    return flint.arb_series([first[k].union(second[k]) for k in range(terms)], terms)


def opposite(x: Mixed) -> Mixed:
    """−x."""
    return negate(x) if isinstance(x, Fraction | Special) else -x


def least(x: Mixed, y: Mixed) -> Mixed:
    """The smaller of two numbers."""
    if is_exact(x, y) or NAN in (x, y):
        return operations.least(*(n for n in (x, y) if is_exact(n)))
    if isinstance(x, Special) or isinstance(y, Special):
        infinite, other = (x, y) if isinstance(x, Special) else (y, x)
        return other if infinite is INF else infinite
    if not is_series(x, y):
        return around(x).min(around(y))
    try:
        return x if compare("<", x, y) else y
    except Unclear:
        return hull(x, y)


def greatest(x: Mixed, y: Mixed) -> Mixed:
    """The larger of two numbers."""
    return opposite(least(opposite(x), opposite(y)))


def apply(name: str, x: Mixed) -> Mixed:
    """A function of one number: exact where it can be."""
    if is_exact(x):
        try:
            return operations.APPLIED[name](x)
        except Irrational:
            x = around(x)
    return ENCLOSED[name](x)


def _floor(x: Any) -> Mixed:
    """⌊x⌋: an integer where the ball holds one value of it only, else a ball around all of them."""
    value = constant_term(x)
    unique = value.floor().unique_fmpz()
    if is_series(x) and (unique is None or value.contains_integer()):
        raise Unclear
    return value.floor() if unique is None else Fraction(int(unique))


def _positive(name: str, compute: Callable[[Any], Any], or_zero: bool = False) -> Callable[[Any], Any]:
    """A function of positive numbers, or of those and 0."""

    def enclosed(x: Any) -> Any:
        value = constant_term(x)
        if value < 0 or (value <= 0 and not or_zero):
            raise InputError(f"{name}({value.str(5)}): {'a number >= 0' if or_zero else 'a positive number'} was expected")
        return compute(x) if value > 0 or (or_zero and not is_series(x)) else indeterminate()

    return enclosed


def _tanh(x: Any) -> Any:
    """tanh x; of a series 1 − 2/(e^2x + 1)."""
    return 1 - 2 / ((2 * x).exp() + 1) if is_series(x) else x.tanh()


ENCLOSED: dict[str, Callable[[Any], Mixed]] = {
    "exp": lambda x: x.exp(),
    "erf": lambda x: x.erf(),
    "tanh": _tanh,
    "log": _positive("log", lambda x: x.log()),
    "log2": _positive("log2", lambda x: x.log() / flint.arb.const_log2()),
    "sqrt": _positive("sqrt", lambda x: x.sqrt(), or_zero=True),
    "value": lambda x: x,
    "floor": _floor,
    "ceil": lambda x: opposite(_floor(-x)),
    "abs": lambda x: greatest(x, -x) if is_series(x) else abs(x),
}
"""The functions of one number, on balls and series."""

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
