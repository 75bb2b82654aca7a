"""The sets that maps are said to have their values in (Sections 2.3, 5.4, 5.16)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.claims.small_sum import small_sums
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cubes
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "equation-8:codomain",
    statement="rho'_2, the sum of m copies of rho_2, has its values in the power of Q_(p,s) named as its codomain",
    place="Section 2.3, above Eq. (8)",
    checks="rho_2 the identity of one coordinate, which has its values in Q_(p,s), every x in Q_(p,s) and m up to 3",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="rho'_2: Q_(p,s)^(d_2 m) -> Q_(p,s)^(d_3)",
            repaired="rho'_2: Q_(p,s)^(d_2 m) -> R^(d_3), values up to m q_max",
            why="the sum of m values in Q_(p,s) can leave it; it is not rounded",
        ),
    ),
    bounded=False,
)
def sum_codomain(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for m in (1, 2, 3):
            for x in grid.levels():
                ok = abs(m * x) <= grid.top * (m if uses_errata(question) else 1)
                yield None if ok else {"m": m, "x": grid.show(x), "sum": grid.show(m * x), "q_max": grid.largest}

    return decide(f"rho_2(x) = x, every x and m <= 3, {at(question)}", trials())


@claim(
    "lemma-5:codomain",
    statement="F_q has values in the set named as its codomain",
    place="Section 5.4, before Eq. (26)",
    checks="the values of Eq. (27) for every q",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="F_q: Q_(p,s)^d -> Q_(p,s)",
            repaired="F_q: Q_(p,s)^d -> R, values up to 2 q_max",
            why="F_q is a difference of two outputs, not rounded; nothing later asks that it be in Q_(p,s)",
        ),
    ),
    bounded=False,
)
def codomain(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            for q in grid.levels():
                value = normal.rho(grid.top) - normal.rho(q)
                ok = abs(value) <= grid.top * (2 if uses_errata(question) else 1)
                yield None if ok else {"activation": name, "q": grid.show(q), "F_q": grid.show(value), "q_max": grid.largest}

    return decide(scope_of(question, "every q, on the cube"), trials())


@claim(
    "lemma-5:map-codomains",
    statement="the affine maps rho_1, rho'_2 and rho_3 have their values in the powers of Q_(p,s) named as their codomains",
    place="Section 5.4, below Eq. (23), Eq. (25) and the line after it",
    checks="the greatest magnitude of each, before any rounding, at outputs of the activation, for every cube and every activation tried "
    "(d = 1)",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="rho_1: Q_(p,s)^d -> Q_(p,s)^(4d), rho'_2: Q_(p,s)^(4d) -> Q_(p,s)^2, rho_3: Q_(p,s)^2 -> Q_(p,s)",
            repaired="the same maps into R^(4d), R^2 and R, values up to 3, 4d + 1 and 2 times q_max",
            why="they are not rounded: a sum of two elements can leave Q_(p,s); where it has to be in Q_(p,s) the rounded map is written",
        ),
    ),
    bounded=False,
)
def map_codomains(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            for ((low, high),) in cubes(grid, 1):
                furthest = max(abs(sign * x + shift + normal.z) for x in grid.levels() for sign, shift in ((1, -low), (-1, high)))
                ok = furthest <= grid.top * (3 if uses_errata(question) else 1)
                shown = {"activation": name, "cube": f"[{grid.show(low)}, {grid.show(high)}]", "map": "rho_1"}
                yield None if ok else {**shown, "magnitude": grid.show(furthest), "q_max": grid.largest}
            drop = max(normal.rho.image) - min(normal.rho.image)
            for map_, furthest, bound in (("rho'_2", max(abs(normal.z - 1), abs(normal.z - 1 + 2 * drop)), 5), ("rho_3", drop, 2)):
                ok = furthest <= grid.top * (bound if uses_errata(question) else 1)
                yield None if ok else {"activation": name, "map": map_, "magnitude": grid.show(furthest), "q_max": grid.largest}

    return decide(scope_of(question, "every cube"), trials())


@claim(
    "theorem-21:codomain",
    statement="f_p~, gamma_p~ times the indicator of C_p without rounding, has its values in the set named as its codomain",
    place="Section 5.16, second case, the use of Lemma 5",
    checks="every gcd of gaps with S = Q_(p,s) for some bias: whether for some b' every gamma of the proof can be taken from Q_(p,s); as "
    "repaired, from the sums up to 2 q_max + 3/(2s)",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="f_p~: Q_(p,s)^d -> Q_(p,s)",
            repaired="f_p~: Q_(p,s)^d -> R, values up to 2 q_max + 3/(2s)",
            why="gamma_p~ is a sum before rounding, not always a multiple of 1/s",
        ),
    ),
    bounded=False,
)
def summand_codomain(question: Question) -> Finding:
    grid = grid_of(question, 3)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            sets = Reach(grid, gap)
            if sets.full_bias() is None:
                continue
            gammas = [t for t in grid.levels() if grid.s * t % gap == 0]
            reached = max(({grid.clamp(beta + t) for t in gammas} for beta in grid.levels()), key=len)
            small = any(small_sums(grid, sets, beta) is None for beta in grid.levels())
            ok = small if uses_errata(question) else len(reached) == grid.size
            shown = {"gcd of the gaps": grid.show(gap), "gamma in S° and in Q_(p,s)": [grid.show(t) for t in gammas]}
            yield None if ok else {**shown, "values reached with them": f"at most {len(reached)} of {grid.size}"}

    return decide(f"every activation with S = Q_(p,s) for some bias, by the gcd of its gaps, {at(question)}", trials())
