"""Theorem 6 and what surrounds it (Sections 3.2.2, 3.2.3, 5.5): any target by the representator, run on every input."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.indicator import RHO_2, RHO_3
from constructions.fixed_point_networks.judges.every_target import every_target
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import PRINTED, REPAIRED
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    activation_parameter,
    at,
    decide,
    dimension,
    grid_of,
    p_and_s,
    printed,
    within_limit,
)
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "theorem-6",
    statement="under Condition 1, if S = Q_(p,s) for some bias, networks with weights in Q_(p,s) represent every function",
    place="Section 3.2.3, Theorem 6; proof in 5.5",
    checks="the four-layer network point by point: the sub-network of each point for every value put there, on every input",
    parameters=(*p_and_s("1..2", "1..3"), dimension("1..2"), activation_parameter()),
    errata=(RHO_2, RHO_3),
    bounded=False,
)
def theorem_6(question: Question) -> Finding:
    return every_target(question, PRINTED if printed(question) else REPAIRED, False)


@claim(
    "theorem-6:identity",
    statement="the identity satisfies Theorem 6's conditions on every Q_(p,s), with S = Q_(p,s) at b = 0",
    place="Section 3.2.3, after Theorem 6",
    checks="Condition 1 and S, for every s at this p",
    parameters=(Parameter("p", "magnitude bits", "p >= 1", "1..6"),),
    bounded=False,
)
def identity(question: Question) -> Finding:
    within_limit(question, 8 * 4 ** question["p"])

    def trials() -> Iterator[Failure]:
        for s in range(1, 2 ** question["p"]):
            table = rounded(NAMED["identity"], FixedPoint(question["p"], s))
            ok = normal_form(table) is not None and reach("S", table).missing(0) is None
            yield None if ok else {"s": s}

    return decide(f"every s <= 2^p - 1, {at(question)}", trials(), "gcd of the gaps")


@claim(
    "equation-14",
    statement="b plus the sum of gamma_i 1_Ci rounds to the same as the sum of (gamma_i + b) 1_Ci, and to the "
    "rounded gamma_i + b on each part",
    place="Section 3.2.2, Eqs. (12), (14), (15)",
    checks="every partition of the inputs into intervals (d = 1), gamma_i = (7i - 5)/s^2, on every input",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def equation_14(question: Question) -> Finding:
    grid = grid_of(question)
    within_limit(question, 2**grid.size)

    def trials() -> Iterator[Failure]:
        for cuts in product((0, 1), repeat=grid.size - 1):
            parts = [0]
            for cut in cuts:
                parts.append(parts[-1] + cut)
            for beta in range(-grid.top, grid.top + 1):
                for x, part in enumerate(parts):
                    gamma = [7 * i - 5 for i in range(parts[-1] + 1)]
                    left = grid.s * beta + sum(c * (i == part) for i, c in enumerate(gamma))
                    right = sum((c + grid.s * beta) * (i == part) for i, c in enumerate(gamma))
                    same = grid.nearest(left) == grid.nearest(right) == grid.nearest(gamma[part] + grid.s * beta)
                    yield None if same else {"part": part, "x": x}

    return decide(f"all partitions into intervals, gamma_i = (7i - 5)/s^2, and biases in Q_(p,s) {at(question)}", trials())
