"""What Lemmas 5 and 14 and Theorems 6, 15 and 21 take for granted, dropped: Condition 1, γ ∈ S°, S = Q_(p,s), 1 ∈ Q_(p,s), continuity.

Condition 1 is needed nowhere: another φ does without it (:mod:`..mathematics.networks.any_activation`). The sets depend on ⌈σ⌉ only through
its outputs, and any two or more outputs are those of a monotone ⌈σ⌉, which has Condition 1 (Lemma 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of, outputs_tried
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.expressive_power import sums_of, swap_target
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.any_activation import copies_of, side_by_side, unconditional_representator
from constructions.fixed_point_networks.mathematics.networks.any_scaling_factor import (
    gap_pair,
    separating_representator,
    separating_sum,
    unseparated,
)
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cubes, in_cube
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference, representator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.samples import continuous_targets, tables, targets, usable, without_condition_1
from constructions.fixed_point_networks.mathematics.sets import reach, reach_of_image, weights_of
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding


def any_scaling_factor(question: Question, built: Callable[[FixedPoint], Iterator[Failure]]) -> Finding:
    """Where 1 ∉ Q_(p,s), with weights in Q_(p,s), one input: whether the first layer tells all inputs apart, and then other networks.

    What every σ with Condition 1 at z tells apart, the step at z does, and this one no more; the signs α, β mirror the neurons with it.
    """
    grid = grid_of(question)
    if question["d"] != 1:
        return declined("without 1 in Q_(p,s) networks of one input only are judged")
    question.within(grid.size**3, "weights and pairs of inputs")

    def trials() -> Iterator[Failure]:
        for z in range(-grid.top + 1, grid.top + 1):
            pair = unseparated(Table(grid, tuple(int(k >= z) for k in grid.levels())))
            yield None if pair is None else {"z": grid.show(z), "not told apart": [grid.show(x) for x in pair]}
        yield from built(grid)

    what = "every z of Condition 1, and other networks for the activations tried,"
    return decide(question, what, trials(), "every weight and bias of a first layer")


def indicators_of_points(grid: FixedPoint) -> Iterator[Failure]:
    """q_max·(a gap)·1_{v} for every v, not rounded."""
    inputs = all_inputs(grid, 1)
    for name, table, _ in tables(grid):
        high, low = gap_pair(table)
        gamma = grid.top * (table(high) - table(low))
        for v in inputs:
            network = separating_sum(table, [(v, [(grid.top, high, low)])], 1)
            values = run_all(network, inputs, rounded=False)[:, 0].tolist()
            ok = network.quantized and network.depth == 4 and values == [gamma * (x == v) for x in inputs]
            yield None if ok else {"activation": name, "v": grid.show_all(v), "values in 1/s^2": values}


def some_targets(grid: FixedPoint) -> Iterator[Failure]:
    """x₁ and two drawn targets, where S = Q_(p,s) for some bias."""
    for name, table in usable(grid, False):
        for text in ("x1", "drawn 1", "drawn 2"):
            target = targets(grid, 1)[text]
            network = separating_representator(table, target, 1)
            found = first_difference(network, target)
            ok = network.quantized and network.depth == 4 and found is None
            yield None if ok else {"activation": name, "target": text, "x, computed, f*": found}


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """weights: ``Q``, in Q_(p,s), or ``+-1``."""

    weights: str

    @property
    def binary(self) -> bool:
        return self.weights == "+-1"

    @property
    def set(self) -> str:
        return "BS" if self.binary else "S"


def _which(grid: FixedPoint) -> str:
    count = sum(1 for _ in without_condition_1(grid))
    return f"{'all ' if grid.p == 1 else ''}{count} activation tables without Condition 1"


def _small_enough(question: Question, table: Table, inputs: int) -> None:
    """Asks, before a network is built, whether φ is small enough: some draw needs millions of neurons from p = 3 on.

    inputs: how many inputs φ of one cube is run on, or all cubes of a network together.

    Raises:
        LimitError: it is not.
    """
    if len(table.image) > 1:
        question.within(2 * question["d"] * copies_of(table) * inputs, "neurons and inputs")


def indicator_without_condition_1(question: Question, given: Weights) -> Finding:
    """Lemmas 5 and 14 for activations without Condition 1, by another φ; a constant one has no gap but 0."""
    grid, d = grid_of(question), question["d"]
    question.within((grid.size * (grid.size + 1) // 2) ** d * grid.size**d, "cubes and inputs")
    inputs, weight = all_inputs(grid, d), grid.s if given.binary else grid.top

    def trials() -> Iterator[Failure]:
        for table in without_condition_1(grid):
            _small_enough(question, table, grid.size**d)
            terms = [(weight, a, b) for gap, (a, b) in gap_witnesses(table).items() if gap > 0]
            if not terms:
                yield None if reach("S", table).step == 0 else {"constant": table.levels}
                continue
            for cube in cubes(grid, d):
                network = side_by_side(table, cube, terms)
                yield None if network.depth == 4 and (network.binary or not given.binary) else {"layers": network.depth, "cube": cube}
                for x, row in zip(inputs, run_all(network, inputs, rounded=False).tolist(), strict=True):
                    want = [w * (table(a) - table(b)) if in_cube(x, cube) else 0 for w, a, b in terms]
                    yield None if row == want else {"activation": table.levels, "cube": cube, "x": x, "computed": row, "expected": want}

    return decide(question, f"{_which(grid)}, every cube, positive gap and input,", trials())


def represent_without_condition_1(question: Question, given: Weights) -> Finding:
    """Theorems 6 and 15 for activations without Condition 1: a few targets, of whose indicators any target is a sum."""
    grid, d = grid_of(question), question["d"]

    def trials() -> Iterator[Failure]:
        for table in without_condition_1(grid):
            if reach(given.set, table).full_bias() is None:
                continue
            _small_enough(question, table, grid.size ** (2 * d))
            for text, target in targets(grid, d).items():
                network = unconditional_representator(table, target, d, given.binary)
                found = first_difference(network, target) if network.binary or not given.binary else "weights that are not +-1"
                yield None if found is None else {"activation": table.levels, "target": text, "x, computed, f*": found}

    return decide(
        question, f"{_which(grid)}, with {given.set} = Q_(p,s) for some bias, {len(targets(grid, d))} targets, all inputs,", trials()
    )


def any_gamma(question: Question, given: Weights) -> Finding:
    """Whether every multiple γ of 1/s² is a sum of products of a weight and a gap, as γ·1_C needs for a cube that is neither empty nor all.

    For every set of two or more outputs, each of a monotone σ, which has Condition 1: the least γ > 0 that none of the sums takes.
    """
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for outputs in sets_of_outputs(question, grid):
            products = {w * (a - b) for w in weights_of(given.set, grid) for a in outputs for b in outputs}
            step = reach_of_image(given.set, grid, outputs).step
            gamma = next((t for t in range(1, step) if all(p % step == 0 for p in products)), None)
            shown = {"outputs": [grid.show(v) for v in sorted(outputs)], "sums are multiples of": Fraction(step, grid.s**2)}
            yield None if gamma is None else {**shown, "gamma": Fraction(gamma, grid.s**2)}

    return decide(question, "every activation with Condition 1, by its outputs, and every multiple of 1/s^2,", trials())


def any_sums(question: Question, given: Weights) -> Finding:
    """Whether networks represent every function whatever S (BS) is: a map onto Q_(p,s) that is not monotone is one that they may lack.

    A network of two or more layers takes all values only where its sums have a start that reaches them, with weights ±1 a bias; one
    layer is monotone.
    """
    grid = grid_of(question)
    target = [swap_target(grid, k) for k in grid.levels()]

    def trials() -> Iterator[Failure]:
        yield None if set(target) == set(grid.levels()) and target != sorted(target) else {"target": target}
        for outputs in sets_of_outputs(question, grid):
            able = reach_of_image("BS", grid, outputs).full_bias() is not None if given.binary else sums_of(grid, outputs).everything()
            yield None if able else {"outputs": [grid.show(v) for v in sorted(outputs)], "not represented": grid.show_all(target)}

    return decide(question, "every activation with Condition 1, by its outputs,", trials(), "starts of sums (gcds)")


def sets_of_outputs(question: Question, grid: FixedPoint) -> list[frozenset[int]]:
    """Two or more outputs, few and small ones first.

    Raises:
        LimitError: too many.
    """
    tried, _, _ = outputs_tried(question, grid)
    return sorted((i for i in tried if len(i) > 1), key=lambda i: (len(i), sum(map(abs, i)), sorted(i)))


Build = Callable[[Table, Sequence[int], int], Network]
Values = Sequence[Fraction]
"""f* at the inputs, in levels."""


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels; None where Eq. (20) holds."""
    for x, f, wanted in zip(grid.levels(), outputs, values, strict=True):
        if abs(f - wanted) > abs(wanted - grid.rounded(wanted)) + epsilon:
            return x
    return None


