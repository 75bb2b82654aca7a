"""The values and bounds in the proof of Lemma 8 (Section 5.7)."""

from __future__ import annotations

from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.enclosures import four_digits
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.trials import PAPER_ID, at, decide, grid_of, p_and_s, proved, refuted, uses_errata
from verifier.arithmetic.enclosure import ends
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


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
        return ends((2**p - 4) / flint.arb.const_log2())
