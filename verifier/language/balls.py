"""The reading of formulas in balls: rigorous enclosures for irrational values, and decisions that no radius can overturn.

Rational values stay exact, as in :mod:`verifier.language.exact`. A decision doubles the precision until every comparison that it needs is
certain; balls that touch are never equal, so an equality holds only if both sides are rational. If the test of an ``if`` is not decided, as
over an interval that it cuts, the value encloses both branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial, reduce
from typing import Any, ClassVar, TypeAlias, TypeVar

import flint

from verifier.arithmetic.enclosure import FIRST_PRECISION, LAST_PRECISION
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, ZERO, Number, Special, negate
from verifier.arithmetic.rationals import Fraction
from verifier.language import operations
from verifier.language.exact import FORMED, PREDICATES, Case, Part, Parts
from verifier.language.operands import check_given, exact_value
from verifier.language.operations import Irrational
from verifier.language.syntax import SIGNS, Formula, quoted, tree_of
from verifier.language.tree import Choice, Node
from verifier.running.errors import InputError

Mixed: TypeAlias = Any
"""A Fraction, ±inf or NaN, or a ball."""


class Unclear(Exception):  # noqa: N818  # no error: another precision may decide
    """Not decided at the present precision."""


def is_exact(*numbers: Mixed) -> bool:
    return all(isinstance(x, Fraction | Special) for x in numbers)


def indeterminate() -> Any:
    return flint.arb("nan")


def around(x: Mixed) -> Any:
    """The number as a ball, rounded outwards to the present precision."""
    if isinstance(x, Special):
        return {INF: flint.arb.pos_inf(), NEG_INF: flint.arb.neg_inf(), NAN: indeterminate()}[x]
    return flint.arb(flint.fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def side(x: Mixed) -> int:
    """1 if a number is certainly positive, −1 if it is certainly negative.

    Raises:
        Unclear: neither.
    """
    value = around(x)
    if value > 0:
        return 1
    if value < 0:
        return -1
    raise Unclear


def sample(x: Mixed, signed: bool) -> Number:
    """An exact number that replaces an enclosed one beside an infinity or NaN: only its sign and finiteness matter there."""
    if isinstance(x, Fraction | Special):
        return x
    if signed:
        return ONE * side(x)
    if not x.is_finite():
        raise Unclear
    return ZERO


def known(x: Mixed) -> Number:
    """The number itself, if an integer is required.

    Raises:
        Unclear: it may be one of several.
        InputError: it is not an integer.
    """
    if isinstance(x, Fraction | Special):
        return x
    if x.is_finite() and not x.contains_integer():
        raise InputError(f"an integer was expected, not {x.str(5)}")
    raise Unclear


def compare(op: str, x: Mixed, y: Mixed) -> bool:
    """A comparison that holds, or fails, for all enclosed values. Balls are never equal.

    Raises:
        Unclear: neither.
    """
    if is_exact(x, y) or isinstance(x, Special) or isinstance(y, Special):
        return operations.compare(op, sample(x, signed=False), sample(y, signed=False))
    return side(around(x) - around(y)) in SIGNS[op]


def combine(op: str, x: Mixed, y: Mixed) -> Mixed:
    """An operation, exact if possible."""
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
            return _power(around(x), operations.whole(y))
    below = apply("floor", _divide(x, y))
    return below if op == "//" else combine("-", x, combine("*", y, below))


def _power(x: Any, k: int) -> Any:
    """x^k; also around 0, where flint's power of a ball with the middle 0 is NaN."""
    found = x**k if x.is_finite() else indeterminate()
    if found.is_finite() or k <= 0 or not x.is_finite():
        return found
    most = x.abs_upper() ** k
    return most.union(-most if k % 2 else flint.arb(0))


def _vanishes(x: Mixed, y: Mixed) -> bool:
    """Whether x is 0 and y a number, so that their product is 0."""
    return isinstance(x, Fraction) and x == 0 and bool(around(y).is_finite())


def _divide(x: Mixed, y: Mixed) -> Mixed:
    if is_exact(y):
        operations.divide(ONE, y)
    if around(y).contains(0):
        return indeterminate()
    return ZERO if _vanishes(x, y) else around(x) / around(y)


def hull(x: Mixed, y: Mixed) -> Any:
    """A ball that contains both."""
    return around(x).union(around(y))


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
    return around(x).min(around(y))


def greatest(x: Mixed, y: Mixed) -> Mixed:
    """The larger of two numbers."""
    return opposite(least(opposite(x), opposite(y)))


def apply(name: str, x: Mixed) -> Mixed:
    """A function of one number, exact if possible."""
    if is_exact(x):
        try:
            return operations.APPLIED[name](x)
        except Irrational:
            x = around(x)
    return ENCLOSED[name](x)


def _floor(x: Any) -> Mixed:
    """⌊x⌋: an integer if it is the same throughout the ball, else a ball around all its values."""
    unique = x.floor().unique_fmpz()
    return x.floor() if unique is None else Fraction(int(unique))


def _positive(name: str, compute: Callable[[Any], Any], or_zero: bool = False) -> Callable[[Any], Any]:
    """A function of positive numbers, or of non-negative ones."""

    def enclosed(x: Any) -> Any:
        if x < 0 or (x <= 0 and not or_zero):
            raise InputError(f"{name}({x.str(5)}): {'a number >= 0' if or_zero else 'a positive number'} was expected")
        return compute(x) if x > 0 or or_zero else indeterminate()

    return enclosed


