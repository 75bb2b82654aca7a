"""Judges of what the paper says of activations that have a name: sets, slopes, values, Condition 1 (Sections 1, 3, 5.7).

An activation is its formula; everything here is rounded or enclosed from that text."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from constructions.fixed_point_networks.judges.activations.slopes import slope_condition, stated
from constructions.fixed_point_networks.judges.given import grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.images import gaps
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.slope_search import excluded, satisfied
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.language import exact


class Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations that a sentence lists, by name; sets: those that it speaks of."""

    activations: list[str]
    sets: list[str] = []


def _scope(given: Listed, what: str = "") -> str:
    return f"{', '.join(given.activations)} at every s <= 2^p - 1{what}"


def satisfy_condition_1(query: Query, given: Listed) -> Outcome:
    """Where each rounded activation is extremal, at every s of this p."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                yield None if normal_form(rounded(NAMED[name], grid)) is not None else {"s": grid.s, "activation": name}

    return decide(query, _scope(given), trials())


def rise(query: Query, given: Listed) -> Outcome:
    """Each rounded activation rises, is not constant, and has Condition 1's form."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                table = rounded(NAMED[name], grid)
                ok = list(table.levels) == sorted(table.levels) and len(table.image) > 1 and normal_form(table) is not None
                yield None if ok else {"activation": name, "s": grid.s, "levels": list(table.levels)}

    return decide(query, _scope(given), trials())


def sets_coincide(query: Query, given: Listed) -> Outcome:
    """``sets`` holds pairs, N and S, BN and BS: each pair is equal for every bias."""
    pairs = list(zip(given.sets[::2], given.sets[1::2], strict=True))

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                table = rounded(NAMED[name], grid)
                for n, s in pairs:
                    bias = reach(n, table).same_for_every_bias(reach(s, table))
                    yield None if bias is None else {"activation": name, "s": grid.s, "sets": f"{n}, {s}", "b": grid.show(bias)}

    return decide(query, _scope(given, ", and every bias,"), trials(), "gcd of the outputs and of the gaps")


def zero_at_zero(query: Query, given: Listed) -> Outcome:
    """Each is 0 at 0, an output that is a gap, and the two sets are equal for every bias."""
    n, s = given.sets

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                table, value = rounded(NAMED[name], grid), NAMED[name].exact(Fraction(0))
                failure = {"activation": name, "s": grid.s, "at 0": value}
                yield None if value == 0 and table(0) == 0 and table.image & gaps(table.image) else failure
                yield None if reach(n, table).same_for_every_bias(reach(s, table)) is None else failure

    return decide(query, _scope(given, ", and every bias,"), trials(), "gcd of the outputs and of the gaps")


def sufficient_condition(query: Query, given: Listed) -> Outcome:
    """Each has Condition 1, and the set (S or BS) is everything for every bias, at every s."""
    (kind,) = given.sets

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                failure = {"activation": name, "s": grid.s}
                table = rounded(NAMED[name], grid)
                yield None if normal_form(table) is not None else failure
                gap = has_unit_gap(NAMED[name], grid) is not None
                sets = Reach(grid, grid.s if kind == "BS" else 1) if gap else reach(kind, table)
                yield None if sets.full_for_every_bias() is None else failure

    return decide(query, _scope(given, ", and every bias,"), trials(), "gcd of the gaps")


GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


class Full(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations that are meant, by name, and the set, S or BS, that is to be everything."""

    activations: list[str]
    set: str = "S"


def everything(query: Query, given: Full) -> Outcome:
    """The set is Q_(p,s) for every bias: two neighbouring inputs one level apart show it, or the gcd of all gaps decides."""
    grid = grid_of(query)
    trials = (_short(grid, name, given.set) for name in given.activations)
    return decide(query, f"{given.set} of {', '.join(given.activations)}, every bias and every value of Q_(p,s),", trials, GAPS)


def _short(grid: FixedPoint, name: str, kind: str) -> Failure:
    """A bias and a value that the set of an activation misses; None where there are none."""
    gap = has_unit_gap(NAMED[name], grid)
    sets = Reach(grid, grid.s if kind == "BS" else 1) if gap else reach(kind, rounded(NAMED[name], grid))
    bias = sets.full_for_every_bias()
    if bias is None:
        return None
    missing = sets.missing(bias)
    return {"activation": name, "s": grid.s, "b": grid.show(bias), "missing": None if missing is None else grid.show(missing)}


class Admitted(Struct, frozen=True, forbid_unknown_fields=True):
    """of: a statement with a step for each activation, at which its bounds on p and s stand; admits: one bound in their place."""

    of: str
    activations: list[str]
    admits: str | None = None


def every_scaling_factor(query: Query, given: Admitted) -> Outcome:
    """Each activation is admitted at every s with 1 in Q_(p,s), and its set is everything there."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            for name in given.activations:
                if given.admits is None:
                    found = query.ask(f"{given.of}:{name}", Edition.STATEMENT, p=grid.p, s=grid.s)
                    yield None if found.verdict is Verdict.VERIFIED else {"activation": name, "s": grid.s, given.of: found.reason}
                elif exact.truth(given.admits, {"p": grid.p, "s": grid.s}):
                    yield _short(grid, name, "S")
                else:
                    yield {"activation": name, "s": grid.s, "not admitted by": given.admits}

    return decide(query, f"{', '.join(given.activations)} at every s <= 2^p - 1,", trials(), GAPS)


class Satisfying(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations, the statements of the conditions; reach: how far from 0 q₁ and q₂ are tried, in levels.

    excepted: for an activation the parameters, a condition on p and s, at which it is not meant.
    """

    activations: list[str]
    conditions: list[str]
    reach: int
    excepted: dict[str, str] = {}


def satisfy_one_of(query: Query, given: Satisfying) -> Outcome:
    """Each activation at every s: q₁ and q₂ and one of the conditions enclosed between them, or each excluded for all q₁ and q₂."""
    undecided = []
    scope = f"{', '.join(given.activations)} at every s <= 2^p - 1"

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(query["p"]):
            query.advance("scaling factors", grid.s, grid.top)
            conditions = {name: slope_condition(grid, stated(query, name)) for name in given.conditions}
            for name in given.activations:
                where = given.excepted.get(name)
                if where is not None and exact.truth(where, {"p": grid.p, "s": grid.s}):
                    continue
                if next(satisfied(NAMED[name], grid, conditions, given.reach), None) is not None:
                    yield None
                elif all(excluded(NAMED[name], grid, asked) for asked in conditions.values()):
                    yield {"activation": name, "s": grid.s}
                else:
                    undecided.append(f"{name} at s = {grid.s}")

    found = decide(query, scope, trials(), BALLS)
    if found.verdict is Verdict.VERIFIED and undecided:
        return Outcome(Verdict.OPEN, Scope(f"{scope} {query.at}", None, BALLS), reason=f"no q1, q2 found for {', '.join(undecided)}")
    return found
