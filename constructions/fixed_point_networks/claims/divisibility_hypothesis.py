"""Whether Corollaries 3 and 13 need 5s (5) in Q_{p,s}, and where their conclusion holds without (Sections 3.1, 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import closure, reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, within_limit
from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def everything_by_brute_force(kind: str, table: Table, beta: int) -> bool:
    """Whether walking the sums reaches every value at bias β."""
    grid = table.grid
    return len(closure(kind, table, beta, 8 * grid.top * max(grid.s, grid.top) + grid.s * abs(beta))) == grid.size


def ranges(grids: list[FixedPoint]) -> str:
    """``p = 2: s = 1..2; p = 4: s = 4..15``: the s of each p in runs."""
    shown = []
    for p, group in groupby(grids, key=lambda g: g.p):
        runs: list[list[int]] = []
        for grid in group:
            if runs and grid.s == runs[-1][-1] + 1:
                runs[-1].append(grid.s)
            else:
                runs.append([grid.s])
        shown.append(f"p = {p}: s = " + ", ".join(f"{r[0]}..{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs))
    return "; ".join(shown) or "none"


def _corollary(name: str, kind: str, factor: Callable[[FixedPoint], int], member: str, note: str) -> None:
    @claim(
        f"{name}:hypotheses",
        statement=f"{name.replace('-', ' ').capitalize()} needs {member} in Q_(p,s): without it {kind} is Q_(p,s) for some bias somewhere",
        place="Section 3.1, Corollary 3" if kind == "N" else "Section 3.3, Corollary 13",
        checks=f"{kind} at every s outside the hypothesis up to this p; the smallest such (p, s) at which the conclusion fails, checked by "
        "walking the sums; where the conclusion holds all the same",
        parameters=(Parameter("p", "the largest p tried", "p >= 1", "6"),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        within_limit(question, 4 ** question["p"] * 16)
        outside = [g for p in range(1, question["p"] + 1) for g in fixed_points(p) if factor(g) * g.s > g.top]
        tables = {g: rounded(scaled_hardtanh(factor(g)), g) for g in outside}
        biases = {g: reach(kind, tables[g]).full_bias() for g in outside}
        failing = [g for g in outside if biases[g] is not None]

        def trials() -> Iterator[Failure]:
            yield None if failing else {"tried": len(outside)}
            if failing:
                first, beta = failing[0], biases[failing[0]] or 0
                yield None if everything_by_brute_force(kind, tables[first], beta) else {"p": first.p, "s": first.s, "b": beta}

        shown = f"p = {failing[0].p}, s = {failing[0].s}, b = {failing[0].show(biases[failing[0]] or 0)}" if failing else "none"
        return decide(
            f"every p <= {question['p']} and s <= 2^p - 1 with {member} outside Q_(p,s)",
            trials(),
            "gcd of the outputs; the sums themselves at the smallest",
            f"the conclusion fails at {len(failing)} of {len(outside)} such (p, s), first at {shown}. It holds all the same at "
            f"{ranges([g for g in outside if g not in failing])}{note}",
        )

    del judge


_corollary("corollary-3", "N", lambda g: 5 * g.s, "5s", ". p >= 2 follows from 5s in Q_(p,s)")
_corollary("corollary-13", "BN", lambda g: 5, "5", "")


@claim(
    "lemma-2:divisible-levels",
    statement="Lemma 2 needs r to divide the outputs themselves: that r divides s times every output, as Lemma 12 asks, is not enough",
    place="Section 3.1, Lemma 2; Section 3.3, after Lemma 12",
    checks="the smallest p, s, r >= 3 (3 for even p only) with s*r in Q_(p,s) for which outputs 0 and r/s make N everything, by "
    "walking the sums",
    parameters=(Parameter("p", "the largest p tried", "p >= 1", "6"),),
    bounded=False,
)
def divisible_levels(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 16 * 4**p)
    tried = 0
    for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
        for r in range(3, grid.top // grid.s**2 + 1):
            table = Table(grid, tuple(r if k >= 0 else 0 for k in grid.levels()))
            tried += 1
            beta = reach("N", table).full_bias() if r > 3 or grid.p % 2 == 0 else None
            if beta is not None:
                ok = everything_by_brute_force("N", table, beta)
                scope = f"p <= {p} and s <= 2^p - 1 ascending, every r, until an instance is found: {tried:,} tried"
                witness = f"needed, first at p = {grid.p}, s = {grid.s}, r = {r}, outputs 0 and {grid.show(r)}, b = {grid.show(beta)}"
                return decide(scope, [None if ok else {"p": grid.p, "s": grid.s, "r": r}], witness=witness)
    return Finding(Verdict.OPEN, Scope(f"every p <= {p}, s and r: {tried:,}"), reason=f"no instance up to p = {p}")
