"""Judges of what is necessary and what is sufficient for networks to represent every function (Sections 3.1–3.3, 4.2, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby, pairwise, product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import LISTED, grid_of, outputs_tried
from constructions.fixed_point_networks.judges.hypotheses import sets_of_outputs
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.expressive_power import Sums, sums_of, swap_target
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import monotone_tables, step_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, with_everything
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Edition, Finding


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the sets N, S, BN, BS."""

    set: str


def target_out_of_reach(question: Question, given: Kind) -> Finding:
    """Theorems 1 and 11: where no bias makes the set everything, the proof's target is computed by no network.

    Of more than one layer: each bias misses a value, which the target takes (it is onto). Of one layer: x₁ ↦ ⌈wx₁ + b⌉ is monotone, which
    the target is not.
    """
    grid, binary = grid_of(question), given.set.startswith("B")
    values = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(values)]

    def trials() -> Iterator[Failure]:
        yield None if max(steps) > 0 > min(steps) else {"target": values, "steps": steps}
        for gcd in range(grid.top + 1):
            sets = Reach(grid, gcd * (grid.s if binary else 1))
            if sets.full_bias() is None:
                for beta in range(sets.classes):
                    missing = sets.missing(beta)
                    taken = missing is not None and missing in values
                    yield None if taken else {"gcd of outputs": grid.show(gcd), "b": grid.show(beta), "target": values}

    what = f"every gcd of the outputs for which {given.set} is never everything, every class of biases, and the proof's target"
    return decide(question, what, trials(), "gcd of the outputs, and monotony")


class OneToOne(Struct, frozen=True, forbid_unknown_fields=True):
    bijective: bool


def target_is_onto(question: Question, given: OneToOne) -> Finding:
    """The proof's target on Q_(p,s)^d is onto Q_(p,s), and, where ``bijective``, takes no value twice."""
    grid, d = grid_of(question), question["d"]
    question.within(grid.size**d, "inputs")

    def trials() -> Iterator[Failure]:
        seen: dict[int, tuple[int, ...]] = {}
        for x in product(grid.levels(), repeat=d):
            value = swap_target(grid, x[0])
            same = seen.setdefault(value, x)
            clash = same != x and given.bijective
            yield {"x": grid.show_all(same), "x'": grid.show_all(x), "f": grid.show(value)} if clash else None
        yield None if set(seen) == set(grid.levels()) else {"missing": sorted(set(grid.levels()) - set(seen))}

    return decide(question, "all inputs", trials())


class Converse(Struct, frozen=True, forbid_unknown_fields=True):
    """Corollaries 9 and 17. necessary: the set that representability makes everything for some bias, sufficient: that suffices for it;
    represent: the set of the networks that the sentence speaks of (S: weights in Q_(p,s), BS: weights ±1)."""

    necessary: str
    sufficient: str
    represent: str


def equivalent(question: Question, given: Converse) -> Finding:
    """Where the hypotheses hold: every function is representable if and only if ``sufficient`` is everything for some bias.

    Representable are all functions if (Theorems 6, 15) the set of the networks named is everything for some bias, and only if
    (Theorems 1, 11) its wider set is; where the two differ the sentence is not decided and the activation is no counterexample.
    """
    grid = grid_of(question)
    listed = grid.p < LISTED
    wider = {"S": "N", "BS": "BN"}[given.represent]

    def trials() -> Iterator[Failure]:
        for table in sorted(monotone_tables(grid) if listed else step_tables(grid), key=_simplicity):
            sets = {kind: reach(kind, table) for kind in ("N", "S", "BN", "BS")}
            if "equal-sets" in question.assuming and sets[given.necessary].same_for_every_bias(sets[given.sufficient]) is not None:
                continue
            if "condition-1" in question.assuming and normal_form(table) is None:
                continue
            full = {kind: sets[kind].full_bias() is not None for kind in sets}
            says = full[given.sufficient]
            wrong = (full[given.represent] and not says) or (says and not full[wider])
            yield _counterexample(grid, table, sets, given) if wrong else None

    how = "" if listed else ", by the least output and the gcd of the gaps,"
    scope = f"all monotone, non-constant activation tables with {given.necessary} = {given.sufficient} for every bias{how}"
    return decide(question, scope, trials(), "gcd; Theorems 1, 6, 11, 15")


def _counterexample(grid: FixedPoint, table: Table, sets: Mapping[str, Reach], given: Converse) -> Failure:
    missing = sets[given.sufficient].missing(0)
    return {
        "rounded activation": _runs(grid.show(v) for v in table.levels),
        given.represent: f"Q_(p,s) at b = {grid.show(sets[given.represent].full_bias() or 0)}",
        given.sufficient: f"never Q_(p,s); at b = 0 it lacks {grid.show(missing or 0)}",
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


def each_indicator(question: Question, given: LastBias) -> Finding:
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


def differences_are_sums(question: Question) -> Finding:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, however it is built: Theorem 6.
    """
    grid = grid_of(question)
    if question.edition is Edition.STATEMENT:
        return question.ask("theorem-6", p=grid.p, s=grid.s, d=1)

    def trials() -> Iterator[Failure]:
        for sets in with_everything(grid):
            shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
            ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
            yield None if ok else {**shown, "values of f*": f"0 and {grid.show(1)}"}

    return decide(question, "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", trials(), "gcd of the gaps")
