"""Which hypotheses the sufficient conditions need: Lemmas 4, 5, 14, Theorems 6, 15, Corollaries 9, 17 (Sections 3.2, 3.3).

Condition 1 turns out to be needed nowhere: :mod:`..networks.unconditional` builds the networks without it. Nor is N = S needed in
Corollary 9: the sums of a layer with bias b are b′ plus gaps, where b′ is b plus the same weights times one fixed output.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Question

from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.any_activation import copies_of, side_by_side, unconditional_representator
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cubes, in_cube
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import targets
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = (*p_and_s("1..2", "1"), dimension())


def without_condition(grid: FixedPoint) -> Iterator[Table]:
    """Tables without Condition 1: all of them at p = 1, else a constant one, two named in the claims, and ten drawn with a fixed seed."""
    if grid.p == 1:
        found = [Table(grid, v) for v in product(grid.levels(), repeat=grid.size)]
    else:
        source = random.Random(grid.p * 100 + grid.s)
        drawn = [Table(grid, tuple(source.choice((-1, 0, 1, grid.top)) for _ in grid.levels())) for _ in range(60)]
        alternating = Table(grid, tuple(k % 2 for k in grid.levels()))
        found = [Table(grid, (1,) * grid.size), peak(grid), alternating, *[t for t in drawn if normal_form(t) is None][:10]]
    return (t for t in found if normal_form(t) is None)


def peak(grid: FixedPoint) -> Table:
    """1/s at 0 and 0 elsewhere."""
    return Table(grid, tuple(int(k == 0) for k in grid.levels()))


def scope_without(question: Question, what: str) -> str:
    which = "all 9 activation tables" if question["p"] == 1 else "a constant, a peak, an alternating and ten drawn activation tables"
    return f"{which} without Condition 1, {what}, {at(question)}"


def buildable(question: Question, tables: Iterable[Table], dimension: int, inputs: int) -> None:
    """Asks, before any network is built, whether φ is small enough for each table: some draw needs millions of neurons from p = 3 on.

    dimension: d.
    inputs:    how many inputs φ of one cube is run on, or all cubes of a network together.

    Raises:
        LimitError: it is not.
    """
    for table in tables:
        if len(table.image) > 1:
            within_limit(question, 2 * dimension * copies_of(table) * inputs)


@claim(
    "lemma-4:hypotheses",
    statement="which hypotheses of Lemma 4 its conclusion needs",
    place="Section 3.2.1, Lemma 4",
    checks="a table that is not monotone and one that is constant: Condition 1 fails for each; and one that is not monotone and has it",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def lemma_4_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)
    flat, dent = Table(grid, (0,) * grid.size), Table(grid, (0, -1, *[1] * (grid.size - 2)))
    trials: list[Failure] = [
        None if normal_form(peak(grid)) is None else {"not monotone": peak(grid).levels},
        None if normal_form(flat) is None else {"constant": flat.levels},
        None if normal_form(dent) is not None else {"not monotone, with Condition 1": dent.levels},
    ]
    return decide(
        f"one table for each hypothesis dropped, and one for the converse, {at(question)}",
        trials,
        witness="needed: monotone (without: 1/s at 0, else 0) and not constant (without: 0). Not necessary: levels "
        f"{list(dent.levels)} are not monotone and satisfy Condition 1",
    )


def _indicators(question: Question, binary: bool) -> Iterator[Failure]:
    grid, d = grid_of(question), question["d"]
    within_limit(question, (grid.size * (grid.size + 1) // 2) ** d * grid.size**d * 13)
    inputs, weight = all_inputs(grid, d), grid.s if binary else grid.top
    buildable(question, without_condition(grid), d, grid.size**d)
    for table in without_condition(grid):
        terms = [(weight, a, b) for gap, (a, b) in gap_witnesses(table).items() if gap > 0]
        if not terms:
            yield None if reach("S", table).step == 0 else {"constant": table.levels}
            continue
        for cube in cubes(grid, d):
            network = side_by_side(table, cube, terms)
            yield None if network.depth == 4 and (network.binary or not binary) else {"layers": network.depth, "weights": "not all +-1"}
            for x, row in zip(inputs, run_all(network, inputs, rounded=False).tolist(), strict=True):
                want = [w * (table(a) - table(b)) if in_cube(x, cube) else 0 for w, a, b in terms]
                yield None if row == want else {"activation": table.levels, "cube": cube, "x": x, "computed": row, "expected": want}


NOT_NEEDED = (
    "not needed: Condition 1. A constant activation has no gap but 0, and for any other Sections 5.4 and 5.11 go through with another phi: "
    "whole multiples of [sigma](x - k + z) - [sigma](q_max), z the least input from which the rounded activation is constant"
)


def _indicator_claim(name: str, binary: bool, place: str) -> None:
    @claim(
        f"{name}:hypotheses",
        statement=f"whether {name.replace('-', ' ').capitalize()} needs Condition 1",
        place=place,
        checks="activations without it: a three-layer network and an affine map for every cube and every positive gap, run on every input",
        parameters=SMALL,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return decide(scope_without(question, "every cube, positive gap and input"), _indicators(question, binary), witness=NOT_NEEDED)

    del judge


_indicator_claim("lemma-5", False, "Section 3.2.2, Lemma 5")
_indicator_claim("lemma-14", True, "Section 3.3, Lemma 14")


def _representations(question: Question, binary: bool) -> Iterator[Failure]:
    grid, d = grid_of(question), question["d"]
    within_limit(question, grid.size ** (2 * d) * 22)
    usable = [t for t in without_condition(grid) if reach("BS" if binary else "S", t).full_bias() is not None]
    buildable(question, usable, d, grid.size ** (2 * d))
    for table in usable:
        for text, target in targets(grid, d).items():
            network = unconditional_representator(table, target, d, binary)
            found = first_difference(network, target) if network.binary or not binary else "weights that are not +-1"
            yield None if found is None else {"activation": table.levels, "target": text, "x, computed, f*": found}


def _theorem_claim(name: str, binary: bool, place: str) -> None:
    @claim(
        f"{name}:hypotheses",
        statement=f"whether {name.replace('-', ' ').capitalize()} needs Condition 1",
        place=place,
        checks="activations without it for which some bias reaches everything: a four-layer network for five targets, run on every input",
        parameters=SMALL,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return decide(
            scope_without(question, "with the set equal to Q_(p,s) for some bias, five targets, all inputs"),
            _representations(question, binary),
            "indicator by indicator, of which any target is a sum",
            NOT_NEEDED,
        )

    del judge


_theorem_claim("theorem-6", False, "Section 3.2.3, Theorem 6")
_theorem_claim("theorem-15", True, "Section 3.3, Theorem 15")


def _any_start(question: Question, binary: bool) -> Iterator[Failure]:
    """A gcd of gaps for which some start b′ reaches everything and no bias b ∈ Q_{∞,s} does."""
    grid = grid_of(question)
    unit = grid.s if binary else 1
    for gap in range(1, 2 * grid.top + 1):
        sets = Reach(grid, gap * unit)
        start = next((b for b in range(0, sets.step, unit) if sets.missing_from(b, grid.levels()) is None), None)
        yield None if (start is None) == (sets.full_bias() is None) else {"gcd of the gaps": grid.show(gap), "b' in 1/s^2": start}


def _corollary_claim(name: str, binary: bool, place: str) -> None:
    kind = "BS" if binary else "S"

    @claim(
        f"{name}:hypotheses",
        statement=f"whether {name.replace('-', ' ').capitalize()} needs Condition 1 and {'BN = BS' if binary else 'N = S'}",
        place=place,
        checks=f"every gcd of gaps: if b' + gaps reaches everything for some b' that a layer can have, {kind} = Q_(p,s) for some bias",
        parameters=p_and_s("2..4", "1..3"),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        where = "Z/s" if binary else "Z/s^2"
        return decide(
            f"every activation, by the gcd of its gaps, and every b' in {where}, {at(question)}",
            _any_start(question, binary),
            "gcd of the gaps; the target of Theorem 1 for one layer",
            f"neither is needed. Only if: a network of two or more layers has outputs [b' + gaps], b' in {where}, and one layer cannot "
            f"compute the target of Theorem 1. If: {'theorem-15' if binary else 'theorem-6'}:hypotheses"
            + (" (networks with weights +-1)" if binary else ""),
        )

    del judge


_corollary_claim("corollary-9", False, "Section 3.2.4, Corollary 9")
_corollary_claim("corollary-17", True, "Section 3.3, Corollary 17")
