"""Judges of the conditions on slopes (A1)–(A7), and of the lemmas on rounding behind them (Sections 3.2.3, 3.3, 5.6, 5.7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, combinations, product

import msgspec
from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.mathematics.slope_conditions import SlopeCondition, levels, rounding_to, spoiled
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide, refuted
from verifier.claims.model import Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.language import exact

METHOD = "preimages of the levels, mean value theorem; gcd of the gaps"


class Slope(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition, in levels: intervals whose ends are formulas in p, s and ``top`` = 2^p − 1 (in ``ends`` n = q₂ − q₁, too).

    slope, values: of σ′ and σ on (q₁/s, q₂/s); ends: of \\|σ(q₂/s) − σ(q₁/s)\\|; continuous: at its ends;
    between: q₁ and q₂, where the condition names them; set: S or BS, which is to be everything.
    """

    slope: str
    values: str = "[-top, top]"
    ends: str = "[0, inf)"
    continuous: bool = True
    between: list[int] = []
    set: str = "S"


def slope_condition(grid: FixedPoint, given: Slope) -> SlopeCondition:
    names = names_of(grid)
    return SlopeCondition(
        Reals.read(given.slope, names),
        Reals.read(given.values, names),
        lambda n: Reals.read(given.ends, {**names, "n": n}),
        given.continuous,
        (given.between[0], given.between[1]) if given.between else None,
    )


def names_of(grid: FixedPoint) -> dict[str, Fraction | int]:
    return {"p": grid.p, "s": grid.s, "top": grid.top}


def condition(query: Query, given: Slope) -> Outcome:
    """Whether the set is Q_(p,s) for every bias and every continuous σ with the condition: shown by levels, or refuted by values of σ."""
    grid = grid_of(query)
    asked, weight = slope_condition(grid, given), grid.s if given.set == "BS" else 1
    left = levels(grid, asked)
    what = f"{given.set} of every activation that satisfies it, for every bias,"
    if left is None or left.argument is None:
        found = spoiled(grid, asked, weight)
        if found is None:
            scope = Scope(f"{what} {query.at}", None, METHOD)
            return Outcome(Verdict.OPEN, scope, reason="no argument of Section 5.6 applies, and no small values of sigma refute it")
        shown = {"sigma": found, "rounded": grid.show_all(found.rounded), f"b misses a value of {given.set}": grid.show(found.bias)}
        return refuted(f"{what} {query.at}", shown, METHOD)

    def trials() -> Iterator[Failure]:
        yield from (None for _ in (*left.steps, *left.apart))
        bias = Reach(grid, weight).full_for_every_bias()
        yield None if bias is None else {"a gap of": grid.show(1), "b": grid.show(bias)}

    return decide(query, what, trials(), METHOD, left.argument)


class OfCondition(Struct, frozen=True, forbid_unknown_fields=True):
    """The condition of another statement; set: S or BS; without: the name of the hypothesis of that statement that is left out."""

    condition: str
    set: str
    without: str | None = None


def of_condition(query: Query, given: OfCondition) -> Outcome:
    """:func:`condition` with the fields of the statement that states it."""
    return condition(query, msgspec.structs.replace(stated(query, given.condition, given.without), set=given.set))


def stated(query: Query, name: str, without: str | None = None) -> Slope:
    """The fields of a condition's own statement, whole or without one of its hypotheses."""
    claim: Claim = find_claim(f"{query.claim.paper}/{name}")
    if without is not None:
        claim = next(h.without for h in claim.hypotheses if h.name == without)
    return msgspec.convert(claim.fields, Slope)


class Covers(Struct, frozen=True, forbid_unknown_fields=True):
    """The slopes that a proof covers, and the condition that it is to prove."""

    slope: str
    condition: str


def covers(query: Query, given: Covers) -> Outcome:
    """Every slope that the condition admits is one that the proof covers."""
    names = names_of(grid_of(query))
    covered, admitted = Reals.read(given.slope, names), Reals.read(stated(query, given.condition).slope, names)
    failure = None if admitted <= covered else {"admitted": admitted, "covered by the proof": covered}
    return decide(query, f"the slopes {admitted}", [failure])


class Rounded(Struct, frozen=True, forbid_unknown_fields=True):
    """In levels: distance of two reals, how far their roundings are to be moved, values that the reals have; intervals as in Slope.

    Where the ends name ``k``, every natural number k up to 2(2^p − 1) is meant.
    """

    distance: str
    moved: str
    values: str = "[-top, top]"


