"""Lemma 5 with the steps of its proof (Sections 3.2.2, 5.4).

The constructions are built as networks and run on every input. Lemma 5 is decided through F_q: ψ is an exact sum of F_q's, so 1_C follows
for every γ once each F_q has the two values of Eq. (27), or differs from them by the same amount for every q.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.judges.cube_indicators import Named, indicators, place
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    PRINTED,
    PRINTED_RHO3,
    REPAIRED,
    Cube,
    Signs,
    cubes,
    each_gap,
    f_network,
    gate_network,
    in_cube,
    phi_network,
)
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    Trial,
    activation_parameter,
    chosen,
    decide,
    dimension,
    grid_of,
    p_and_s,
    printed,
    uses_errata,
    within_limit,
)
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = (*p_and_s("1..2", "1..3"), dimension(), activation_parameter())

RHO_2 = Erratum(
    printed="rho_2(x_1, ..., x_4d) = sum of all x_i",
    repaired="rho_2(x_1, ..., x_4d) = sum of (-x_i + x_(i+1)) over odd i",
    why="phi of Eq. (23) subtracts the odd ones; with the plain sum phi is not 0 on the cube",
)
RHO_3 = Erratum(
    printed="rho'_3(x_1, x_2) = q_max x_1 - q_max x_2",
    repaired="rho'_3(x_1, x_2) = -q_max x_1 + q_max x_2",
    why="q_max rho_3 has the signs of rho_3 = -x_1 + x_2; with the printed ones F_q on the cube is [sigma](-q_max) - [sigma](q)",
)


def each(question: Question) -> Iterator[tuple[str, Table, Normal, Cube, list[tuple[int, ...]]]]:
    grid, d = grid_of(question), question["d"]
    within_limit(question, (grid.size * (grid.size + 1) // 2) ** d * grid.size**d * 22)
    inputs = all_inputs(grid, d)
    for cube in cubes(grid, d):
        for name, table, normal in tables(grid, chosen(question, "sigma")):
            yield name, table, normal, cube, inputs


def where(grid: FixedPoint, name: str, cube: Cube, x: tuple[int, ...], got: int, want: str) -> dict[str, object]:
    """A counterexample: the value computed is in units of 1/s²."""
    return {**place(grid, name, cube, x), "computed": Fraction(got, grid.s**2), "expected": want}


@claim(
    "lemma-5:phi",
    statement="phi as composed of rho_1 and rho_2 is 0 on the cube and at least 1/s off it",
    place="Section 5.4, Eq. (23) and the composition below it",
    checks="the two-layer network on every input, for every cube",
    parameters=SMALL,
    errata=(RHO_2,),
    bounded=False,
)
def phi(question: Question) -> Finding:
    grid, signs = grid_of(question), REPAIRED if uses_errata(question) else PRINTED

    def trials() -> Iterator[Failure]:
        for name, _, normal, cube, inputs in each(question):
            for x, got in zip(inputs, run_all(phi_network(normal, cube, signs), inputs, rounded=False)[:, 0].tolist(), strict=True):
                inside = in_cube(x, cube)
                ok = got == 0 if inside else got >= grid.s
                yield None if ok else where(grid, name, cube, x, got, "0" if inside else f"at least 1/{grid.s}")

    return decide(scope_of(question, "every cube and input"), trials())


@claim(
    "lemma-5:gate",
    statement="g is [sigma](q_max) - [sigma](z - 1/s) on the cube and 0 off it",
    place="Section 5.4, Eq. (24)",
    checks="the three-layer network (phi with its signs of Eq. 23) on every input, for every cube",
    parameters=SMALL,
    bounded=False,
)
def gate(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for name, _, normal, cube, inputs in each(question):
            for x, got in zip(inputs, run_all(gate_network(normal, cube, REPAIRED), inputs, rounded=False)[:, 0].tolist(), strict=True):
                want = normal.drop * grid.s if in_cube(x, cube) else 0
                yield None if got == want else where(grid, name, cube, x, got, str(want))

    return decide(scope_of(question, "every cube and input"), trials())


def f_trials(question: Question, signs: Signs, binary: bool = False) -> Iterator[Trial]:
    """Eq. (27), with weights ±1 for Lemma 14."""
    grid = grid_of(question)

    def values(normal: Normal) -> Named:
        return [({"q": grid.show(q)}, (normal.rho(grid.top) - normal.rho(q)) * grid.s) for q in grid.levels()]

    return indicators(question, lambda normal, cube: f_network(normal, cube, signs, binary), values)


@claim(
    "equation-27",
    statement="F_q, built with rho'_3, is [sigma](q_max) - [sigma](q) on the cube and 0 off it",
    place="Section 5.4, Eqs. (26)-(27) and rho'_3 above them",
    checks="the network on every input, for every cube and q (phi with its signs of Eq. 23, so that only rho'_3 is judged)",
    parameters=SMALL,
    errata=(RHO_3,),
    bounded=False,
)
def equation_27(question: Question) -> Finding:
    signs = REPAIRED if uses_errata(question) else PRINTED_RHO3
    return decide(scope_of(question, "every cube, q and input"), f_trials(question, signs))


@claim(
    "lemma-5:difference",
    statement="the middle expression for -F_v1 + F_v2 on the cube equals [sigma](v1) - [sigma](v2)",
    place="Section 5.4, the display after the choice of v_1,j and v_2,j",
    checks="the printed expression for every pair of outputs of every activation tried",
    parameters=(*p_and_s("1..2", "1"), activation_parameter()),
    errata=(
        Erratum(
            printed="-([sigma](q_max) - [sigma](v1)) - ([sigma](q_max) + [sigma](v2))",
            repaired="-([sigma](q_max) - [sigma](v1)) + ([sigma](q_max) - [sigma](v2))",
            why="F_v2 is added, and is [sigma](q_max) - [sigma](v2) on the cube",
        ),
    ),
    bounded=False,
)
def difference(question: Question) -> Finding:
    grid, repaired = grid_of(question), uses_errata(question)

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid, chosen(question, "sigma")):
            end = normal.rho(grid.top)
            for v1, v2 in product(sorted(normal.rho.image), repeat=2):
                middle = -(end - v1) + (end - v2) if repaired else -(end - v1) - (end + v2)
                shown = {"activation": name, "q_max to": grid.show(end), "v1 to": grid.show(v1), "v2 to": grid.show(v2)}
                yield None if middle == v1 - v2 else {**shown, "middle": grid.show(middle), "equals": grid.show(v1 - v2)}

    return decide(scope_of(question, "every pair of outputs"), trials())


def _psi_trials(question: Question, signs: Signs) -> Iterator[Trial]:
    grid = grid_of(question)

    def values(normal: Normal) -> Named:
        return [({"gamma": Fraction(grid.top * gap, grid.s**2)}, grid.top * gap) for gap in gap_witnesses(normal.rho)]

    return indicators(question, lambda normal, cube: each_gap(normal, cube, grid.top, signs), values)


@claim(
    "lemma-5",
    statement="for every cube C and every gamma in S° some three-layer network followed by an affine map is gamma times the indicator of C",
    place="Section 3.2.2, Lemma 5; proof in 5.4, Eqs. (28)-(29)",
    checks="the network of the proof for every cube and every gap, with weight q_max, on every input; S° is "
    "made of such terms, which add up exactly",
    parameters=SMALL,
    errata=(RHO_2, RHO_3),
    bounded=False,
)
def lemma_5(question: Question) -> Finding:
    signs = PRINTED if printed(question) else REPAIRED
    return decide(scope_of(question, "every cube, gap and input"), _psi_trials(question, signs))


@claim(
    "lemma-5:rho-3",
    statement="the sign of rho'_3 alone does not spoil the indicator: with rho'_3 as printed (and rho_2 "
    "repaired) the network is still gamma on C and 0 off it",
    place="Section 5.4, rho'_3",
    checks="the network with only that sign as printed, for every cube and gap, on every input",
    parameters=(*p_and_s("1..2", "1"), dimension(), activation_parameter()),
    bounded=False,
)
def lemma_5_rho_3(question: Question) -> Finding:
    return decide(
        scope_of(question, "every cube, gap and input"),
        _psi_trials(question, PRINTED_RHO3),
        witness="f_q,1 then runs to -q_max instead of q_max, which F_v2 - F_v1 cancels all the same",
    )
