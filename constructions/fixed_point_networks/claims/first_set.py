"""Where the statements on N, S, BN and BS first say something: Lemmas 2, 4, 8, 10, 12, 18, 19, 25, Corollaries 3, 13."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from verifier.claims.catalogue import find_claim
from verifier.claims.chapter import Chapter

from constructions.fixed_point_networks.claims.equality import gaps
from constructions.fixed_point_networks.claims.small_sum import small_sums
from constructions.fixed_point_networks.first import Instance, Record, Search, first_claim
from constructions.fixed_point_networks.mathematics.activations import NAMED, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import closure, reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from constructions.fixed_point_networks.trials import PAPER_ID

chapter = Chapter(PAPER_ID)


def of_outputs(grid: FixedPoint, outputs: frozenset[int]) -> Table:
    """A monotone ⌈σ⌉ with these outputs."""
    levels = sorted(outputs)
    return Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))


def small_images(grid: FixedPoint) -> list[frozenset[int]]:
    """Every set of two or more outputs (p ≤ 2), of two (beyond), small ones first."""
    found = images(grid) if grid.p <= 2 else (frozenset((a, b)) for a in grid.levels() for b in grid.levels())
    return sorted({i for i in found if len(i) > 1}, key=lambda i: (len(i), sum(map(abs, i)), sorted(i)))


def walked(kind: str, table: Table, beta: int) -> frozenset[int]:
    """The set by brute force."""
    grid = table.grid
    return closure(kind, table, beta, 4 * grid.top * max(grid.s, grid.top) + grid.s * abs(beta))


def never_full(kind: str, table: Table) -> bool:
    """Whether no bias of any class reaches everything, by brute force."""
    return all(len(walked(kind, table, beta)) < table.grid.size for beta in range(reach(kind, table).classes))


def names(table: Table) -> str:
    return f"outputs {{{table.grid.show_all(sorted(table.image))}}}"


def divisible(kind: str) -> Search:
    """Lemmas 2 and 12: r ≥ 3 (3 for even p only) with s·r ∈ Q_{p,s}, and outputs 0 and the least that r divides."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for r in range(3, grid.top + 1):
            if r * grid.s <= grid.largest and (r > 3 or grid.p % 2 == 0):
                output = Fraction(r) if kind == "N" else Fraction(r, grid.s)
                if output <= grid.largest:
                    table = of_outputs(grid, frozenset((0, int(output * grid.s))))
                    yield Instance(f"r = {r}, {names(table)}", never_full(kind, table))

    return search


def five_times(kind: str) -> Search:
    """Corollaries 3 and 13: σ = 5s·Hardtanh with 5s ∈ Q_{p,s}, p ≥ 2; σ = 5·Hardtanh with 5 ∈ Q_{p,s}."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        factor = 5 * grid.s if kind == "N" else 5
        if factor <= grid.largest and (kind == "BN" or grid.p >= 2):
            table = rounded(scaled_hardtanh(factor), grid)
            yield Instance(f"{factor} Hardtanh, {names(table)}", never_full(kind, table))

    return search


def monotone(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 4: a monotone ⌈σ⌉ that is not constant."""
    for levels in combinations_with_replacement(sorted(grid.levels(), key=abs), grid.size):
        table = Table(grid, tuple(sorted(levels)))
        if len(table.image) > 1:
            yield Instance(f"levels {list(table.levels)}", normal_form(table) is not None)


def equal_sets(kinds: tuple[str, str], zero: bool) -> Search:
    """Lemmas 10 and 18: an output that is a gap: 0, or another."""

    def search(grid: FixedPoint) -> Iterator[Instance]:
        for image in small_images(grid):
            if image & gaps(image) and (0 in image) == zero:
                table = of_outputs(grid, image)
                betas = range(max(reach(kind, table).classes for kind in kinds))
                same = all(walked(kinds[0], table, beta) == walked(kinds[1], table, beta) for beta in betas)
                yield Instance(names(table), same)

    return search


def small_sums_enough(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 19, p ≥ 3: S = Q_{p,s} for some bias; its b′."""
    if grid.p >= 3:
        for image in small_images(grid):
            sets = reach("S", of_outputs(grid, image))
            if sets.full_bias() is not None:
                good = next((b for b in sorted(grid.levels(), key=abs) if small_sums(grid, sets, b) is None), None)
                shown = "none" if good is None else grid.show(good)
                yield Instance(f"{names(of_outputs(grid, image))}, b' = {shown}", good is not None)


def few_terms(grid: FixedPoint) -> Iterator[Instance]:
    """Lemma 25: γ ≠ 0 in S° with |γ| ≤ 2q_max + 3/(2s), and its terms."""
    for image in small_images(grid):
        table = of_outputs(grid, image)
        t = reach("S", table).step
        if Fraction(t, grid.s**2) <= 2 * grid.largest + Fraction(3, 2 * grid.s):
            terms = combination(table, t, False)
            total = sum(w * (table(a) - table(b)) for w, a, b in terms)
            few = len(terms) <= grid.s * (2 ** (grid.p + 2) - 1) * len(table.gaps)
            yield Instance(f"{names(table)}, gamma = {Fraction(t, grid.s**2)}, {len(terms)} term", total == t and few)


ZERO, OTHER = "an output is 0", "an output other than 0 is a gap, and none is 0"
RECORDS = (
    Record("lemma-2", "Section 3.1, Lemma 2", {"sigma not constant": divisible("N")}),
    Record("corollary-3", "Section 3.1, Corollary 3", {"5s in Q_(p,s)": five_times("N")}),
    Record("lemma-4", "Section 3.2.1, Lemma 4", {"sigma monotone": monotone}),
    Record("lemma-10", "Section 3.2.4, Lemma 10", {ZERO: equal_sets(("N", "S"), True), OTHER: equal_sets(("N", "S"), False)}),
    Record("lemma-12", "Section 3.3, Lemma 12", {"sigma not constant": divisible("BN")}),
    Record("corollary-13", "Section 3.3, Corollary 13", {"5 in Q_(p,s)": five_times("BN")}),
    Record("lemma-18", "Section 3.3, Lemma 18", {ZERO: equal_sets(("BN", "BS"), True), OTHER: equal_sets(("BN", "BS"), False)}),
    Record("lemma-19", "Section 4.2, Lemma 19", {"S is everything for some bias": small_sums_enough}),
    Record("lemma-25", "Section 5.15, Lemma 25", {"gamma is not 0": few_terms}),
)

for _record in RECORDS:
    first_claim(chapter, _record)
