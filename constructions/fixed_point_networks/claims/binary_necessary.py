"""Lemma 12 and Corollary 13: what networks with weights ±1 cannot represent (Sections 3.3, 5.10)."""

from __future__ import annotations

from collections.abc import Iterator

from constructions.fixed_point_networks.claims.divisibility import ADMITTED, ODD, divisible_case, every_r, first_says, never_full
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    at,
    decide,
    divisor_parameter,
    grid_of,
    p_and_s,
    printed,
    refuted,
    uses_errata,
)
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "lemma-12",
    statement="s*r in Q_(p,s), r >= 3 (3 only for even p), r divides s times every output: BN differs from Q_(p,s) for every bias",
    place="Section 3.3, Lemma 12; proof in 5.10",
    checks="every r, every gcd that the outputs can have, every class of biases",
    parameters=(*ADMITTED, divisor_parameter(ODD)),
    bounded=False,
)
def lemma_12(question: Question) -> Finding:
    return decide(
        f"{every_r(question)}, every activation and every bias {at(question)}",
        never_full(question, True, 3, True),
        "gcd of the outputs",
        first_says(divisible_case),
    )


@claim(
    "lemma-12:hypotheses",
    statement="which hypotheses of Lemma 12 its conclusion needs",
    place="Section 3.3, Lemma 12",
    checks="the conclusion for every r from 2 to 2^p - 1, at every p; that it fails at r = 1",
    parameters=p_and_s("1..6", "1..3"),
    bounded=False,
)
def lemma_12_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        if grid.top > 1:
            yield from never_full(question, True, 2, False, limit=False)
        yield None if Reach(grid, grid.s).full_bias() == 0 else {"r": 1}

    return decide(
        f"every r <= 2^p - 1, every activation and every bias {at(question)}",
        trials(),
        "gcd of the outputs",
        "not needed: r >= 3 (r = 2 is enough), the parity of p, s*r in Q_(p,s). Needed: r > 1",
    )


COROLLARY_13 = (
    Parameter("p", "magnitude bits", "p >= 1", "4"),
    Parameter("s", "scaling factor, 5*s <= 2^p - 1", "s >= 1 and 5*s <= 2**p - 1", "1..3"),
)
DERIVATION = Erratum(
    printed="Lemma 12 with r = 5, which asks for 5s in Q_(p,s)",
    repaired="Lemma 12 without that hypothesis, with r = 5",
    why="5 in Q_(p,s) means 5s <= 2^p - 1, while 5s in Q_(p,s) means 5s^2 <= 2^p - 1; Lemma 12 does not need it (lemma-12:hypotheses)",
)


@claim(
    "corollary-13",
    statement="5 in Q_(p,s) and sigma = 5*Hardtanh: BN differs from Q_(p,s) for every bias",
    place="Section 3.3, Corollary 13",
    checks="the statement on BN itself, for every class of biases; as printed, that Lemma 12's hypotheses hold",
    parameters=COROLLARY_13,
    errata=(DERIVATION,),
    bounded=False,
)
def corollary_13(question: Question) -> Finding:
    if printed(question):
        return corollary_13_from_lemma_12(question)
    grid = grid_of(question)
    bias = reach("BN", rounded(scaled_hardtanh(5), grid)).full_bias()
    first = first_says(lambda g: 5 * g.s <= g.top)
    return decide(f"every bias {at(question)}", [None if bias is None else {"b": grid.show(bias)}], "gcd of the outputs", first)


@claim(
    "corollary-13:from-lemma-12",
    statement="the hypotheses of Lemma 12 with r = 5 follow from 5 in Q_(p,s) and sigma = 5*Hardtanh",
    place="Section 3.3, the sentence before Corollary 13",
    checks="each hypothesis of Lemma 12 at this p and s",
    parameters=COROLLARY_13,
    errata=(DERIVATION,),
    bounded=False,
)
def corollary_13_from_lemma_12(question: Question) -> Finding:
    grid, scope = grid_of(question), f"the hypotheses of Lemma 12 {at(question)}"
    table = rounded(scaled_hardtanh(5), grid)
    if not uses_errata(question) and 5 * grid.s**2 > grid.top:
        return refuted(scope, {"s*r": 5 * grid.s, "q_max": grid.largest, "fails": "s*r in Q_(p,s)"})
    divisible = ({"x": grid.show(k)} if table(k) % 5 else None for k in grid.levels())
    return decide(scope, divisible)
