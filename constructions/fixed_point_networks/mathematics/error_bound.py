"""Eq. (20) of Theorem 21, d = 1, where one of its hypotheses is dropped: for given f* and networks, what is too far from f*.

Source: Sections 4.3, 5.16. A case is None where it holds, else what shows that it does not. The number of parameters counts only where it
decides the case: P = 1 is a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.expressive_power import swap_target
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.any_activation import copies_of, unconditional_representator
from constructions.fixed_point_networks.mathematics.networks.any_scaling_factor import separating_representator, unseparated
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import representator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.samples import continuous_targets, usable, without_condition_1
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.arithmetic.rationals import Fraction

Build = Callable[[Table, Sequence[int], int], Network]


Values = Sequence[Fraction]
"""f* at the inputs, in levels."""


Failure = Mapping[str, object] | None


Within = Callable[[int, str], None]
"""Told how many cases are to be gone through, and of what; raises LimitError where they are too many."""


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels; None where Eq. (20) holds."""
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


def without_condition(grid: FixedPoint, within: Within) -> Iterator[Failure]:
    """Activations without Condition 1 for which some bias reaches every value."""
    for table in without_condition_1(grid):
        if reach("S", table).full_bias() is not None:
            within(2 * copies_of(table) * grid.size**2, "neurons at all inputs")
            yield from exactly(table, unconditional_representator)


def without_epsilon(grid: FixedPoint) -> Iterator[Failure]:
    """ε = 0: a constant f* is the first case, by a constant; of any other ω is 0 at 0 only, the third case."""
    for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
        values = [Fraction(k, 4)] * grid.size
        fitting = any(too_far(grid, [c] * grid.size, values, Fraction(0)) is None for c in grid.levels())
        yield None if fitting else {"f*": values[0] / grid.s}
    for _, table in usable(grid, False):
        yield from exactly(table, representator)


def without_full_bias(grid: FixedPoint) -> Iterator[Failure]:
    """Steps from 0 to a level with Condition 1 and N never Q_(p,s): f* through the target of Theorem 1, ε = 1/(4s), which is onto and
    not monotone; values of Q_(p,s) within ε of its values are these, a network lacks one, and one layer is monotone."""
    target = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(target)]
    for height in range(1, grid.top + 1):
        table = Table(grid, tuple(height if k >= 0 else 0 for k in grid.levels()))
        out_of_reach = reach("N", table).full_bias() is None and set(target) == set(grid.levels()) and max(steps) > 0 > min(steps)
        shown = {"activation": f"{grid.show(height)} from 0 on, else 0", "f*": "Theorem 1's target", "epsilon": Fraction(1, 4 * grid.s)}
        yield shown if out_of_reach and normal_form(table) is not None else None


def without_continuity(grid: FixedPoint) -> Iterator[Failure]:
    """f* = 0 at −q_max, 1/s at q_max and 1/(2s) between, ε = 1/(2s): ω⁻¹(ε) = 2q_max, so that P = 1, and no constant is near enough."""
    half = Fraction(1, 2)
    pieces = [(-grid.top, -grid.top, Fraction(0)), (-grid.top, grid.top, half), (grid.top, grid.top, Fraction(1))]
    apart = [max(low - up, 0) for (_, up, a), (low, _, b) in combinations(pieces, 2) if abs(a - b) > half]
    values = [Fraction(0), *[half] * (grid.size - 2), Fraction(1)]
    fitting = [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, half) is None]
    delta = Fraction(min(apart), grid.s)
    shown = {"f*": [v / grid.s for v in values], "epsilon": half / grid.s, "delta": delta, "2 q_max": 2 * grid.largest}
    yield shown if delta >= 2 * grid.largest and not fitting else None


def without_one(grid: FixedPoint) -> Iterator[Failure]:
    """s ≥ 2^p: where no first layer tells two inputs of the identity apart, f*(x) = x with ε = 1/(4s) is missed at one of them.

    Else networks without weights ±1 serve (:mod:`..mathematics.networks.any_scaling_factor`).
    """
    pair = unseparated(rounded(NAMED["identity"], grid))
    if pair is not None:
        nearest = min(max(abs(v - x) for x in pair) for v in grid.levels())
        yield {"f*": "x", "epsilon": Fraction(1, 4 * grid.s), "not told apart": [grid.show(x) for x in pair]} if 4 * nearest > 1 else None
    for _, table in usable(grid, False) if pair is None else ():
        yield from exactly(table, separating_representator)
