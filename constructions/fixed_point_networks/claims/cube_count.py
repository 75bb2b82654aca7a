"""The remark after Theorem 21: how many cubes, and how many parameters (Section 4.3).

The paper's O and Θ hide absolute constants only (Section 2.1), so a factor 2^d is not hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.claims.approximation import every_width
from constructions.fixed_point_networks.mathematics.coverings import Stretch, covering, stretches
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, printed, uses_errata
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def power(base: Fraction, d: int) -> Fraction:
    """base^d."""
    return Fraction(base.numerator**d, base.denominator**d)


def fewest_cubes(grid: FixedPoint, d: int, width: int) -> int:
    """The least number of quantized cubes with sides of at most ``width`` levels that partition Q_{p,s}^d: ⌈(2·top + 1)/(width + 1)⌉^d.

    A side holds at most width + 1 levels, so that many suffice; and the points whose coordinates are 0, width + 1, 2(width + 1), …
    levels above −q_max need a cube each.
    """
    return power(Fraction(-(-grid.size // (width + 1))), d).numerator


@claim(
    "section-4.3:cubes",
    statement="at most c (2 q_max)^d delta^-d quantized cubes of side at most delta are enough to partition Q_(p,s)^d, with the hidden "
    "constant c given, which is to serve every d",
    place="Section 4.3, after Theorem 21",
    checks="the least number of such cubes, constant between whole multiples of 1/s, against the bound with this c for every real delta; "
    "as repaired with c = 1",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2"), Parameter("c", "the hidden constant", "c >= 1", "2")),
    errata=(
        Erratum(
            printed="Theta((2 q_max)^d delta^-d) quantized cubes",
            repaired="Theta((4 q_max)^d delta^-d) quantized cubes",
            why="for delta just below 2 q_max each of the 2^d corners needs a cube of its own, while (2 q_max/delta)^d is about 1: no c "
            "serves every d, and the paper hides absolute constants only (Section 2.1). With 2^d more, c = 1 suffices, as a side takes "
            "fewer than 2 q_max/delta + 1 < 4 q_max/delta",
        ),
    ),
    bounded=False,
)
def cubes(question: Question) -> Finding:
    grid, d, c = grid_of(question), question["d"], question["c"]

    def bound(delta: Fraction) -> Fraction:
        return power(4 * grid.largest / delta, d) if uses_errata(question) else c * power(2 * grid.largest / delta, d)

    def enough(delta: Fraction, number: int) -> bool:
        return number <= bound(delta)

    def trials() -> Iterator[Failure]:
        for width in range(1, 2 * grid.top):
            number = fewest_cubes(grid, d, width)
            delta = Stretch(grid.value(width), grid.value(width + 1)).violation(partial(enough, number=number))
            yield None if delta is None else {"delta": delta, "cubes needed": number, "bound": bound(delta)}

    return decide(f"every real delta with 1/s < delta < 2 q_max, by the whole part of s delta, {at(question)}", trials())


@claim(
    "section-4.3:parameters",
    statement="the approximator has O(2^(2p) s^3 d (6 q_max)^d delta^-d) parameters, by Lemma 20's count for each cube; this is P of "
    "Theorem 21, second case",
    place="Section 4.3, after Theorem 21, last sentence",
    checks="statement: as an upper bound, the proof's number of cubes times Lemma 20's 2^(2p) s^2 d against the remark's number, for every "
    "real delta; printed and repaired: also whether the remark's number is Theorem 21's P",
    parameters=(*p_and_s("1..2", "1..2"), dimension("1..2")),
    errata=(
        Erratum(
            printed="O(2^(2p) s^3 d (6 q_max)^d delta^-d)",
            repaired="O(2^(2p) s^2 d (6 q_max)^d delta^-d)",
            why="a cube takes O(2^(2p) s^2 d) (Lemma 20, named in the sentence before), and Theorem 21 states s^2; with s^3 it remains "
            "true as an upper bound, s times larger",
        ),
    ),
    bounded=False,
)
def parameters(question: Question) -> Finding:
    grid, d = grid_of(question, 3), question["d"]
    each = (1 << 2 * grid.p) * grid.s * grid.s * d
    remark = each if uses_errata(question) else each * grid.s

    def enough(delta: Fraction, number: int) -> bool:
        return number * each <= remark * power(6 * grid.largest / delta, d)

    def trials() -> Iterator[Failure]:
        if printed(question) or uses_errata(question):
            same = {"remark's number over that of Theorem 21": Fraction(remark, each), "s": grid.s}
            yield None if remark == each else same
        for stretch in stretches(grid):
            number = len(covering(grid, stretch.sample)) ** d
            delta = stretch.violation(partial(enough, number=number))
            yield None if delta is None else {"delta": delta, "cubes": number}

    return decide(every_width(question, f", {at(question)}"), trials())
