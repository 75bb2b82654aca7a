"""Judges of necessary and sufficient conditions for networks to represent every function (Sections 3.1–3.3, 4.2, 5.1).

Judges of Lemmas 5 and 14 and Theorems 6, 15 and 21 without one of their hypotheses: Condition 1, γ ∈ S°, S = Q_(p,s), 1 ∈ Q_(p,s),
continuity.

Condition 1 is nowhere necessary: other networks work without it (:mod:`..mathematics.networks.without_hypotheses`). The sets depend on ⌈σ⌉
only through its outputs, and any two or more outputs are those of a monotone ⌈σ⌉, which has Condition 1 (Lemma 4).

Eq. (20) of Theorem 21 (Sections 4.3, 5.16) is tried at d = 1, for given f* and networks: which values are too far from f*? A case is None
if it holds, else the values that refute it. The number of parameters matters only if it decides the case: P = 1 is a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, grid_of
from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Network,
    Plan,
    all_inputs,
    assembled,
    first_difference,
    points_of,
    representator,
    run_all,
    terms_apart,
)
from constructions.fixed_point_networks.mathematics.networks.without_hypotheses import (
    separating_representator,
    separating_sum,
    unseparated,
)
from constructions.fixed_point_networks.mathematics.samples import continuous_targets, targets, usable, without_condition_1
from constructions.fixed_point_networks.mathematics.sets import (
    Reach,
    Sums,
    reach,
    reach_of_image,
    shapes,
    sums_of,
    swap_target,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import combination, gap_witnesses
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Failure, Over, Trial
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import judge


@judge
def necessary(query: Query, *, set: Literal["N", "BN"], weights: Weights) -> Cases:
    """Theorems 1 and 11, from both directions, with the proof's target, which is onto and not monotone.

    Networks that are built, run and found to equal the target have a last bias with which the set is everything (Eq. 10). Conversely, if no
    bias makes the set everything, no network is the target: with more than one layer because each bias misses a value; with one layer
    because x₁ ↦ ⌈wx₁ + b⌉ is monotone. If neither situation occurs, the theorem is empty.

    weights: of the networks; set: the set that is then everything.
    """
    grid, binary = grid_of(query), weights.binary
    tried = Tried(query, weights.set)
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
def equivalent(query: Query, *, necessary: str, sufficient: str, weights: Weights, rests_on: list[str], of: Sequence[str] = ()) -> Cases:
    """Corollaries 9 and 17, with the hypotheses: networks represent every function exactly if ``sufficient`` is everything for some bias.

    The starts of the networks' sums (:mod:`..mathematics.sets`) decide what networks represent, not the sets. Both depend only on the set
    of outputs (on two numbers of it), and every set of two or more is that of an activation with Condition 1 (Lemma 4). The theorems that
    the corollary combines are judged at these parameters: they build the networks, and show which targets have none.

    necessary, sufficient: the sets; weights: of the networks; rests_on: the theorems that give the two directions;
    of: further hypotheses, by name, besides the assumed ones.
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
    query.within(grid.size**2, "shapes of outputs")
    which = f"every activation with Condition 1{having}, by its least output and the gcd of its gaps,"
    yield Over(which, f"starts of sums (gcds); {', '.join(rests_on)}", sample_of=sample_of)
    for outputs in sorted(shapes(grid), key=lambda i: (sum(map(abs, i)), sorted(i))):
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
def sums_of_indicators(query: Query) -> Cases:
    """Section 3.2, not rounded: if every γ ∈ Q_(p,s) is a sum, the indicators γ·1_{v} of points are combined and run."""
    grid = grid_of(query)
    tried = Tried(query, only=("with every value among the sums", lambda table: grid.s % reach("S", table).step == 0))
    yield tried.over(f"{len(targets(grid, 1))} targets on every input")
    for name, table, normal in tried:
        made = Plan(normal, 0, {q: combination(normal.rho, grid.s * q, False) for q in grid.levels()}, False)
        for text, target in targets(grid, 1).items():
            found = first_difference(assembled(made, table, 1, points_of(table, target, 1)), target)
            yield found is None or {"activation": name, "target": text, "x, computed, f*": found}


