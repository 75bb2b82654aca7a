"""Judges of activations: the paper's sentences on the named activations, their sets, slopes, values and Condition 1 (Sections 1, 3, 5.7);
the conditions on slopes (A1)–(A7), and the lemmas on rounding behind them (Sections 3.2.3, 3.3, 5.6).

An activation is its formula; values are rounded or enclosed from that text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Interval, at_every_s, grid_of, names_of
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation, Table, has_unit_gap, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.sets import Reach, full_for_every_bias, reach
from constructions.fixed_point_networks.mathematics.slope_conditions import (
    Course,
    Ends,
    OneLevel,
    Reals,
    SlopeCondition,
    course,
    excluded,
    factor_of_x,
    levels,
    one_level,
    rounding_to,
    satisfied,
    spoiled,
)
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, Trial, refuted
from verifier.claims.model import Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Reduction, judge
from verifier.language.definitions import with_meanings
from verifier.language.exact import truth
from verifier.language.printer import printed
from verifier.language.real_functions import open_range
from verifier.language.syntax import tree_of


def _every_s(activations: list[str], what: str = "") -> str:
    return f"{', '.join(activations)} at every s <= 2^p - 1{what}"


def _largest_on_an_upper_interval(
    claim: Claim, fixed: Mapping[str, int], *, activations: list[str], properties: list[str]
) -> Reduction | None:
    """Each activation is x times a positive part that rises, so it is at most 0 for x <= 0 and rises for x >= 0; and it is at least 1/2 at
    1, so its greatest output is above 0.

    The output at q_max >= 1 is at least 1/s, for s sigma(q_max) >= s/2; only inputs above 0 have the greatest one, and there the rounded
    activation rises: they are an upper interval, and not all of Q_(p,s).
    """
    del claim, fixed
    if set(properties) <= {"N = S", "BN = BS"}:
        return _one_divisor_of_outputs_and_gaps(activations, properties)
    if properties != ["condition-1"]:
        return None
    for name in activations:
        part = factor_of_x(tree_of(NAMED[name].formula))
        if part is None or course(part) != Course(1, 0) or NAMED[name].real.at(0, Fraction(1))[0] < Fraction(1, 2):
            return None
    said = "at most 0 for x <= 0, rising for x >= 0, at least 1/2 at 1"
    because = f"{', '.join(activations)}: {said}, so that the greatest output is that of the inputs from some x > 0 on"
    return Reduction(("(2**p - 1)/s >= 1",), because, {"s": "s >= 1 and s <= 2**p - 1"})


def _one_divisor_of_outputs_and_gaps(activations: list[str], properties: list[str]) -> Reduction | None:
    """N = S and BN = BS if outputs and gaps have the same greatest common divisor.

    An output 0 makes every output a gap; and with a gap of one level (:func:`one_level`) both divisors are 1. Below :data:`SMALL_GRIDS`,
    where such a gap may be missing, each Q_(p,s) is checked.
    """
    conditions, reasons = ["p >= 1"], []
    for name in activations:
        if NAMED[name].exact(Fraction(0)) == 0:
            reasons.append(f"0 is an output of {name}")
            continue
        found = one_level(NAMED[name])
        small = (rounded(NAMED[name], grid) for p in range(1, SMALL_GRIDS) for grid in fixed_points(p))
        if found is None or not all(_has(each, name, table) for table in small for each in properties):
            return None
        conditions += [f"p < {SMALL_GRIDS} or {condition}" for condition in _in_range(found)]
        reasons.append(f"{name} has {found}")
    because = f"{'; '.join(reasons)}: outputs and gaps have one greatest common divisor; p < {SMALL_GRIDS} one by one"
    return Reduction(tuple(conditions), because, {"s": "s >= 1 and s <= 2**p - 1"})


SMALL_GRIDS = 4
"""The p below which every Q_(p,s) is gone through where something is shown for every p."""


def _in_range(found: OneLevel) -> tuple[str, str]:
    """Conditions under which the outputs of :func:`one_level` are not clamped."""
    return f"({found.at_zero})*s + {found.reach} <= 2**p - 1" if found.at_zero else f"{found.reach} <= 2**p - 1", (
        f"{found.furthest} <= 2**p - 1"
    )


@judge(for_every=_largest_on_an_upper_interval)
def have(query: Query, *, activations: list[str], properties: list[str]) -> Cases:
    """Each rounded activation has the properties at every s for this p.

    properties: ``condition-1``; ``rising``, and not constant, which gives Condition 1; ``zero-output-gap``: 0 at 0, an output that is a
    gap; ``S`` or ``BS``: that set is everything for every bias; ``N = S``: the sets are equal for every bias.
    """
    pairs, sets = (any(mark in each for each in properties) for mark in (" = ", "S"))
    method = "gcd of the outputs and of the gaps" if pairs or "zero-output-gap" in properties else GAPS if sets else "enumeration"
    yield Over(_every_s(activations, ", and every bias," if sets else ""), method)
    for grid, name in at_every_s(query, activations):
        table = rounded(NAMED[name], grid)
        for each in properties:
            yield _has(each, name, table) or {"s": grid.s, "activation": name, "lacks": each, "levels": list(table.levels)}


def _has(each: str, name: str, table: Table) -> bool:
    match each:
        case "condition-1":
            return normal_form(table) is not None
        case "rising":
            return list(table.levels) == sorted(table.levels) and len(table.image) > 1 and normal_form(table) is not None
        case "zero-output-gap":
            return NAMED[name].exact(Fraction(0)) == 0 and table(0) == 0 and bool(table.image & table.gaps)
        case "S" | "BS":
            return _sums(table.grid, name, each).full_for_every_bias() is None
    first, second = (reach(kind, table) for kind in each.split(" = "))
    return first.same_for_every_bias(second) is None


GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


def _a_gap_of_one_level(claim: Claim, fixed: Mapping[str, int], *, activations: list[str]) -> Reduction | None:
    """Each activation has a gap of one level, and its multiples reach everything.

    Either it is 0 at 0 and 1/s at 1/s, by its formula; or its slopes beside 0 give such a gap for large s, and two neighbours give one for
    each small s (:func:`one_level`). The second case uses (A1), with its proof for every p and s.
    """
    del claim, fixed
    conditions: list[str] = []
    reasons: list[str] = []
    for name in activations:
        found = one_level(NAMED[name])
        if found is None:
            at = {"0": "0", "1/s": "1/s"}
            conditions += [f"({_at(name, x)}) == {value}" for x, value in at.items()] + ["1 <= 2**p - 1"]
            reasons.append(f"0 and 1/s are outputs{f' of {name}' * (len(activations) > 1)}")
        else:
            conditions += _in_range(found)
            reasons.append(f"{name} has {found}")
    return Reduction((*conditions, *full_for_every_bias("1")), f"{'; '.join(reasons)}, and their gap reaches all of S (sharp criterion)")


def _at(name: str, x: str) -> str:
    """An activation's formula at x."""
    return printed(with_meanings(tree_of(NAMED[name].formula), {"x": tree_of(x)}))


