"""Judges of bounds of the values of activations that have a name, before and after rounding (Sections 3.2, 5.7)."""

from __future__ import annotations

from collections.abc import Mapping

from constructions.fixed_point_networks.judges.query_objects import Interval, grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.slope_search import difference, hull, slopes_between
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Claim, Query
from verifier.judges.declaring import Formula, Rational, Reduction, judge
from verifier.language.enclosed_ranges import four_digits
from verifier.running.errors import InputError

GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


@judge
def outputs_within(query: Query, *, activations: list[str], bound: Rational, taken: bool = False) -> Cases:
    """Every output of the rounded activations, in levels, is at most the bound in magnitude.

    No real rounds beyond the ends of Q_(p,s), whatever the activation; a smaller bound is asked for of these activations only.

    taken: whether the bound and its negative are outputs as well. Then no smaller bound holds.
    """
    grid = grid_of(query)
    ends = {grid.rounded(sign * k * grid.top) for sign in (-1, 1) for k in (1, 2, grid.s + 1)}
    every = bound >= grid.top == max(map(abs, ends))
    which = "every activation, for no real rounds beyond the ends; and " if every else ""
    yield Over(f"{which}{', '.join(activations)} at every input", sample_of="" if every else "every activation")
    for name in activations:
        table = rounded(NAMED[name], grid)
        for k in grid.levels():
            yield abs(table(k)) <= bound or {"activation": name, "x": grid.show(k), "level": table(k), "bound": bound}
    if taken:
        image = {level for name in activations for level in rounded(NAMED[name], grid).image}
        for end in (-bound, bound):
            yield end in image or {"bound": bound, "no activation takes": end, "outputs up to": max(map(abs, image))}


@judge
def value_bound(query: Query, *, activations: list[str], x: Formula, greatest: Formula) -> Cases:
    """Both inequalities of the chain σ(x) ≤ σ(0) + x ≤ greatest, the values enclosed; the enclosures decide."""
    at, most = x(), greatest()
    yield Over(f"sigma({x}) <= sigma(0) + {x} <= {greatest} for {', '.join(activations)}", BALLS)
    for name in activations:
        zero, value = (NAMED[name].real.at(0, place) for place in (Fraction(0), at))
        shown = {"activation": name, "x": at, "sigma(x)": four_digits(*value), "sigma(0)": four_digits(*zero), "greatest": most}
        yield (value[1] <= zero[0] + at and zero[1] + at <= most) or shown


def _by_the_mean_value(claim: Claim, fixed: Mapping[str, int], *, activations: list[str], slope: str, rise: str) -> Reduction | None:
    """Over a step of 1/s, s sigma changes by s (1/s) sigma'(x) for some x between: the mean value theorem, for every activation."""
    del claim, fixed, activations
    try:
        inside = Reals.read(slope, {}) <= Reals.read(rise, {})
    except InputError:  # an end with a parameter
        return None
    because = f"the mean value theorem: over a step of 1/s, s sigma changes by a value of the slope, and those in {slope} are in {rise}"
    return Reduction(("s*(1/s) == 1",), because) if inside else None


@judge(for_every=_by_the_mean_value)
def rise_over_a_step(query: Query, *, activations: list[str], slope: Interval, rise: Interval) -> Cases:
    """On every step of the grid whose slopes are all such, the ends differ as named: instances of the mean value theorem.

    slope: of σ; rise: the difference of σ over one step of the grid.
    """
    grid = grid_of(query)
    slopes, rises = slope(), rise()
    yield Over(f"{', '.join(activations)} on every step of Q_(p,s) with slopes in {slope}", BALLS)
    for name in activations:
        sigma = NAMED[name]
        for k in range(-grid.top, grid.top):
            found = slopes_between(sigma, grid.value(k), grid.value(k + 1))
            if found is not None and hull(found) <= slopes:
                change = difference(sigma, grid, k, k + 1)
                yield change <= rises or {"activation": name, "k": k, "slopes": found, "rise in levels": change}
