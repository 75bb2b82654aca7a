"""Condition 1 and Lemma 4 (Sections 3.2.1, 5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form, threshold
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, within_limit
from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "condition-1",
    statement="GELU, SiLU and Mish satisfy Condition 1 on every Q_(p,s)",
    place="Section 3.2.1, Condition 1 and the remark after Lemma 4",
    checks="the set where the rounded activation is extremal, for every s at this p",
    parameters=(Parameter("p", "magnitude bits", "p >= 1", "1..4"),),
    bounded=False,
)
def condition_1(question: Question) -> Finding:
    within_limit(question, 8 * 4 ** question["p"])

    def trials() -> Iterator[Failure]:
        for s in range(1, 2 ** question["p"]):
            for name in ("gelu", "silu", "mish"):
                normal = normal_form(rounded(NAMED[name], FixedPoint(question["p"], s)))
                yield {"s": s, "activation": name} if normal is None else None

    return decide(f"GELU, SiLU and Mish at every s <= 2^p - 1, {at(question)}", trials())


def monotone_tables(grid: FixedPoint) -> Iterator[Table]:
    """Every monotone, non-constant ⌈σ⌉."""
    from itertools import combinations_with_replacement

    for levels in combinations_with_replacement(grid.levels(), grid.size):
        if levels[0] != levels[-1]:
            yield Table(grid, levels)
            yield Table(grid, levels[::-1])


@claim(
    "lemma-4",
    statement="a monotone activation whose rounding is not constant satisfies Condition 1",
    place="Section 3.2.1, Lemma 4; proof in 5.3",
    checks="every monotone table of levels",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def lemma_4(question: Question) -> Finding:
    grid = grid_of(question)
    if grid.p > 2:
        return _lemma_4_by_proof(question)
    trials = (None if normal_form(t) else {"table": t.levels} for t in monotone_tables(grid))
    return decide(f"all monotone, non-constant activation tables {at(question)}", trials)


def _lemma_4_by_proof(question: Question) -> Finding:
    """Where the tables are too many: only which inputs share the last value matters, and that is an upper interval."""
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for z in range(-grid.top + 1, grid.top + 1):
            levels = tuple(1 if k >= z else 0 for k in grid.levels())
            found = (threshold(Table(grid, levels)), normal_form(Table(grid, tuple(-v for v in levels))))
            yield None if found[0] == z and found[1] else {"z": grid.show(z)}

    return decide(
        f"all monotone, non-constant activations, by the first input with the last value, {at(question)}", trials(), "case split on z"
    )
