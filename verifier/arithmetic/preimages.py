"""The reals that round to each value of a format, as intervals: the finite case split behind every claim about all reals x₁, x₂."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.rationals import Fraction


@dataclass(frozen=True)
class Interval:
    """The reals from low to high; ``holds_low``: whether low itself is one of them."""

    low: Fraction
    high: Fraction
    holds_low: bool
    holds_high: bool

    def __str__(self) -> str:
        return f"{'[' if self.holds_low else '('}{self.low}, {self.high}{']' if self.holds_high else ')'}"


def preimages(machine: Machine) -> dict[Fraction, Interval]:
    """For each value, the reals of [−largest, largest] that round to it; whether an end belongs is asked of the machine.

    Between neighbouring values the midpoint divides what goes to the one from what goes to the other.

    Raises:
        ValueError: the machine truncates, or flushes what underflows.
    """
    if machine.rule.rounding != "nearest" or machine.form.underflow == "flush":
        raise ValueError("preimages end at midpoints only where everything rounds to the nearest value")
    values = list(machine.form.values())
    bounds = [values[0], *((a + b) / 2 for a, b in pairwise(values)), values[-1]]
    return {
        v: Interval(low, high, machine.round(low) == v, machine.round(high) == v)
        for v, (low, high) in zip(values, pairwise(bounds), strict=True)
    }
