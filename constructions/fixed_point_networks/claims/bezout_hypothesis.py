"""Whether Lemma 26 needs its numbers in ascending order (Section 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import gcd

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.hypothesis_count import bounded_coefficients
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, within_limit
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Triple = tuple[int, int, int]


def has_coefficients(xs: Triple) -> bool:
    """Whether Σ cᵢxᵢ = d = gcd with |c₁| ≤ x₃/d, |c₂|, |c₃| ≤ x₁/d; the last coefficient by division."""
    d = gcd(*xs)
    first, rest = xs[-1] // d, xs[0] // d
    for a in sorted(range(-first, first + 1), key=abs):
        for b in sorted(range(-rest, rest + 1), key=abs):
            c, left = divmod(d - a * xs[0] - b * xs[1], xs[2])
            if not left and abs(c) <= rest:
                return True
    return False


def unordered(largest: int) -> Iterator[Triple]:
    """Three distinct numbers in any other order, by the greatest, then the sum."""
    for top in range(3, largest + 1):
        for a, b in sorted(combinations(range(1, top), 2), key=lambda v: (sum(v), v)):
            yield from ((a, top, b), (b, a, top), (b, top, a), (top, a, b), (top, b, a))


@claim(
    "lemma-26:ascending",
    statement="Lemma 26 needs x_1 < ... < x_n in this order: its bounds name the first and the last",
    place="Section 5.15, Lemma 26",
    checks="three distinct numbers in all other orders, by the greatest, until no coefficients keep the bounds, which is checked again by "
    "brute force",
    parameters=(Parameter("x", "the largest number tried", "x >= 3", "19"),),
    bounded=False,
)
def ascending(question: Question) -> Finding:
    largest = question["x"]
    within_limit(question, largest**4)
    tried, found = 0, None
    for xs in unordered(largest):
        tried += 1
        if not has_coefficients(xs):
            found = xs
            break
    scope = f"triples of distinct numbers up to {largest}, not in ascending order, until one fails: {tried:,}"
    if found is None:
        return Finding(Verdict.OPEN, Scope(scope), reason=f"every order of three numbers up to {largest} will do")
    trials: list[Failure] = [None if not bounded_coefficients(found) else {"x": found}]
    return decide(scope, trials, witness=f"needed, first at {found}: |c_1| <= {found[-1]}, |c_2|, |c_3| <= {found[0]} give no gcd")
