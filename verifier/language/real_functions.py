"""A formula in ``x`` as a real function: values and derivatives, in fractions if they are known to be rational, else in balls.

A derivative is the value of a formula, :func:`slope`, which :mod:`verifier.language.balls` reads, exactly if it is rational. ``abs``,
``min`` and ``max`` are choices by a comparison; conditions of affine expressions decide choices for all of a piece at once.

Its range, or that of a derivative, over an open interval is enclosed rigorously. If the next derivative has one sign on a piece, the
function is monotone there and its ends decide; otherwise the piece is halved. Ends of the interval do not belong to it: a value that is
only approached there does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import Any

from verifier.arithmetic.enclosure import ball_around, ends
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import with_meanings
from verifier.language.exact import rational
from verifier.language.syntax import SIGNS, Formula, names_in, parse, quoted, tree_of
from verifier.language.tree import (
    Call,
    Choice,
    Comparison,
    Logic,
    Name,
    Node,
    Numeral,
    Operation,
    Signed,
    comparison,
    negative,
    rebuilt,
    walk,
)
from verifier.running.errors import InputError

Part = Any
"""A Fraction, or an ``arb`` around a real that is not known to be rational; NaN for none."""


def as_ball(x: Part) -> Any:
    import flint

    return ball_around(flint, x) if isinstance(x, Fraction) else x


def known(x: Part) -> Fraction | None:
    """The known rational value of a part: a fraction, or a ball without radius."""
    if isinstance(x, Fraction):
        return x
    if not (x.is_finite() and x.is_exact()):
        return None
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


SLOPES = {
    "exp": "f",
    "log": "1/x + 0*f",
    "sqrt": "1/(2*f)",
    "erf": "2/sqrt(pi)*exp(-x*x)",
    "tanh": "1 - f*f",
}
"""The derivative of f = exp(x), …: a formula in f and x that has a value only where f has one; ``pi`` is π."""
NOTHING = Numeral(0)


def slope(node: Node, name: str = "x") -> Node:
    """The derivative of a formula in ``name``, as a formula that has a value only where the formula has one.

    Raises:
        InputError: a part that has no derivative here.
    """
    match node:
        case Numeral():
            return NOTHING
        case Name():
            return Numeral(int(node.name == name))
        case Signed(sign, operand):
            return Signed(sign, slope(operand, name))
        case Operation(x, "+" | "-" as op, y):
            return _sum(slope(x, name), op, slope(y, name))
        case Operation(x, "*", y):
            a, b = slope(x, name), slope(y, name)
            return _sum(_product(a, y), "+", _product(b, x))
        case Operation(x, "/", y):
            a, b = slope(x, name), slope(y, name)
            return Operation(_sum(a, "-", _product(b, node)), "/", y)
        case Operation(base, "**", Numeral(0)):
            return Operation(NOTHING, "*", base)
        case Operation(base, "**", Numeral(1)):
            return slope(base, name)
        case Operation(base, "**", Numeral(int(k)) as exponent):
            return Operation(Operation(exponent, "*", Operation(base, "**", Numeral(k - 1))), "*", slope(base, name))
        case Call(function, (x,)) if function in SLOPES:
            return Operation(slope(x, name), "*", with_meanings(parse(SLOPES[function]), {"f": node, "x": x}))
        case Choice(test, body, orelse):
            return Choice(test, slope(body, name), slope(orelse, name))
    raise InputError(f"{quoted(node)} is not a part of a function of x with derivatives: {WITHIN}")


def _product(slope: Node, other: Node) -> Node:
    """A derivative of 0 belongs to numbers: what is left out with it has a value wherever the whole formula has one."""
    return NOTHING if slope == NOTHING else other if slope == Numeral(1) else Operation(slope, "*", other)


def _sum(x: Node, operator: str, y: Node) -> Node:
    return x if y == NOTHING else y if x == NOTHING and operator == "+" else Operation(x, operator, y)


Piece = tuple[Fraction, Fraction]
"""The ends of an open interval, or a point if they are equal."""

WITHIN = f"numbers, x, + - * /, ** with a whole power, {', '.join(SLOPES)}; if, min, max and abs of affine expressions"


class TurnsOver(ArithmeticError):  # noqa: N818  # no fault: the piece is too wide
    """A condition, min, max or abs changes inside a piece."""


def as_choices(node: Node) -> Node:
    """``abs``, ``min`` and ``max`` as choices by a comparison."""
    match rebuilt(node, as_choices):
        case Call("abs", (x,)):
            return Choice(comparison(x, ">=", Numeral(0)), x, negative(x))
        case Call("min" | "max" as name, numbers):
            test = "<=" if name == "min" else ">="
            return reduce(lambda x, y: Choice(comparison(x, test, y), x, y), numbers)
        case other:
            return other


@lru_cache(maxsize=1 << 10)
def slopes(formula: Node, name: str, order: int) -> Node:
    """The derivative of an order; of order 0 the formula itself, which is refused if it has no derivatives."""
    if order == 0:
        slope(tree := as_choices(formula), name)
        return tree
    return slope(slopes(formula, name, order - 1), name)


@lru_cache(maxsize=256)
def rational_tanh(node: Node) -> Node:
    """The formula with 1 − 2/(u² + 1), which is rational for rational u, in place of tanh(log(u)) of a sum or product of positive numbers
    u."""
    match rebuilt(node, rational_tanh):
        case Call("tanh", (Call("log", (u,)),)) if _positive(u):
            return with_meanings(parse("1 - 2/(u*u + 1)"), {"u": u})
        case other:
            return other


def _positive(node: Node) -> bool:
    match node:
        case Numeral(value):
            return value > 0
        case Operation(x, "+" | "*" | "/", y):
            return _positive(x) and _positive(y)
    return isinstance(node, Call) and node.function == "exp"


@lru_cache(maxsize=1 << 10)
def chooses(tree: Node) -> bool:
    """Whether a formula has a choice."""
    return any(isinstance(part, Choice) for part in walk(tree))


@dataclass(frozen=True)
class Choices:
    """Choices that have one answer on the whole open piece of x, or at a point. If no piece is given, no choice is decided."""

    piece: Piece | None
    order: int
    """The order of the derivative, which has no value where two branches meet. An enclosure of values may leave choices open."""

    def decided(self, node: Node) -> Node:
        """The formula with the branch in place of each choice.

        Raises:
            TurnsOver: a choice changes inside the piece, in a derivative.
        """
        if not chooses(node):
            return node
        if isinstance(node, Choice):
            try:
                return self.decided(node.body if self._truth(node.test) else node.orelse)
            except TurnsOver:
                if self.order:
                    raise
        return rebuilt(node, self.decided)

    def _truth(self, node: Node) -> bool:
        """A condition on the whole piece."""
        match node:
            case Comparison(left, (op,), (right,)):
                return self._sign(Operation(self.decided(left), "-", self.decided(right))) in SIGNS[op]
            case Comparison():
                return all(map(self._truth, node.links()))
            case Logic("not", (operand,)):
                return not self._truth(operand)
            case Logic(op, parts):
                return all(map(self._truth, parts)) if op == "and" else any(map(self._truth, parts))
        raise InputError(f"{quoted(node)} is not a comparison of affine expressions in x")

    def _sign(self, node: Node) -> int:
        """The sign of an affine expression strictly inside the piece, or none where a choice within it is open."""
        if self.piece is None or chooses(node):
            raise TurnsOver
        signs = {(v > 0) - (v < 0) for v in (_affine(node, end) for end in self.piece)}
        if signs == {1, -1} or (signs == {0} and self.order > 0 and self.piece[0] == self.piece[1] and names_in(node)):
            raise TurnsOver
        return sum(signs)


def _affine(node: Node, x: Fraction) -> Fraction:
    """The value at x of an affine expression, whose derivative is a number.

    Raises:
        InputError: it is none, or its numbers are not rational.
    """
    if names_in(slopes(node, "x", 1)):
        raise InputError(f"{quoted(node)}: an affine expression in x was expected in if, min, max and abs")
    return rational(node, {"x": x})


@dataclass(frozen=True)
class RealFunction:
    """x ↦ the value of a formula that leaves ``x`` open and nothing else.

    Raises:
        InputError: the formula has another form; or, when a method is called, no derivatives
            (:data:`~verifier.language.real_functions.WITHIN`).
    """

    formula: str

    def __post_init__(self) -> None:
        if others := names_in(self.formula) - {"x"}:
            raise InputError(f"{quoted(self.formula)} leaves {min(others)} open; a function of x was expected")

    @cached_property
    def tree(self) -> Node:
        return rational_tanh(tree_of(self.formula))

    def _at(self, order: int, x: Part, piece: Piece) -> Part:
        """f^(order) at a number or on a ball, with conditions decided by the piece; NaN if it does not exist."""
        return _value(self.tree, "x", {"x": x}, order, piece)

    def exact(self, x: Fraction) -> Fraction | None:
        """f(x) if it is known to be rational: computed in fractions, or a ball that is a point."""
        return known(self._at(0, x, (x, x)))

    def enclosed(self, x: Fraction) -> Any:
        """A ball around f(x), at flint's present precision."""
        return as_ball(self._at(0, as_ball(x), (x, x)))

    def at(self, order: int, x: Fraction, beside: Piece | None = None) -> Piece:
        """Both ends of an enclosure of the derivative of an order at x; equal ends if it is known to be rational.

        beside: a piece with the end x, whose limit at x is requested.

        Raises:
            InputError: it has none there.
        """
        part = self._at(order, x, beside or (x, x))
        value = known(part)
        if value is None and not part.is_finite():
            raise InputError(f"{quoted(self.formula)} has no {'derivative' if order else 'value'} at x = {x}")
        return ends(part) if value is None else (value, value)

    def near(self, order: int, x: Fraction, beside: Piece) -> Piece:
        """Do the same as :meth:`at`, but faster, and never exact.

        Raises:
            InputError: no derivative there.
        """
        ball = as_ball(self._at(order, as_ball(x), beside))
        if not ball.is_finite():
            raise InputError(f"{quoted(self.formula)} has no {'derivative' if order else 'value'} at x = {x}")
        return ends(ball)

    def over(self, order: int, piece: Piece) -> Any:
        """A ball around the derivative of an order on a piece, its ends included as limits; NaN if the piece is too wide."""
        low, high = piece
        return as_ball(self._at(order, as_ball(low).union(as_ball(high)), piece))


