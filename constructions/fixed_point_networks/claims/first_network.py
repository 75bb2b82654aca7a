"""Where the statements on networks first say something: Theorems 1, 6, 11, 15, 21, Lemmas 5, 14, 20, Corollaries 9, 17, Section 4.1.

That a network represents every function is run for every target of one input where these are few (27 at p = 1), else for five.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from verifier.claims.chapter import Chapter

from constructions.fixed_point_networks.claims.approximation_hypothesis import outputs_of, too_far
from constructions.fixed_point_networks.claims.count import CONSTANT
from constructions.fixed_point_networks.claims.first_set import names, never_full, of_outputs, small_images, walked
from constructions.fixed_point_networks.claims.naive import ONE, ones, quantized, real
from constructions.fixed_point_networks.claims.necessary import swap_target
from constructions.fixed_point_networks.first import Instance, Record, Search, first_claim
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.coverings import covering
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import for_sigma, indicator
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference, representator
from constructions.fixed_point_networks.mathematics.networks.three_layers import short_indicator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables, targets
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from constructions.fixed_point_networks.trials import PAPER_ID

chapter = Chapter(PAPER_ID)

FEW = 1 << 6


def represents_everything(table: Table, binary: bool) -> bool:
    """Whether the four-layer networks equal their targets on every input, d = 1."""
    grid = table.grid
    every = grid.size**grid.size <= FEW
    wanted = product(grid.levels(), repeat=grid.size) if every else targets(grid, 1).values()
    for target in wanted:
        network = representator(table, target, 1, binary=binary)
        if first_difference(network, target) is not None or (binary and not network.binary):
            return False
    return True


def one_layer_cannot(grid: FixedPoint) -> bool:
    """Theorem 1's target is onto, and rises and falls, as no rounded affine map does."""
    values = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(values)]
    return set(values) == set(grid.levels()) and max(steps) > 0 > min(steps)


def able(binary: bool, necessary: bool = False) -> Search:
    """Condition 1 and S (BS) = Q_{p,s} for some bias: networks represent everything; or then, N (BN) = Q_{p,s} for some bias."""
    kind = "B" if binary else ""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for name, table, _ in tables(grid):
            if reach(f"{kind}S", table).full_bias() is not None:
                sets = reach(f"{kind}N", table)
                full = any(len(walked(f"{kind}N", table, beta)) == grid.size for beta in range(sets.classes))
                yield Instance(f"activation {name}", represents_everything(table, binary) and (full or not necessary))

    return search


def unable(binary: bool) -> Search:
    """N (BN) never Q_{p,s}, σ not constant: deeper networks lack a value, and one layer cannot compute the target."""
    kind = "BN" if binary else "N"

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for image in small_images(grid):
            table = of_outputs(grid, image)
            if reach(kind, table).full_bias() is None:
                yield Instance(names(table), never_full(kind, table) and one_layer_cannot(grid))

    return search


def coincide(binary: bool, everything: bool) -> Search:
    """Corollaries 9 and 17: Condition 1 and N = S for every bias; both sides hold, or neither does."""
    n, s = ("BN", "BS") if binary else ("N", "S")

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for image in small_images(grid):
            table = of_outputs(grid, image)
            equal = normal_form(table) is not None and reach(n, table).same_for_every_bias(reach(s, table)) is None
            if equal and (reach(s, table).full_bias() is not None) == everything:
                agree = represents_everything(table, binary) if everything else never_full(n, table) and one_layer_cannot(grid)
                yield Instance(names(table), agree)

    return search


def one_point(binary: bool) -> Search:
    """Lemmas 5 and 14: Condition 1, C = {0}, and the least γ > 0 of S° (BS°), run without the last rounding."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for name, table, normal in tables(grid):
            t = reach("BS" if binary else "S", normal.rho).step
            terms = combination(normal.rho, t, binary)
            build = short_indicator if binary else indicator
            network = for_sigma(build(normal, ((0, 0),), terms), normal, table)
            exact = _unrounded(network) == [t * (x == 0) for x in grid.levels()]
            yield Instance(f"activation {name}, C = {{0}}, gamma = {Fraction(t, grid.s**2)}", exact and (network.binary or not binary))

    return search


def _unrounded(network: Network) -> list[int]:
    found: list[int] = run_all(network, all_inputs(network.grid, 1), rounded=False)[:, 0].tolist()
    return found


def counted(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 20: the same network, |γ| ≤ 2q_max + 3/(2s), and its parameters."""
    for name, _, normal in tables(grid):
        t = reach("S", normal.rho).step
        if Fraction(t, grid.s**2) <= 2 * grid.largest + Fraction(3, 2 * grid.s):
            size = indicator(normal, ((0, 0),), combination(normal.rho, t, False)).parameters
            bound = CONSTANT * 4**grid.p * grid.s**2
            yield Instance(f"activation {name}, gamma = {Fraction(t, grid.s**2)}: {size} parameters of {bound}", size <= bound)