@judge
@by_edition
def differences_are_sums(query: Query) -> Cases:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, it follows from Theorem 6.
    """
    grid = grid_of(query)
    if query.edition is Edition.STATEMENT:
        return query.ask("theorem-6", p=grid.p, s=grid.s, d=1)
    yield Over("every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", "gcd of the gaps")
    for sets in (Reach(grid, gap) for gap in range(1, 2 * grid.top + 1)):
        if sets.full_bias() is None:
            continue
        shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
        ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
        yield ok or {**shown, "values of f*": f"0 and {grid.show(1)}"}


def any_scaling_factor(query: Query, built: Iterator[Trial]) -> Cases:
    """If 1 ∉ Q_(p,s), with weights in Q_(p,s) and one input: whether the first layer separates all inputs, and then other networks.

    The step at z separates the inputs that any σ with Condition 1 at z separates, and no more; the signs α, β mirror the neurons with it.
    """
    grid = grid_of(query)
    if query["d"] != 1:
        return declined("without 1 in Q_(p,s) networks of one input only are judged")
    query.within(grid.size**3, "weights and pairs of inputs")
    yield Over("every z of Condition 1, and other networks for the activations tried,", "every weight and bias of a first layer")
    for z in range(-grid.top + 1, grid.top + 1):
        pair = unseparated(Table(grid, tuple(int(k >= z) for k in grid.levels())))
        yield pair is None or {"z": grid.show(z), "not told apart": [grid.show(x) for x in pair]}
    yield from built


Named = Iterable[tuple[str, Table]]


def indicators_of_points(tried: Named, d: int, binary: bool = False) -> Iterator[Trial]:
    """γ·1_{v} for every v and positive gap, times q_max or 1, not rounded; the indicator of a cube is the sum of those of its points. A
    constant has only the gap 0."""
    for name, table in tried:
        grid, inputs = table.grid, all_inputs(table.grid, d)
        terms = [(grid.s if binary else grid.top, a, b) for gap, (a, b) in gap_witnesses(table).items() if gap > 0]
        if not terms:
            yield reach("S", table).step == 0 or {"constant": table.levels}
            continue
        gammas = [w * (table(a) - table(b)) for w, a, b in terms]
        for v in inputs:
            network = terms_apart(separating_sum(table, [(v, terms)], d, binary=binary), 2)
            values = run_all(network, inputs, rounded=False).tolist()
            ok = _as_stated(network, binary) and values == [gammas if x == v else [0] * len(gammas) for x in inputs]
            yield ok or {"activation": name, "v": grid.show_all(v), "values in 1/s^2": values}


def _as_stated(network: Network, binary: bool) -> bool:
    """Check that the network has four layers, and weights ±1 or in Q_(p,s)."""
    return network.depth == 4 and (network.binary if binary else network.quantized)


def some_targets(tried: Named, d: int, binary: bool = False) -> Iterator[Trial]:
    """A few targets; any target is a sum of their indicators."""
    for name, table in tried:
        for text, target in targets(table.grid, d).items():
            network = separating_representator(table, target, d, binary)
            found = first_difference(network, target)
            ok = _as_stated(network, binary) and found is None
            yield ok or {"activation": name, "target": text, "x, computed, f*": found}


def _which(grid: FixedPoint) -> str:
    count = sum(1 for _ in without_condition_1(grid))
    return f"{'all ' if grid.p == 1 else ''}{count} activation tables without Condition 1"


def _without_condition_1(grid: FixedPoint) -> Named:
    return ((str(table.levels), table) for table in without_condition_1(grid))


@judge
def indicator_without_condition_1(query: Query, *, weights: Weights) -> Cases:
    """Lemmas 5 and 14 for activations without Condition 1, by networks of ours."""
    grid, d = grid_of(query), query["d"]
    query.within(grid.size ** (2 * d), "points and inputs")
    yield Over(f"{_which(grid)}, every point, positive gap and input,")
    yield from indicators_of_points(_without_condition_1(grid), d, weights.binary)


@judge
def represent_without_condition_1(query: Query, *, weights: Weights) -> Cases:
    """Theorems 6 and 15 for activations without Condition 1."""
    grid, d = grid_of(query), query["d"]
    query.within(grid.size ** (2 * d), "points and inputs")
    yield Over(f"{_which(grid)}, with {weights.set} = Q_(p,s) for some bias, {len(targets(grid, d))} targets, all inputs,")
    tried = ((name, table) for name, table in _without_condition_1(grid) if reach(weights.set, table).full_bias() is not None)
    yield from some_targets(tried, d, weights.binary)


DROPPED: Mapping[str, Callable[[Query], Iterator[Failure]]] = {
    "condition-1": lambda query: without_condition(grid_of(query)),
    "full-bias": lambda query: without_full_bias(grid_of(query)),
    "continuity": lambda query: without_continuity(grid_of(query)),
    "epsilon": lambda query: without_epsilon(grid_of(query)),
    "one-in-Q": lambda query: without_one(grid_of(query)),
}
"""By the name of a hypothesis: Eq. (20) for what the others admit without it."""


@judge
def error_bound(query: Query) -> Cases:
    """Eq. (20), for cases that become possible without the hypotheses that are not assumed."""
    dropped = [name for name in DROPPED if name not in query.assuming]
    yield Over(f"Eq. (20), d = 1, without {', '.join(dropped)}")
    for name in dropped:
        yield from DROPPED[name](query)


Build = Callable[[Table, Sequence[int], int], Network]


Values = Sequence[Fraction]
"""f* at the inputs, in levels."""


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels; None if Eq. (20) holds."""
    for x, f, wanted in zip(grid.levels(), outputs, values, strict=True):
        if abs(f - wanted) > abs(wanted - grid.rounded(wanted)) + epsilon:
            return x
    return None


