"""Judges of what the paper says of activations that have a name, at every scaling factor (Sections 1, 3, 3.2.1, 3.2.4, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.judges.sets import gaps
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import fixed_points
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Finding


class Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations that a sentence lists, by name; sets: those that it speaks of."""

    activations: list[str]
    sets: list[str] = []


def _scope(given: Listed, what: str = "") -> str:
    return f"{', '.join(given.activations)} at every s <= 2^p - 1{what}"


def satisfy_condition_1(question: Question, given: Listed) -> Finding:
    """Where each rounded activation is extremal, at every s of this p."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                yield None if normal_form(rounded(NAMED[name], grid)) is not None else {"s": grid.s, "activation": name}

    return decide(question, _scope(given), trials())


def rise(question: Question, given: Listed) -> Finding:
    """Each rounded activation rises, is not constant, and has Condition 1's form."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                table = rounded(NAMED[name], grid)
                ok = list(table.levels) == sorted(table.levels) and len(table.image) > 1 and normal_form(table) is not None
                yield None if ok else {"activation": name, "s": grid.s, "levels": list(table.levels)}

    return decide(question, _scope(given), trials())


def sets_coincide(question: Question, given: Listed) -> Finding:
    """``sets`` holds pairs, N and S, BN and BS: each pair is equal for every bias."""
    pairs = list(zip(given.sets[::2], given.sets[1::2], strict=True))

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                table = rounded(NAMED[name], grid)
                for n, s in pairs:
                    bias = reach(n, table).same_for_every_bias(reach(s, table))
                    yield None if bias is None else {"activation": name, "s": grid.s, "sets": f"{n}, {s}", "b": grid.show(bias)}

    return decide(question, _scope(given, ", and every bias,"), trials(), "gcd of the outputs and of the gaps")


def zero_at_zero(question: Question, given: Listed) -> Finding:
    """Each is 0 at 0, an output that is a gap, and the two sets are equal for every bias."""
    n, s = given.sets

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                table, value = rounded(NAMED[name], grid), NAMED[name].exact(Fraction(0))
                failure = {"activation": name, "s": grid.s, "at 0": value}
                yield None if value == 0 and table(0) == 0 and table.image & gaps(table.image) else failure
                yield None if reach(n, table).same_for_every_bias(reach(s, table)) is None else failure

    return decide(question, _scope(given, ", and every bias,"), trials(), "gcd of the outputs and of the gaps")


def sufficient_condition(question: Question, given: Listed) -> Finding:
    """Each has Condition 1, and the set (S or BS) is everything for every bias, at every s."""
    (kind,) = given.sets

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                failure = {"activation": name, "s": grid.s}
                table = rounded(NAMED[name], grid)
                yield None if normal_form(table) is not None else failure
                gap = has_unit_gap(NAMED[name], grid) is not None
                sets = Reach(grid, grid.s if kind == "BS" else 1) if gap else reach(kind, table)
                yield None if sets.full_for_every_bias() is None else failure

    return decide(question, _scope(given, ", and every bias,"), trials(), "gcd of the gaps")


class Ends(Struct, frozen=True, forbid_unknown_fields=True):
    """end: of the interval from min Q_(p,s) on, where beta = -1: ``z`` or ``-z``."""

    end: str


def extremal_interval(question: Question, given: Ends) -> Finding:
    """The sentence after Condition 1: where each table is extremal, for its alpha, beta and z."""
    grid, sign = grid_of(question), {"z": 1, "-z": -1}[given.end]

    def trials() -> Iterator[Failure]:
        for name, table, normal in tables(grid):
            extreme = max(table.levels) if normal.alpha == 1 else min(table.levels)
            found = [k for k in grid.levels() if table(k) == extreme]
            named = [k for k in grid.levels() if (k >= normal.z if normal.beta == 1 else k <= sign * normal.z)]
            shown = {"activation": name, "alpha": normal.alpha, "beta": normal.beta, "z": grid.show(normal.z)}
            up_to = grid.show(named[-1]) if named else "no input"
            yield None if found == named else {**shown, "extremal up to": grid.show(found[-1]), "interval up to": up_to}

    return decide(question, scope_of(question, "every input"), trials())