def _exactly(table: Table, build: Build) -> Iterator[Failure]:
    """Eq. (20) with ε = 0, and so with any ε, by a four-layer network for the rounding of each f*."""
    grid = table.grid
    for f in continuous_targets(grid):
        network = build(table, [grid.rounded(v) for v in f.values], 1)
        outputs = run_all(network, all_inputs(grid, 1))[:, 0].tolist()
        x = too_far(grid, outputs, f.values, Fraction(0)) if network.depth == 4 and network.quantized else 0
        yield None if x is None else {"activation": table.levels, "f*": f.values, "x": grid.show(x)}


def without_condition(question: Question) -> Iterator[Failure]:
    """Activations without Condition 1 for which some bias reaches every value."""
    grid = grid_of(question)
    for table in without_condition_1(grid):
        if reach("S", table).full_bias() is not None:
            question.within(2 * copies_of(table) * grid.size**2, "neurons at all inputs")
            yield from _exactly(table, unconditional_representator)


def without_epsilon(question: Question) -> Iterator[Failure]:
    """ε = 0: a constant f* is the first case, by a constant; of any other ω is 0 at 0 only, the third case."""
    grid = grid_of(question)
    for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
        values = [Fraction(k, 4)] * grid.size
        fitting = any(too_far(grid, [c] * grid.size, values, Fraction(0)) is None for c in grid.levels())
        yield None if fitting else {"f*": values[0] / grid.s}
    for _, table in usable(grid, False):
        yield from _exactly(table, representator)