ENCLOSED: dict[str, Callable[[Any], Mixed]] = {
    "exp": lambda x: x.exp(),
    "erf": lambda x: x.erf(),
    "tanh": lambda x: x.tanh(),
    "log": _positive("log", lambda x: x.log()),
    "log2": _positive("log2", lambda x: x.log() / flint.arb.const_log2()),
    "sqrt": _positive("sqrt", lambda x: x.sqrt(), or_zero=True),
    "value": lambda x: x,
    "floor": _floor,
    "ceil": lambda x: opposite(_floor(-x)),
    "abs": abs,
}
"""The functions of one number, on balls."""

Real: TypeAlias = Callable[[], Any]
"""A real number, as what encloses it at the present precision (python-flint's ``ctx.prec``)."""
Names: TypeAlias = Mapping[str, Any]
"""Each name has an exact value, a ball (which means all its numbers), or a :data:`Real`."""
Functions: TypeAlias = Mapping[str, Callable[..., Any]]
"""A caller's functions are given exact values, and a ball where a value is not known to be rational."""
T = TypeVar("T")


def pi() -> Any:
    """π, as a value for a name of a formula: ``{"pi": balls.pi}``."""
    return flint.arb.pi()


class Undecided(InputError):  # noqa: N818  # what balls leave open
    """A comparison that no precision tried decides."""


def enclosure(formula: Formula, names: Names, functions: Functions | None = None, bits: int = FIRST_PRECISION) -> Any:
    """A ball (python-flint's ``arb``) around the value of a formula, computed with this precision; NaN if none can be computed.

    Raises:
        InputError: as the exact reading.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    with flint.ctx.workprec(bits):
        try:
            return around(_number(tree)(Case.of(names, functions or {})))
        except Unclear:
            return indeterminate()


def number(formula: Formula, names: Names) -> Mixed:
    """The value of a formula at the present precision, which is exact if known to be rational, or else a ball.

    Raises:
        InputError: as the exact reading.
    """
    try:
        return _number(tree_of(formula))(Case.of(names, {}))
    except Unclear:
        return indeterminate()


def truth(formula: Formula, names: Names, functions: Functions | None = None) -> bool:
    """Whether a condition holds.

    Raises:
        Undecided: not at 65,536 bits.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    of, bits = _PARTS.truth(tree), FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with flint.ctx.workprec(bits):
            try:
                found: bool = of(Case.of(names, functions or {}))
                return found
            except Unclear:
                bits *= 2
    raise Undecided(f"{quoted(tree)} is not decided at {LAST_PRECISION} bits")


def _read(given: Any) -> Any:
    """A value given for a name or returned by a function."""
    if isinstance(given, flint.arb):
        return given
    return given() if callable(given) else exact_value(given)


def _of_known(name: str) -> Callable[..., Any]:
    """A function that is defined on integers only."""
    return lambda *numbers: operations.APPLIED[name](*map(known, numbers))


def _has(name: str, x: Mixed) -> bool:
    """Whether one of :data:`PREDICATES` holds."""
    if not is_exact(x) and not around(x).is_finite():
        raise Unclear
    return PREDICATES[name](x if is_exact(x) else ZERO)


def _formed(name: str, combined: Callable[[Any, Any], Any]) -> Callable[[Iterator[Any]], Any]:
    """Evaluate a sum, a minimum or a maximum."""

    def formed(values: Iterator[Any]) -> Any:
        every = list(values)
        return FORMED[name](iter(every)) if is_exact(*every) else reduce(combined, every)

    return formed


Table: TypeAlias = Mapping[str, Callable[..., Any]]


class _Parts(Parts):
    read = staticmethod(_read)
    known = staticmethod(known)
    negate = staticmethod(opposite)
    compare = staticmethod(compare)
    binary: ClassVar[Table] = {op: partial(combine, op) for op in operations.BINARY}
    applied: ClassVar[Table] = {
        **{name: _of_known(name) for name in operations.APPLIED},
        **{name: partial(apply, name) for name in ENCLOSED},
        "min": lambda *numbers: reduce(least, numbers),
        "max": lambda *numbers: reduce(greatest, numbers),
    }
    rounded: ClassVar[Table] = {}
    predicates: ClassVar[Table] = {name: partial(_has, name) for name in PREDICATES}
    formed: ClassVar[Table] = {
        **FORMED,
        "sum": _formed("sum", partial(combine, "+")),
        "min": _formed("min", least),
        "max": _formed("max", greatest),
    }

    def choice(self, node: Choice) -> Part[Any]:
        """The branch that the test chooses; if the test is not decided, an enclosure of both."""
        chosen, branches = self.truth(node.test), [self.either(node.body), self.either(node.orelse)]
        numbers = [self.number(node.body), self.number(node.orelse)]

        def found(case: Case) -> Any:
            try:
                branch = branches[0] if chosen(case) else branches[1]
            except Unclear:
                try:
                    return hull(*(number(case) for number in numbers))
                except InputError:  # perhaps of the branch that is not asked
                    raise Unclear from None
            return branch(case)

        return found


_PARTS = _Parts()


@lru_cache(maxsize=1 << 10)
def _number(tree: Node) -> Part[Any]:
    """A number, analysed once."""
    return _PARTS.number(tree)
