"""Judges of bounds of the values of activations that have a name, before and after rounding (Sections 3.2, 5.7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from constructions.fixed_point_networks.judges.activations.slopes import names_of
from constructions.fixed_point_networks.judges.given import grid_of, number
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.slope_search import difference, hull, slopes_between
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.language import exact
from verifier.language.enclosed_ranges import four_digits

GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations, by name, and the greatest magnitude of their outputs, in levels."""

    activations: list[str]
    bound: str


def outputs_within(query: Query, given: Range) -> Outcome:
    """Every output of the rounded activations, in levels, is at most the bound in magnitude."""
    grid, bound = grid_of(query), number(query, given.bound)

    def trials() -> Iterator[Failure]:
        for name in given.activations:
            table = rounded(NAMED[name], grid)
            for k in grid.levels():
                yield None if abs(table(k)) <= bound else {"activation": name, "x": grid.show(k), "level": table(k), "bound": bound}

    return decide(query, f"{', '.join(given.activations)} at every input", trials())


class Bound(Struct, frozen=True, forbid_unknown_fields=True):
    """The chain σ(x) ≤ σ(0) + x ≤ greatest: x and greatest are formulas in p and s."""

    activations: list[str]
    x: str
    greatest: str


def value_bound(query: Query, given: Bound) -> Outcome:
    """Both inequalities of the chain, the values enclosed; the enclosures decide."""
    x, greatest = (exact.rational(text, query.names) for text in (given.x, given.greatest))

    def trials() -> Iterator[Failure]:
        for name in given.activations:
            zero, value = (NAMED[name].real.at(0, place) for place in (Fraction(0), x))
            holds = value[1] <= zero[0] + x and zero[1] + x <= greatest
            shown = {"activation": name, "x": x, "sigma(x)": four_digits(*value), "sigma(0)": four_digits(*zero), "greatest": greatest}
            yield None if holds else shown

    return decide(
        query, f"sigma({given.x}) <= sigma(0) + {given.x} <= {given.greatest} for {', '.join(given.activations)}", trials(), BALLS
    )


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Intervals: of slopes, and of the difference of σ over one step of the grid, in levels."""

    activations: list[str]
    slope: str
    rise: str


def rise_over_a_step(query: Query, given: Step) -> Outcome:
    """On every step of the grid whose slopes are all such, the ends differ as named: instances of the mean value theorem."""
    grid = grid_of(query)
    slopes, rises = (Reals.read(text, names_of(grid)) for text in (given.slope, given.rise))

    def trials() -> Iterator[Failure]:
        for name in given.activations:
            sigma = NAMED[name]
            for k in range(-grid.top, grid.top):
                found = slopes_between(sigma, grid.value(k), grid.value(k + 1))
                if found is not None and hull(found) <= slopes:
                    rise = difference(sigma, grid, k, k + 1)
                    yield None if rise <= rises else {"activation": name, "k": k, "slopes": found, "rise in levels": rise}

    what = f"{', '.join(given.activations)} on every step of Q_(p,s) with slopes in {given.slope}"
    return decide(query, what, trials(), BALLS)
