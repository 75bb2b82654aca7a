"""Judges of the coverings of Section 5.16, for every real width δ by the finitely many coverings that there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of, holds, number
from constructions.fixed_point_networks.mathematics.coverings import corners, covering, fewest_cubes, stretches
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Outcome
from verifier.language.syntax import names_in


def _every_width(query: Query, what: str = "") -> str:
    found = stretches(grid_of(query))
    points = sum(stretch.closed for stretch in found)
    return f"every real delta with 1/s < delta < 2 q_max ({points} points and the {len(found) - points} intervals between them){what}"


class Widths(Struct, frozen=True, forbid_unknown_fields=True):
    """holds: inequalities in delta, of which one side is continuous in it and falls or rises, as :meth:`Stretch.violation` needs.

    Their names: ``corners``, |G|; ``cubes``, the nonempty intervals of one coordinate; ``fewest``, the least number that there can be.
    """

    holds: list[str]


def every_width(query: Query, given: Widths) -> Outcome:
    """Each inequality for every real δ with 1/s < δ < 2q_max: between breakpoints the counts are constant."""
    grid = grid_of(query)

    def trials() -> Iterator[Failure]:
        for stretch in stretches(grid):
            delta = stretch.sample
            counts = {
                "corners": len(corners(grid, delta)),
                "cubes": len(covering(grid, delta)),
                "fewest": fewest_cubes(grid, int(delta * grid.s)),
            }
            for text in given.holds:
                wrong = stretch.violation(lambda delta, text=text, counts=counts: holds(query, text, delta=delta, **counts))  # type: ignore[misc]
                counted = {k: v for k, v in counts.items() if k in names_in(text)}
                yield None if wrong is None else {"delta": wrong, **counted}

    return decide(query, _every_width(query, ","), trials())


class Cubes(Struct, frozen=True, forbid_unknown_fields=True):
    """cube: when x is in the interval of a corner, in corner, x and delta; of: the corners spoken of, in corner."""

    cube: str
    of: str = "1 == 1"


def _places(query: Query, given: Cubes) -> Iterator[tuple[Fraction, list[Fraction], list[set[int]]]]:
    """For every covering δ, the corners of G that are spoken of, and the levels in the interval of each."""
    grid = grid_of(query)
    for stretch in stretches(grid):
        delta = stretch.sample
        places = [corner for corner in corners(grid, delta) if holds(query, given.of, corner=corner, delta=delta)]
        query.within(len(places) * grid.size, "corners and values")
        inside = [{k for k in grid.levels() if holds(query, given.cube, corner=c, x=grid.value(k), delta=delta)} for c in places]
        yield delta, places, inside


def partition(query: Query, given: Cubes) -> Outcome:
    """One coordinate (cubes are products): every value of Q_(p,s) lies in exactly one interval of a corner of G."""
    grid = grid_of(query)

    def trials() -> Iterator[Failure]:
        for delta, places, inside in _places(query, given):
            for k in grid.levels():
                held = [corner for corner, levels in zip(places, inside, strict=True) if k in levels]
                yield None if len(held) == 1 else {"delta": delta, "x": grid.show(k), "cubes": held}

    return decide(query, _every_width(query, ", and all x,"), trials())


def no_cube_is_empty(query: Query, given: Cubes) -> Outcome:
    """One coordinate: the interval of each corner spoken of holds a value of Q_(p,s)."""
    q_max = grid_of(query).largest

    def trials() -> Iterator[Failure]:
        for delta, places, inside in _places(query, given):
            for corner, levels in zip(places, inside, strict=True):
                yield None if levels else {"delta": delta, "p": corner, "q_max": q_max}

    return decide(query, _every_width(query, ", and all corners,"), trials())


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """number: of parameters, in delta; of: the step that has another formula for it, under this name among its fields."""

    number: str
    of: str
    field: str


def of_one_order(query: Query, given: Order) -> Outcome:
    """Whether two formulas differ by a constant only: their quotient here, at every width, is that at p = s = d = 1."""
    grid, other = grid_of(query), find_claim(f"{query.claim.paper}/{given.of}")

    def quotient(p: int, s: int, d: int, delta: Fraction) -> Fraction:
        there = replace(query, claim=other, parameters={"p": p, "s": s, "d": d})
        here = replace(there, claim=query.claim)
        return number(here, given.number, delta=delta) / number(there, str(other.fields[given.field]), delta=delta)

    def trials() -> Iterator[Failure]:
        first = quotient(1, 1, 1, Fraction(1))
        for stretch in stretches(grid):
            found = quotient(query["p"], query["s"], query["d"], stretch.sample)
            yield None if found == first else {"delta": stretch.sample, "quotient": found, "quotient at p = s = d = 1": first}

    return decide(query, f"against {given.of}, {_every_width(query)}", trials(), "exact quotients")
