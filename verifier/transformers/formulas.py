"""The formula language of network files: numbers, conditions, and maps that are linear in names.

Numbers are fractions, or :class:`Real` if the formula contains a root, an exponential, or a cosine or sine of an angle that is not special.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import Real, enclosure, opaque
from verifier.language import exact
from verifier.language.operands import Bits, unknown_name
from verifier.language.operations import Irrational
from verifier.language.printer import printed
from verifier.language.syntax import Formula, names_in, parse, quoted, tree_of
from verifier.language.tree import Call, Name, Node, Numeral, Operation, Signed, Slice, negative
from verifier.running.errors import InputError

Constant: TypeAlias = Fraction | Real
Names: TypeAlias = Mapping[str, Any]
Functions: TypeAlias = Mapping[str, Callable[..., Any]]


_COSINES = {Fraction(k, 6): Fraction(c, 2) for k, c in ((0, 2), (2, 1), (3, 0), (4, -1), (6, -2), (8, -1), (9, 0), (10, 1))}
"""cos(πx) by x modulo 2, wherever x and it are rational (I. Niven, 1956)."""


def _trigonometric(name: str) -> Callable[[Any], Any]:
    """cos(x) and sin(x), and for πx cospi(x) and sinpi(x); exact if a rational x has a rational value."""
    shift = {"cospi": Fraction(0), "sinpi": Fraction(1, 2)}

    def value(x: Any) -> Any:
        if isinstance(x, Fraction):
            if name in shift and (found := _COSINES.get((x - shift[name]) % 2)) is not None:
                return found
            if x == 0:
                return Fraction(name == "cos")
        raise Irrational(f"{name}({x})")

    return value


def _enclosed(name: str) -> Callable[[Any], Any]:
    exactly = _trigonometric(name)

    def value(x: Any) -> Any:
        import flint

        try:
            return exactly(x)
        except Irrational:
            ball = ball_around(flint, x) if isinstance(x, Fraction) else x
            return {"cos": ball.cos, "sin": ball.sin, "cospi": ball.cos_pi, "sinpi": ball.sin_pi}[name]()

    return value


ANGLES = {name: _trigonometric(name) for name in ("cos", "sin", "cospi", "sinpi")}
"""Functions beside those of the language."""
_BALLS = {name: _enclosed(name) for name in ANGLES}


def number(formula: Formula, names: Names, functions: Functions | None = None) -> Constant:
    """The value of a formula, exact or as an enclosure."""
    own = functions or {}
    tree = tree_of(formula)
    if "pi" not in names_in(tree):
        try:
            return exact.rational(tree, names, {**own, **ANGLES})
        except Irrational:
            pass

    def ball() -> Any:
        import flint

        from verifier.language import balls

        return balls.enclosure(tree, {**names, "pi": balls.pi}, {**own, **_BALLS}, bits=flint.ctx.prec)

    return opaque(ball)


def turn(angle: Constant, times: int) -> tuple[Constant, Constant]:
    """The cosine and the sine of a multiple of an angle."""
    if times == 0 or angle == 0:
        return Fraction(1), Fraction(0)
    return opaque(lambda: (enclosure(angle) * times).cos()), opaque(lambda: (enclosure(angle) * times).sin())


def integer(formula: Formula, names: Names) -> int:
    """The value of a formula that must be an integer."""
    return exact.integer(formula, names)


def truth(formula: Formula, names: Names, functions: Functions | None = None) -> bool:
    """Whether a condition holds; names may have irrational values. A condition that balls leave undecided is an error."""
    irrational = {name: x for name, x in names.items() if isinstance(x, Real)}
    used = names_in(formula) & irrational.keys()
    if not used:
        return exact.truth(formula, {k: x for k, x in names.items() if k not in irrational}, functions)
    enclosed = {name: (lambda x=x: enclosure(x)) for name, x in irrational.items()}
    from verifier.language import balls

    return balls.truth(formula, {**names, **enclosed}, functions or {})


def reads(formula: Formula, names: Collection[str]) -> set[str]:
    """The names that a formula reads, among these."""
    return set(names_in(formula)) & set(names)


@dataclass(frozen=True)
class Map:
    """A linear form: the coefficients of names, in the order of these names, and a constant."""

    terms: tuple[tuple[str, Constant], ...]
    constant: Constant = Fraction(0)


def linear(formula: Formula, order: Collection[str], names: Names) -> Map:
    """Read a formula as a map of the names in ``order``. The coefficients may use ``names``.

    Raises:
        InputError: not linear in them, or another name.
    """
    tree, gathered = tree_of(formula), dict[str | None, list[Node]]()
    if unknown := names_in(tree) - names.keys() - {*order, "pi"}:
        raise unknown_name(unknown, [*order, *names])
    for name, coefficient in _terms(tree, frozenset(order)):
        gathered.setdefault(name, []).append(coefficient)
    values = {name: number(_sum(each), names) for name, each in gathered.items()}
    terms = ((name, values[name]) for name in order if name in values)
    return Map(tuple((name, c) for name, c in terms if c != 0), values.get(None, Fraction(0)))


def _sum(parts: list[Node]) -> Node:
    total = parts[0]
    for part in parts[1:]:
        total = Operation(total, "+", part)
    return total


def _terms(tree: Node, order: frozenset[str]) -> Iterator[tuple[str | None, Node]]:
    """Each term: its name, if any, and its coefficient."""
    if not names_in(tree) & order:
        yield None, tree
        return
    match tree:
        case Name(own):
            yield own, Numeral(1)
        case Signed(sign, operand):
            for name, c in _terms(operand, order):
                yield name, Signed(sign, c)
        case Operation(left, "+" | "-" as operator, right):
            yield from _terms(left, order)
            for name, c in _terms(right, order):
                yield name, c if operator == "+" else negative(c)
        case Operation(left, "*", right) if not names_in(left) & order:
            for name, c in _terms(right, order):
                yield name, Operation(left, "*", c)
        case Operation(left, "*" | "/" as operator, right) if not names_in(right) & order:
            for name, c in _terms(left, order):
                yield name, Operation(c, operator, right)
        case _:
            raise InputError(f"{quoted(tree)} is not linear; a map such as -place + 2*share was expected")


@dataclass(frozen=True)
class Piece:
    """A part of the input: a word (a special token or a symbol), or symbols ``first`` … ``last`` of a string, perhaps reversed."""

    word: str
    ends: tuple[Node, Node] | None = None
    backwards: bool = False


def piece(text: str) -> Piece:
    """An entry of ``tokens``: ``CLS``, ``0``, ``w``, ``w[1 : n]``, ``reversed(w)``."""
    tree = parse(text)
    match tree:
        case Call("reversed", (inner,)):
            found = piece(printed(inner))
            return Piece(found.word, found.ends, not found.backwards)
        case Slice(name, first, last):
            return Piece(name, (first, first if last is None else last))
        case Name(name):
            return Piece(name)
        case Numeral(int(symbol)):
            return Piece(str(symbol))
    raise InputError(f"{text!r}: a special token, a symbol, w, w[1 : n] or reversed(w) was expected")


def of_strings(strings: Mapping[str, tuple[int, ...]], symbols: int) -> tuple[dict[str, Any], dict[str, Callable[..., Any]]]:
    """Strings as names and functions of formulas: w is the number that it spells (for two symbols its bits), w(j) symbol j."""
    names: dict[str, Any] = {}
    functions: dict[str, Callable[..., Any]] = {}
    for name, string in strings.items():
        if symbols == 2:
            spelt = int("0" + "".join(map(str, string)), 2)
        else:
            spelt = 0
            for symbol in string:
                spelt = spelt * symbols + symbol
        names[name] = Bits(spelt, len(string)) if symbols == 2 else Fraction(spelt)
        functions[name] = _symbol_of(name, string)
    return names, functions


def _symbol_of(name: str, string: tuple[int, ...]) -> Callable[[Any], Fraction]:
    def symbol(j: Any) -> Fraction:
        if j.denominator != 1 or not 1 <= j <= len(string):
            raise InputError(f"{name}({j}): the string has symbols 1 to {len(string)}")
        return Fraction(string[int(j) - 1])

    return symbol
