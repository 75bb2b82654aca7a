"""Judges of what is said of wide networks while they train (Sections 4.2, 5.2, Theorem K.1): the limit of infinite width as a ball,
and simulations that are held against it.

All speak of one datum, x = (1, 0, …, 0). Weights move by O(1/√m) each, so that in the limit a step multiplies F(t) − y by a number, which
is not the same for both networks from three dimensions on (:func:`descent_share`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Any

from constructions.one_bit_scaling.judges.sampling import LEVEL, without_error
from constructions.one_bit_scaling.mathematics.width_limit import descent_share, mirrored_output, training_gap
from verifier.arithmetic.confidence import mean_interval, slope_interval
from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge
from verifier.language.enclosed_ranges import four_digits
from verifier.running.errors import LimitError

if TYPE_CHECKING:
    from constructions.one_bit_scaling.mathematics.wide import Moment

BITS = 30
MOST_DIMENSIONS = 1 << 11
"""The closed form has as many terms."""
METHOD = "closed form in balls, law of large numbers"


def _ball(d: int, of: Callable[[Any, int], Any]) -> tuple[Fraction, Fraction]:
    if d < 2:
        raise ValueError(f"d = {d}: weights have no signs below two dimensions")
    if d > MOST_DIMENSIONS:
        raise LimitError(f"{d:,} dimensions, at most {MOST_DIMENSIONS:,} are enclosed", "a smaller parameter")
    found: tuple[Fraction, Fraction] = decided(
        lambda flint: of(flint, d), lambda ball: ends(ball) if ball.rel_accuracy_bits() > BITS else None
    )
    return found


def share(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around ρ."""
    return _ball(d, descent_share)