def derivative(formula: Formula, name: str, names: Mapping[str, Part], order: int, bits: int) -> Any:
    """A ball around a derivative in ``name`` of a formula without choices, computed with this precision; NaN if none can be computed.

    names: numbers, or balls that stand for all their numbers.

    Raises:
        InputError: a formula that has no derivatives (:data:`WITHIN`).
    """
    import flint

    with flint.ctx.workprec(bits):
        return as_ball(_value(tree_of(formula), name, names, order, None))


def _value(formula: Node, name: str, names: Mapping[str, Part], order: int, piece: Piece | None) -> Part:
    """The derivative of an order, at flint's present precision; NaN if it has no value."""
    from verifier.language import balls

    try:
        tree = Choices(piece, order).decided(slopes(formula, name, order))
    except TurnsOver:
        return balls.indeterminate()
    try:
        return balls.number(tree, {**names, "pi": balls.pi})
    except InputError:
        return balls.indeterminate()


PRECISION = 128
SMALLEST = Fraction(1, 1 << 40)
"""A piece, or an enclosure of values, that is halved no further."""
CUTS = (8, 64, 512, 4096)
"""Into how many pieces an interval is cut, one number after the other, in the search for a point that escapes."""


@dataclass(frozen=True)
class OpenRange:
    """The set of values lies between infimum and supremum; each is known within its enclosure."""

    infimum: Piece
    supremum: Piece

    def __str__(self) -> str:
        return f"({four_digits(*self.infimum)}, {four_digits(*self.supremum)})"


