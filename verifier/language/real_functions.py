"""A formula in ``x`` as a real function: values and derivatives, in fractions where they are known to be rational, else in balls."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any

from verifier.arithmetic.enclosure import ball_around, ends
from verifier.arithmetic.rationals import Fraction
from verifier.language.power_series import Part, identity, known, times
from verifier.language.real_readings import InFlint, InSeries, Piece, Reading, TurnsOver, compiled
from verifier.language.syntax import names_in, quoted
from verifier.running.errors import InputError


@dataclass(frozen=True)
class RealFunction:
    """x ↦ the value of a formula that leaves ``x`` open and nothing else.

    Raises:
        InputError: another formula; where a method is asked, one that has no derivatives (:data:`~verifier.language.real_readings.WITHIN`).
    """

    formula: str

    def __post_init__(self) -> None:
        if others := names_in(self.formula) - {"x"}:
            raise InputError(f"{quoted(self.formula)} leaves {min(others)} open; a function of x was expected")

    def _at(self, order: int, x: Part, piece: Piece) -> Part:
        """f^(order)(x) where the conditions are decided by the piece; NaN where it is too wide for that or for a ball."""
        import flint

        try:
            found = compiled(self.formula)(InSeries(piece, identity(x, order), order)).terms[order]
        except TurnsOver:
            return flint.arb("nan")
        return times(found, Fraction(factorial(order)))

    def exact(self, x: Fraction) -> Fraction | None:
        """f(x) where it is known to be rational: computed in fractions, or a ball that is a point."""
        return known(self._at(0, x, (x, x)))

    def enclosed(self, x: Fraction) -> Any:
        """A ball around f(x), at flint's present precision."""
        import flint

        return self._ball(0, ball_around(flint, x), (x, x))

    def at(self, order: int, x: Fraction, beside: Piece | None = None) -> Piece:
        """Both ends of an enclosure of the derivative of an order at x; the value twice where it is known to be rational.

        beside: a piece with the end x, whose limit at x is meant.

        Raises:
            InputError: it has none there.
        """
        part = self._at(order, x, beside or (x, x))
        value = known(part)
        if value is None and not part.is_finite():
            raise InputError(f"{quoted(self.formula)} has no {'derivative' if order else 'value'} at x = {x}")
        return ends(part) if value is None else (value, value)

    def near(self, order: int, x: Fraction, beside: Piece) -> Piece:
        """:meth:`at`, faster, and never exactly.

        Raises:
            InputError: no derivative there.
        """
        import flint

        ball = self._ball(order, ball_around(flint, x), beside)
        if not ball.is_finite():
            raise InputError(f"{quoted(self.formula)} has no {'derivative' if order else 'value'} at x = {x}")
        return ends(ball)

    def over(self, order: int, piece: Piece) -> Any:
        """A ball around the derivative of an order on a piece, its ends included as limits; NaN where the piece is too wide for one."""
        import flint

        low, high = piece
        return self._ball(order, ball_around(flint, low).union(ball_around(flint, high)), piece)

    def _ball(self, order: int, x: Any, piece: Piece) -> Any:
        import flint

        if order == 0:
            return compiled(self.formula)(Reading(piece, x))
        try:
            found = compiled(self.formula)(InFlint(piece, flint.arb_series([x, 1], order + 1), order))
        except (TurnsOver, ValueError):  # ValueError: the piece is so wide that the ball of a denominator holds 0
            return flint.arb("nan")
        return found[order] * factorial(order) if isinstance(found, flint.arb_series) else flint.arb(0)
