"""Displays inside the proofs: Lemmas 7, 8, 12 and 19, and Lemma 5's codomain (Sections 5.4, 5.6, 5.7, 5.10, 5.14)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from constructions.fixed_point_networks.claims.divisibility import SMALL, every_r, first_says, moduli
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.preimages import HALF, preimages, spread
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    at,
    chosen,
    decide,
    divisor_parameter,
    grid_of,
    p_and_s,
    uses_errata,
    within_limit,
)
from constructions.fixed_point_networks.tried import scope_of, tables
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

FROM_3 = (Parameter("p", "magnitude bits", "p >= 3", "3"), p_and_s()[1])


@claim(
    "lemma-12:case-split",
    statement="with outputs in r*Z levels and weights +-1, s times a value of BN is 2^p - 1, -2^p + 1 or s*b modulo r, by whether the sum "
    "is >= 2^p/s, <= -2^p/s or between",
    place="Section 5.10, last display",
    checks="every r, every bias modulo r, every sum up to twice the range; each of the three cases occurs",
    parameters=(*SMALL, divisor_parameter("")),
    bounded=False,
)
def case_split(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(grid, 3, chosen(question, "r")):
            for beta, k in product(range(r), range(-2 * grid.size // r - 1, 2 * grid.size // r + 2)):
                total = beta + r * k
                end = grid.top if total >= grid.top + 1 else -grid.top if total <= -grid.top - 1 else beta
                ok = (grid.nearest(grid.s * total) - end) % r == 0
                yield None if ok else {"r": r, "s*b": beta, "sum": grid.show(total)}

    first = first_says(lambda g: g.s**2 * 3 <= g.top)
    return decide(f"{every_r(question)}, biases modulo r and sums of magnitude up to 2|Q|/s {at(question)}", trials(), witness=first)


@claim(
    "lemma-5:codomain",
    statement="F_q has values in the set named as its codomain",
    place="Section 5.4, before Eq. (26)",
    checks="the values of Eq. (27) for every q",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="F_q: Q_(p,s)^d -> Q_(p,s)",
            repaired="F_q: Q_(p,s)^d -> R",
            why="F_q is a difference of two outputs, not rounded: up to 2 q_max; nothing later asks that it be in Q_(p,s)",
        ),
    ),
    bounded=False,
)
def codomain(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            for q in grid.levels():
                value = normal.rho(grid.top) - normal.rho(q)
                ok = uses_errata(question) or abs(value) <= grid.top
                yield None if ok else {"activation": name, "q": grid.show(q), "F_q": grid.show(value), "q_max": grid.largest}

    return decide(scope_of(question, "every q, on the cube"), trials())


@claim(
    "condition-a1:contains",
    statement="neighbouring outputs that differ by 1/s, 0 or -1/s take every level between those of the ends, and so 1/s is a gap",
    place="Section 5.6, case (A1)",
    checks="every sequence of levels with such steps over up to eight steps",
    parameters=(Parameter("n", "steps", "n >= 1", "1..8"),),
    bounded=False,
)
def contains(question: Question) -> Finding:
    n = question["n"]
    within_limit(question, 3**n)

    def trials() -> Iterator[Failure]:
        for moves in product((-1, 0, 1), repeat=n):
            found, end = {0}, 0
            for move in moves:
                end += move
                found.add(end)
            if end > 0:
                yield None if set(range(end + 1)) <= found else {"steps": moves}

    return decide(f"all sequences of {n} steps that end higher", trials())


@claim(
    "condition-a2:ties",
    statement="values 1/s apart can round to values more than 1/s apart, but not where both are >= 0",
    place="Section 5.6, case (A2)",
    checks="for each pair of levels, whether reals at most 1/s apart round to them: with reals of either sign, and with reals >= 0",
    parameters=p_and_s(),
    bounded=False,
)
def ties(question: Question) -> Finding:
    grid = grid_of(question)
    found = preimages(grid)
    far = [(a, b) for a in found for b in found if b - a > 1 and spread(found[a], found[b]).can_be_at_most(1)]
    trials: list[Failure] = [None if far else {"pairs": "none"}]
    trials += [None if a < 0 else {"rounded": f"{grid.show(a)} and {grid.show(b)}"} for a, b in far]
    shown = ", ".join(f"{grid.show(a)} and {grid.show(b)}" for a, b in far)
    return decide(f"all pairs of levels {at(question)}", trials, "preimages of the levels", f"the only such levels: {shown}")


@claim(
    "condition-a3:pigeonhole",
    statement="n steps of at least one level each and fewer than 2n together: some step is one level; the outputs are n + 1 levels",
    place="Section 5.6, case (A3)",
    checks="every sequence of n steps from 1 to 3",
    parameters=(Parameter("n", "steps", "n >= 1", "1..6"),),
    bounded=False,
)
def pigeonhole(question: Question) -> Finding:
    n = question["n"]
    within_limit(question, 3**n)
    rises = (moves for moves in product((1, 2, 3), repeat=n) if sum(moves) < 2 * n)
    return decide(
        f"all sequences of {n} steps below {2 * n} together", (None if 1 in m and len(m) + 1 == n + 1 else {"steps": m} for m in rises)
    )


INCLUSIONS = {
    "(A4), s >= 3": (3, (0, 2), (Fraction(0), Fraction(2, 3))),
    "(A5), s >= 3": (3, (-3, 3), (Fraction(-1), Fraction(1))),
    "(A7), s >= 1": (1, (1, 3), (Fraction(0), Fraction(3))),
}
"""Section 5.7: from which s, the interval of the condition in units of 1/s, and the interval over which the table speaks."""


@claim(
    "lemma-8:intervals",
    statement="the intervals of (A4), (A5) for s >= 3 and of (A7) lie in those of the tables; "
    "those of (A6) are (3, 5), (3/2, 5/2) for s = 1, 2",
    place="Section 5.7, proof of Lemma 8",
    checks="the ends of each interval",
    parameters=(Parameter("s", "scaling factor", "s >= 1", "1..15"),),
    bounded=False,
)
def intervals(question: Question) -> Finding:
    s = question["s"]

    def trials() -> Iterator[Failure]:
        for text, (least, (a, b), (low, high)) in INCLUSIONS.items():
            if s >= least:
                yield None if low <= Fraction(a, s) and Fraction(b, s) <= high else {"case": text}
        table = {1: (3, 5), 2: (Fraction(3, 2), Fraction(5, 2))}.get(s)
        yield None if table in (None, (Fraction(3, s), Fraction(5, s))) else {"case": "(A6)"}

    return decide(f"the cases that apply {at(question)}", trials())


def _sums(grid: FixedPoint) -> Iterator[tuple[int, int, int]]:
    """(γ₁ + b′, γ₂ + b′, b′·s²) in units of 1/s²: all that round to q_max − 1/s and q_max − 2/s, and the extreme and middle biases."""
    first, second = grid.preimage(grid.top - 1), grid.preimage(grid.top - 2)
    ends = [end for end in (*first, *second) if end is not None]
    for t1, t2 in product(range(ends[0], ends[1] + 1), range(ends[2], ends[3] + 1)):
        for beta in (-grid.top, 0, grid.top):
            yield t1, t2, grid.s * beta


def _multiple(step: int, s: int) -> int:
    """g of Section 5.14: the least multiple of γ̂ that is at least 1/s."""
    return -(-s // step) * step


@claim(
    "lemma-19:difference",
    statement="0 < gamma_1 - gamma_2 < 2/s, and some multiple g of it has 1/s <= g < 2/s",
    place="Section 5.14",
    checks="all pairs of sums that round to q_max - 1/s and q_max - 2/s",
    parameters=FROM_3,
    bounded=False,
)
def difference(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for t1, t2, _ in _sums(grid):
            step = t1 - t2
            ok = 0 < step < 2 * grid.s and grid.s <= _multiple(step, grid.s) < 2 * grid.s
            yield None if ok else {"gamma_1 - gamma_2": Fraction(step, grid.s**2)}

    return decide(f"all such sums in multiples of 1/s^2 {at(question)}", trials())


@claim(
    "lemma-19:chain",
    statement="gamma_1 + g + b' rounds to q_max, and -1/(2s) <= q_max - 3/(2s) + g - b' <= gamma_1 + g < q_max - 1/(2s) + g - b' "
    "<= 2 q_max + 3/(2s)",
    place="Section 5.14, the display for gamma_+",
    checks="all pairs of sums as above, with b' = -q_max, 0, q_max",
    parameters=FROM_3,
    bounded=False,
)
def chain(question: Question) -> Finding:
    grid = grid_of(question)
    s, top = grid.s, grid.top * grid.s

    def trials() -> Iterator[Failure]:
        for t1, t2, beta in _sums(grid):
            g = _multiple(t1 - t2, s)
            low, high = top - 3 * s * HALF + g - beta, top - s * HALF + g - beta
            ok = -s * HALF <= low <= t1 - beta + g < high <= 2 * top + 3 * s * HALF and grid.nearest(t1 + g) == grid.top
            yield None if ok else {"gamma_1 + b'": Fraction(t1, s**2), "g": Fraction(g, s**2), "b'": Fraction(beta, s**2)}

    return decide(f"all such sums in multiples of 1/s^2 and three biases {at(question)}", trials())
