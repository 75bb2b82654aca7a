"""Condition 1 and Lemma 4 (Sections 3.2.1, 5.3), and the activations on which constructions are tried."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from constructions.fixed_point_networks.activations import NAMED, Table, rounded
from constructions.fixed_point_networks.condition import Normal, normal_form, threshold
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, within_limit
from verifier.claims.model import Chapter, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def tables(grid: FixedPoint) -> Iterator[tuple[str, Table, Normal]]:
    """The activations tried, each with Condition 1's normal form: every table at p = 1, else the named ones and some drawn ones."""
    if grid.p == 1:
        found = ((str(v), Table(grid, v)) for v in product(grid.levels(), repeat=grid.size))
    else:
        found = ((name, t) for name, t in [*((n, rounded(a, grid)) for n, a in NAMED.items()), *_drawn(grid)])
    for name, table in found:
        normal = normal_form(table)
        if normal is not None:
            yield name, table, normal


def _drawn(grid: FixedPoint) -> list[tuple[str, Table]]:
    """Twelve tables that satisfy Condition 1 and are neither monotone nor named, drawn with a fixed seed, all four signs among them."""
    source, found = random.Random(grid.p * 1000 + grid.s), []
    for number in range(12):
        z = source.randint(-grid.top + 1, grid.top)
        rho = [source.randint(-grid.top, grid.top - 1) for _ in range(grid.top + z)] + [grid.top] * (grid.top - z + 1)
        levels = tuple((1, -1)[number % 2] * v for v in rho[:: (1, -1)[number // 2 % 2]])
        found.append((f"table {list(levels)}", Table(grid, levels)))
    return found


def scope_of(question: Question, what: str) -> str:
    """``all 18 activation tables that satisfy Condition 1, …``."""
    count = sum(1 for _ in tables(FixedPoint(question["p"], question["s"])))
    which = f"all {count} activation tables" if question["p"] == 1 else f"those {count} of ten named activations and twelve drawn tables"
    return f"{which} that satisfy Condition 1, {what}, {at(question)}"


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
