"""Judges of what networks represent: indicators of cubes, every function, and how large they are (Sections 3.2, 3.3, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from constructions.fixed_point_networks.judges.cube_indicators import AT_ONCE, Build, Maps, Outputs, indicators
from constructions.fixed_point_networks.judges.every_target import every_target
from constructions.fixed_point_networks.judges.given import chosen, grid_of
from constructions.fixed_point_networks.judges.network_hypotheses import (
    any_scaling_factor,
    indicators_of_points,
    sets_of_outputs,
    some_targets,
)
from constructions.fixed_point_networks.judges.sampling import outputs_tried, scope_of
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.expressive_power import Sums, sums_of
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import Cube, each_gap, terms_apart
from constructions.fixed_point_networks.mathematics.networks.network import Network
from constructions.fixed_point_networks.mathematics.networks.representator import plan
from constructions.fixed_point_networks.mathematics.networks.sub_networks import parameters_of, sub_network
from constructions.fixed_point_networks.mathematics.networks.three_layers import short_indicator
from constructions.fixed_point_networks.mathematics.samples import tables, usable
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from verifier.formulas import exact
from verifier.statements.findings import Failure, decide, refuted
from verifier.statements.model import Question
from verifier.verdicts import Edition, Finding, Scope, Verdict


class Indicator(Maps, frozen=True, kw_only=True):
    """layers: how many f has, so that γ·1_C is an affine map after ⌈σ⌉ ∘ f."""

    layers: int


def indicator(question: Question, given: Indicator) -> Finding:
    """Lemmas 5 and 14: γ·1_C for every cube and gap γ, with weight q_max or 1. S° and BS° are made of such terms, which add up exactly.

    As printed by the proof's f, of three layers; as a statement by any f with the layers stated: with weights ±1 two are enough, too.
    """
    grid = grid_of(question)
    if not given.binary and grid.s > grid.top:
        return any_scaling_factor(question, indicators_of_points)
    weight = grid.s if given.binary else grid.top

    def short(normal: Normal, cube: Cube) -> Network:
        return terms_apart(short_indicator(normal, cube, [(weight, a, b) for a, b in gap_witnesses(normal.rho).values()]), 2)

    builds: list[Build] = [lambda normal, cube: each_gap(normal, cube, weight, given.signs, given.binary)]
    if given.binary and question.edition is Edition.STATEMENT:
        builds.append(short)
    what, first = scope_of(question, "every cube, gap and input"), next(tables(grid, chosen(question, "sigma")), None)
    if first is None:
        return decide(question, what, [])
    name, _, normal = first
    by_layers = {build(normal, ((0, 0),) * question["d"]).depth - 1: build for build in builds}
    if given.layers not in by_layers:
        layers = ", ".join(map(str, sorted(by_layers)))
        if question.edition is Edition.STATEMENT:
            return Finding(Verdict.OPEN, Scope(f"{what} {question.at}"), reason=f"an f of {layers} layers is known, not of {given.layers}")
        return refuted(f"{what} {question.at}", {"activation": name, "layers of the proof's f": layers, "layers stated": given.layers})

    def outputs(normal: Normal) -> Outputs:
        return [({"gamma": Fraction(weight * gap, grid.s**2)}, weight * gap) for gap in gap_witnesses(normal.rho)]

    trials = indicators(question, by_layers[given.layers], outputs, given.binary)
    return decide(question, what, trials, witness=f"an f of {given.layers} layers", at_once=AT_ONCE)


def represent(question: Question, given: Maps) -> Finding:
    """Theorems 6 and 15: the four-layer network of the proof is f*, for every f*."""
    if not given.binary and question["s"] > grid_of(question).top:
        return any_scaling_factor(question, some_targets)
    return every_target(question, given.signs, given.binary)


class LastMap(Struct, frozen=True, forbid_unknown_fields=True):
    """rounded: whether γ·1_C is computed with a last bias and rounding, each of its own, or without."""

    rounded: bool


def each_indicator(question: Question, given: LastMap) -> Finding:
    """Section 3.2: if γ·1_C is a network for every γ ∈ Q_(p,s) and cube C, networks represent every function.

    Networks are decided exactly by the sum that they start from: one start for 0 and γ, for each γ, against one for all of Q_(p,s).
    """
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for outputs in sets_of_outputs(question, grid):
            sums = sums_of(grid, outputs)
            if given.rounded:
                fails = sums.each_with_zero() and not sums.everything()
            else:
                every = all(grid.s * q % sums.gaps == 0 for q in grid.levels())
                fails = every and sums.reach.missing_from(0, grid.levels()) is not None
            yield {"outputs": [grid.show(v) for v in sorted(outputs)], **_starts(sums)} if fails else None

    return decide(question, f"every activation with Condition 1, {outputs_tried(question, grid)[2]},", trials(), "starts of sums (gcds)")


def _starts(sums: Sums) -> dict[str, object]:
    """What the sums run over, from which start each γ is reached together with 0, and what every start misses."""
    grid, unit = sums.grid, sums.grid.s**2
    values = sorted(grid.levels(), key=lambda q: (abs(q), q))
    reached = [f"{grid.show(q)} from {Fraction(sums.start_for((0, q)) or 0, unit)}" for q in values if q]
    missed = [f"{grid.show(q)} from {Fraction(c, unit)}" for c in sums.starts if (q := sums.reach.missing_from(c, values)) is not None]
    return {"sums": f"a start plus multiples of {Fraction(sums.gaps, unit)}", "reached with 0": reached, "missing": missed}


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """layers, and the bound on the number of parameters, as a formula in p, s and d."""

    layers: int
    bound: str


def size(question: Question, given: Size) -> Finding:
    """The network of Theorem 6 for every f*: a point's greatest number of parameters over all values, for each point."""
    grid, d = grid_of(question), question["d"]
    points, bound = grid.size**d, exact.integer(given.bound, question.names)
    largest = 0

    def trials() -> Iterator[Failure]:
        nonlocal largest
        for name, table in usable(grid, False, chosen(question, "sigma")):
            made = plan(table)
            layers, most = sub_network(made, table, ((0, 0),) * d).depth, points * max(parameters_of(made, d)) + 1
            largest = max(largest, most)
            yield None if layers == given.layers and most <= bound else {"activation": name, "layers": layers, "parameters": most}

    found = list(trials())
    witness = f"at most {largest:,} parameters, where every value is the costliest; the bound is {bound:,}"
    return decide(question, f"every f* ({grid.size}^{points} functions) and the activations tried", found, witness=witness)


