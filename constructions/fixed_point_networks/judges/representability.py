"""Judges of what is necessary and what is sufficient for networks to represent every function (Sections 3.1–3.3, 4.2, 5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Literal

from constructions.fixed_point_networks.judges.hypotheses import sets_of_outputs
from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, grid_of, outputs_tried
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.representator import (
    Plan,
    assembled,
    first_difference,
    points_of,
    representator,
)
from constructions.fixed_point_networks.mathematics.samples import targets
from constructions.fixed_point_networks.mathematics.sets import (
    Reach,
    Sums,
    reach,
    reach_of_image,
    sums_of,
    swap_target,
    with_everything,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import judge


@judge
def necessary(query: Query, *, set: Literal["N", "BN"]) -> Cases:
    """Theorems 1 and 11, from either end, with the proof's target, which is onto and not monotone.

    Networks that are built, run and found to be the target have a last bias with which the set is everything (Eq. 10). And where no bias
    makes the set everything, no network is the target: of more than one layer, because each bias misses a value; of one layer, because
    x₁ ↦ ⌈wx₁ + b⌉ is monotone. Where either end does not occur the theorem says nothing.
    """
    grid, binary = grid_of(query), set == "BN"
    tried = Tried(query, "BS" if binary else "S")
    target = tuple(swap_target(grid, k) for k in grid.levels())
    steps = [b - a for a, b in pairwise(target)]
    found = {"built": 0, "out of reach": 0}

    def what() -> str:
        counted = ", ".join(f"{number} {which}" for which, number in found.items())
        return f"the proof's target with every activation, by the gcd of its outputs, and every class of biases ({counted}),"

    yield Over(what, "networks run; gcd of the outputs, and monotony")
    yield max(steps) > 0 > min(steps) or {"target": target, "steps": steps}
    for name, table in tried.named_tables:
        network = representator(table, target, 1, binary=binary)
        if first_difference(network, target) is None:
            found["built"] += 1
            bias = network.layers[-1][0].bias
            missing = reach(set, table).missing(bias)
            shown = {"activation": name, "network with every value, b": grid.show(bias), f"{set} lacks": str(missing)}
            yield missing is None or shown
    for outputs in ({gcd} for gcd in range(grid.top + 1)):
        sets = reach_of_image(set, grid, outputs)
        if sets.full_bias() is None:
            found["out of reach"] += 1
            for beta in range(sets.classes):
                shown = {"gcd of outputs": grid.show_all(outputs), "b": grid.show(beta), "target": str(target)}
                yield sets.missing(beta) in target or shown
    return None if all(found.values()) else declined(f"the theorem says nothing here: {what()} {query.at}")


@judge
def target_is_onto(query: Query, *, bijective: bool) -> Cases:
    """The proof's target on Q_(p,s)^d is onto Q_(p,s), and, where ``bijective``, takes no value twice."""
    grid, d = grid_of(query), query["d"]
    query.within(grid.size**d, "inputs")
    yield Over("all inputs")
    seen: dict[int, tuple[int, ...]] = {}
    for x in product(grid.levels(), repeat=d):
        value = swap_target(grid, x[0])
        same = seen.setdefault(value, x)
        yield same == x or not bijective or {"x": grid.show_all(same), "x'": grid.show_all(x), "f": grid.show(value)}
    yield set(seen) == set(grid.levels()) or {"missing": sorted(set(grid.levels()) - set(seen))}


@judge
def equivalent(query: Query, *, necessary: str, sufficient: str, weights: Weights, rests_on: list[str], of: Sequence[str] = ()) -> Cases:
    """Corollaries 9 and 17, with the hypotheses: networks represent every function just where ``sufficient`` is everything for some bias.

    What networks represent is decided by where their sums start (:mod:`..mathematics.sets`), and not by the sets. Both depend on the
    set of outputs alone, and every set of two or more is that of an activation with Condition 1 (a monotone one, Lemma 4). The
    theorems that the corollary combines are asked at these parameters: they build the networks, and show which targets have none.

    necessary, sufficient: the sets; weights: of the networks spoken of; rests_on: the theorems that give the two directions;
    of: hypotheses, by name, besides those assumed.
    """
    grid, hypotheses = grid_of(query), (*query.assuming, *of)
    not_shown: list[str] = []
    for theorem in rests_on:
        asked = query.ask(theorem, Edition.STATEMENT, p=grid.p, s=grid.s, d=1)
        if asked.verdict is Verdict.REFUTED:
            reason = f"{theorem}, which it follows from, is {asked.verdict.value}: {asked.counterexample}"
            return Outcome(Verdict.OPEN, Scope(f"{theorem} {query.at}"), reason=reason)
        if asked.verdict is not Verdict.VERIFIED:
            not_shown.append(theorem)
    sample_of = f"every activation, and {' and '.join(not_shown)}, from which it follows, is not verified here" if not_shown else ""
    if "condition-1" not in hypotheses:
        sample_of = "every activation, also without Condition 1"
    having = f" and {necessary} = {sufficient} for every bias" if "equal-sets" in hypotheses else ""
    how = outputs_tried(query, grid)[2]
    yield Over(f"every activation with Condition 1{having}, {how},", f"starts of sums (gcds); {', '.join(rests_on)}", sample_of=sample_of)
    for outputs in sets_of_outputs(query, grid):
        sets = reach_of_image(sufficient, grid, outputs)
        if "equal-sets" in hypotheses and reach_of_image(necessary, grid, outputs).same_for_every_bias(sets) is not None:
            continue
        sums = sums_of(grid, outputs, weights.binary)
        yield sums.everything() == (sets.full_bias() is not None) or _counterexample(grid, outputs, sums, sufficient, sets)


