"""Where an activation satisfies a condition on its slopes: q₁ and q₂ by enclosures of σ and σ′, or a proof that there are none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from constructions.fixed_point_networks.mathematics.activations import Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.slope_conditions import SlopeCondition
from verifier.arithmetic.rationals import Fraction
from verifier.language.enclosed_ranges import OpenRange, open_range


def satisfied(
    sigma: Activation, grid: FixedPoint, conditions: dict[str, SlopeCondition], reach: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Conditions that σ satisfies, each with its q₁ and q₂, near ones first."""
    near = min(grid.top, reach)
    for width in range(1, 2 * near + 1):
        for first in sorted(range(-near, near - width + 1), key=abs):
            ends = first, first + width
            for name, asked in conditions.items():
                if satisfies(sigma, grid, ends, asked):
                    yield name, ends


def satisfies(sigma: Activation, grid: FixedPoint, ends: tuple[int, int], asked: SlopeCondition) -> bool:
    """Whether enclosures show the condition for these q₁ and q₂."""
    first, last = ends
    if not _magnitude(difference(sigma, grid, first, last)) <= asked.ends(last - first):
        return False
    if any(_slope_inside(sigma, grid.s, k) & asked.slope is None for k in range(first, last)):
        return False  # at one point already
    between = partial(open_range, sigma.real, domain=(grid.value(first), grid.value(last)))
    try:
        return hull(between(order=0), grid.s) <= asked.values and hull(between(order=1)) <= asked.slope
    except ArithmeticError:  # no derivative at some point between
        return False


@lru_cache(maxsize=1 << 12)
def _slope_inside(sigma: Activation, s: int, k: int) -> Reals:
    """σ′ halfway between k/s and (k + 1)/s, enclosed."""
    step = Fraction(k, s), Fraction(k + 1, s)
    return Reals(*sigma.real.near(1, (step[0] + step[1]) / 2, step))


def excluded(sigma: Activation, grid: FixedPoint, asked: SlopeCondition) -> bool:
    """Whether the ranges of σ and σ′ over all of Q_(p,s) leave the condition to no q₁ and q₂: no such slope, or no such ends."""
    between = partial(open_range, sigma.real, domain=(-grid.largest, grid.largest))
    try:
        slopes, values = hull(between(order=1)), hull(between(order=0), grid.s)
    except ArithmeticError:
        return False
    most = values - values
    return slopes & asked.slope is None or all(most & asked.ends(n) is None for n in range(1, 2 * grid.top + 1))


def slopes_between(sigma: Activation, low: Fraction, high: Fraction) -> OpenRange | None:
    """The slopes on an open interval; None where they are not enclosed, as where σ has none at some point."""
    try:
        return open_range(sigma.real, 1, (low, high))
    except ArithmeticError:
        return None


def hull(found: OpenRange, factor: int = 1) -> Reals:
    """Bounds of a range, both included, as the enclosures of its ends have them."""
    return Reals(found.infimum[0], found.supremum[1]) * factor


def difference(sigma: Activation, grid: FixedPoint, first: int, last: int) -> Reals:
    """An enclosure of s(σ(last/s) − σ(first/s)); a point where both values are rational."""
    before, after = (Reals(*sigma.real.at(0, grid.value(k))) for k in (first, last))
    return (after - before) * grid.s


def _magnitude(difference: Reals) -> Reals:
    """An enclosure of |d| for an enclosure of d."""
    assert difference.low is not None
    assert difference.high is not None
    if difference.low >= 0:
        return difference
    return -difference if difference.high <= 0 else Reals(Fraction(0), max(-difference.low, difference.high))