def approximated(case: int) -> Search:
    """Theorem 21: f*(x) = x, ω⁻¹(ε) = ε, at the first ε in quarters of 1/s that falls under the case."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        values = [Fraction(k) for k in grid.levels()]
        for quarter in range(1, 8 * grid.top + 1):
            delta = Fraction(quarter, 4 * grid.s)
            which = 1 if delta >= 2 * grid.largest else 2 if delta * grid.s > 1 else 3
            for name, table, _ in tables(grid) if which == case else ():
                if reach("S", table).full_bias() is not None:
                    outputs = _approximator(grid, table, delta, case)
                    good = outputs is not None and too_far(grid, outputs, values, delta * grid.s) is None
                    yield Instance(f"activation {name}, f*(x) = x, epsilon = {delta}", good)

    return search


def _approximator(grid: FixedPoint, table: Table, delta: Fraction, case: int) -> list[int] | None:
    """The proof's outputs: a constant; the value at the best point of each cube; ⌈f*⌉. None where four layers compute something else."""
    best = {k: abs(grid.value(k) - grid.value(grid.rounded(Fraction(k)))) for k in grid.levels()}
    if case == 1:
        return [min(grid.levels(), key=best.__getitem__)] * grid.size
    target = list(grid.levels())
    for low, high in covering(grid, delta):
        for k in range(low, high + 1):
            target[k + grid.top] = min(range(low, high + 1), key=best.__getitem__)
    outputs = outputs_of(representator(table, target, 1))
    return outputs if outputs == target else None


def reversed_signs(grid: FixedPoint) -> Iterator[Instance]:
    """Section 4.1: the real network is ±1 and the quantized one ∓1 at ±(1, …, 1)."""
    found = [(real(grid.s, ones(grid.s, k)), quantized(grid, ones(grid.s, k), "away")) for k in (-1, 1)]
    yield Instance(f"f = {found[0][0]}, {found[1][0]}; quantized {found[0][1]}, {found[1][1]}", found == [(-ONE, ONE), (ONE, -ONE)])


ABLE, UNABLE = "networks represent everything", "networks do not (sigma not constant)"
BOTH, NEITHER = "both sides hold", "neither side holds"
RECORDS = (
    Record("theorem-1", "Section 3.1, Theorem 1", {ABLE: able(False, True), UNABLE: unable(False)}),
    Record("lemma-5", "Section 3.2.2, Lemma 5", {"gamma is not 0, C not everything": one_point(False)}),
    Record("theorem-6", "Section 3.2.3, Theorem 6", {ABLE: able(False)}),
    Record("corollary-9", "Section 3.2.4, Corollary 9", {BOTH: coincide(False, True), NEITHER: coincide(False, False)}),
    Record("theorem-11", "Section 3.3, Theorem 11", {ABLE: able(True, True), UNABLE: unable(True)}),
    Record("lemma-14", "Section 3.3, Lemma 14", {"gamma is not 0, C not everything": one_point(True)}),
    Record("theorem-15", "Section 3.3, Theorem 15 (weights +-1)", {ABLE: able(True)}),
    Record(
        "corollary-17",
        "Section 3.3, Corollary 17 (networks with weights +-1)",
        {BOTH: coincide(True, True), NEITHER: coincide(True, False)},
    ),
    Record("section-4.1", "Section 4.1", {"the signs are reversed": reversed_signs}),
    Record("lemma-20", "Section 4.2, Lemma 20 (with the constant 1760)", {"gamma is not 0": counted}),
    Record(
        "theorem-21",
        "Section 4.3, Theorem 21 (Eq. 20; the first case by one layer, a bias)",
        {
            "first case, delta >= 2 q_max": approximated(1),
            "second case, 1/s < delta < 2 q_max": approximated(2),
            "third case, delta <= 1/s": approximated(3),
        },
        subject="the error bound of Theorem 21",
    ),
)

for _record in RECORDS:
    first_claim(chapter, _record)