def four_digits(low: Fraction, high: Fraction) -> str:
    """A number known to lie in [low, high], to four decimals.

    Raises:
        ArithmeticError: the two ends differ there.
    """
    first, second = round(low * 10**4), round(high * 10**4)
    if first != second:
        raise ArithmeticError(f"[{low}, {high}] is too wide for four digits")
    return f"{'-' if first < 0 else ''}{abs(first) // 10**4}.{abs(first) % 10**4:04d}"


@lru_cache(maxsize=1 << 12)
def open_range(function: RealFunction, order: int, domain: Piece) -> OpenRange:
    """Infimum and supremum of the derivative of an order (0: of the function itself) over an open interval."""
    import flint

    with flint.ctx.workprec(PRECISION):
        pieces = _pieces(function, order, domain, domain)
    lows, highs = [p[0] for p in pieces], [p[1] for p in pieces]
    return OpenRange((min(x for x, _ in lows), min(y for _, y in lows)), (max(x for x, _ in highs), max(y for _, y in highs)))


def _pieces(function: RealFunction, order: int, piece: Piece, domain: Piece) -> list[tuple[Piece, Piece]]:
    """Enclosures of the least and greatest value on each piece."""
    slope = function.over(order + 1, piece)
    if slope.is_finite():
        if slope >= 0 or slope <= 0:
            first, last = (_at_an_end(function, order, x, piece, domain) for x in piece)
            return [(first, last) if slope >= 0 else (last, first)]
        whole = _around_the_middle(function, order, piece, slope)
        if whole[1] - whole[0] < SMALLEST:
            return [(whole, whole)]
    elif piece[1] - piece[0] < SMALLEST:
        ball = function.over(order, piece)
        if not ball.is_finite():
            raise ArithmeticError(f"{function.formula} was not enclosed on ({piece[0]}, {piece[1]})")
        return [(ends(ball), ends(ball))]
    return [found for half in _halves(function, order, piece) for found in _pieces(function, order, half, domain)]


