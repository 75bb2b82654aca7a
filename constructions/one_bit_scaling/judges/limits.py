"""Judges of bounds whose constants nobody names: refuted along a limit in which the left side stays and the right side vanishes.

All speak of n = 1, x = (1, 0, …, 0) and steps so small that no sign changes. Then dq(⟨w̃, x⟩) moves by ρ times what ⟨w, x⟩ moves,
ρ = (\\|w₁ − E(w)\\|/√V(w) + 1)/d, because √V and E are all of dq that moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from constructions.one_bit_scaling.judges.sampling import without_error
from constructions.one_bit_scaling.mathematics.quantization import Quantized
from constructions.one_bit_scaling.mathematics.training import Change, Problem, loss
from constructions.one_bit_scaling.mathematics.width_limit import expected_normalised_entry
from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge
from verifier.language.enclosed_ranges import four_digits

KAPPA, ERROR = Fraction(1, 2), Fraction(1, 3)
FINEST = 6
METHOD = "exact instances along a limit, in sums of square roots"
ENOUGH = (
    "for x = (1, 0, ...) a small step changes the quantized output by {} of what the gradient assumes, on average over wide networks; "
    "the lemma needs at least {}, so this x is no counterexample"
)


def axis(d: int) -> tuple[Fraction, ...]:
    """x = (1, 0, …, 0)."""
    return (Fraction(1), *(Fraction(0),) * (d - 1))


def share(w: tuple[int, ...]) -> RootSum:
    """ρ = (\\|w₁ − E(w)\\|/√V(w) + 1)/d."""
    q = Quantized.of(w)
    return (RootSum.of(abs(q.centred[0])) / q.scale + 1) / len(w)


def largest_share(d: int) -> RootSum:
    """(√(d − 1) + 1)/d, the greatest ρ of all weights: \\|w₁ − E(w)\\| <= √((d − 1)V(w)), with equality where the others are equal."""
    return (root(d - 1) + 1) / d


def first_weights(d: int) -> tuple[int, ...]:
    """w = (1, 0, …, 0): no entry at its mean, dq > 0 at x, and ρ the greatest of all weights."""
    return (1, *(0,) * (d - 1))


@dataclass(frozen=True)
class Small:
    """One step of size η of one neuron from these weights."""

    d: int
    eta: Fraction

    @property
    def change(self) -> Change:
        w, problem = first_weights(self.d), Problem([axis(self.d)], [1], KAPPA)
        moved = [[v.rational for v in map(RootSum.of, one)] for one in problem.step([w], [ERROR], self.eta)]
        assert Quantized.of(moved[0]).signs == Quantized.of(w).signs, "a sign changes: a smaller step was expected"
        return Change(problem, problem.neurons([w]), problem.neurons(moved), [ERROR])

    @property
    def radius(self) -> Fraction:
        """How far the weights move: R."""
        return self.eta * KAPPA * ERROR


@judge
def bounded(query: Query, *, term: Literal["C3", "C4"], eta: int, radius: int) -> Outcome | Cases:
    """Whether the term, divided by what is to bound it, stays bounded as η and with it R shrink.

    \\|term\\| <= K·η^eta·R^radius·L is claimed, for a K that depends on neither η nor R.
    """
    d = query["d"]
    if term == "C3" and d == 2:
        return without_error(query, "C3 = 0, for u(w) = 0")
    rho = share(first_weights(d))
    kernel = KAPPA * KAPPA
    limit = (RootSum.of(1) - rho) * (2 * kernel) if term == "C3" else rho * rho * (kernel * kernel)
    ratios: list[RootSum] = []
    for small in (Small(d, Fraction(1, 4**k)) for k in range(3, FINEST + 1)):
        size = abs(small.change.c3 if term == "C3" else small.change.c4)
        ratios.append(size / (small.eta**eta * small.radius**radius * loss([ERROR])))
    scope = Scope(f"one neuron, one datum, w = {first_weights(d)}, eta = 1/4^3 ... 1/4^{FINEST} {query.at}", None, METHOD)
    if all(b > 2 * a for a, b in pairwise(ratios)) and limit > 0:
        shown = {
            "w": str(first_weights(d)),
            f"|{term}|/(eta^{eta} L) tends to": str(limit),
            "eta": f"1/4^{FINEST}",
            f"|{term}|/(eta^{eta} R^{radius} L)": _digits(ratios[-1]),
            "at four times this eta": _digits(ratios[-2]),
        }
        reason = "divided by its bound, the term grows without limit as eta and R tend to 0"
        return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)
    return Outcome(
        Verdict.OPEN, scope, reason="the term stays below a multiple of its bound along this limit, which shows nothing of others"
    )


def _digits(x: RootSum) -> str:
    """The number to six digits, from a ball that decides them."""

    def near(flint: Any) -> Any:
        return sum((flint.arb(m).sqrt() * c.numerator / c.denominator for m, c in x.terms.items()), flint.arb(0))

    return str(decided(near, lambda ball: ball.str(6, radius=False) if ball.rel_accuracy_bits() > 40 else None))


@judge
def descent(query: Query, *, rate: Rational) -> Outcome:
    """Whether a small step lowers the loss by the factor claimed. Without a change of sign L(t + 1) = (1 − 2ρηλ + O(η²))·L(t).

    ρ is here the mean of the active neurons' ρ. From some d on it is below rate/2 for all weights; from a smaller d on it is in the
    limit of many neurons, with probability tending to 1: their expectation is, and the law of large numbers applies. Below that, the
    data of Theorem I.1 decide, for steps of any length.

    L(t + 1) <= (1 − rate·ηλ)·L(t) is claimed.
    """
    d = query["d"]
    greatest = largest_share(d)
    if greatest * 2 < rate:
        return _failing_step(query, rate, greatest)
    mean = decided(
        lambda flint: (expected_normalised_entry(flint, d) + 1) / d,
        lambda ball: ends(ball) if not ball.overlaps(ball * 0 + rate.numerator / 2 / rate.denominator) else None,
    )
    if mean[1] < rate / 2:
        shown = {"mean of rho": four_digits(*mean), "needed": f"at least {rate / 2}"}
        scope = Scope(
            f"one datum, x = (1, 0, ...), eta -> 0, then m -> infinity {query.at}", None, "closed form in balls, law of large numbers"
        )
        reason = "with probability tending to 1 in the width, a step that is small enough lowers the loss by less"
        return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)
    if rate > 0 and query.ask("theorem-i.1", Edition.STATEMENT, d=d).verdict is Verdict.REFUTED:
        scope = Scope(f"the data of Theorem I.1, all t, as that theorem uses the lemma {query.at}", None, METHOD)
        shown = {"x and y": "as for Theorem I.1", "L(t)": "stays above a positive number for all weights", "claimed": "it tends to 0"}
        return Outcome(Verdict.REFUTED, scope, reason="with it at every t the loss of these data would tend to 0", counterexample=shown)
    scope = Scope(f"one datum, x = (1, 0, ...), eta -> 0 {query.at}", None, "closed form in balls")
    return Outcome(Verdict.OPEN, scope, reason=ENOUGH.format(four_digits(*mean), rate / 2))


def _failing_step(query: Query, rate: Fraction, greatest: RootSum) -> Outcome:
    d = query["d"]
    for k in range(3, 20):
        small = Small(d, Fraction(1, 4**k))
        before, after = small.change.losses
        claimed = before * (1 - rate * small.eta * KAPPA * KAPPA)
        if after > claimed:
            shown = {
                "w": str(first_weights(d)),
                "eta": str(small.eta),
                "(L(t) - L(t+1))/(eta lambda L(t))": _digits((before - after) / (small.eta * KAPPA * KAPPA * loss([ERROR]))),
                "claimed": f"at least {rate}",
                "greatest of all weights as eta -> 0": str(greatest * 2),
            }
            scope = Scope(f"one datum, x = (1, 0, ...), every width, all weights, eta small enough {query.at}", None, METHOD)
            return Outcome(Verdict.REFUTED, scope, reason="no weights at all have the descent, whatever the width", counterexample=shown)
    raise AssertionError("the limit is below the rate and no instance is")


@judge
def kept_share(query: Query, *, low: Rational, high: Rational) -> Cases:
    """(L(t) − L(t + 1))/(2ηλL(t)) lies between low·ρ and high·ρ at η = 1/4⁶: the rate that a small step has."""
    d = query["d"]
    yield Over(f"one neuron, w = {first_weights(d)}, eta = 1/4^{FINEST}", METHOD)
    small = Small(d, Fraction(1, 4**FINEST))
    before, after = small.change.losses
    found = (before - after) / (2 * small.eta * KAPPA * KAPPA * loss([ERROR]))
    rho = share(first_weights(d))
    inside = rho * low <= found <= rho * high
    yield inside or {"w": first_weights(d), "rate/2": _digits(found), "rho": rho}