def rounded_apart(query: Query, given: Rounded) -> Outcome:
    """For each two levels that ``moved`` excludes, whether reals of that distance round to them."""
    grid = grid_of(query)
    names, intervals = names_of(grid), rounding_to(grid, Reals.read(given.values, names_of(grid)))
    every_k = range(1, 2 * grid.top + 1) if "k" in given.distance + given.moved else range(1, 2)
    query.within(len(every_k) * grid.size**2)

    def trials() -> Iterator[Failure]:
        for k in every_k:
            distance, moved = (Reals.read(text, {**names, "k": k}) for text in (given.distance, given.moved))
            for a, b in ((a, b) for a in intervals for b in intervals if a <= b and b - a not in moved):
                far = (intervals[b] - intervals[a]) & distance
                shown = {"rounded": grid.show_all((a, b)), "x1 s in": intervals[a], "x2 s in": intervals[b]}
                yield None if far is None else {**shown, "|x2 - x1| s in": distance, "k": k}

    what = (
        "all pairs of reals, by the two levels excluded,"
        if len(every_k) == 1
        else "all pairs of reals and all k, by the two levels excluded,"
    )
    return decide(query, what, trials(), "preimages of the levels")


class Ties(Struct, frozen=True, forbid_unknown_fields=True):
    """distance: of two reals, in levels; moved: how far their roundings can be moved then, but not where both are ``values``."""

    distance: str
    moved: str
    values: str


def ties(query: Query, given: Ties) -> Outcome:
    """Such pairs of levels occur, and none of them among the roundings of ``values``."""
    grid = grid_of(query)
    names = names_of(grid)
    distance, moved, values = (Reals.read(text, names) for text in (given.distance, given.moved, given.values))
    found, spared = rounding_to(grid, Reals.read("[-top, top]", names)), rounding_to(grid, values)
    far = [(a, b) for a in found for b in found if b - a in moved and (found[b] - found[a]) & distance]
    shown = "; ".join(grid.show_all(pair) for pair in far)

    def trials() -> Iterator[Failure]:
        yield None if far else {"pairs of levels so far apart": "none"}
        for a, b in far:
            meets = a in spared and b in spared and (spared[b] - spared[a]) & distance
            yield {"rounded": grid.show_all((a, b)), "of reals in": values} if meets else None

    return decide(query, "all pairs of levels", trials(), "preimages of the levels", f"the only such levels: {shown}")


class Moves(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps, in levels, from one output to the next."""

    moves: list[int]


def intermediate_levels(query: Query, given: Moves) -> Outcome:
    """n such steps that end higher take every level between the ends."""
    n = query["n"]
    query.within(len(given.moves) ** n)

    def trials() -> Iterator[Failure]:
        for moves in product(given.moves, repeat=n):
            taken = [0, *accumulate(moves)]
            if taken[-1] > 0:
                missing = set(range(taken[-1] + 1)) - set(taken)
                yield {"steps": moves, "levels missed": sorted(missing)} if missing else None

    return decide(query, "all sequences of n steps that end higher", trials())


class Pigeonhole(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps of at least ``least`` levels, together below ``below`` (a formula in n)."""

    least: int
    below: str


def pigeonhole(query: Query, given: Pigeonhole) -> Outcome:
    """Some of n such steps is one level, and the outputs are n + 1 levels. Longer steps than the rest leaves room for do not occur."""
    n, below = query["n"], exact.integer(given.below, query.names)
    longest = below - 1 - (n - 1) * given.least
    query.within(max(1, longest) ** n)

    def trials() -> Iterator[Failure]:
        for moves in product(range(given.least, longest + 1), repeat=n):
            if sum(moves) < below:
                yield None if 1 in moves and len({0, *accumulate(moves)}) == n + 1 else {"steps": moves}

    return decide(query, f"all sequences of n steps of at least {given.least}, below {given.below} together,", trials())


class Difference(Struct, frozen=True, forbid_unknown_fields=True):
    """The bound that is named for the difference of two elements of Sigma, a formula in n = q₂ − q₁ and s."""

    below: str


def difference_of_ends(query: Query, given: Difference) -> Outcome:
    """Section 5.6, (A3): over n steps of a level or more, the ends of Sigma that (A3) leaves differ by less than the bound."""
    grid = grid_of(query)
    query.within(grid.size**3)
    asked = slope_condition(grid, stated(query, query.claim.owner))
    found = rounding_to(grid, asked.values)
    pairs = sorted(combinations(grid.levels(), 2), key=lambda pair: (pair[1] - pair[0], abs(sum(pair))))

    def trials() -> Iterator[Failure]:
        for n in range(2, 2 * grid.top + 1):
            bound = exact.rational(given.below, {"n": n, "s": grid.s})
            for a, b in pairs:
                if b - a >= n and (found[b] - found[a]) & asked.ends(n):
                    shown = {"q2 - q1": n, "s[sigma](q1/s)": a, "s[sigma](q2/s)": b, "difference": b - a, "bound": bound}
                    yield None if b - a < bound else shown

    return decide(query, "every n from 2 to 2^(p+1) - 2 and all two outputs that (A3) leaves", trials(), "preimages of the levels")
