"""Lemma 19: sums of small magnitude are enough (Sections 4.2, 5.14)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

FROM_3 = (Parameter("p", "magnitude bits", "p >= 3", "3"), p_and_s()[1])


def small_sums(grid: FixedPoint, sets: Reach, beta: int, ends: int = 2) -> int | None:
    """A level that no sum γ with |γ| ≤ ends·q_max + 3/(2s) reaches at bias β; None where all are reached."""
    bound = 2 * ends * grid.top * grid.s + 3 * grid.s
    for q in grid.levels():
        t = sets.sum_for(beta, q)
        if t is None or 2 * abs(t) > bound:
            return q
    return None


def _lemma_19(grid: FixedPoint) -> Iterator[Failure]:
    for step in range(1, 2 * grid.top + 1):
        sets = Reach(grid, step)
        if sets.full_bias() is None:
            continue
        good = any(small_sums(grid, sets, beta) is None for beta in grid.levels())
        yield None if good else {"gcd of the gaps": grid.show(step), "b": grid.show(sets.full_bias() or 0)}


@claim(
    "lemma-19",
    statement="if S = Q_(p,s) for some bias, then for some bias in [-q_max, q_max] the sums of magnitude at "
    "most 2 q_max + 3/(2s) reach everything",
    place="Section 4.2, Lemma 19; proof in 5.14",
    checks="every gcd that the gaps can have, every bias in [-q_max, q_max], and for each value the sum of least magnitude",
    parameters=FROM_3,
    bounded=False,
)
def lemma_19(question: Question) -> Finding:
    return decide(f"every activation, by the gcd of its gaps, {at(question)}", _lemma_19(grid_of(question, 3)), "gcd of the gaps")


@claim(
    "lemma-19:hypotheses",
    statement="whether Lemma 19 needs p >= 3",
    place="Section 4.2, Lemma 19",
    checks="its conclusion at p = 1 and p = 2",
    parameters=(
        Parameter("p", "magnitude bits", "p >= 1 and p <= 2", "1..2"),
        Parameter("s", "scaling factor", "s >= 1 and s <= 2**p - 1", "1"),
    ),
    bounded=False,
)
def lemma_19_hypotheses(question: Question) -> Finding:
    scope = f"every activation, by the gcd of its gaps, {at(question)}"
    return decide(scope, _lemma_19(grid_of(question, 3)), "gcd of the gaps", "the conclusion holds here too: p >= 3 is not needed")


@claim(
    "lemma-19:shift",
    statement="every bias is brought into [-q_max, q_max] by multiples of a nonzero gap, which is at most 2 q_max, and S stays as it is",
    place="Section 5.14, first paragraph",
    checks="every nonzero gap (lemma-19:any-gap has the others) and every bias of magnitude up to 4 q_max; S at both biases",
    parameters=FROM_3,
    bounded=False,
)
def shift(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            sets = Reach(grid, gap)
            for beta in range(-4 * grid.top, 4 * grid.top + 1):
                moved = next((b for b in grid.levels() if (b - beta) % gap == 0), None)
                ok = moved is not None and sets.reached(moved) == sets.reached(beta)
                yield None if ok else {"gap": grid.show(gap), "b": grid.show(beta)}

    return decide(f"all nonzero gaps, and every bias of magnitude up to 4 q_max, {at(question)}", trials())


@claim(
    "lemma-19:preimages",
    statement="what rounds to q_max - 1/s is [q_max - 3/(2s), q_max - 1/(2s)), and to q_max - 2/s the same shifted by 1/s",
    place="Section 5.14",
    checks="both preimages, ends included",
    parameters=FROM_3,
    bounded=False,
)
def top_preimages(question: Question) -> Finding:
    grid = grid_of(question)
    found = preimages(grid)

    def trials() -> Iterator[Failure]:
        for k in (1, 2):
            i = found[grid.top - k]
            ok = (i.low, i.high, i.holds_low, i.holds_high) == (grid.top - k - HALF, grid.top - k + HALF, True, False)
            yield None if ok else {"level": grid.show(grid.top - k), "preimage": i}

    return decide(f"both values {at(question)}", trials())


@claim(
    "lemma-19:ends",
    statement="the two sums found at the end of the proof reach q_max and -q_max, the values that are left",
    place="Section 5.14, last lines",
    checks="the values named for gamma_+ and gamma_-",
    parameters=FROM_3,
    errata=(
        Erratum(
            printed="gamma_- with [gamma_- + b'] = q_max",
            repaired="gamma_- with [gamma_- + b'] = -q_max",
            why="q_max is what gamma_+ reaches; -q_max is left to be reached",
        ),
    ),
    bounded=False,
)
def ends(question: Question) -> Finding:
    grid = grid_of(question)
    named = {grid.top, -grid.top if uses_errata(question) else grid.top}
    left = {grid.top, -grid.top} - named
    return decide(f"the two values {at(question)}", [{"not reached": grid.show(left.pop())} if left else None])