def differences_are_sums(question: Question) -> Finding:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, however it is built: Theorem 6.
    """
    grid = grid_of(question)
    if question.edition is Edition.STATEMENT:
        return question.ask("theorem-6", p=grid.p, s=grid.s, d=1)

    def trials() -> Iterator[Failure]:
        for sets in _with_everything(grid):
            shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
            ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
            yield None if ok else {**shown, "values of f*": f"0 and {grid.show(1)}"}

    return decide(question, "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", trials(), "gcd of the gaps")


class Furthest(Struct, frozen=True, forbid_unknown_fields=True):
    """furthest: the greatest magnitude of a sum, in p and s."""

    furthest: str


def reached_by_small_sums(question: Question, given: Furthest) -> Finding:
    """What Lemma 19 concludes: some bias in [−q_max, q_max] reaches all of Q_(p,s) by sums of small magnitude."""
    grid, furthest = grid_of(question), exact.rational(given.furthest, question.names)

    def trials() -> Iterator[Failure]:
        for sets in _with_everything(grid):
            ok = any(sets.missing_within(beta, furthest) is None for beta in grid.levels())
            yield None if ok else {"gcd of the gaps": grid.show(sets.step), "sums up to": furthest}

    return decide(question, "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", trials(), "gcd of the gaps")


def _with_everything(grid: FixedPoint) -> Iterator[Reach]:
    """S for every gcd of gaps with which it is Q_(p,s) for some bias."""
    return (sets for gap in range(1, 2 * grid.top + 1) if (sets := Reach(grid, gap)).full_bias() is not None)
