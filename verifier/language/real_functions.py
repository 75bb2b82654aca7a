"""A formula in ``x`` as a real function: values and derivatives, in fractions if they are known to be rational, else in balls.

A derivative is enclosed as a coefficient of a power series (python-flint's ``arb_series``). At a point the derivative is also the value of
a formula, :func:`slope`, which :mod:`verifier.language.balls` reads exactly if it is rational.

Its range, or that of a derivative, over an open interval is enclosed rigorously. If the next derivative has one sign on a piece, the
function is monotone there and its ends decide; otherwise the piece is halved. Ends of the interval do not belong to it: a value that is
only approached there does not count.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import factorial
from typing import Any

from verifier.arithmetic.enclosure import ball_around, ends
from verifier.arithmetic.rationals import Fraction
from verifier.language.definitions import with_meanings
from verifier.language.syntax import SIGNS, Formula, names_in, parse, quoted, tree_of
from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Name,
    Node,
    Numeral,
    Operation,
    Signed,
    fold,
    negative,
    rebuilt,
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
    "+": "a + b",
    "-": "a - b",
    "*": "a*y + x*b",
    "/": "(a - f*b)/y",
    "exp": "f*a",
    "log": "a/x",
    "sqrt": "a/(2*f)",
    "erf": "2/sqrt(pi)*exp(-x*x)*a",
    "tanh": "(1 - f*f)*a",
}
"""The derivative of f = x + y, …, exp(x), …: a formula in f, x, y and their derivatives a and b; ``pi`` is π."""


def slope(node: Node) -> Node:
    """The derivative in x of a formula without choices, as a formula.

    Raises:
        InputError: a part that has no derivative here.
    """
    match node:
        case Numeral() | Name("pi"):
            return Numeral(0)
        case Name():
            return Numeral(1)
        case Signed(sign, operand):
            return Signed(sign, slope(operand))
        case Operation(base, "**", Numeral(0)):
            return Operation(Numeral(0), "*", base)
        case Operation(base, "**", Numeral(1)):
            return slope(base)
        case Operation(base, "**", Numeral(int(k)) as exponent):
            return Operation(Operation(exponent, "*", Operation(base, "**", Numeral(k - 1))), "*", slope(base))
        case Operation(x, operator, y) if operator in SLOPES:
            return with_meanings(parse(SLOPES[operator]), {"f": node, "x": x, "y": y, "a": slope(x), "b": slope(y)})
        case Call(name, (x,)) if name in FUNCTIONS:
            return with_meanings(parse(SLOPES[name]), {"f": node, "x": x, "a": slope(x)})
    raise _outside(node)


Piece = tuple[Fraction, Fraction]
"""The ends of an open interval; a point where they are equal."""

FUNCTIONS = tuple(name for name in SLOPES if name.isalpha())
WITHIN = f"numbers, x, + - * /, ** with a whole power, {', '.join(FUNCTIONS)}; if, min, max and abs of affine expressions"


class TurnsOver(ArithmeticError):  # noqa: N818  # no fault: the piece is too wide
    """A condition, min, max or abs changes inside a piece."""


def _outside(node: Node) -> InputError:
    return InputError(f"{quoted(node)} is not a part of a function of x with derivatives: {WITHIN}")


Reads = Callable[["Reading"], Any]
"""A part of a formula as a function of a reading, so that its tree is gone through once."""


@lru_cache(maxsize=256)
def compiled(formula: Node) -> Reads:
    return _compiled(formula)


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


def _compiled(node: Node) -> Reads:
    return fold(node, _COMPILER)


class _Compiler(Algebra[Reads]):
    def outside(self, node: Node) -> Reads:
        raise _outside(node)

    def name(self, node: Name) -> Reads:
        return lambda r: r.names[node.name]

    def numeral(self, node: Numeral) -> Reads:
        value = Fraction(node.value)
        return lambda r: as_ball(value)

    def signed(self, node: Signed) -> Reads:
        read = _compiled(node.operand)
        return (lambda r: -read(r)) if node.sign == "-" else read

    def operation(self, node: Operation) -> Reads:
        match node:
            case Operation(base, "**", Numeral(0)):
                read = _compiled(base)
                return lambda r: 0 * read(r) + 1  # NaN where the base has no value
            case Operation(base, "**", Numeral(int(k))):
                read = _compiled(base)
                return lambda r: reduce(operator.mul, [read(r)] * k)
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
            case Call(name, (of,)) if name in FUNCTIONS:
                read = _compiled(of)
                return lambda r: r.function(name, read(r))
        return self.outside(node)


_COMPILER = _Compiler()


def _nan() -> Any:
    import flint

    return flint.arb("nan")


def _first(value: Any) -> Any:
    """The ball around a value: of a power series, its first coefficient."""
    import flint

    return value[0] if isinstance(value, flint.arb_series) else value


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda x, y: _nan() if _first(y).contains(0) else x / y,
}


def _branches(choose: Callable[[Reading], int], nodes: Sequence[Node]) -> Reads:
    """The branch that is taken on all of the piece. If the choice changes and only values are needed, a ball around every branch."""
    branches = [_compiled(node) for node in nodes]

    def read(r: Reading) -> Any:
        try:
            return branches[choose(r)](r)
        except TurnsOver:
            return r.any_of([branch(r) for branch in branches])

    return read


@dataclass(frozen=True)
class Reading:
    """A reading as a ball, for names that stand for balls; the piece of x, if there is one, decides conditions."""

    piece: Piece | None
    names: Mapping[str, Any]
    order: int = 0

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
        if self.piece is None:
            raise TurnsOver
        return [_affine(node, end) for end in self.piece]

    def sign(self, node: Node) -> int:
        """The sign of an affine expression strictly inside the piece."""
        signs = {(v > 0) - (v < 0) for v in self._ends(node)}
        if signs == {1, -1} or (signs == {0} and self._point and names_in(node)):
            raise TurnsOver
        return sum(signs)

    @property
    def _point(self) -> bool:
        """Whether a derivative at one point is requested, where two branches that meet may differ."""
        return self.order > 0 and self.piece is not None and self.piece[0] == self.piece[1]

    def extreme(self, args: Sequence[Node], greatest: bool) -> int:
        """The argument of max (or min) that is extreme on all of the piece."""
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


class InSeries(Reading):
    """A reading as a power series in t, ``x`` standing for x + t, every coefficient a ball."""

    def function(self, name: str, value: Any) -> Any:
        import flint

        if not isinstance(value, flint.arb_series):
            return super().function(name, value)
        if name in ("log", "sqrt") and not value[0] > 0:
            return _nan()
        return 1 - 2 / ((2 * value).exp() + 1) if name == "tanh" else super().function(name, value)

    def any_of(self, values: list[Any]) -> Any:
        raise TurnsOver

    def chosen(self, node: Node) -> Node:
        """The formula with the branch in place of each choice."""
        match node:
            case Choice(test, body, orelse):
                return self.chosen(body if self.truth(test) else orelse)
            case Call("min" | "max" as name, args):
                return self.chosen(args[self.extreme(args, name == "max")])
            case Call("abs", (of,)):
                return self.chosen(of if self.sign(of) >= 0 else negative(of))
        return rebuilt(node, self.chosen)


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

    def _at(self, order: int, x: Fraction, piece: Piece) -> Part:
        """f^(order)(x) with conditions decided by the piece; NaN if it does not exist."""
        from verifier.language import balls

        compiled(self.tree)  # refuses what has no derivatives
        try:
            tree = InSeries(piece, {}, order).chosen(self.tree)
        except TurnsOver:
            return _nan()
        given = {"x": x, "pi": balls.pi}
        try:
            value = balls.number(tree, given)
            for _ in range(order if balls.around(value).is_finite() else 0):
                tree = slope(tree)
            return balls.number(tree, given)
        except InputError:
            return _nan()

    def exact(self, x: Fraction) -> Fraction | None:
        """f(x) if it is known to be rational: computed in fractions, or a ball that is a point."""
        return known(self._at(0, x, (x, x)))

    def enclosed(self, x: Fraction) -> Any:
        """A ball around f(x), at flint's present precision."""
        return self._ball(0, as_ball(x), (x, x))

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
        """As :meth:`at`, but faster, and never exact.

        Raises:
            InputError: no derivative there.
        """
        ball = self._ball(order, as_ball(x), beside)
        if not ball.is_finite():
            raise InputError(f"{quoted(self.formula)} has no {'derivative' if order else 'value'} at x = {x}")
        return ends(ball)

    def over(self, order: int, piece: Piece) -> Any:
        """A ball around the derivative of an order on a piece, its ends included as limits; NaN if the piece is too wide."""
        low, high = piece
        return self._ball(order, as_ball(low).union(as_ball(high)), piece)

    def _ball(self, order: int, x: Any, piece: Piece) -> Any:
        return _enclosed(self.tree, {}, "x", x, order, piece)


