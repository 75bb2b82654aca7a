"""Judges of what changes of patterns do in a step (Lemma H.4), and of how often they happen (Lemma G.5)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from constructions.one_bit_scaling.mathematics.training import Change, Problem
from constructions.one_bit_scaling.mathematics.width_limit import densest, jump_of_patterns, most_flips, tail_of_densities
from verifier.arithmetic.enclosure import ball_around, decided, ends
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Integer, Rational, judge
from verifier.language.enclosed_ranges import four_digits

BITS = 30
KAPPA = Fraction(1, 2)
MOST_DENSITIES = 64
NONE = Fraction(0)


def jump(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around J; d >= 3."""
    found: tuple[Fraction, Fraction] = decided(
        lambda flint: jump_of_patterns(flint, d), lambda ball: ends(ball) if ball.rel_accuracy_bits() > BITS else None
    )
    return found


def one_jump(d: int, eta: Fraction) -> RootSum:
    """C₂ of one step of one neuron whose pattern it changes: w = (0, 1, −1, 0, …), x = (1, −1, 0, …)/√2, F − y = √2/3."""
    x = (root(Fraction(1, 2)), -root(Fraction(1, 2)), *(RootSum(),) * (d - 2))
    w, errors = (0, 1, -1, *(0,) * (d - 3)), [root(2) / 3]
    problem = Problem([x], [1], KAPPA)
    moved = [[v.rational for v in map(RootSum.of, one)] for one in problem.step([w], errors, eta)]
    change = Change(problem, problem.neurons([w]), problem.neurons(moved), errors)
    assert change.before[0][0].active != change.after[0][0].active, "the step changes the pattern"
    found: RootSum = change.weights_on(lambda i, r: True)
    return found


@judge
def second_term(query: Query, *, radius: Integer = 1, constant: Rational) -> Outcome:
    """\\|C₂\\| <= K·ηκ n^1.5 d R^radius 𝔇/δ·L for some K, with probability at least 1 − δ (H.4).

    d >= 3: C₂/(ηκ²L) tends to J > 0 (:func:`jump_of_patterns`), and R = ηκ\\|F − y\\|/√m, the length of the step, to 0.
    d = 2: the pattern is that of ⟨w, x⟩, so that the product is ReLU and 1-Lipschitz. A step moves it by at most ηκ√n‖e‖/√m, as in I.4, and
    only for the r outside Sᵢ, of which there are at most nmPR/δ for all i together, by Markov's inequality (:func:`most_flips`). So
    \\|C₂\\| <= ηκ²√n‖e‖²nPR/δ = 2P·ηκ²n^1.5R/δ·L, κ and 1/𝔇 are at most 1, and K = 2P/d suffices.

    constant: K for d = 2; radius: of R.
    """
    d = query["d"]
    if d == 2:
        least = decided(lambda flint: 2 * most_flips(flint, 2) / 2, lambda ball: ends(ball) if ball.rel_accuracy_bits() > BITS else None)
        what = f"all n, m, data, eta, kappa and delta, K = {constant} {query.at}"
        scope = Scope(what, None, "proof: ReLU is Lipschitz, Lemma I.4, Markov's inequality; its constant in balls")
        if least[1] <= constant:
            return Outcome(Verdict.VERIFIED, scope, witness=f"K = {constant} is at least {four_digits(*least)}")
        return Outcome(Verdict.OPEN, scope, reason=f"our proof needs a constant of {four_digits(*least)}")
    low, high = jump(d)
    single = {one_jump(d, Fraction(1, 4**k)) for k in (3, 6, 9)}
    assert len(single) == 1, "a jump does not depend on the length of the step"
    scope = Scope(f"one datum, x = (1, -1, 0, ...)/sqrt(2), m -> infinity {query.at}", None, "closed form in balls, law of large numbers")
    if radius < 1:
        return Outcome(
            Verdict.OPEN, scope, reason=f"C2/(eta kappa^2 L) tends to {four_digits(low, high)}, which is below a multiple of the bound"
        )
    shown = {
        "x": "(1, -1, 0, ...)/sqrt(2)",
        "R": "eta kappa |F - y|/sqrt(m), the length of the step",
        "C2/(eta kappa^2 L) tends to": four_digits(low, high),
        "bound/(eta kappa^2 L)": "of the order of sqrt(log(m)/m)",
        "w(t) of one neuron": f"(0, 1, -1{', 0' * (d - 3)})",
        "its part of C2 at every eta, F - y = sqrt(2)/3, m = 1, kappa = 1/2": str(single.pop()),
    }
    reason = "about sqrt(m) patterns change where <w, x> is not 0, and all jumps have one sign; C2 over its bound grows like sqrt(m/log(m))"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


