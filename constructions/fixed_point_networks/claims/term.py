"""Lemma 25: how many terms a sum takes (Section 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata, within_limit
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = p_and_s("1..2", "1..3")


@claim(
    "lemma-25",
    statement="every sum of magnitude at most 2 q_max + 3/(2s) is one of at most s(2^(p+2) - 1) |V| terms",
    place="Section 5.15, Lemma 25",
    checks="every set of outputs, every such sum, and a combination of terms for it, added up again",
    parameters=SMALL,
    bounded=False,
)
def lemma_25(question: Question) -> Finding:
    grid = grid_of(question)
    within_limit(question, 2**grid.size * 8)
    limit = (4 * grid.top + 3) * grid.s // 2
    longest = 0

    def trials() -> Iterator[Failure]:
        nonlocal longest
        for image in images(grid):
            if len(image) < 2:
                continue
            levels = sorted(image)
            table = Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))
            step, bound = reach("S", table).step, grid.s * (2 ** (grid.p + 2) - 1) * len(table.gaps)
            for t in range(step, limit + 1, step):
                terms = combination(table, t, False)
                longest = max(longest, len(terms))
                ok = sum(w * (table(a) - table(b)) for w, a, b in terms) == t and len(terms) <= bound
                yield None if ok else {"outputs": levels, "gamma": Fraction(t, grid.s**2), "terms": len(terms)}

    found = list(trials())
    return decide(
        f"every set of outputs and every positive sum {at(question)}", found, witness=f"{longest} terms are enough for each of them"
    )


@claim(
    "lemma-25:from-lemma-26",
    statement="the levels x_1, ..., x_m to which Lemma 26 is applied are natural numbers, no two equal in size",
    place="Section 5.15, proof of Lemma 25, the use of Lemma 26",
    checks="the levels of V for every set of two or more outputs",
    parameters=SMALL,
    errata=(
        Erratum(
            printed="all of V = {v_1, ..., v_m}, x_i = s v_i",
            repaired="the positive ones among the x_i, with c_i = 0 for the others",
            why="V holds 0 and with each gap its negative, while Lemma 26 is about x_1 < ... < x_n in N; the positive ones have the gcd",
        ),
    ),
    bounded=False,
)
def from_lemma_26(question: Question) -> Finding:
    grid, repaired = grid_of(question), uses_errata(question)
    within_limit(question, 2**grid.size)

    def trials() -> Iterator[Failure]:
        for image in sorted(images(grid), key=lambda i: (len(i), sorted(map(abs, i)), sorted(i))):
            if len(image) > 1:
                gaps = sorted({a - b for a in image for b in image})
                used = [x for x in gaps if x > 0] if repaired else gaps
                ok = min(used) > 0 and gcd(*used) == gcd(*gaps)
                yield None if ok else {"outputs": [grid.show(v) for v in sorted(image)], "x": used}

    return decide(f"every set of two or more outputs {at(question)}", trials())


@claim(
    "lemma-25:scale",
    statement="with u_1 + u_2 = c/s, the sum of the printed products equals c/s times x/s",
    place="Section 5.15, proof of Lemma 25, first display",
    checks="every c and x of magnitude up to 2^(p+1) - 2",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="the sum of (u_j/s)(x/s); w = u_j/s",
            repaired="the sum of u_j (x/s); w = u_j",
            why="u_j already carries the 1/s of c/s; with a second one the sum is 1/s^3, not 1/s^2, and u_j/s need not be in Q_(p,s)",
        ),
    ),
    bounded=False,
)
def scale(question: Question) -> Finding:
    grid = grid_of(question)
    s, factor = grid.s, Fraction(1) if uses_errata(question) else Fraction(1, grid.s)

    def trials() -> Iterator[Failure]:
        for c in range(1, 2 * grid.top + 1):
            for x in range(1, 2 * grid.top + 1):
                halves = [Fraction(c // 2, s), Fraction(c - c // 2, s)]
                left = sum(u * factor * Fraction(x, s) for u in halves)
                yield None if left == Fraction(c * x, s * s) else {"c": c, "x": x, "left": left, "right": Fraction(c * x, s * s)}

    return decide(f"all c and x {at(question)}", trials())


@claim(
    "lemma-25:halves",
    statement="c/s with |c| <= 2^(p+1) - 2 is a sum of two elements of Q_(p,s)",
    place="Section 5.15, proof of Lemma 25",
    checks="every c",
    parameters=p_and_s(),
    bounded=False,
)
def halves(question: Question) -> Finding:
    grid = grid_of(question)
    span = range(-2 * grid.top, 2 * grid.top + 1)
    return decide(f"all c {at(question)}", (None if max(abs(c // 2), abs(c - c // 2)) <= grid.top else {"c": c} for c in span))


@claim(
    "lemma-25:gamma-bound",
    statement="s^2 |gamma| <= the printed bound = s(2^(p+1) - 1/2), for |gamma| <= 2 q_max + 3/(2s)",
    place="Section 5.15, proof of Lemma 25, last lines",
    checks="the members of the chain at the largest gamma",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="s(2 q_max + 3/2)",
            repaired="s(2 s q_max + 3/2)",
            why="s^2 times 2 q_max + 3/(2s) is s(2 s q_max + 3/2), and s q_max = 2^p - 1 makes it s(2^(p+1) - 1/2)",
        ),
    ),
    bounded=False,
)
def gamma_bound(question: Question) -> Finding:
    grid = grid_of(question)
    largest = grid.s**2 * (2 * grid.largest + Fraction(3, 2 * grid.s))
    middle = grid.s * (2 * grid.largest * (grid.s if uses_errata(question) else 1) + Fraction(3, 2))
    right = grid.s * (2 ** (grid.p + 1) - HALF)
    return decide(
        f"the chain {at(question)}", [None if largest <= middle == right else {"s^2 gamma": largest, "middle": middle, "right": right}]
    )
