"""Judges of the conditions on slopes (A1)–(A7), and of the lemmas on rounding behind them (Sections 3.2.3, 3.3, 5.6, 5.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, product
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Interval, grid_of, names_of
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.intervals import Ends, Reals
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.mathematics.slope_conditions import SlopeCondition, levels, rounding_to, spoiled
from verifier.claims.finite_cases import Cases, Over, refuted
from verifier.claims.model import Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Reduction, judge

EVERY = Interval("[-top, top]")
METHOD = "preimages of the levels, mean value theorem; gcd of the gaps"


def slope_condition(
    grid: FixedPoint,
    *,
    slope: str,
    values: str = "[-top, top]",
    ends: str = "[0, inf)",
    continuous: bool = True,
    between: Sequence[int] = (),
) -> SlopeCondition:
    """A condition, in levels: intervals whose ends are formulas in p, s and ``top`` = 2^p − 1 (``ends`` may also use n = q₂ − q₁).

    slope, values: of σ′ and σ on (q₁/s, q₂/s); ends: of \\|σ(q₂/s) − σ(q₁/s)\\|; continuous: at its ends;
    between: q₁ and q₂, where the condition names them.
    """
    names = names_of(grid)
    first, last = between or (None, None)
    named = None if first is None or last is None else (first, last)
    return SlopeCondition(
        Reals.read(slope, names), Reals.read(values, names), lambda n: Reals.read(ends, {**names, "n": n}), continuous, named
    )


def stated(query: Query, name: str, grid: FixedPoint, without: str | None = None) -> SlopeCondition:
    """The condition that a statement states, whole or without one of its hypotheses."""
    claim: Claim = find_claim(f"{query.claim.paper}/{name}")
    if without is not None:
        claim = next(h.without for h in claim.hypotheses if h.name == without)
    return slope_condition(grid, **claim.fields)


@judge
def condition(
    query: Query,
    *,
    slope: str,
    values: str = "[-top, top]",
    ends: str = "[0, inf)",
    continuous: bool = True,
    between: Sequence[int] = (),
) -> Cases:
    """Whether S is Q_(p,s) for every bias and every continuous σ with the :func:`slope_condition`."""
    grid = grid_of(query)
    return _everything(
        query, grid, "S", slope_condition(grid, slope=slope, values=values, ends=ends, continuous=continuous, between=between)
    )


@judge
def of_condition(query: Query, *, condition: str, set: Literal["S", "BS"], without: str | None = None) -> Cases:
    """The same of either set for the condition of another statement; without: the name of its hypothesis that is left out."""
    grid = grid_of(query)
    return _everything(query, grid, set, stated(query, condition, grid, without))


def _everything(query: Query, grid: FixedPoint, set: str, asked: SlopeCondition) -> Cases:
    """Whether the set is Q_(p,s) for every bias and every continuous σ with the condition: shown by levels, or refuted by values of σ."""
    weight = grid.s if set == "BS" else 1
    left = levels(grid, asked)
    what = f"{set} of every activation that satisfies it, for every bias,"
    if left is None or left.argument is None:
        found = spoiled(grid, asked, weight)
        if found is None:
            scope = Scope(f"{what} {query.at}", None, METHOD)
            return Outcome(Verdict.OPEN, scope, reason="no argument of Section 5.6 applies, and no small values of sigma refute it")
        shown = {"sigma": found, "rounded": grid.show_all(found.rounded), f"b misses a value of {set}": grid.show(found.bias)}
        return refuted(f"{what} {query.at}", shown, METHOD)
    yield Over(what, METHOD)
    yield len([*left.steps, *left.apart])
    bias = Reach(grid, weight).full_for_every_bias()
    yield bias is None or {"a gap of": grid.show(1), "b": grid.show(bias)}
    return left.argument


@judge
def covers(query: Query, *, slope: Interval, condition: str) -> Cases:
    """Every slope that the condition admits is one that the proof covers."""
    covered, admitted = slope(), stated(query, condition, grid_of(query)).slope
    yield Over(f"the slopes {admitted}")
    yield admitted <= covered or {"admitted": admitted, "covered by the proof": covered}


def _by_signs(claim: Claim, fixed: Mapping[str, int], *, distance: str, moved: str, values: str = EVERY.text) -> Reduction | None:
    """Levels d ≥ 0 apart come from reals whose distances lie between d − 1 and d + 1.

    The reals of a level are those within 1/2 of it, with the end nearer to 0, none at 0; so d − 1 is a distance where the levels have
    different signs (then d ≥ 2), and d + 1 is none. The ends ±top have fewer reals.
    """
    del claim, fixed
    apart, excluded = Ends.read(distance), Ends.read(moved).integers_outside("e")
    if values != EVERY.text or excluded is None:
        return None
    far = [
        f"({d}) < {least} or {Ends(f'({d}) - 1', f'({d}) + 1', least > 0, False).apart_from(apart)}" for d in excluded for least in (0, 2)
    ]
    because = "by the signs of the two levels, whether they are too near or too far by e, and k"
    return Reduction(tuple(far), because, {"k": "k >= 1", "e": "e >= 0"})


@judge(for_every=_by_signs)
def rounded_apart(query: Query, *, distance: Interval, moved: Interval, values: Interval = EVERY) -> Cases:
    """For each two levels that ``moved`` excludes, whether reals of that distance round to them.

    distance: of two reals; moved: how far their roundings are to be moved; values: that the reals have. Where the ends name ``k``,
    every natural number k up to 2(2^p − 1) is meant.
    """
    grid = grid_of(query)
    intervals = rounding_to(grid, values())
    every_k = range(1, 2 * grid.top + 1) if "k" in distance.text + moved.text else range(1, 2)
    query.within(len(every_k) * grid.size**2)
    reals = "all pairs of reals" if len(every_k) == 1 else "all pairs of reals and all k"
    yield Over(f"{reals}, by the two levels excluded,", "preimages of the levels")
    for k in every_k:
        apart, within = distance(k=k), moved(k=k)
        for a, b in ((a, b) for a in intervals for b in intervals if a <= b and b - a not in within):
            far = (intervals[b] - intervals[a]) & apart
            shown = {"rounded": grid.show_all((a, b)), "x1 s in": intervals[a], "x2 s in": intervals[b]}
            yield far is None or {**shown, "|x2 - x1| s in": apart, "k": k}


@judge
def ties(query: Query, *, distance: Interval, moved: Interval, values: Interval) -> Cases:
    """Such pairs of levels occur, and none of them among the roundings of ``values``.

    distance: of two reals; moved: how far their roundings can be moved then, but not where both are ``values``.
    """
    grid = grid_of(query)
    apart, shifts, meant = distance(), moved(), values()
    found, spared = rounding_to(grid, Interval(EVERY.text, query)()), rounding_to(grid, meant)
    far = [(a, b) for a in found for b in found if b - a in shifts and (found[b] - found[a]) & apart]
    shown = "; ".join(grid.show_all(pair) for pair in far)
    yield Over("all pairs of levels", "preimages of the levels")
    yield bool(far) or {"pairs of levels so far apart": "none"}
    for a, b in far:
        meets = a in spared and b in spared and (spared[b] - spared[a]) & apart
        yield not meets or {"rounded": grid.show_all((a, b)), "of reals in": meant}
    return f"the only such levels: {shown}"


@judge
def intermediate_levels(query: Query, *, moves: list[int]) -> Cases:
    """n steps from one output to the next, of these moves in levels, that end higher take every level between the ends."""
    n = query["n"]
    query.within(len(moves) ** n)
    yield Over("all sequences of n steps that end higher")
    for steps in product(moves, repeat=n):
        taken = [0, *accumulate(steps)]
        if taken[-1] > 0:
            missing = set(range(taken[-1] + 1)) - set(taken)
            yield not missing or {"steps": steps, "levels missed": sorted(missing)}


@judge
def pigeonhole(query: Query, *, least: int, below: Formula) -> Cases:
    """Some of n steps of at least ``least`` levels, together below ``below``, is one level, and the outputs are n + 1 levels.

    Longer steps than the rest leaves room for do not occur.
    """
    n = query["n"]
    end = below.integer()
    longest = end - 1 - (n - 1) * least
    query.within(max(1, longest) ** n)
    yield Over(f"all sequences of n steps of at least {least}, below {below} together,")
    for moves in product(range(least, longest + 1), repeat=n):
        if sum(moves) < end:
            yield (1 in moves and len({0, *accumulate(moves)}) == n + 1) or {"steps": moves}


@judge
def difference_of_ends(query: Query, *, below: Formula) -> Cases:
    """Section 5.6, (A3): over n steps of a level or more, the ends of Sigma that (A3) leaves differ by less than the bound.

    below: the bound that is named for the difference of two elements of Sigma, in n = q₂ − q₁.
    """
    grid = grid_of(query)
    query.within(grid.size**3)
    asked = stated(query, query.claim.owner, grid)
    found = rounding_to(grid, asked.values)
    pairs = sorted(combinations(grid.levels(), 2), key=lambda pair: (pair[1] - pair[0], abs(sum(pair))))
    yield Over("every n from 2 to 2^(p+1) - 2 and all two outputs that (A3) leaves", "preimages of the levels")
    for n in range(2, 2 * grid.top + 1):
        bound = below(n=n)
        for a, b in pairs:
            if b - a >= n and (found[b] - found[a]) & asked.ends(n):
                shown = {"q2 - q1": n, "s[sigma](q1/s)": a, "s[sigma](q2/s)": b, "difference": b - a, "bound": bound}
                yield b - a < bound or shown