def flips(query: Query, entries: Fraction, rest: Fraction) -> Outcome:
    """Pr[some weights within R have another pattern at x] <= (entries·d + rest)·R/√π for every d >= 2, R > 0 and x of norm 1.

    Verified where it is at least the bound of :func:`most_flips` in both parts, whose densities are compared in balls; refuted where the
    probability at d = 2 and R = 1/4, erf(R/√2), is larger.
    """
    assert _above(lambda flint: densest(flint, 1) - tail_of_densities(flint, 2)), "chi of one degree has the largest density"
    for k in range(2, MOST_DENSITIES):
        assert _above(partial(_slack, k)), f"chi of {k} degrees has a density that its bound does not have"
    enough = entries * entries >= 2 and rest >= 4
    scope = Scope("every d >= 2, R > 0 and x of norm 1", None, "proof: Lipschitz functions and densities of chi; densities in balls")
    if enough:
        return Outcome(Verdict.VERIFIED, scope, witness=f"(d sqrt(2) + 4) R/sqrt(pi) is at most ({entries} d + {rest}) R/sqrt(pi)")
    radius = Fraction(1, 4)
    claimed = (2 * entries + rest) * radius
    gap = decided(
        lambda flint: ball_around(flint, claimed) - (ball_around(flint, radius) / flint.arb(2).sqrt()).erf() * flint.arb.pi().sqrt(),
        lambda ball: ends(ball) if not ball.contains(0) else None,
    )
    if gap[1] < 0:
        probability = decided(
            lambda flint: (ball_around(flint, radius) / flint.arb(2).sqrt()).erf(),
            lambda ball: ends(ball) if ball.rel_accuracy_bits() > BITS else None,
        )
        shown = {
            "d": "2",
            "x": "(1, -1)/sqrt(2)",
            "R": str(radius),
            "probability": four_digits(*probability),
            "claimed": f"{claimed}/sqrt(pi)",
        }
        return Outcome(Verdict.REFUTED, Scope("d = 2", None, "closed form in balls"), counterexample=shown)
    return Outcome(Verdict.OPEN, scope, reason="our proof needs sqrt(2) d + 4, and the probability at d = 2 does not refute less")


def _slack(k: int, flint: Any) -> Any:
    """What the bound of :func:`tail_of_densities` exceeds the largest density of χ of k degrees by."""
    return tail_of_densities(flint, k) - densest(flint, k)


def _above(number: Callable[[Any], Any]) -> bool:
    """Whether a real that is not 0 is above 0."""
    found: bool = decided(number, lambda ball: None if ball.contains(0) else bool(ball > 0))
    return found


@judge
def order_in_radius(query: Query, *, left: Formula, right: Formula, entries: Rational = NONE, rest: Rational = NONE) -> Outcome:
    """left <= K·right for some K and all R in (0, 1], both being polynomials in R; no K suffices where left alone is above 0 at R = 0.

    entries, rest: where they are given, left is (entries·d + rest)·R, so that its order is clear, and it is judged as a bound on the
    probability: :func:`flips`.
    """
    at_zero = left(R=NONE), right(R=NONE)
    scope = Scope(f"R -> 0 {query.at}".rstrip(), None, "values at R = 0 of two polynomials")
    if at_zero[0] > 0 and at_zero[1] == 0:
        small = Fraction(1, 1000)
        shown = {
            "R": str(small),
            "left": f"{left(R=small)}",
            "right": f"{right(R=small)}",
            "quotient": str(left(R=small) / right(R=small)),
            "left tends to": str(at_zero[0]),
            "right tends to": "0",
        }
        return Outcome(Verdict.REFUTED, scope, reason="no constant suffices for every R", counterexample=shown)
    if entries or rest:
        if any(left(R=r) != (2 * entries + rest) * r for r in (Fraction(1, 3), Fraction(1, 2), Fraction(1))):
            raise ValueError(f"left is {left(R=Fraction(1))} at R = 1, d = 2; {2 * entries + rest} was expected")
        return flips(query, entries, rest)
    return Outcome(Verdict.OPEN, scope, reason=f"at R = 0 the sides are {at_zero[0]} and {at_zero[1]}, which refutes nothing")
