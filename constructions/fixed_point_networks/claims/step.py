"""Conditions (A4)–(A7) of Lemma 24, and the numbers of its proof (Section 5.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Part, Question

from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, uses_errata
from verifier.verdicts import Edition, Finding, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim

AT_LEAST_3 = (
    Parameter("p", "magnitude bits", "p >= 3", "3"),
    Parameter("s", "scaling factor", "s >= 1 and s <= 2**p - 1", "1..3"),
)


@dataclass(frozen=True)
class Slope:
    """σ′ on (q₁/s, q₂/s) is at least ``least`` and below ``below``; the case of Lemma 7 that follows by the mean value theorem."""

    q1: int
    q2: int
    least: Fraction
    below: Fraction
    case: str

    @property
    def width(self) -> int:
        return self.q2 - self.q1


SLOPES = {
    "a4": Slope(0, 2, Fraction(1, 2), Fraction(1), "a1"),
    "a5": Slope(-3, 3, Fraction(1, 6), Fraction(1), "a1"),
    "a6": Slope(3, 5, Fraction(1), Fraction(3, 2), "a3"),
    "a7": Slope(1, 3, Fraction(1, 2), Fraction(1), "a1"),
}


def _condition(name: str, slope: Slope) -> Part:
    @claim(
        f"condition-{name}",
        statement=f"({name.upper()}): {slope.least} <= sigma' < {slope.below} and |sigma| <= q_max on "
        f"({slope.q1}/s, {slope.q2}/s), p >= 3: "
        f"S = Q_(p,s) for every bias" + (" (sigma' > 1/2 is asked)" if name == "a7" else ""),
        place=f"Section 5.7, Lemma 24, ({name.upper()})",
        checks=f"the mean value theorem's bounds give ({slope.case.upper()}) with q1 = {slope.q1}, q2 = "
        f"{slope.q2}, both on the grid; and that condition",
        parameters=AT_LEAST_3,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return by_mean_value(question, slope)

    del judge
    return Part(f"condition-{name}")


def by_mean_value(question: Question, slope: Slope) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        yield None if max(abs(slope.q1), abs(slope.q2)) <= grid.top else {"q1": slope.q1, "q2": slope.q2}
        if slope.case == "a1":
            yield None if slope.below <= 1 and slope.width * slope.least >= 1 else {"least difference": slope.width * slope.least}
        else:
            enough = slope.least >= 1 and slope.width * slope.below <= 2 * slope.width - 1
            yield None if enough else {"difference below": slope.width * slope.below}
        taken = question.ask(f"fixed-point-networks/condition-{slope.case}")
        yield None if taken.verdict is Verdict.VERIFIED else {"from": slope.case}

    return decide(
        f"every continuous activation that satisfies it, and every bias, {at(question)}", trials(), "mean value theorem, and Lemma 7"
    )


chapter.composite(
    "lemma-24",
    statement="for p >= 3 each of (A4), (A5), (A6), (A7) gives S = Q_(p,s) for every bias",
    place="Section 5.7, Lemma 24",
    parts=tuple(_condition(name, slope) for name, slope in SLOPES.items()),
    parameters=AT_LEAST_3,
    bounded=False,
)


@claim(
    "lemma-24:a4-choice",
    statement="in case (A4), (A1) is satisfied with integers q1 = 0 and q2 as chosen, for which q2/s = 2/s",
    place="Section 5.7, proof of Lemma 24, case (A4)",
    checks="whether q2 is an integer with q2/s = 2/s",
    parameters=AT_LEAST_3,
    errata=(
        Erratum(
            printed="q2 = 2/s",
            repaired="q2 = 2",
            why="q2 is an integer that is divided by s; 2/s is none for s >= 3, and for s = 2 it makes the interval (0, 1/2), not (0, 1)",
        ),
    ),
    bounded=False,
)
def a4_choice(question: Question) -> Finding:
    s = question["s"]
    q2 = Fraction(2) if uses_errata(question) else Fraction(2, s)
    ok = q2.denominator == 1 and q2 / s == Fraction(2, s)
    return decide(f"the choice {at(question)}", [None if ok else {"q2": q2, "q2/s": q2 / s, "needed": Fraction(2, s)}])


@claim(
    "lemma-24:a6-bound",
    statement="in case (A6), a difference below 3/s is below (A3)'s (2(q2 - q1) - 1)/s for q1 = 3, q2 = 5, the last member of the chain",
    place="Section 5.7, proof of Lemma 24, case (A6)",
    checks="3/s against (A3)'s bound; as printed, whether the last member of the chain is that bound, too",
    parameters=AT_LEAST_3,
    errata=(
        Erratum(
            printed="2/s * 3/2 = 3/s < (2(5-2) - 1)/s",
            repaired="2/s * 3/2 = 3/s = (2(5-3) - 1)/s",
            why="q1 is 3, not 2; the bound is then 3/s itself, and the strict first step of the chain suffices",
        ),
    ),
    bounded=False,
)
def a6_bound(question: Question) -> Finding:
    s, repaired = question["s"], uses_errata(question)
    needed, last = Fraction(2 * (5 - 3) - 1, s), Fraction(2 * (5 - (3 if repaired else 2)) - 1, s)
    middle = Fraction(2, s) * Fraction(3, 2)
    ok = middle <= needed and (last == needed or question.edition is Edition.STATEMENT)
    return decide(f"the chain {at(question)}", [None if ok else {"3/2 * 2/s": middle, "last member": last, "(A3) asks": needed}])
