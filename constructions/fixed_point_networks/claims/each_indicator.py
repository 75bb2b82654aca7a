"""Whether networks for each γ·1_C would be enough for every function (Section 3.2, below Eq. 12)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.judges.sampling import outputs_tried
from constructions.fixed_point_networks.mathematics.expressive_power import Sums, sums_of
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "section-3.2:each-indicator",
    statement="if for every gamma in Q_(p,s) and every cube C the map gamma 1_C from Q_(p,s)^d to Q_(p,s) is a quantized network, then "
    "networks represent every function",
    place="Section 3.2, below Eq. (12)",
    checks="every set of outputs of an activation with Condition 1, where networks are decided exactly by the sum they start from: one "
    "start for 0 and gamma, for each gamma, against one start for all of Q_(p,s); repaired: gamma in S°, that is, gamma 1_C unrounded",
    parameters=p_and_s("1..3", "1..3"),
    errata=(
        Erratum(
            printed="x -> gamma 1_C(x) by a quantized network, for every gamma in Q_(p,s)",
            repaired="x -> gamma 1_C(x) by a network without its last bias and rounding, as in Lemma 5, for every gamma in Q_(p,s)",
            why="rounded, each gamma may need a last bias of its own, while the sum of Eq. (12) has one; unrounded indicators add up",
        ),
    ),
    bounded=False,
)
def each_indicator(question: Question) -> Finding:
    grid = grid_of(question)
    tried, _, how = outputs_tried(question, grid)
    repaired = uses_errata(question)

    def trials() -> Iterator[Failure]:
        for image in sorted(tried, key=lambda i: (len(i), sum(map(abs, i)), sorted(i))):
            if len(image) < 2:
                continue
            sums = sums_of(grid, image)
            if repaired:
                given = all(grid.s * q % sums.gaps == 0 for q in grid.levels())
                fails = given and sums.reach.missing_from(0, grid.levels()) is not None
            else:
                fails = sums.each_with_zero() and not sums.everything()
            yield {"outputs": [grid.show(v) for v in sorted(image)], **_shown(sums)} if fails else None

    return decide(f"every activation with Condition 1, {how}, {at(question)}", trials(), "starts of sums (gcds)")


def _shown(sums: Sums) -> dict[str, object]:
    """What the sums run over, from which start each γ is reached together with 0, and what every start misses."""
    grid, unit = sums.grid, sums.grid.s**2
    values = sorted(grid.levels(), key=lambda q: (abs(q), q))
    reached = [f"{grid.show(q)} from {Fraction(sums.start_for((0, q)) or 0, unit)}" for q in values if q]
    missed = [f"{grid.show(q)} from {Fraction(c, unit)}" for c in sums.starts if (q := sums.reach.missing_from(c, values)) is not None]
    return {"sums": f"a start plus multiples of {Fraction(sums.gaps, unit)}", "reached with 0": reached, "missing": missed}
