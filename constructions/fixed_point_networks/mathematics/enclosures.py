"""The range of σ or σ′ over an open interval, enclosed rigorously.

A derivative comes from a power series in ball arithmetic. Where the next derivative has one sign on a piece, the function is monotone
there and its ends decide; where it has none, the piece is halved.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from constructions.fixed_point_networks.mathematics.activations import Activation
from verifier.arithmetic.enclosure import ball_around, ends

Pair = tuple[Fraction, Fraction]

PRECISION = 128
SMALLEST = Fraction(1, 1 << 40)


@dataclass(frozen=True)
class OpenRange:
    """The set of values lies between infimum and supremum; each is known up to the width of its enclosure."""

    infimum: tuple[Fraction, Fraction]
    supremum: tuple[Fraction, Fraction]

    def __str__(self) -> str:
        return f"({four_digits(*self.infimum)}, {four_digits(*self.supremum)})"


def four_digits(low: Fraction, high: Fraction) -> str:
    """A number known to lie in [low, high], to four decimals."""
    first, second = round(low * 10**4), round(high * 10**4)
    if first != second:
        raise ArithmeticError(f"[{float(low)}, {float(high)}] is too wide for four digits")
    return f"{'-' if first < 0 else ''}{abs(first) // 10**4}.{abs(first) % 10**4:04d}"


def derivative(activation: Activation, order: int, low: Fraction, high: Fraction) -> Any:
    """A ball around σ^(order) over [low, high] (order 0, 1 or 2); NaN where the piece is too wide for one."""
    import flint

    assert activation.series is not None
    ball = ball_around(flint, low).union(ball_around(flint, high))
    if order == 0:
        return activation.series(flint, ball)
    with_x = flint.arb_series([ball, 1], order + 1)
    try:
        return activation.series(flint, with_x)[order] * (1, 1, 2)[order]
    except ValueError:  # the piece is so wide that the ball of a denominator holds 0
        return flint.arb("nan")


def at_point(activation: Activation, order: int, x: Fraction) -> tuple[Fraction, Fraction]:
    """σ^(order)(x), exactly at 0 where it is rational there, else as an enclosure."""
    if x == 0:
        exact = activation.exact(x) if order == 0 else activation.slope0
        if exact is not None:
            return exact, exact
    return ends(derivative(activation, order, x, x))


def open_range(activation: Activation, order: int, low: Fraction, high: Fraction) -> OpenRange:
    """Infimum and supremum of σ (order 0) or σ′ (order 1) over (low, high)."""
    import flint

    with flint.ctx.workprec(PRECISION):
        pieces = _pieces(activation, order, low, high)
    lows, highs = [p[0] for p in pieces], [p[1] for p in pieces]
    return OpenRange((min(x for x, _ in lows), min(y for _, y in lows)), (max(x for x, _ in highs), max(y for _, y in highs)))


def _pieces(activation: Activation, order: int, low: Fraction, high: Fraction) -> list[tuple[Pair, Pair]]:
    """For each piece enclosures of its least and greatest value."""
    slope = derivative(activation, order + 1, low, high)
    rising, falling = _sign(slope, 1), _sign(slope, -1)
    if rising or falling:
        first, last = at_point(activation, order, low), at_point(activation, order, high)
        return [(first, last) if rising else (last, first)]
    if high - low < SMALLEST:
        whole = ends(derivative(activation, order, low, high))
        return [(whole, whole)]
    middle = (low + high) / 2
    return _pieces(activation, order, low, middle) + _pieces(activation, order, middle, high)


def _sign(ball: Any, sign: int) -> bool:
    return bool(ball.is_finite() and (ball > 0 if sign > 0 else ball < 0))


@dataclass(frozen=True)
class Escape:
    """A point of the open interval at which the value is not in the open interval claimed."""

    x: Fraction
    value: str


def escape(activation: Activation, order: int, domain: Pair, claimed: Pair) -> Escape | None:
    """None where σ^(order) maps the open ``domain`` into the open interval ``claimed``; else a rational point that it does not.

    Raises:
        ArithmeticError: neither was decided.
    """
    import flint

    with flint.ctx.workprec(PRECISION):
        if _inside(activation, order, domain, domain, claimed):
            return None
        low, high = domain
        for cuts in (8, 64, 512, 4096):
            for k in range(1, cuts):
                x = low + (high - low) * k / cuts
                first, second = at_point(activation, order, x)
                if second <= claimed[0] or first >= claimed[1]:
                    return Escape(x, str(first) if first == second else four_digits(first, second))
    raise ArithmeticError(f"whether {activation.name} stays in {claimed} was not decided")


def _inside(activation: Activation, order: int, piece: Pair, domain: Pair, claimed: Pair) -> bool:
    low, high = piece
    whole = derivative(activation, order, low, high)
    if whole.is_finite():
        first, second = ends(whole)
        if claimed[0] < first and second < claimed[1]:
            return True
    slope = derivative(activation, order + 1, low, high)
    if _sign(slope, 1) or _sign(slope, -1):
        return all(
            (claimed[0] <= first and second <= claimed[1]) if open_end else (claimed[0] < first and second < claimed[1])
            for (first, second), open_end in ((at_point(activation, order, x), x in domain) for x in piece)
        )
    if high - low < SMALLEST:
        return False
    middle = (low + high) / 2
    return _inside(activation, order, (low, middle), domain, claimed) and _inside(activation, order, (middle, high), domain, claimed)
