"""Displays inside the proof of Lemma 7 (Section 5.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, combinations, product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.claims.listed import value
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.enclosures import Pair, four_digits, open_range
from constructions.fixed_point_networks.mathematics.grid import preimages
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata, within_limit
from verifier.arithmetic.preimages import spread
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


SMOOTH = ("silu", "mish", "gelu", "softplus", "sigmoid")
"""The activations whose slope is enclosed by balls."""


def _mean_value(
    name: str,
    statement: str,
    place: str,
    typical: tuple[str, str],
    admits: Callable[[Pair], bool],
    holds: Callable[[Pair, int], bool],
) -> None:
    """σ over one grid step, by the slopes between: ``admits`` sees bounds of σ′, ``holds`` bounds of the difference of the ends."""

    @claim(
        name,
        statement=statement,
        place=place,
        checks="SiLU, Mish, GELU, SoftPlus and Sigmoid on every step of the grid with such slopes, slopes and values enclosed; no other "
        "sigma (for every one it is the mean value theorem)",
        parameters=p_and_s(*typical),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        grid = grid_of(question)
        s = grid.s

        def trials() -> Iterator[Failure]:
            for each in SMOOTH:
                sigma = NAMED[each]
                for k in range(-grid.top, grid.top):
                    slopes = open_range(sigma, 1, Fraction(k, s), Fraction(k + 1, s))
                    if admits((slopes.infimum[0], slopes.supremum[1])):
                        low, high = value(sigma, k, s), value(sigma, k + 1, s)
                        ok = holds((high[0] - low[1], high[1] - low[0]), s)
                        shown = {"activation": each, "k": k, "slope": slopes, "ends": f"{four_digits(*low)}, {four_digits(*high)}"}
                        yield None if ok else shown

        return decide(f"five activations on every step of Q_(p,s) where the slope is such {at(question)}", trials(), "ball arithmetic")

    del judge


_mean_value(
    "equation-30",
    "where |sigma'| < 1, sigma differs by less than 1/s over one step of the grid",
    "Section 5.6, case (A1), Eq. (30)",
    ("1..3", "1..3"),
    lambda slope: slope[0] > -1 and slope[1] < 1,
    lambda rise, s: s * rise[0] > -1 and s * rise[1] < 1,
)
_mean_value(
    "condition-a3:step",
    "where 1 <= sigma' <= 2, sigma rises by at least 1/s over one step of the grid",
    "Section 5.6, case (A3), the display before Lemma 22 is used",
    ("2..3", "1..2"),
    lambda slope: slope[0] >= 1 and slope[1] <= 2,
    lambda rise, s: s * rise[0] >= 1,
)


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
    checks="every sequence of n steps, up to n levels each (one more leaves less than one for the others)",
    parameters=(Parameter("n", "steps", "n >= 1", "1..6"),),
    bounded=False,
)
def pigeonhole(question: Question) -> Finding:
    n = question["n"]
    within_limit(question, n**n)

    def trials() -> Iterator[Failure]:
        for moves in product(range(1, n + 1), repeat=n):
            if sum(moves) < 2 * n:
                yield None if 1 in moves and len({0, *accumulate(moves)}) == n + 1 else {"steps": moves}

    return decide(f"all sequences of {n} steps below {2 * n} together", trials())


@claim(
    "condition-a3:levels",
    statement="the elements of Sigma between s[sigma](q1/s) and s[sigma](q2/s) differ by less than the bound named",
    place="Section 5.6, case (A3), before the pigeonhole",
    checks="every number n = q2 - q1 of steps, and all two outputs at least n levels apart to which reals less than (2n - 1)/s apart round",
    parameters=p_and_s("1..3", "1..3"),
    errata=(
        Erratum(
            printed="smaller than 2(q2 - q1)/s",
            repaired="smaller than 2(q2 - q1)",
            why="the elements of Sigma are s times the outputs, whole numbers; it is the outputs that are less than 2(q2 - q1)/s apart",
        ),
    ),
    bounded=False,
)
def levels(question: Question) -> Finding:
    grid = grid_of(question, 3)
    unit, found = 1 if uses_errata(question) else grid.s, preimages(grid)
    pairs = sorted(combinations(grid.levels(), 2), key=lambda pair: (pair[1] - pair[0], abs(sum(pair))))

    def trials() -> Iterator[Failure]:
        for n in range(2, 2 * grid.top + 1):
            for a, b in pairs:
                if b - a >= n and spread(found[a], found[b]).can_be_below(2 * n - 1):
                    shown = {"q2 - q1": n, "s[sigma](q1/s)": a, "s[sigma](q2/s)": b}
                    yield None if unit * (b - a) < 2 * n else {**shown, "difference": b - a, "bound": Fraction(2 * n, unit)}

    return decide(f"every n from 2 to 2^(p+1) - 2 and all two outputs that (A3) leaves {at(question)}", trials(), "preimages of the levels")