def _at_an_end(function: RealFunction, order: int, x: Fraction, piece: Piece, domain: Piece) -> Piece:
    """The value at an end of a piece; at an end of the domain, which may be the claimed bound, exact if it is rational."""
    return function.at(order, x, piece) if x in domain else function.near(order, x, piece)


def _around_the_middle(function: RealFunction, order: int, piece: Piece, slope: Any) -> Piece:
    """An enclosure of all values on a piece, by the mean value theorem: f(middle) + f′(piece)·(x − middle)."""
    low, high = function.near(order, (piece[0] + piece[1]) / 2, piece)
    reach = max(map(abs, ends(slope))) * (piece[1] - piece[0]) / 2
    return low - reach, high + reach


def _halves(function: RealFunction, order: int, piece: Piece) -> tuple[Piece, Piece]:
    """Cut a piece into two halves at a point where the derivative exists.

    Raises:
        ArithmeticError: it does not, or two branches of the formula meet there.
    """
    low, high = piece
    middle = (low + high) / 2
    if not function.over(order, (middle, middle)).is_finite():
        raise ArithmeticError(f"{function.formula} has no known {'derivative' if order else 'value'} at x = {middle}")
    return (low, middle), (middle, high)


@dataclass(frozen=True)
class Escape:
    """A point of the open interval at which the value is not in the open interval claimed."""

    x: Fraction
    value: str


def escape(function: RealFunction, order: int, domain: Piece, claimed: Piece) -> Escape | None:
    """Find a point at which the derivative of an order does not map the open ``domain`` into the open interval ``claimed``, or None if it
    always does.

    Raises:
        ArithmeticError: neither was decided.
    """
    import flint

    with flint.ctx.workprec(PRECISION):
        with suppress(ArithmeticError):  # no derivative somewhere: perhaps a point beside it decides
            if _inside(function, order, domain, domain, claimed):
                return None
        low, high = domain
        for x in (low + (high - low) * k / cuts for cuts in CUTS for k in range(1, cuts)):
            try:
                first, second = function.at(order, x)
            except InputError:  # no derivative there
                continue
            if second <= claimed[0] or first >= claimed[1]:
                return Escape(x, str(first) if first == second else four_digits(first, second))
    raise ArithmeticError(f"whether {function.formula} stays in ({claimed[0]}, {claimed[1]}) was not decided")


def _inside(function: RealFunction, order: int, piece: Piece, domain: Piece, claimed: Piece) -> bool:
    whole = function.over(order, piece)
    if whole.is_finite():
        first, second = ends(whole)
        if claimed[0] < first and second < claimed[1]:
            return True
    slope = function.over(order + 1, piece)
    if slope.is_finite() and (slope > 0 or slope < 0):
        return all(
            (claimed[0] <= first and second <= claimed[1]) if x in domain else (claimed[0] < first and second < claimed[1])
            for x, (first, second) in ((x, _at_an_end(function, order, x, piece, domain)) for x in piece)
        )
    if piece[1] - piece[0] < SMALLEST:
        return False
    return all(_inside(function, order, half, domain, claimed) for half in _halves(function, order, piece))
