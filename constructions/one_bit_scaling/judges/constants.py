"""Judges of bounds up to a constant that hold at initialisation (Lemmas I.3, I.6, J.5, K.4): a constant is exhibited, with our proof."""

from __future__ import annotations

from functools import partial
from typing import Any

from constructions.one_bit_scaling.mathematics.width_limit import enclosed
from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges import combination
from verifier.judges.declaring import Rational, judge
from verifier.judges.fields import Combination
from verifier.language.real_functions import four_digits

DELTA = Fraction(1, 20)


@judge
@by_edition
def by_our_proof(query: Query, *, given: list[str], positive: list[tuple[str, str]], at: dict[str, str], why: str) -> Outcome:
    """The formulas of a proof of ours, in the form of the judge ``combination``.

    As printed, the claim stays open: this is not the paper's proof, and nothing that we have decides the paper's. why: the reason.
    """
    made = combination.judge(query, Combination(from_={}, positive=positive, given=given, at=at))
    if query.edition is not Edition.PRINTED or made.verdict is Verdict.OPEN:
        return made
    return Outcome(Verdict.OPEN, made.scope, reason=why)


@judge
def union_of_entries(query: Query, *, square: Rational) -> Outcome:
    """Judge (I.6): all md entries of W(0) are at most C·√log(md/δ) in magnitude with probability at least 1 − δ, by the claim's ``checks``.

    square: C²; a smaller one is refuted if a ball shows that independent entries are larger too often, δ = 1/20.
    """
    if square >= 2:
        scope = Scope("all m, d and delta in (0, 1/10)", None, "proof: tails of normal entries, union bound")
        return Outcome(Verdict.VERIFIED, scope, witness=f"C^2 = {square}")
    for count in (1, 10, 100):
        low, high = enclosed(partial(_larger, square, count))
        if low > DELTA:
            shown = {"md": str(count), "delta": str(DELTA), "probability of larger entries": four_digits(low, high)}
            return Outcome(Verdict.REFUTED, Scope(f"md = {count}, delta = {DELTA}", None, "ball arithmetic"), counterexample=shown)
    return Outcome(Verdict.OPEN, Scope(f"delta = {DELTA}"), reason="our proof needs C^2 = 2, and no md that we tried refutes less")


def _larger(square: Fraction, count: int, flint: Any) -> Any:
    """The probability that one of this many independent normal entries exceeds C√log(md/δ)."""
    bound = (ball_around(flint, square) * (ball_around(flint, count / DELTA)).log()).sqrt()
    return 1 - (bound / flint.arb(2).sqrt()).erf() ** count
