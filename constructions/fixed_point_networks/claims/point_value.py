"""The displays that put a value of f* itself on a point: Section 4.2 and the last case of Section 5.16."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.claims.small_sum import small_sums
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.verdicts import Edition, Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def _by_theorem_6(question: Question) -> Finding:
    """As an equality of functions the display needs a network for every f*, however it is built."""
    return question.ask(f"{PAPER_ID}/theorem-6", p=question["p"], s=question["s"], d=1)


@claim(
    "theorem-21:point-values",
    statement="f = sum of [f*(p)] 1_p is what a four-layer network computes, by Lemma 5 for each of its terms",
    place="Section 5.16, last case",
    checks="statement: that some such network does (theorem-6, d = 1); printed: for every gcd of gaps with S = Q_(p,s) for some bias, "
    "whether each value is in S°, as Lemma 5 asks; repaired: whether it is [b' + gamma]",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="f = sum of [f*(p)] 1_p",
            repaired="f = [b' + sum of gamma_p 1_p] with [b' + gamma_p] = [f*(p)]",
            why="S = Q_(p,s) says that sums round to every value, not that every value is a sum; the second case and Theorem 6 do it so",
        ),
    ),
    bounded=False,
)
def point_values(question: Question) -> Finding:
    grid = grid_of(question)
    if question.edition is Edition.STATEMENT:
        return _by_theorem_6(question)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            sets = Reach(grid, gap)
            bias = sets.full_bias()
            for q in grid.levels() if bias is not None else ():
                ok = sets.sum_for(bias or 0, q) is not None if uses_errata(question) else grid.s * q % gap == 0
                yield (
                    None
                    if ok
                    else {"gcd of the gaps": grid.show(gap), "S° is the multiples of": Fraction(gap, grid.s**2), "q": grid.show(q)}
                )

    return decide(f"every activation with S = Q_(p,s) for some bias, by the gcd of its gaps, {at(question)}", trials())


@claim(
    "section-4.2:point-values",
    statement="f = b + sum of (f*(z) - b) 1_z is what a four-layer network computes, by Lemma 5 for each of its terms, for some b",
    place="Section 4.2, first display; used with Lemmas 5, 19 and 20 for the counts after it",
    checks="statement: that some such network does (theorem-6, d = 1); printed: every gcd of gaps for which S = Q_(p,s) for some bias, an "
    "f* with every value: whether for any b all f*(z) - b are in S°; repaired: the gamma_z that Lemma 19 promises",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="f = b + sum of (f*(z) - b) 1_z",
            repaired="f = [b' + sum of gamma_z 1_z] with [b' + gamma_z] = f*(z)",
            why="S = Q_(p,s) says that sums round to every value; 1/s, the difference of two values, need not be a sum. Theorem 6's proof "
            "has the repaired form, and Lemma 19 the b' and gamma_z",
        ),
    ),
    bounded=False,
)
def display_values(question: Question) -> Finding:
    grid = grid_of(question, 3)
    if question.edition is Edition.STATEMENT:
        return _by_theorem_6(question)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            sets = Reach(grid, gap)
            if sets.full_bias() is None:
                continue
            if uses_errata(question):
                ok = any(small_sums(grid, sets, beta) is None for beta in grid.levels())
            else:
                ok = any(all(grid.s * (q - beta) % gap == 0 for q in grid.levels()) for beta in range(sets.classes))
            shown = {"gcd of the gaps": grid.show(gap), "S° is the multiples of": Fraction(gap, grid.s**2)}
            yield None if ok else {**shown, "values of f*": f"0 and {Fraction(1, grid.s)}"}

    return decide(f"every activation with S = Q_(p,s) for some bias, by the gcd of its gaps, {at(question)}", trials())