def exactly(table: Table, build: Build) -> Iterator[Failure]:
    """Eq. (20) with ε = 0, and so with any ε, by a four-layer network for the rounding of each f*."""
    grid = table.grid
    for f in continuous_targets(grid):
        network = build(table, [grid.rounded(v) for v in f.values], 1)
        outputs = run_all(network, all_inputs(grid, 1))[:, 0].tolist()
        x = too_far(grid, outputs, f.values, Fraction(0)) if network.depth == 4 and network.quantized else 0
        yield None if x is None else {"activation": table.levels, "f*": f.values, "x": grid.show(x)}


def without_condition(grid: FixedPoint) -> Iterator[Failure]:
    """Activations without Condition 1 for which some bias reaches every value."""
    for table in without_condition_1(grid):
        if reach("S", table).full_bias() is not None:
            yield from exactly(table, separating_representator)


def without_epsilon(grid: FixedPoint) -> Iterator[Failure]:
    """ε = 0: a constant f* is the first case, by a constant; for any other f*, ω is 0 only at 0, the third case."""
    for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
        values = [Fraction(k, 4)] * grid.size
        fitting = any(too_far(grid, [c] * grid.size, values, Fraction(0)) is None for c in grid.levels())
        yield None if fitting else {"f*": values[0] / grid.s}
    for _, table in usable(grid, False):
        yield from exactly(table, representator)


def without_full_bias(grid: FixedPoint) -> Iterator[Failure]:
    """Steps from 0 to a level with Condition 1 and N never Q_(p,s): f* interpolates the target of Theorem 1, ε = 1/(4s), which is onto and
    not monotone; the values of Q_(p,s) within ε of its values are exactly these, a network lacks one, and one layer is monotone."""
    target = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(target)]
    for height in range(1, grid.top + 1):
        table = Table(grid, tuple(height if k >= 0 else 0 for k in grid.levels()))
        out_of_reach = reach("N", table).full_bias() is None and set(target) == set(grid.levels()) and max(steps) > 0 > min(steps)
        shown = {"activation": f"{grid.show(height)} from 0 on, else 0", "f*": "Theorem 1's target", "epsilon": Fraction(1, 4 * grid.s)}
        yield shown if out_of_reach and normal_form(table) is not None else None


def without_continuity(grid: FixedPoint) -> Iterator[Failure]:
    """f* = 0 at −q_max, 1/s at q_max and 1/(2s) between, ε = 1/(2s): ω⁻¹(ε) = 2q_max, so P = 1, and no constant is near enough."""
    half = Fraction(1, 2)
    pieces = [(-grid.top, -grid.top, Fraction(0)), (-grid.top, grid.top, half), (grid.top, grid.top, Fraction(1))]
    apart = [max(low - up, 0) for (_, up, a), (low, _, b) in combinations(pieces, 2) if abs(a - b) > half]
    values = [Fraction(0), *[half] * (grid.size - 2), Fraction(1)]
    fitting = [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, half) is None]
    delta = Fraction(min(apart), grid.s)
    shown = {"f*": [v / grid.s for v in values], "epsilon": half / grid.s, "delta": delta, "2 q_max": 2 * grid.largest}
    yield shown if delta >= 2 * grid.largest and not fitting else None


def without_one(grid: FixedPoint) -> Iterator[Failure]:
    """s ≥ 2^p: if no first layer separates two inputs of the identity, f*(x) = x with ε = 1/(4s) is missed at one of them.

    Otherwise networks without weights ±1 suffice (:mod:`..mathematics.networks.without_hypotheses`).
    """
    pair = unseparated(rounded(NAMED["identity"], grid))
    if pair is not None:
        nearest = min(max(abs(v - x) for x in pair) for v in grid.levels())
        yield {"f*": "x", "epsilon": Fraction(1, 4 * grid.s), "not told apart": [grid.show(x) for x in pair]} if 4 * nearest > 1 else None
    for _, table in usable(grid, False) if pair is None else ():
        yield from exactly(table, separating_representator)