def largest_gap(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around the largest gap while training, in units of \\|y\\|; d >= 3."""
    return _ball(d, lambda flint, d: training_gap(flint, descent_share(flint, d)))


def mirrored(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around −f(−x)/y after training; d >= 3."""
    return _ball(d, mirrored_output)


@judge
def gap_in_training(query: Query, *, least: Rational = Fraction(0)) -> Outcome | Cases:
    """Whether \\|F(t) − F′(t)\\| <= ε at all t for κ <= Kε/(d𝔇²), whatever K.

    ε and K are fixed, m → ∞, κ and η as large as the hypotheses permit: powers of 1/log m, 𝔇² being log m up to constants. Then κ√m → ∞,
    a weight moves by O(1/(κ√m)), and the law of large numbers applies to each of the steps, of which there are as many as a power of
    log m. The outputs at the start are O(κ). With y = 1 the gap at some t tends to that of :func:`training_gap`, which is above small ε.

    least: the gap is at most ε for small κ is claimed for every ε above this.
    """
    d = query["d"]
    if d == 2:
        return without_error(query, "F = F', for u(w) = 0")
    low, high = largest_gap(d)
    where = "one datum, x = (1, 0, ...), y = 1, m -> infinity, kappa and eta -> 0, kappa sqrt(m) -> infinity"
    scope = Scope(f"{where} {query.at}", None, METHOD)
    if low <= least:
        return Outcome(Verdict.OPEN, scope, reason=f"at this datum the gap tends to {four_digits(low, high)} at most")
    ratio = four_digits(*share(d))
    shown = {
        "x": "(1, 0, ...)",
        "y": "1",
        "|F(t) - F'(t)| at some t tends to": four_digits(low, high),
        "rate of the one-bit network": f"{ratio} times that of the other",
    }
    reason = "both networks reach y, at rates that do not depend on kappa: the gap on the way does not shrink with kappa, and epsilon does"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


@judge
def gap_at_test_input(query: Query, *, least: Rational = Fraction(0)) -> Outcome | Cases:
    """The same at the test input −x after training (Part 2 of K.1): the limits are as for :func:`gap_in_training`.

    least: the gap is at most ε for small κ is claimed for every ε above this.
    """
    d = query["d"]
    if d == 2:
        return without_error(query, "F = F', for u(w) = 0")
    low, high = mirrored(d)
    where = "trained at x = (1, 0, ...) to y = 1, tested at -x, m -> infinity, kappa and eta -> 0, kappa sqrt(m) -> infinity"
    scope = Scope(f"{where} {query.at}", None, METHOD)
    if low <= least:
        return Outcome(Verdict.OPEN, scope, reason=f"at this input the gap tends to {four_digits(low, high)}")
    shown = {"x": "(1, 0, ...)", "y": "1", "test input": "-x", "F(T) tends to": four_digits(-high, -low), "F'(T) tends to": "0"}
    reason = "neurons that training takes over a change of sign become active at -x, and none do in the other network"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


@judge
def kernel_descent(query: Query, *, least: Rational = Fraction(1)) -> Outcome:
    """Whether L(t) − L(t + 1) is at least this share of η·eᵀHe, up to what vanishes as m → ∞ and then η → 0.

    least: a share of η·eᵀHe that the loss falls by at least, as the width grows, is claimed.
    """
    d = query["d"]
    low, high = share(d)
    scope = Scope(f"one datum, x = (1, 0, ...), m -> infinity, then eta -> 0 {query.at}", None, METHOD)
    if high < least:
        shown = {
            "x": "(1, 0, ...)",
            "(L(t) - L(t+1))/(eta e^T H e) tends to": four_digits(low, high),
            "C3/C1 tends to": four_digits(low - 1, high - 1),
        }
        return Outcome(Verdict.REFUTED, scope, reason="C3 stays in proportion to C1 at every width", counterexample=shown)
    return Outcome(Verdict.OPEN, scope, reason=f"at this datum the share is {four_digits(low, high)}")


@dataclass(frozen=True)
class Simulated:
    """Networks of one datum x, seed by seed, and how wide they are."""

    query: Query
    width: int
    seeds: int
    kappa: str

    def runs(self, steps: int, mirrored_too: bool = False) -> Iterator[list[Moment]]:
        """Each trained with η = 1/κ²; ``mirrored_too``: their outputs at −x are followed as well."""
        from constructions.one_bit_scaling.mathematics.wide import single, trained

        kappa = float(rational(self.kappa))
        for seed in range(self.seeds):
            self.query.advance("networks", seed, self.seeds)
            start = single(self.width, self.query["d"], seed)
            yield list(trained(start, kappa, 1 / kappa**2, steps, -start.inputs if mirrored_too else None))

    def against(self, found: list[float], closed: tuple[Fraction, Fraction]) -> Outcome:
        """Whether Student's interval of what was simulated has the closed form."""
        self.query.advance("networks", 1, 1)
        interval = mean_interval(found, LEVEL)
        what = f"width {self.width}, kappa {self.kappa}, seeds 0..{self.seeds - 1}, level {LEVEL} {self.query.at}"
        scope = Scope(what, self.seeds, "simulation, Student's interval")
        if interval.low <= closed[0] and closed[1] <= interval.high:
            return Outcome(Verdict.CONDITIONAL, scope, assumptions=("sampling",), reason=f"{four_digits(*closed)} in {interval}")
        return Outcome(Verdict.REFUTED, scope, counterexample={"closed form": four_digits(*closed), "interval": str(interval)})


@judge
def error_share(query: Query, *, width: int, seeds: int, kappa: str, dimensions: int = 0) -> Outcome:
    """C₃/(C₁ + C₂) of the first step, η = 1/κ², of simulated networks: Student's interval has −(1 − ρ).

    width: neurons; seeds: how many networks; kappa: their κ; dimensions: added to d in the closed form (0).
    """
    networks = Simulated(query, width, seeds, kappa)
    found = [after.error_part / after.weights_part for _, after in networks.runs(1)]
    low, high = share(query["d"] + dimensions)
    return networks.against(found, (low - 1, high - 1))


@judge
def mirrored_mean(query: Query, *, width: int, seeds: int, kappa: str, dimensions: int = 0, steps: int = 1) -> Outcome:
    """f − f′ at −x after training, of simulated networks: Student's interval has the closed form.

    steps: of training; the others as for :func:`error_share`.
    """
    networks = Simulated(query, width, seeds, kappa)
    found = [-moments[-1].unseen_gap for moments in networks.runs(steps, mirrored_too=True)]
    return networks.against(found, mirrored(query["d"] + dimensions))


@judge
def decay_with_kappa(query: Query, *, kappas: list[str], width: int, seeds: int, steps: int, slope: str) -> Outcome:
    """The slope lies in Student's interval of simulated networks, η = 1/(2κ²).

    kappas: of the networks; width, seeds, steps: of each; slope: of log₂ of the largest gap in log₂ of κ.
    """
    from constructions.one_bit_scaling.mathematics.wide import single, trained

    points: list[tuple[float, float]] = []
    for number, text in enumerate(kappas):
        kappa = float(rational(text))
        for seed in range(number * seeds, (number + 1) * seeds):
            query.advance("networks", seed, len(kappas) * seeds)
            run = trained(single(width, query["d"], seed), kappa, 1 / (2 * kappa**2), steps)
            points.append((log2(kappa), log2(max(moment.gap for moment in run))))
    query.advance("networks", 1, 1)
    interval = slope_interval(points, LEVEL)
    where = f"width {width}, kappa {', '.join(kappas)}, {steps} steps, {seeds} seeds of each, from 0 on, level {LEVEL}"
    scope = Scope(f"{where} {query.at}", len(points), "simulation, Student's interval for a slope")
    if rational(slope) in interval:
        return Outcome(Verdict.CONDITIONAL, scope, assumptions=("sampling",), reason=f"{slope} in {interval}")
    return Outcome(Verdict.REFUTED, scope, counterexample={"slope": slope, "interval": str(interval)})
