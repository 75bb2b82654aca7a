"""Lemma 26: Bézout coefficients with bounds, and the recipe of its proof (Section 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import gcd

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.mathematics.divisors import coefficients, recipes, small_coefficients, within_bounds
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, printed, uses_errata
from verifier.errors import LimitError
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

TUPLES = (
    Parameter("n", "how many numbers", "n >= 1", "1..4"),
    Parameter("x", "the largest number tried", "x >= n", "12"),
)
SIGN_RULE = Erratum(
    printed="sgn(b_j + k_j x_1) differs from sgn(c_(j+1))",
    repaired="sgn(b_j + k_j x_1) differs from sgn(sum of c_i x_i over i > j)",
    why="c_(j+1) need not have the sign of the sum so far, so from n = 4 on the next term can add to the sum instead of cancelling",
)


def tuples(question: Question) -> Iterator[tuple[int, ...]]:
    """All 1 ≤ x₁ < … < x_n ≤ x."""
    found = combinations(range(1, question["x"] + 1), question["n"])
    for number, xs in enumerate(found):
        if number * 1000 > question.limits.states:
            raise LimitError(f"more than {number:,} tuples (a thousandth of --limit)", "--limit")
        yield xs


def coprime(question: Question) -> Iterator[tuple[int, ...]]:
    """The tuples for which the proof does anything: coprime, and greater than 1."""
    return (xs for xs in tuples(question) if xs[0] > 1 and gcd(*xs) == 1)


def scope(question: Question, which: str) -> str:
    return f"all {which} of {question['n']} numbers up to {question['x']}"


@claim(
    "lemma-26",
    statement="x_1 < ... < x_n with gcd d: some integers c have sum c_i x_i = d, |c_1| <= x_n/d and |c_i| <= x_1/d for i >= 2",
    place="Section 5.15, Lemma 26",
    checks="statement and repaired: coefficients by the recipe as repaired, within the bounds; printed: every "
    "outcome of the printed recipe",
    parameters=TUPLES,
    errata=(SIGN_RULE,),
    bounded=False,
)
def lemma_26(question: Question) -> Finding:
    if printed(question):
        return _recipe(question, False)
    trials = (None if within_bounds(xs, small_coefficients(xs)[1]) else {"x": xs} for xs in tuples(question))
    return decide(scope(question, "ascending tuples"), trials)


def _recipe(question: Question, repaired: bool) -> Finding:
    def trials() -> Iterator[Failure]:
        for xs in coprime(question):
            start = coefficients(xs)[1]
            for cs in recipes(xs, start, repaired):
                yield None if within_bounds(xs, cs) else {"x": xs, "b": tuple(start), "c": tuple(cs), "|c_1|": abs(cs[0]), "x_n": xs[-1]}

    made = decide(scope(question, "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"), trials())
    if made.verdict.value == "declined":
        return decide(scope(question, "ascending tuples that contain 1 or are one number"), (_trivial(xs) for xs in tuples(question)))
    return made


def _trivial(xs: tuple[int, ...]) -> Failure:
    return None if within_bounds(xs, small_coefficients(xs)[1]) else {"x": xs}


@claim(
    "lemma-26:recipe",
    statement="whatever the recipe picks, |sum of c_i x_i over i >= j| <= x_1 x_n for each j >= 2, and |c_1| <= x_n",
    place="Section 5.15, proof of Lemma 26",
    checks="every outcome of the recipe for every coprime tuple, from the coefficients of the Euclidean algorithm",
    parameters=(Parameter("n", "how many numbers", "n >= 2", "2..4"), Parameter("x", "the largest number tried", "x >= n", "12")),
    errata=(SIGN_RULE,),
    bounded=False,
)
def recipe(question: Question) -> Finding:
    repaired = uses_errata(question)

    def trials() -> Iterator[Failure]:
        for xs in coprime(question):
            start = coefficients(xs)[1]
            for cs in recipes(xs, start, repaired):
                yield _partial_sums(xs, cs)

    return decide(scope(question, "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"), trials())


def _partial_sums(xs: tuple[int, ...], cs: list[int]) -> Failure:
    for j in range(1, len(xs)):
        total = sum(c * x for c, x in zip(cs[j:], xs[j:], strict=True))
        if abs(total) > xs[0] * xs[-1]:
            return {"x": xs, "c": tuple(cs), "j": j + 1, "sum": total, "x_1 x_n": xs[0] * xs[-1]}
    return None if abs(cs[0]) <= xs[-1] else {"x": xs, "c": tuple(cs)}
