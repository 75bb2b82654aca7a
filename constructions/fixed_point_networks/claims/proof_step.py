"""Displays inside the proofs: Lemmas 7, 8, 12 and 19, and Lemma 5's codomain (Sections 5.4, 5.6, 5.7, 5.10, 5.14)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.divisibility import SMALL, every_r, first_says, moduli
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    at,
    chosen,
    decide,
    divisor_parameter,
    grid_of,
    p_and_s,
)
from verifier.arithmetic.numbers import HALF
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