@judge(for_every=_a_gap_of_one_level)
def everything(query: Query, *, activations: list[str]) -> Cases:
    """Judge whether S is Q_(p,s) for every bias, by two neighbouring inputs one level apart or by the gcd of all gaps."""
    grid = grid_of(query)
    yield Over(f"S of {', '.join(activations)}, every bias and every value of Q_(p,s),", GAPS)
    for name in activations:
        yield _short(grid, name)


def _sums(grid: FixedPoint, name: str, kind: str) -> Reach:
    """S or BS of an activation, by a gap of one level if two neighbouring inputs have it."""
    if has_unit_gap(NAMED[name], grid) is not None:
        return Reach(grid, grid.s if kind == "BS" else 1)
    return reach(kind, rounded(NAMED[name], grid))


def _short(grid: FixedPoint, name: str) -> Trial:
    """A bias and a value that S of an activation misses; True if it misses none."""
    sets = _sums(grid, name, "S")
    bias = sets.full_for_every_bias()
    if bias is None:
        return True
    missing = sets.missing(bias)
    return {"activation": name, "s": grid.s, "b": grid.show(bias), "missing": None if missing is None else grid.show(missing)}


@judge
def every_scaling_factor(query: Query, *, of: str, activations: list[str], admits: Condition | None = None) -> Cases:
    """Each activation is admitted at every s with 1 in Q_(p,s), and its set is then everything.

    of: a statement with a step for each activation, which states its bounds on p and s; admits: one bound in their place.
    """
    yield Over(f"{', '.join(activations)} at every s <= 2^p - 1,", GAPS)
    for grid, name in at_every_s(query, activations):
        if admits is None:
            found = query.ask(f"{of}:{name}", Edition.STATEMENT, p=grid.p, s=grid.s)
            yield found.verdict is Verdict.VERIFIED or {"activation": name, "s": grid.s, of: found.reason}
        elif admits(s=grid.s):
            yield _short(grid, name)
        else:
            yield {"activation": name, "s": grid.s, "not admitted by": admits}


