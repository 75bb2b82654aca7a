"""Judges of what is necessary and what is sufficient for networks to represent every function (Sections 3.1–3.3, 4.2, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise, product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import LISTED, Tried, grid_of, outputs_tried
from constructions.fixed_point_networks.judges.hypotheses import sets_of_outputs
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.expressive_power import Sums, sums_of, swap_target
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import monotone_tables, step_tables
from constructions.fixed_point_networks.mathematics.networks.representator import (
    Plan,
    assembled,
    first_difference,
    points_of,
    representator,
)
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import targets
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, reach_of_image, with_everything
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the sets N, BN."""

    set: str

    @property
    def binary(self) -> bool:
        return self.set.startswith("B")


def necessary(query: Query, given: Kind) -> Outcome:
    """Theorems 1 and 11, from either end, with the proof's target, which is onto and not monotone.

    Networks that are built, run and found to be the target have a last bias with which the set is everything (Eq. 10). And where no bias
    makes the set everything, no network is the target: of more than one layer, because each bias misses a value; of one layer, because
    x₁ ↦ ⌈wx₁ + b⌉ is monotone. Where either end does not occur the theorem says nothing.
    """
    grid, tried = grid_of(query), Tried(query, "BS" if given.binary else "S")
    target = tuple(swap_target(grid, k) for k in grid.levels())
    steps = [b - a for a, b in pairwise(target)]
    found = {"built": 0, "out of reach": 0}

    def trials() -> Iterator[Failure]:
        yield None if max(steps) > 0 > min(steps) else {"target": target, "steps": steps}
        for name, table in tried.named_tables:
            network = representator(table, target, 1, binary=given.binary)
            if first_difference(network, target) is None:
                found["built"] += 1
                bias = network.layers[-1][0].bias
                missing = reach(given.set, table).missing(bias)
                shown = {"activation": name, "network with every value, b": grid.show(bias), f"{given.set} lacks": str(missing)}
                yield None if missing is None else shown
        for outputs in ({gcd} for gcd in range(grid.top + 1)):
            sets = reach_of_image(given.set, grid, outputs)
            if sets.full_bias() is None:
                found["out of reach"] += 1
                for beta in range(sets.classes):
                    shown = {"gcd of outputs": grid.show_all(outputs), "b": grid.show(beta), "target": str(target)}
                    yield None if sets.missing(beta) in target else shown

    def what() -> str:
        counted = ", ".join(f"{number} {which}" for which, number in found.items())
        return f"the proof's target with every activation, by the gcd of its outputs, and every class of biases ({counted}),"

    made = decide(query, what, trials(), "networks run; gcd of the outputs, and monotony")
    if made.verdict is Verdict.VERIFIED and not all(found.values()):
        return declined(f"the theorem says nothing here: {what()} {query.at}")
    return made


class OneToOne(Struct, frozen=True, forbid_unknown_fields=True):
    bijective: bool


def target_is_onto(query: Query, given: OneToOne) -> Outcome:
    """The proof's target on Q_(p,s)^d is onto Q_(p,s), and, where ``bijective``, takes no value twice."""
    grid, d = grid_of(query), query["d"]
    query.within(grid.size**d, "inputs")

    def trials() -> Iterator[Failure]:
        seen: dict[int, tuple[int, ...]] = {}
        for x in product(grid.levels(), repeat=d):
            value = swap_target(grid, x[0])
            same = seen.setdefault(value, x)
            clash = same != x and given.bijective
            yield {"x": grid.show_all(same), "x'": grid.show_all(x), "f": grid.show(value)} if clash else None
        yield None if set(seen) == set(grid.levels()) else {"missing": sorted(set(grid.levels()) - set(seen))}

    return decide(query, "all inputs", trials())


class Converse(Struct, frozen=True, forbid_unknown_fields=True):
    """Corollaries 9 and 17. necessary, sufficient: the sets; weights: of the networks spoken of, ``Q``, in Q_(p,s), or ``+-1``;
    rests_on: the theorems that give the two directions; of: hypotheses, by name, besides those assumed."""

    necessary: str
    sufficient: str
    weights: str
    rests_on: list[str]
    of: list[str] = []


def equivalent(query: Query, given: Converse) -> Outcome:
    """Where the hypotheses hold: networks represent every function if and only if ``sufficient`` is everything for some bias.

    What networks represent is decided by where their sums start (:mod:`..mathematics.expressive_power`), and not by the sets. The
    theorems that the corollary combines are asked at these parameters: they build the networks, and show which targets have none.
    """
    grid, binary = grid_of(query), given.weights == "+-1"
    listed, hypotheses = grid.p < LISTED, (*query.assuming, *given.of)
    for theorem in given.rests_on:
        asked = query.ask(theorem, Edition.STATEMENT, p=grid.p, s=grid.s, d=1)
        if asked.verdict is not Verdict.VERIFIED:
            reason = f"{theorem}, which it follows from, is {asked.verdict.value}: {asked.counterexample}"
            return Outcome(Verdict.OPEN, Scope(f"{theorem} {query.at}"), reason=reason)

    def trials() -> Iterator[Failure]:
        for table in sorted(monotone_tables(grid) if listed else step_tables(grid), key=_simplicity):
            necessary, sufficient = (reach(kind, table) for kind in (given.necessary, given.sufficient))
            if "equal-sets" in hypotheses and necessary.same_for_every_bias(sufficient) is not None:
                continue
            if "condition-1" in hypotheses and normal_form(table) is None:
                continue
            sums = sums_of(grid, table.image, binary)
            same = sums.everything() == (sufficient.full_bias() is not None)
            yield None if same else _counterexample(grid, table, sums, sufficient, given)

    how = "" if listed else ", by the least output and the gcd of the gaps,"
    having = f" with {given.necessary} = {given.sufficient} for every bias" if "equal-sets" in hypotheses else ""
    scope = f"all monotone, non-constant activation tables{having}{how}"
    return decide(query, scope, trials(), f"starts of sums against the gcd; {', '.join(given.rests_on)}")


