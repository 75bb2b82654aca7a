"""How a formula in ``x`` is read as a real function on a piece: as a ball, or as a power series of balls, or of fractions if known.

A condition, min, max or abs is decided for all of an open piece at once; where it turns over inside, the piece is to be halved. The
identity tanh(log u) = 1 − 2/(u² + 1) is used: the value is rational where u is, and a ball around it stays narrow.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.language.power_series import DERIVATIVES, ONE, Series, as_ball, constant, function
from verifier.language.syntax import names_in, parse, quoted
from verifier.language.tree import Algebra, Call, Choice, Comparison, Logic, Name, Node, Numeral, Operation, Signed, fold, negative
from verifier.language.words import SIGNS
from verifier.running.errors import InputError

Piece = tuple[Fraction, Fraction]
"""The ends of an open interval; a point where they are equal."""

WITHIN = f"numbers, x, + - * /, ** with a whole power, {', '.join(DERIVATIVES)}; if, min, max and abs of affine expressions"


class TurnsOver(ArithmeticError):  # noqa: N818  # no fault: the piece is too wide
    """A condition, min, max or abs comes out differently inside a piece."""


Reads = Callable[["Reading"], Any]
"""A part of a formula as a function of a reading, so that its tree is gone through once."""


@lru_cache(maxsize=256)
def compiled(formula: str) -> Reads:
    return _compiled(parse(formula))


def _compiled(node: Node) -> Reads:
    return fold(node, _COMPILER)


class _Compiler(Algebra[Reads]):
    def outside(self, node: Node) -> Reads:
        raise InputError(f"{quoted(node)} is not a part of a function of x with derivatives: {WITHIN}")

    def name(self, node: Name) -> Reads:
        return lambda r: r.x

    def numeral(self, node: Numeral) -> Reads:
        value = Fraction(node.value)
        return lambda r: r.constant(value)

    def signed(self, node: Signed) -> Reads:
        read = _compiled(node.operand)
        return (lambda r: -read(r)) if node.sign == "-" else read

    def operation(self, node: Operation) -> Reads:
        match node:
            case Operation(base, "**", Numeral(int(k))):
                read = _compiled(base)
                return lambda r: reduce(operator.mul, [read(r)] * k, r.constant(ONE))
            case Operation(left, op, right) if op in BINARY:
                operation, first, second = BINARY[op], _compiled(left), _compiled(right)
                return lambda r: operation(first(r), second(r))
        return self.outside(node)

    def choice(self, node: Choice) -> Reads:
        return _branches(lambda r: 0 if r.truth(node.test) else 1, [node.body, node.orelse])

    def call(self, node: Call) -> Reads:
        match node:
            case Call("min" | "max" as name, args):
                return _branches(lambda r: r.extreme(args, name == "max"), args)
            case Call("abs", (of,)):
                return _branches(lambda r: 0 if r.sign(of) >= 0 else 1, [of, negative(of)])
            case Call("tanh", (Call("log", (u,)),)):
                read = _compiled(u)
                return lambda r: _tanh_of_log(read(r), r.constant(ONE))
            case Call(name, (of,)) if name in DERIVATIVES:
                read = _compiled(of)
                return lambda r: r.function(name, read(r))
        return self.outside(node)


_COMPILER = _Compiler()


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def _tanh_of_log(u: Any, one: Any) -> Any:
    """tanh(log u) = 1 − 2/(u² + 1)."""
    return one - (one + one) / (u * u + one)


def _branches(choose: Callable[[Reading], int], nodes: Sequence[Node]) -> Reads:
    """The branch that is taken on all of the piece. Where it turns over and only values are asked, a ball around every branch."""
    branches = [_compiled(node) for node in nodes]

    def read(r: Reading) -> Any:
        try:
            return branches[choose(r)](r)
        except TurnsOver:
            return r.any_of([branch(r) for branch in branches])

    return read


@dataclass(frozen=True)
class Reading:
    """A reading as a ball; the piece decides conditions."""

    piece: Piece
    x: Any
    order: int = 0

    def constant(self, value: Fraction) -> Any:
        return as_ball(value)

    def function(self, name: str, value: Any) -> Any:
        return getattr(value, name)()

    def any_of(self, values: list[Any]) -> Any:
        return reduce(lambda a, b: a.union(b), values)

    def truth(self, node: Node) -> bool:
        """A condition on the whole piece."""
        match node:
            case Comparison(left, (op,), (right,)):
                return self.sign(Operation(left, "-", right)) in SIGNS[op]
            case Comparison():
                return all(map(self.truth, node.links()))
            case Logic("not", (operand,)):
                return not self.truth(operand)
            case Logic(op, parts):
                return all(map(self.truth, parts)) if op == "and" else any(map(self.truth, parts))
        raise InputError(f"{quoted(node)} is not a comparison of affine expressions in x")

    def _ends(self, node: Node) -> list[Fraction]:
        """The values of an affine expression at the ends of the piece."""
        return [_affine(node, end) for end in self.piece]

    def sign(self, node: Node) -> int:
        """The sign of an affine expression strictly inside the piece."""
        signs = {(v > 0) - (v < 0) for v in self._ends(node)}
        if signs == {1, -1} or (signs == {0} and self._point and names_in(node)):
            raise TurnsOver
        return sum(signs)

    @property
    def _point(self) -> bool:
        """Whether a derivative at one point is asked, where two branches that meet there may differ."""
        return self.order > 0 and self.piece[0] == self.piece[1]

    def extreme(self, args: Sequence[Node], greatest: bool) -> int:
        """Which argument of max (or min) is extreme on all of the piece."""
        bounds = [self._bounds(a) for a in args]
        best = 0
        for k, (least, most) in enumerate(bounds[1:], 1):
            low, high = bounds[best]
            if self._point and low == least:
                raise TurnsOver
            if least >= high if greatest else most <= low:
                best = k
            elif most > low if greatest else least < high:
                raise TurnsOver
        return best

    def _bounds(self, node: Node) -> Piece:
        """Bounds on the piece of an argument of min or max: affine, or min and max of such."""
        match node:
            case Call("min" | "max" as name, args):
                bounds = [self._bounds(a) for a in args]
                choose = min if name == "min" else max
                return choose(low for low, _ in bounds), choose(high for _, high in bounds)
        values = self._ends(node)
        return min(values), max(values)


class InFlint(Reading):
    """A reading as a power series in t, ``x`` standing for x + t, every coefficient a ball."""

    def function(self, name: str, value: Any) -> Any:
        if name != "tanh" or hasattr(value, name):
            return super().function(name, value)
        return 1 - 2 / ((2 * value).exp() + 1)

    def any_of(self, values: list[Any]) -> Any:
        raise TurnsOver


class InSeries(Reading):
    """A reading as a power series in t, whose coefficients are fractions where they are known to be."""

    def constant(self, value: Fraction) -> Series:
        return constant(value, self.order)

    def function(self, name: str, value: Series) -> Series:
        return function(name, value)

    def any_of(self, values: list[Series]) -> Series:
        if self.order:
            raise TurnsOver
        return Series((super().any_of([as_ball(v.terms[0]) for v in values]),))


def _affine(node: Node, x: Fraction) -> Fraction:
    """The value at x of an affine expression.

    Raises:
        InputError: it is none, or its numbers are not rational.
    """
    match node:
        case Name():
            return x
        case Numeral(literal):
            return Fraction(literal)
        case Signed("-", operand):
            return -_affine(operand, x)
        case Operation(left, "+", right):
            return _affine(left, x) + _affine(right, x)
        case Operation(left, "-", right):
            return _affine(left, x) - _affine(right, x)
        case Operation(left, "*", right) if not (names_in(left) and names_in(right)):
            return _affine(left, x) * _affine(right, x)
        case Operation(left, "/", right) if not names_in(right):
            return _affine(left, x) / _affine(right, x)
    raise InputError(f"{quoted(node)}: an affine expression in x was expected in if, min, max and abs")