def _by_slopes_beside_0(
    claim: Claim, fixed: Mapping[str, int], *, activations: list[str], conditions: list[str], reach: int, excepted: Mapping[str, str] = {}
) -> Reduction | None:
    """The slopes of :func:`one_level` are those of (A1) from some s on, and the values are in Q_(p,s) for large p; or the slope is 1 on (0,
    1) and the value at 0 is 0, so (A2) holds between 0 and 1/s for every s.

    For each smaller s, a condition that holds at p = 3, where every s is checked, holds for every larger p, because values may only be
    larger.
    """
    del fixed
    stated_at = {grid: {name: stated(claim, name, grid) for name in conditions} for grid in fixed_points(SMALL_GRIDS - 1)}
    needed, reasons = [f"p >= {SMALL_GRIDS - 1}"], []
    for name in activations:
        if _is_x_beside_0(NAMED[name]) and "condition-a2" in conditions:
            reasons.append(f"{name} is x on (0, 1), as (A2) asks for every s")
            continue
        found = one_level(NAMED[name])
        if found is None or found.from_s > 2 ** (SMALL_GRIDS - 1) or "condition-a1" not in conditions:
            return None
        for grid, asked in stated_at.items():
            spared = name in excepted and truth(excepted[name], {"s": Fraction(grid.s)})
            if not spared and next(satisfied(NAMED[name], grid, asked, reach), None) is None:
                return None
        needed += [f"p < {SMALL_GRIDS} or {condition}" for condition in _in_range(found)[:1]]
        reasons.append(f"{name}: {found.steep}")
    because = f"{'; '.join(reasons)}; smaller s by what holds at p = {SMALL_GRIDS - 1}"
    return Reduction(tuple(needed), because, {"s": "s >= 1 and s <= 2**p - 1"})


def _is_x_beside_0(sigma: Activation) -> bool:
    """Whether sigma(0) = 0 and the slope is 1 on (0, 1)."""
    try:
        slopes = open_range(sigma.real, 1, (Fraction(0), Fraction(1)))
        return sigma.exact(Fraction(0)) == 0 and {*slopes.infimum, *slopes.supremum} == {1}
    except ArithmeticError:
        return False


@judge(for_every=_by_slopes_beside_0)
def satisfy_one_of(
    query: Query, *, activations: list[str], conditions: list[str], reach: int, excepted: Mapping[str, Condition] = {}
) -> Cases:
    """Each activation at every s: q₁ and q₂ at which enclosures show one of the conditions, or a proof that excludes each for all q₁ and
    q₂.

    conditions: the statements that state them; reach: the largest distance from 0 at which q₁ and q₂ are tried, in levels;
    excepted: for an activation, the p and s at which it is not intended.
    """
    undecided = []
    scope = _every_s(activations)
    yield Over(scope, BALLS)
    for grid in fixed_points(query["p"]):
        query.advance("scaling factors", grid.s, grid.top)
        asked = {name: stated(query.claim, name, grid) for name in conditions}
        for name in activations:
            if name in excepted and excepted[name](s=grid.s):
                continue
            if next(satisfied(NAMED[name], grid, asked, reach), None) is not None:
                yield True
            elif all(excluded(NAMED[name], grid, condition) for condition in asked.values()):
                yield {"activation": name, "s": grid.s}
            else:
                undecided.append(f"{name} at s = {grid.s}")
    if not undecided:
        return None
    return Outcome(Verdict.OPEN, Scope(f"{scope} {query.at}", None, BALLS), reason=f"no q1, q2 found for {', '.join(undecided)}")


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
    between: q₁ and q₂, if the condition names them.
    """
    names = names_of(grid)
    first, last = between or (None, None)
    named = None if first is None or last is None else (first, last)
    return SlopeCondition(
        Reals.read(slope, names), Reals.read(values, names), lambda n: Reals.read(ends, {**names, "n": n}), continuous, named
    )


def stated(claim: Claim, name: str, grid: FixedPoint, without: str | None = None) -> SlopeCondition:
    """The condition of another statement of the claim's paper, complete or without one of its hypotheses."""
    found: Claim = find_claim(f"{claim.paper}/{name}")
    if without is not None:
        found = next(h.claim for h in found.hypotheses if h.name == without)
    return slope_condition(grid, **found.fields)


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
    """The same for either set and the condition of another statement; without: the name of the hypothesis that is left out."""
    grid = grid_of(query)
    return _everything(query, grid, set, stated(query.claim, condition, grid, without))


def _everything(query: Query, grid: FixedPoint, set: str, asked: SlopeCondition) -> Cases:
    """Whether the set is Q_(p,s) for every bias and every continuous σ with the condition. Levels prove it, or values of σ refute it."""
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


def _by_signs(claim: Claim, fixed: Mapping[str, int], *, distance: str, moved: str, values: str = EVERY.text) -> Reduction | None:
    """Levels d ≥ 0 apart come from reals whose distances lie between d − 1 and d + 1.

    The reals of a level are those within 1/2 of it, with the end nearer to 0, none at 0; so d − 1 is a distance if the levels have
    different signs (then d ≥ 2), and d + 1 is not a distance. The ends ±top have fewer reals.
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
    """For each pair of levels that ``moved`` excludes, whether reals of that distance round to them.

    distance: of two reals; moved: the claimed distance of their roundings; values: the possible values of the reals. If the ends name
    ``k``, the claim covers every natural number k up to 2(2^p − 1).
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
    """Such pairs of levels occur, but not among the roundings of ``values``.

    distance: of two reals; moved: the possible distance of their roundings, except when both reals are ``values``.
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
