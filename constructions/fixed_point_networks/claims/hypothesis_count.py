"""Which hypotheses Lemmas 20, 24, 25, 26 need, and what Theorem 21 takes from Lemma 19."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import gcd

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.claims.count import CONSTANT
from constructions.fixed_point_networks.claims.step import SLOPES, by_mean_value
from constructions.fixed_point_networks.mathematics.divisors import small_coefficients, within_bounds
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, uses_errata, within_limit
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "lemma-20:hypotheses",
    statement="whether Lemma 20 needs |gamma| <= 2 q_max + 3/(2s)",
    place="Section 4.2, Lemma 20",
    checks="the least parameters of any affine map with weights in Q_(p,s) that takes the value gamma, for the identity and larger gamma",
    parameters=(*p_and_s("1..2", "1"), dimension()),
    bounded=False,
)
def lemma_20_hypotheses(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    bound = CONSTANT * 4**grid.p * grid.s**2 * d
    gamma = bound * grid.top**2 + 1
    least = -(-gamma // grid.top**2)
    return decide(
        f"the bound with the constant {CONSTANT}, and gamma in S° of the identity, {at(question)}",
        [None if least > bound else {"gamma": Fraction(gamma, grid.s**2), "least parameters": least, "bound": bound}],
        witness=f"needed: gamma = {Fraction(gamma, grid.s**2)} takes {least:,} inputs of the last map, each product being at most q_max^2",
    )


@claim(
    "lemma-25:hypotheses",
    statement="which hypotheses of Lemma 25 its conclusion needs",
    place="Section 5.15, Lemma 25",
    checks="outputs 0 and 1/s: the least gamma in S° that takes more terms; outputs -q_max and q_max: a gamma outside S°",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def lemma_25_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)
    bound = grid.s * (2 ** (grid.p + 2) - 1) * 3
    gamma = bound * grid.top + 1
    terms = -(-gamma // grid.top)
    trials: list[Failure] = [
        None if terms == bound + 1 and 2 * gamma > (4 * grid.top + 3) * grid.s else {"gamma": gamma, "terms": terms, "bound": bound},
        None if 1 % (2 * grid.top) else {"gamma": Fraction(1, grid.s**2)},
    ]
    return decide(
        f"one instance for each hypothesis dropped {at(question)}",
        trials,
        witness=f"needed: the bound on gamma (outputs 0 and 1/s: {Fraction(gamma, grid.s**2)} is the least that takes more than "
        f"{bound} terms) and gamma in S° (outputs -q_max and q_max: 1/s^2 is no sum)",
    )


def bounded_coefficients(xs: tuple[int, ...]) -> bool:
    """Brute force: c with Σ cᵢxᵢ = d = gcd, |c₁| ≤ x_n/d, |cᵢ| ≤ x₁/d."""
    d = gcd(*xs)
    first, rest = xs[-1] // d, xs[0] // d
    ranges = [range(-first, first + 1), *[range(-rest, rest + 1)] * (len(xs) - 1)]
    return any(sum(c * x for c, x in zip(cs, xs, strict=True)) == d for cs in product(*ranges))


@claim(
    "lemma-26:hypotheses",
    statement="which hypotheses of Lemma 26 its conclusion needs: distinct, ascending, positive",
    place="Section 5.15, Lemma 26",
    checks="all tuples with repetitions; all orders of all triples, by brute force; tuples with 0 or a negative number",
    parameters=(Parameter("x", "the largest number tried", "x >= 2", "6"),),
    bounded=False,
)
def lemma_26_hypotheses(question: Question) -> Finding:
    top = question["x"]
    within_limit(question, top**6)
    unordered: list[tuple[int, ...]] = []

    def trials() -> Iterator[Failure]:
        for xs in combinations_with_replacement(range(1, top + 1), 3):
            distinct = sorted(set(xs))
            found = dict(zip(distinct, small_coefficients(tuple(distinct))[1], strict=True))
            cs = [found[x] if xs.index(x) == i else 0 for i, x in enumerate(xs)]
            yield None if within_bounds(xs, cs) else {"x": xs, "c": cs}
            unordered.extend(ys for ys in permutations(xs) if list(ys) != sorted(ys) and not bounded_coefficients(ys))
        for bad in ((0, 1), (-1,)):
            yield None if not bounded_coefficients(bad) else {"x": bad}

    made = decide(f"all triples up to {top} with repetitions, in all orders, and the tuples (0, 1) and (-1)", trials())
    first = min(unordered, key=lambda v: (sum(v), v), default=None)
    order = f"Ascending (without: {first})" if first else "Every order of these will do (but see lemma-26:ascending)"
    witness = f"not needed: distinct (a repeated number gets coefficient 0). {order}. Needed: positive (without: (0, 1) and (-1))"
    return Finding(made.verdict, made.scope, counterexample=made.counterexample, witness=witness)


def _from_lemma_19(name: str, text: str, place: str) -> None:
    @claim(
        f"{name}:from-lemma-19",
        statement=f"the hypothesis p >= 3 of Lemma 19 follows from those of {text}, which uses it",
        place=place,
        checks="Lemma 19's hypothesis at this p; as repaired, its conclusion",
        parameters=p_and_s("1..3", "1"),
        errata=(
            Erratum(
                printed="Lemma 19 for p >= 3",
                repaired="Lemma 19 for every p",
                why="nothing excludes p = 1 and p = 2 here; the conclusion of Lemma 19 holds there too (lemma-19:hypotheses)",
            ),
        ),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        scope = f"the hypothesis of Lemma 19 {at(question)}"
        if not uses_errata(question):
            return decide(scope, [None if question["p"] >= 3 else {"p": question["p"], "Lemma 19 asks": "p >= 3"}])
        taken = question.ask("fixed-point-networks/lemma-19" + (":hypotheses" if question["p"] < 3 else ""))
        return decide(f"the conclusion of Lemma 19 {at(question)}", [None if taken.verdict is Verdict.VERIFIED else {"from": "lemma-19"}])

    del judge


_from_lemma_19("theorem-21", "Theorem 21", "Section 5.16, second case")
_from_lemma_19("section-4.2", "Section 4.2", "Section 4.2, after Lemma 20")
