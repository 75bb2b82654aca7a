"""Judges of the coverings of Section 5.16, for every real width δ by the finitely many coverings that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from constructions.fixed_point_networks.judges.query_objects import grid_of
from constructions.fixed_point_networks.mathematics.coverings import corners, covering, fewest_cubes, stretches
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.judges.declaring import Condition, Formula, judge
from verifier.language.syntax import names_in


def _every_width(query: Query, what: str = "") -> str:
    found = stretches(grid_of(query))
    points = sum(stretch.closed for stretch in found)
    return f"every real delta with 1/s < delta < 2 q_max ({points} points and the {len(found) - points} intervals between them){what}"


@judge
def every_width(query: Query, *, holds: list[Condition]) -> Cases:
    """Each inequality for every real δ with 1/s < δ < 2q_max: between breakpoints the counts are constant.

    holds: inequalities in delta, of which one side is continuous in it and falls or rises, as :meth:`Stretch.violation` needs;
    their names: ``corners``, |G|; ``cubes``, the nonempty intervals of one coordinate; ``fewest``, the least number that there can be.
    """
    grid = grid_of(query)
    yield Over(_every_width(query, ","))
    for stretch in stretches(grid):
        delta = stretch.sample
        counts = {
            "corners": len(corners(grid, delta)),
            "cubes": len(covering(grid, delta)),
            "fewest": fewest_cubes(grid, int(delta * grid.s)),
        }
        for condition in holds:
            wrong = stretch.violation(partial(_at, condition, counts))
            counted = {k: v for k, v in counts.items() if k in names_in(condition.text)}
            yield wrong is None or {"delta": wrong, **counted}


def _at(condition: Condition, counts: Mapping[str, int], delta: Fraction) -> bool:
    return condition(delta=delta, **counts)


EACH = Condition("1 == 1")


def _places(query: Query, cube: Condition, of: Condition) -> Iterator[tuple[Fraction, list[Fraction], list[set[int]]]]:
    """For every covering δ, the corners of G that are spoken of, and the levels in the interval of each.

    cube: when x is in the interval of a corner, in corner, x and delta; of: the corners spoken of, in corner.
    """
    grid = grid_of(query)
    for stretch in stretches(grid):
        delta = stretch.sample
        places = [corner for corner in corners(grid, delta) if of(corner=corner, delta=delta)]
        query.within(len(places) * grid.size, "corners and values")
        inside = [{k for k in grid.levels() if cube(corner=c, x=grid.value(k), delta=delta)} for c in places]
        yield delta, places, inside


@judge
def partition(query: Query, *, cube: Condition, of: Condition = EACH) -> Cases:
    """One coordinate (cubes are products): every value of Q_(p,s) lies in exactly one interval of a corner of G."""
    grid = grid_of(query)
    yield Over(_every_width(query, ", and all x,"))
    for delta, places, inside in _places(query, cube, of):
        for k in grid.levels():
            held = [corner for corner, levels in zip(places, inside, strict=True) if k in levels]
            yield len(held) == 1 or {"delta": delta, "x": grid.show(k), "cubes": held}


@judge
def no_cube_is_empty(query: Query, *, cube: Condition, of: Condition = EACH) -> Cases:
    """One coordinate: the interval of each corner spoken of holds a value of Q_(p,s)."""
    q_max = grid_of(query).largest
    yield Over(_every_width(query, ", and all corners,"))
    for delta, places, inside in _places(query, cube, of):
        for corner, levels in zip(places, inside, strict=True):
            yield bool(levels) or {"delta": delta, "p": corner, "q_max": q_max}


@judge
def of_one_order(query: Query, *, number: Formula, of: str, field: str) -> Cases:
    """Whether two formulas differ by a constant only: their quotient here, at every width, is that at p = s = d = 1.

    number: of parameters, in delta; of: the step that has another formula for it, under this name among its fields.
    """
    grid, other = grid_of(query), find_claim(f"{query.claim.paper}/{of}")

    def quotient(p: int, s: int, d: int, delta: Fraction) -> Fraction:
        here = replace(query, parameters={"p": p, "s": s, "d": d})
        there = replace(here, claim=other)
        return Formula(number.text, here)(delta=delta) / Formula(str(other.fields[field]), there)(delta=delta)

    yield Over(f"against {of}, {_every_width(query)}", "exact quotients")
    first = quotient(1, 1, 1, Fraction(1))
    for stretch in stretches(grid):
        found = quotient(query["p"], query["s"], query["d"], stretch.sample)
        yield found == first or {"delta": stretch.sample, "quotient": found, "quotient at p = s = d = 1": first}