def without_full_bias(question: Question) -> Iterator[Failure]:
    """Steps from 0 to a level with Condition 1 and N never Q_(p,s): f* through the target of Theorem 1, ε = 1/(4s), which is onto and
    not monotone; values of Q_(p,s) within ε of its values are these, a network lacks one, and one layer is monotone."""
    grid = grid_of(question)
    target = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(target)]
    for height in range(1, grid.top + 1):
        table = Table(grid, tuple(height if k >= 0 else 0 for k in grid.levels()))
        out_of_reach = reach("N", table).full_bias() is None and set(target) == set(grid.levels()) and max(steps) > 0 > min(steps)
        shown = {"activation": f"{grid.show(height)} from 0 on, else 0", "f*": "Theorem 1's target", "epsilon": Fraction(1, 4 * grid.s)}
        yield shown if out_of_reach and normal_form(table) is not None else None


def without_continuity(question: Question) -> Iterator[Failure]:
    """f* = 0 at −q_max, 1/s at q_max and 1/(2s) between, ε = 1/(2s): ω⁻¹(ε) = 2q_max, so that P = 1, and no constant is near enough."""
    grid, half = grid_of(question), Fraction(1, 2)
    pieces = [(-grid.top, -grid.top, Fraction(0)), (-grid.top, grid.top, half), (grid.top, grid.top, Fraction(1))]
    apart = [max(low - up, 0) for (_, up, a), (low, _, b) in combinations(pieces, 2) if abs(a - b) > half]
    values = [Fraction(0), *[half] * (grid.size - 2), Fraction(1)]
    fitting = [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, half) is None]
    delta = Fraction(min(apart), grid.s)
    shown = {"f*": [v / grid.s for v in values], "epsilon": half / grid.s, "delta": delta, "2 q_max": 2 * grid.largest}
    yield shown if delta >= 2 * grid.largest and not fitting else None


def without_one(question: Question) -> Iterator[Failure]:
    """s ≥ 2^p: where no first layer tells two inputs of the identity apart, f*(x) = x with ε = 1/(4s) is missed at one of them.

    Else networks without weights ±1 serve (:mod:`..mathematics.networks.any_scaling_factor`).
    """
    grid = grid_of(question)
    pair = unseparated(rounded(NAMED["identity"], grid))
    if pair is not None:
        nearest = min(max(abs(v - x) for x in pair) for v in grid.levels())
        yield {"f*": "x", "epsilon": Fraction(1, 4 * grid.s), "not told apart": [grid.show(x) for x in pair]} if 4 * nearest > 1 else None
    for _, table in usable(grid, False) if pair is None else ():
        yield from _exactly(table, separating_representator)


DROPPED: Mapping[str, Callable[[Question], Iterator[Failure]]] = {
    "condition-1": without_condition,
    "full-bias": without_full_bias,
    "continuity": without_continuity,
    "epsilon": without_epsilon,
    "one-in-Q": without_one,
}
"""By the name of a hypothesis: Eq. (20) for what the others admit without it."""


def error_bound(question: Question) -> Finding:
    """Eq. (20), for what becomes possible without the hypotheses that are not assumed."""
    dropped = [name for name in DROPPED if name not in question.assuming]
    trials = (failure for name in dropped for failure in DROPPED[name](question))
    return decide(question, f"Eq. (20), d = 1, without {', '.join(dropped)}", trials)
