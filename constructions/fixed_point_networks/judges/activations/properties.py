"""Judges of what the paper says of activations that have a name: sets, slopes, values, Condition 1 (Sections 1, 3, 5.7).

An activation is its formula; everything here is rounded or enclosed from that text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from constructions.fixed_point_networks.judges.activations.slopes import stated
from constructions.fixed_point_networks.judges.query_objects import at_every_s, grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.directions import course
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.images import gaps
from constructions.fixed_point_networks.mathematics.one_level_gaps import one_level
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.sharp_criterion import full_for_every_bias
from constructions.fixed_point_networks.mathematics.slope_search import excluded, satisfied
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Failure, Over
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Reduction, judge
from verifier.language.definitions import with_meanings
from verifier.language.syntax import printed, tree_of


def _every_s(activations: list[str], what: str = "") -> str:
    return f"{', '.join(activations)} at every s <= 2^p - 1{what}"


def _largest_on_an_upper_interval(claim: Claim, fixed: Mapping[str, int], *, activations: list[str]) -> Reduction | None:
    """Each activation is at most 0 for x <= 0, rises for x >= 0, and is at least 1/2 at 1: so its greatest output is above 0.

    The output at q_max >= 1 is at least 1/s, for s sigma(q_max) >= s/2; only inputs above 0 have the greatest one, and there the rounded
    activation rises: they are an upper interval, and not all of Q_(p,s).
    """
    del claim, fixed
    for name in activations:
        formula = NAMED[name].formula
        right, left = course(formula, "x >= 0"), course(formula, "x <= 0")
        if right.direction != "rising" or left.sign != "not positive" or NAMED[name].real.at(0, Fraction(1))[0] < Fraction(1, 2):
            return None
    said = "at most 0 for x <= 0, rising for x >= 0, at least 1/2 at 1"
    because = f"{', '.join(activations)}: {said}, so that the greatest output is that of the inputs from some x > 0 on"
    return Reduction(("(2**p - 1)/s >= 1",), because, {"s": "s >= 1 and s <= 2**p - 1"})


@judge(for_every=_largest_on_an_upper_interval)
def satisfy_condition_1(query: Query, *, activations: list[str]) -> Cases:
    """Where each rounded activation is extremal, at every s of this p."""
    yield Over(_every_s(activations))
    for grid, name in at_every_s(query, activations):
        yield normal_form(rounded(NAMED[name], grid)) is not None or {"s": grid.s, "activation": name}


@judge
def rise(query: Query, *, activations: list[str]) -> Cases:
    """Each rounded activation rises, is not constant, and has Condition 1's form."""
    yield Over(_every_s(activations))
    for grid, name in at_every_s(query, activations):
        table = rounded(NAMED[name], grid)
        ok = list(table.levels) == sorted(table.levels) and len(table.image) > 1 and normal_form(table) is not None
        yield ok or {"activation": name, "s": grid.s, "levels": list(table.levels)}


@judge
def sets_coincide(query: Query, *, activations: list[str], sets: list[str]) -> Cases:
    """``sets`` holds pairs, N and S, BN and BS: each pair is equal for every bias."""
    pairs = list(zip(sets[::2], sets[1::2], strict=True))
    yield Over(_every_s(activations, ", and every bias,"), "gcd of the outputs and of the gaps")
    for grid, name in at_every_s(query, activations):
        table = rounded(NAMED[name], grid)
        for n, s in pairs:
            bias = reach(n, table).same_for_every_bias(reach(s, table))
            yield bias is None or {"activation": name, "s": grid.s, "sets": f"{n}, {s}", "b": grid.show(bias)}


@judge
def zero_at_zero(query: Query, *, activations: list[str], sets: list[str]) -> Cases:
    """Each is 0 at 0, an output that is a gap, and the two sets are equal for every bias."""
    n, s = sets
    yield Over(_every_s(activations, ", and every bias,"), "gcd of the outputs and of the gaps")
    for grid, name in at_every_s(query, activations):
        table, value = rounded(NAMED[name], grid), NAMED[name].exact(Fraction(0))
        failure = {"activation": name, "s": grid.s, "at 0": value}
        yield (value == 0 and table(0) == 0 and bool(table.image & gaps(table.image))) or failure
        yield reach(n, table).same_for_every_bias(reach(s, table)) is None or failure


