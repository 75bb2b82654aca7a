"""Intervals of reals, open or closed, bounded or not, as conditions on slopes, values and differences name them: ``[1/2, 1)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.running.errors import InputError

_NOTATION = re.compile(r"\s*([\[(])(.+),(.+)([\])])\s*")


@dataclass(frozen=True)
class Ends:
    """An interval as it is written: its ends as formulas (None: without end), and which of them belong to it."""

    low: str | None
    high: str | None
    holds_low: bool = True
    holds_high: bool = True

    @classmethod
    def read(cls, text: str) -> Ends:
        """``[-top, top]``, ``(0, inf)``.

        Raises:
            InputError: another text.
        """
        found = _NOTATION.fullmatch(text)
        if found is None:
            raise InputError(f"{text!r} is not an interval such as [0, 1) or (-inf, 2]")
        low, high = (None if end.strip() in ("-inf", "inf") else end.strip() for end in found.group(2, 3))
        return cls(low, high, found[1] == "[", found[4] == "]")

    def integers_outside(self, beyond: str) -> list[str] | None:
        """Formulas that run through the integers outside while ``beyond`` runs through 0, 1, …; None unless its ends are integers or k."""
        if any(end is not None and end != "k" and not end.lstrip("-").isdigit() for end in (self.low, self.high)):
            return None
        below = [] if self.low is None else [f"{self.low} - {beyond}{' - 1' if self.holds_low else ''}"]
        above = [] if self.high is None else [f"{self.high} + {beyond}{' + 1' if self.holds_high else ''}"]
        return below + above

    def apart_from(self, other: Ends) -> str:
        """The condition that the two have no number in common."""
        gaps = [
            f"({one.high}) {'<' if one.holds_high and two.holds_low else '<='} ({two.low})"
            for one, two in ((self, other), (other, self))
            if one.high is not None and two.low is not None
        ]
        return f"({' or '.join(gaps) or '0 == 1'})"


@dataclass(frozen=True)
class Reals:
    """The reals from low to high (None: without end); ``holds_low``: whether low itself is one of them."""

    low: Fraction | None
    high: Fraction | None
    holds_low: bool = True
    holds_high: bool = True

    @classmethod
    def read(cls, text: str, names: Mapping[str, Fraction | int]) -> Reals:
        """``[-top, top]``, ``(0, inf)``: the ends are formulas in the names.

        Raises:
            InputError: another text, or a high end below the low one.
        """
        ends = Ends.read(text)
        low, high = (None if end is None else exact.rational(end, names) for end in (ends.low, ends.high))
        if low is not None and high is not None and low > high:
            raise InputError(f"{text!r} runs from {low} to {high}; the lower end first was expected")
        return cls(low, high, ends.holds_low, ends.holds_high)

    def __contains__(self, x: Fraction | int) -> bool:
        above = self.low is None or x > self.low or (x == self.low and self.holds_low)
        return above and (self.high is None or x < self.high or (x == self.high and self.holds_high))

    def __and__(self, other: Reals) -> Reals | None:
        """What both hold; None where that is nothing."""
        low, holds_low = _inner((self.low, self.holds_low), (other.low, other.holds_low), 1)
        high, holds_high = _inner((self.high, self.holds_high), (other.high, other.holds_high), -1)
        if low is not None and high is not None and (low > high or (low == high and not (holds_low and holds_high))):
            return None
        return Reals(low, high, holds_low, holds_high)

    def __neg__(self) -> Reals:
        return Reals(_negative(self.high), _negative(self.low), self.holds_high, self.holds_low)

    def __sub__(self, other: Reals) -> Reals:
        """Every x − y with x here and y there."""
        low = None if self.low is None or other.high is None else self.low - other.high
        high = None if self.high is None or other.low is None else self.high - other.low
        return Reals(low, high, self.holds_low and other.holds_high, self.holds_high and other.holds_low)

    def __mul__(self, factor: int) -> Reals:
        """Every x times a positive number."""
        low, high = (None if end is None else end * factor for end in (self.low, self.high))
        return Reals(low, high, self.holds_low, self.holds_high)

    def __le__(self, other: Reals) -> bool:
        """Whether this is a part of the other."""
        return (self & other) == self

    def __str__(self) -> str:
        low, high = ("-inf" if self.low is None else self.low), ("inf" if self.high is None else self.high)
        return f"{'[' if self.holds_low else '('}{low}, {high}{']' if self.holds_high else ')'}"


def _negative(end: Fraction | None) -> Fraction | None:
    return None if end is None else -end


def _inner(one: tuple[Fraction | None, bool], other: tuple[Fraction | None, bool], side: int) -> tuple[Fraction | None, bool]:
    """Of two lower ends (side 1) or upper ends (side −1), the one that leaves less."""
    if one[0] is None or other[0] is None:
        return other if one[0] is None else one
    if one[0] == other[0]:
        return one[0], one[1] and other[1]
    return one if (one[0] > other[0]) == (side > 0) else other