def _counterexample(grid: FixedPoint, outputs: frozenset[int], sums: Sums, name: str, sets: Reach) -> dict[str, object]:
    start, missing, bias = sums.start_for(grid.levels()), sets.missing(0), sets.full_bias()
    lacks = f"never Q_(p,s); at b = 0 it lacks {grid.show(missing or 0)}"
    return {
        "outputs": [grid.show(v) for v in sorted(outputs)],
        "values of networks": "never all" if start is None else f"all, by sums from {Fraction(start, grid.s**2)}",
        name: lacks if bias is None else f"Q_(p,s) at b = {grid.show(bias)}",
    }


@judge
def each_indicator(query: Query, *, rounded: bool) -> Cases:
    """Section 3.2: if γ·1_C is a network for every γ ∈ Q_(p,s) and cube C, networks represent every function.

    Rounded: decided exactly by the sum that networks start from, one start for 0 and γ, for each γ, against one for all of Q_(p,s).
    Not rounded: where every γ is a sum, the indicators of points are put together and run.

    rounded: whether γ·1_C is computed with a last bias and rounding, each of its own, or without.
    """
    return _rounded_indicators(query) if rounded else _unrounded_indicators(query)


def _rounded_indicators(query: Query) -> Cases:
    grid = grid_of(query)
    yield Over(f"every activation with Condition 1, {outputs_tried(query, grid)[2]},", "starts of sums (gcds)")
    for outputs in sets_of_outputs(query, grid):
        sums = sums_of(grid, outputs)
        yield not sums.each_with_zero() or sums.everything() or _starts(grid, outputs, sums)


def _unrounded_indicators(query: Query) -> Cases:
    grid = grid_of(query)
    tried = Tried(query, only=("with every value among the sums", lambda table: grid.s % reach("S", table).step == 0))
    yield tried.over(f"{len(targets(grid, 1))} targets on every input")
    for name, table, normal in tried:
        made = Plan(normal, 0, {q: combination(normal.rho, grid.s * q, False) for q in grid.levels()}, False)
        for text, target in targets(grid, 1).items():
            found = first_difference(assembled(made, table, 1, points_of(table, target, 1)), target)
            yield found is None or {"activation": name, "target": text, "x, computed, f*": found}


def _starts(grid: FixedPoint, outputs: frozenset[int], sums: Sums) -> dict[str, object]:
    """The outputs, what the sums run over, from which start each γ is reached together with 0, and what every start misses."""
    unit, shown = grid.s**2, [grid.show(v) for v in sorted(outputs)]
    values = sorted(grid.levels(), key=lambda q: (abs(q), q))
    reached = [f"{grid.show(q)} from {Fraction(sums.start_for((0, q)) or 0, unit)}" for q in values if q]
    missed = [f"{grid.show(q)} from {Fraction(c, unit)}" for c in sums.starts if (q := sums.reach.missing_from(c, values)) is not None]
    gaps = f"a start plus multiples of {Fraction(sums.gaps, unit)}"
    return {"outputs": shown, "sums": gaps, "reached with 0": reached, "missing": missed}


@judge
@by_edition
def differences_are_sums(query: Query) -> Cases:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, however it is built: Theorem 6.
    """
    grid = grid_of(query)
    if query.edition is Edition.STATEMENT:
        return query.ask("theorem-6", p=grid.p, s=grid.s, d=1)
    yield Over("every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", "gcd of the gaps")
    for sets in with_everything(grid):
        shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
        ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
        yield ok or {**shown, "values of f*": f"0 and {grid.show(1)}"}
