"""The range of a function, or of its derivative, over an open interval, enclosed rigorously.

Where the next derivative has one sign on a piece, the function is monotone there and its ends decide; where it has none, the piece is
halved. Ends of the interval are not points of it: a value that is only approached there is not taken.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from verifier.arithmetic.enclosure import ends
from verifier.arithmetic.rationals import Fraction
from verifier.language.real_functions import Piece, RealFunction
from verifier.running.errors import InputError

PRECISION = 128
SMALLEST = Fraction(1, 1 << 40)
"""A piece, or an enclosure of values, that is halved no further."""
CUTS = (8, 64, 512, 4096)
"""Into how many pieces an interval is cut, one number after the other, in the search for a point that escapes."""


@dataclass(frozen=True)
class OpenRange:
    """The set of values lies between infimum and supremum; each is known up to the width of its enclosure."""

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
    """For each piece enclosures of its least and greatest value."""
    slope = function.over(order + 1, piece)
    if slope.is_finite():
        if slope >= 0 or slope <= 0:
            first, last = (_value(function, order, x, piece, domain) for x in piece)
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


def _value(function: RealFunction, order: int, x: Fraction, piece: Piece, domain: Piece) -> Piece:
    """The value at an end of a piece; at an end of the domain, which may be the bound that is claimed, exactly where it is rational."""
    return function.at(order, x, piece) if x in domain else function.near(order, x, piece)


def _around_the_middle(function: RealFunction, order: int, piece: Piece, slope: Any) -> Piece:
    """An enclosure of all values on a piece, by the mean value theorem: f(middle) + f′(piece)·(x − middle)."""
    low, high = function.near(order, (piece[0] + piece[1]) / 2, piece)
    reach = max(map(abs, ends(slope))) * (piece[1] - piece[0]) / 2
    return low - reach, high + reach


def _halves(function: RealFunction, order: int, piece: Piece) -> tuple[Piece, Piece]:
    """Both halves of a piece, in the middle of which the derivative exists.

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
    """None where the derivative of an order maps the open ``domain`` into the open interval ``claimed``; else a point where it does not.

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
            for x, (first, second) in ((x, _value(function, order, x, piece, domain)) for x in piece)
        )
    if piece[1] - piece[0] < SMALLEST:
        return False
    return all(_inside(function, order, half, domain, claimed) for half in _halves(function, order, piece))