def derivative(formula: Formula, name: str, names: Mapping[str, Part], order: int, bits: int) -> Any:
    """A ball around a derivative in ``name`` of a formula without choices, computed with this precision; NaN if none can be computed.

    names: numbers, or balls that stand for all their numbers.

    Raises:
        InputError: a formula that has no derivatives (:data:`WITHIN`).
    """
    import flint

    with flint.ctx.workprec(bits):
        given = {key: as_ball(value) for key, value in names.items()}
        return _enclosed(tree_of(formula), given, name, given[name], order, None)


def _enclosed(formula: Node, names: Mapping[str, Any], name: str, x: Any, order: int, piece: Piece | None) -> Any:
    """A ball around the derivative of an order, at flint's present precision."""
    import flint

    if order == 0:
        return compiled(formula)(Reading(piece, {**names, name: x}))
    try:
        found = compiled(formula)(InSeries(piece, {**names, name: flint.arb_series([x, 1], order + 1)}, order))
    except (TurnsOver, ValueError):  # ValueError: the piece is so wide that the ball of a denominator holds 0
        return _nan()
    return found[order] * factorial(order) if isinstance(found, flint.arb_series) and found[0].is_finite() else 0 * _first(found)


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
    """Both halves of a piece, cut at a point where the derivative exists.

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
    """None if the derivative of an order maps the open ``domain`` into the open interval ``claimed``; else a point at which it does not.

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