@judge
def sufficient_condition(query: Query, *, activations: list[str], sets: list[str]) -> Cases:
    """Each has Condition 1, and the set (S or BS) is everything for every bias, at every s."""
    (kind,) = sets
    yield Over(_every_s(activations, ", and every bias,"), "gcd of the gaps")
    for grid, name in at_every_s(query, activations):
        failure = {"activation": name, "s": grid.s}
        yield normal_form(rounded(NAMED[name], grid)) is not None or failure
        yield _sums(grid, name, kind).full_for_every_bias() is None or failure


GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


def _a_gap_of_one_level(claim: Claim, fixed: Mapping[str, int], *, activations: list[str], set: str = "S") -> Reduction | None:
    """Each activation has a gap of one level, and its multiples reach everything.

    Either it is 0 at 0 and 1/s at 1/s, by its formula; or its slopes beside 0 give such a gap for large s and two neighbours for each
    small s (:func:`one_level`). There (A1) is used, with its proof for every p and s.
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
            bound = f"({found.at_zero})*s + {found.reach}" if found.at_zero else str(found.reach)
            conditions += [f"{bound} <= 2**p - 1", f"{found.furthest} <= 2**p - 1"]
            reasons.append(f"{name} has {found}")
    criterion = full_for_every_bias("s" if set == "BS" else "1")
    return Reduction((*conditions, *criterion), f"{'; '.join(reasons)}, and their gap reaches all of {set} (sharp criterion)")


def _at(name: str, x: str) -> str:
    """An activation's formula at x."""
    return printed(with_meanings(tree_of(NAMED[name].formula), {"x": tree_of(x)}))


@judge(for_every=_a_gap_of_one_level)
def everything(query: Query, *, activations: list[str], set: Literal["S", "BS"] = "S") -> Cases:
    """The set is Q_(p,s) for every bias: two neighbouring inputs one level apart show it, or the gcd of all gaps decides."""
    grid = grid_of(query)
    yield Over(f"{set} of {', '.join(activations)}, every bias and every value of Q_(p,s),", GAPS)
    for name in activations:
        yield _short(grid, name, set)


def _sums(grid: FixedPoint, name: str, kind: str) -> Reach:
    """S or BS of an activation, by a gap of one level where two neighbouring inputs have it."""
    if has_unit_gap(NAMED[name], grid) is not None:
        return Reach(grid, grid.s if kind == "BS" else 1)
    return reach(kind, rounded(NAMED[name], grid))


def _short(grid: FixedPoint, name: str, kind: str) -> Failure:
    """A bias and a value that the set of an activation misses; None where there are none."""
    sets = _sums(grid, name, kind)
    bias = sets.full_for_every_bias()
    if bias is None:
        return None
    missing = sets.missing(bias)
    return {"activation": name, "s": grid.s, "b": grid.show(bias), "missing": None if missing is None else grid.show(missing)}


@judge
def every_scaling_factor(query: Query, *, of: str, activations: list[str], admits: Condition | None = None) -> Cases:
    """Each activation is admitted at every s with 1 in Q_(p,s), and its set is everything there.

    of: a statement with a step for each activation, at which its bounds on p and s stand; admits: one bound in their place.
    """
    yield Over(f"{', '.join(activations)} at every s <= 2^p - 1,", GAPS)
    for grid, name in at_every_s(query, activations):
        if admits is None:
            found = query.ask(f"{of}:{name}", Edition.STATEMENT, p=grid.p, s=grid.s)
            yield found.verdict is Verdict.VERIFIED or {"activation": name, "s": grid.s, of: found.reason}
        elif admits(s=grid.s):
            yield _short(grid, name, "S")
        else:
            yield {"activation": name, "s": grid.s, "not admitted by": admits}


@judge
def satisfy_one_of(
    query: Query, *, activations: list[str], conditions: list[str], reach: int, excepted: Mapping[str, Condition] = {}
) -> Cases:
    """Each activation at every s: q₁ and q₂ and one of the conditions enclosed between them, or each excluded for all q₁ and q₂.

    conditions: the statements of them; reach: how far from 0 q₁ and q₂ are tried, in levels;
    excepted: for an activation the p and s at which it is not meant.
    """
    undecided = []
    scope = _every_s(activations)
    yield Over(scope, BALLS)
    for grid in fixed_points(query["p"]):
        query.advance("scaling factors", grid.s, grid.top)
        asked = {name: stated(query, name, grid) for name in conditions}
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
