"""Weights ±1: Lemma 14, Theorem 15, Lemma 16 (Sections 3.3, 5.11–5.13)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Part, Question

from constructions.fixed_point_networks.claims.indicator import RHO_2, each, f_trials
from constructions.fixed_point_networks.judges.cube_indicators import Named, indicators
from constructions.fixed_point_networks.judges.every_target import every_target
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.condition_1 import Normal
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import (
    PRINTED_RHO2,
    REPAIRED,
    Cube,
    each_gap,
    indicator,
    terms_apart,
)
from constructions.fixed_point_networks.mathematics.networks.network import Network
from constructions.fixed_point_networks.mathematics.networks.three_layers import short_indicator
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.mathematics.weighted_sums import gap_witnesses
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Trial,
    activation_parameter,
    at,
    decide,
    dimension,
    grid_of,
    p_and_s,
    printed,
    refuted,
)
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = (*p_and_s("1..2", "1"), dimension(), activation_parameter())
LAYERS = Erratum(
    printed="a two-layer sigma quantized network f",
    repaired="a three-layer sigma quantized network f",
    why="the proof's f is Eq. (29)'s, whose F_q puts a third layer on the two of g; two layers do suffice, by another construction",
)


WORDING = Erratum(
    printed="sigma quantized networks under Q_(p,s) can universally represent",
    repaired="sigma quantized networks under Q_(p,s) with binary weights can universally represent",
    why="as printed it is true but weaker than Theorem 6, and Corollary 17 needs the wording with binary weights",
)


def side_by_side(normal: Normal, cube: Cube, short: bool) -> Network:
    """γ·1_C with weights ±1 for each gap γ, not rounded."""
    one = normal.rho.grid.s
    if not short:
        return each_gap(normal, cube, one, binary=True)
    return terms_apart(short_indicator(normal, cube, [(one, a, b) for a, b in gap_witnesses(normal.rho).values()]), 2)


def _trials(question: Question, short: bool) -> Iterator[Trial]:
    grid = grid_of(question)

    def values(normal: Normal) -> Named:
        return [({"gamma": grid.show(gap)}, grid.s * gap) for gap in gap_witnesses(normal.rho)]

    return indicators(question, lambda normal, cube: side_by_side(normal, cube, short), values, binary=True)


@claim(
    "lemma-14",
    statement="for every cube C and gamma in BS°, some network f with weights +-1 of the depth stated, "
    "followed by a +-1 affine map, is gamma 1_C",
    place="Section 3.3, Lemma 14; proof in 5.11",
    checks="statement: a two-layer f that is not the paper's (f_v = v + m phi), run for every cube and gap on every input; "
    "printed: the depth of the f that the proof builds; repaired: that f, run",
    parameters=SMALL,
    errata=(LAYERS,),
    bounded=False,
)
def lemma_14(question: Question) -> Finding:
    scope = scope_of(question, "every cube, gap and input")
    if not printed(question):
        short = question.edition.value == "statement"
        witness = "a two-layer f: f_v rounds v + m phi, which is v on C and q_max off it" if short else "the proof's three-layer f"
        return decide(scope, _trials(question, short), witness=witness)
    first = next(each(question), None)
    if first is None:
        return decide(scope, [])
    name, _, normal, cube, _ = first
    depth = indicator(normal, cube, [(grid_of(question).s, normal.z, normal.z - 1)], binary=True).depth - 1
    return refuted(scope, {"activation": name, "layers of the proof's f": depth, "layers stated": 2})


@claim(
    "lemma-14:copies",
    statement="with weights +-1 and m_q > 2^(p+1) - 2 copies of g, F_q has the values of Eq. (27)",
    place="Section 5.11",
    checks="the network with the least such m_q on every input, for every cube and q (signs as repaired)",
    parameters=SMALL,
    bounded=False,
)
def lemma_14_copies(question: Question) -> Finding:
    return decide(scope_of(question, "every cube, q and input"), f_trials(question, REPAIRED, binary=True))


@claim(
    "lemma-14:enough-copies",
    statement="m_q > 2^(p+1) - 2 copies of g carry any q past q_max",
    place="Section 5.11",
    checks="q + m_q g for every q and every least drop, from 1/s",
    parameters=p_and_s(),
    bounded=False,
)
def enough_copies(question: Question) -> Finding:
    grid = grid_of(question)
    m = 2 ** (grid.p + 1) - 1
    return decide(
        f"every q and every drop of at least 1/s {at(question)}",
        (None if q + m * drop >= grid.top else {"q": grid.show(q)} for q in grid.levels() for drop in range(1, grid.size)),
    )


@claim(
    "theorem-15",
    statement="under Condition 1, if BS = Q_(p,s) for some bias, networks (the paper's context: with weights +-1) represent every function",
    place="Section 3.3, Theorem 15; proof in 5.12",
    checks="the four-layer network with weights +-1 point by point, as for Theorem 6; built with the printed signs, and as repaired",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2"), activation_parameter()),
    errata=(RHO_2, WORDING),
    bounded=False,
)
def theorem_15(question: Question) -> Finding:
    return every_target(question, PRINTED_RHO2 if printed(question) else REPAIRED, True)