def _counterexample(grid: FixedPoint, table: Table, sums: Sums, sufficient: Reach, given: Converse) -> Failure:
    start, missing, bias = sums.start_for(grid.levels()), sufficient.missing(0), sufficient.full_bias()
    lacks = f"never Q_(p,s); at b = 0 it lacks {grid.show(missing or 0)}"
    return {
        "rounded activation": _runs(grid.show(v) for v in table.levels),
        "values of networks": "never all" if start is None else f"all, by sums from {Fraction(start, grid.s**2)}",
        given.sufficient: lacks if bias is None else f"Q_(p,s) at b = {grid.show(bias)}",
    }


def _simplicity(table: Table) -> tuple[int, int, tuple[int, ...]]:
    return len(table.image), sum(map(abs, table.image)), table.levels


def _runs(values: Iterable[str]) -> list[str]:
    """``-1 (6 times), 0``: from the least input to the greatest."""
    counted = ((value, len(list(same))) for value, same in groupby(values))
    return [value if n == 1 else f"{value} ({n} times)" for value, n in counted]


class LastBias(Struct, frozen=True, forbid_unknown_fields=True):
    """rounded: whether γ·1_C is computed with a last bias and rounding, each of its own, or without."""

    rounded: bool


def each_indicator(query: Query, given: LastBias) -> Outcome:
    """Section 3.2: if γ·1_C is a network for every γ ∈ Q_(p,s) and cube C, networks represent every function.

    Rounded: decided exactly by the sum that networks start from, one start for 0 and γ, for each γ, against one for all of Q_(p,s).
    Not rounded: where every γ is a sum, the indicators of points are put together and run.
    """
    return _rounded_indicators(query) if given.rounded else _unrounded_indicators(query)


def _rounded_indicators(query: Query) -> Outcome:
    grid = grid_of(query)

    def trials() -> Iterator[Failure]:
        for outputs in sets_of_outputs(query, grid):
            sums = sums_of(grid, outputs)
            fails = sums.each_with_zero() and not sums.everything()
            yield {"outputs": [grid.show(v) for v in sorted(outputs)], **_starts(sums)} if fails else None

    return decide(query, f"every activation with Condition 1, {outputs_tried(query, grid)[2]},", trials(), "starts of sums (gcds)")


def _unrounded_indicators(query: Query) -> Outcome:
    grid = grid_of(query)
    tried = Tried(query, only=("with every value among the sums", lambda table: grid.s % reach("S", table).step == 0))

    def trials() -> Iterator[Failure]:
        for name, table, normal in tried:
            made = Plan(normal, 0, {q: combination(normal.rho, grid.s * q, False) for q in grid.levels()}, False)
            for text, target in targets(grid, 1).items():
                found = first_difference(assembled(made, table, 1, points_of(table, target, 1)), target)
                yield None if found is None else {"activation": name, "target": text, "x, computed, f*": found}

    return decide(query, tried.scope(f"{len(targets(grid, 1))} targets on every input"), trials())


def _starts(sums: Sums) -> dict[str, object]:
    """What the sums run over, from which start each γ is reached together with 0, and what every start misses."""
    grid, unit = sums.grid, sums.grid.s**2
    values = sorted(grid.levels(), key=lambda q: (abs(q), q))
    reached = [f"{grid.show(q)} from {Fraction(sums.start_for((0, q)) or 0, unit)}" for q in values if q]
    missed = [f"{grid.show(q)} from {Fraction(c, unit)}" for c in sums.starts if (q := sums.reach.missing_from(c, values)) is not None]
    return {"sums": f"a start plus multiples of {Fraction(sums.gaps, unit)}", "reached with 0": reached, "missing": missed}


@by_edition
def differences_are_sums(query: Query) -> Outcome:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, however it is built: Theorem 6.
    """
    grid = grid_of(query)
    if query.edition is Edition.STATEMENT:
        return query.ask("theorem-6", p=grid.p, s=grid.s, d=1)

    def trials() -> Iterator[Failure]:
        for sets in with_everything(grid):
            shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
            ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
            yield None if ok else {**shown, "values of f*": f"0 and {grid.show(1)}"}

    return decide(query, "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", trials(), "gcd of the gaps")
