"""Conditions (A4)–(A7) of Lemma 24, and the numbers in the proofs of Lemmas 8 and 24 (Section 5.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from constructions.fixed_point_networks.activations import NAMED, rounded
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.ranges import four_digits
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, proved, refuted, uses_errata
from verifier.claims.model import Chapter, Erratum, Parameter, Part, Question
from verifier.verdicts import Finding, Verdict

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
    statement="in case (A6), the bound 3/s on the difference is below the last member of the chain, which is "
    "(A3)'s (2(q2 - q1) - 1)/s for q1 = 3, q2 = 5",
    place="Section 5.7, proof of Lemma 24, case (A6)",
    checks="the members of the chain, and (A3)'s bound",
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
    ok = last == needed and (middle <= last if repaired else middle < last)
    return decide(f"the chain {at(question)}", [None if ok else {"3/2 * 2/s": middle, "last member": last, "(A3) asks": needed}])


@claim(
    "lemma-8:relu-elu-values",
    statement="ReLU and ELU round to 0 at 0 and to 1/s at 1/s",
    place="Section 5.7, first paragraph",
    checks="both values",
    parameters=p_and_s(),
    bounded=False,
)
def relu_elu(question: Question) -> Finding:
    grid = grid_of(question)
    tables = {name: rounded(NAMED[name], grid) for name in ("relu", "elu")}
    return decide(
        f"ReLU and ELU at 0 and 1/s {at(question)}",
        (None if t(x) == x else {"activation": n, "x": grid.show(x), "value": grid.show(t(x))} for n, t in tables.items() for x in (0, 1)),
    )


@claim(
    "lemma-8:sigmoid-s1",
    statement="s = 1: Sigmoid rounds to 1 at 0 and to 0 at -1",
    place="Section 5.7, Sigmoid",
    checks="both values",
    parameters=(Parameter("p", "magnitude bits", "p >= 3", "3"),),
    bounded=False,
)
def sigmoid_1(question: Question) -> Finding:
    return _sigmoid(question["p"], 1, {0: 1, -1: 0})


@claim(
    "lemma-8:sigmoid-s2",
    statement="s = 2: Sigmoid rounds to 1/2 at 0 and to 0 at the other input named",
    place="Section 5.7, Sigmoid",
    checks="both values",
    parameters=(Parameter("p", "magnitude bits", "p >= 3", "3"),),
    errata=(
        Erratum(
            printed="[Sigmoid](-1) = [1/(1+e)] = 0",
            repaired="[Sigmoid](-3/2) = [1/(1+e^(3/2))] = 0",
            why="1/(1+e) = 0.2689 is nearer to 1/2 than to 0; 1/(1+e^(3/2)) = 0.1824 is not",
        ),
    ),
    bounded=False,
)
def sigmoid_2(question: Question) -> Finding:
    return _sigmoid(question["p"], 2, {0: 1, (-3 if uses_errata(question) else -2): 0})


def _sigmoid(p: int, s: int, values: dict[int, int]) -> Finding:
    grid = FixedPoint(p, s)
    table = rounded(NAMED["sigmoid"], grid)
    return decide(
        f"Sigmoid at the inputs named, p = {p}, s = {s}",
        (
            None if table(x) == v else {"x": grid.show(x), "rounded": grid.show(table(x)), "printed": grid.show(v)}
            for x, v in values.items()
        ),
    )


@claim(
    "lemma-8:sigmoid-bound",
    statement="2^p - 1 <= (2^p - 4)/Sigmoid(0) = 2^(p+1) - 8",
    place="Section 5.7, Sigmoid",
    checks="both sides",
    parameters=(Parameter("p", "magnitude bits", "p >= 3", "3..8"),),
    bounded=False,
)
def sigmoid_bound(question: Question) -> Finding:
    p = question["p"]
    quotient = (2**p - 4) / Fraction(1, 2)
    ok = 2**p - 1 <= quotient == 2 ** (p + 1) - 8
    return decide(f"the inequality {at(question)}", [None if ok else {"left": 2**p - 1, "right": quotient}])


@claim(
    "lemma-8:softplus-bound",
    statement="2^p - 1 <= (2^p - 4)/SoftPlus(0), for p >= 4",
    place="Section 5.7, SoftPlus",
    checks="the quotient, enclosed; at p = 3, outside the claim, it is 5.7708, so s <= 5",
    parameters=(Parameter("p", "magnitude bits", "p >= 4", "4..8"),),
    bounded=False,
)
def softplus_bound(question: Question) -> Finding:
    p = question["p"]
    low, high = softplus_quotient(p)
    if high < 2**p - 1:
        return refuted(f"the inequality {at(question)}", {"left": 2**p - 1, "right": four_digits(low, high)})
    assert low > 2**p - 1
    return proved(f"the inequality {at(question)}", "ball arithmetic", 1, f"the quotient is {four_digits(low, high)}")


@claim(
    "lemma-8:softplus-quotient",
    statement="at p = 3, (2^p - 4)/SoftPlus(0) is about 5.7, so that it admits s = 1, ..., 5 and no more",
    place="Section 5.7, SoftPlus",
    checks="the quotient, enclosed, read as within one unit of the last digit printed",
    bounded=False,
)
def softplus_value(question: Question) -> Finding:
    del question
    low, high = softplus_quotient(3)
    ok = Fraction(56, 10) < low and high < Fraction(58, 10)
    if not ok:
        return refuted("the quotient at p = 3", {"quotient": four_digits(low, high)})
    return proved("the quotient at p = 3", "ball arithmetic", 1, f"it is {four_digits(low, high)}; the 5.7 is that of 10/7 * 4")


def softplus_quotient(p: int) -> tuple[Fraction, Fraction]:
    """(2^p − 4)/log 2, enclosed."""
    import flint

    with flint.ctx.workprec(128):
        ball = (2**p - 4) / flint.arb.const_log2()
        ends = []
        for end in (ball.lower(), ball.upper()):
            mantissa, exponent = end.man_exp()
            ends.append(Fraction(int(mantissa)) * Fraction(2) ** int(exponent))
    return ends[0], ends[1]
