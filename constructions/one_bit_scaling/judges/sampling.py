"""Judges of statements in probability (Sections 4.2, 5.1, 5.2, Appendix K), at initialisation and while wide networks train: the limit of
infinite width as a ball, and simulations for comparison.

Statements about training concern one datum, x = (1, 0, …, 0). Weights move by O(1/√m) each, so that in the limit a step multiplies F(t) − y
by a number, which is not the same for both networks from three dimensions on (:func:`descent_share`).

Judges of bounds with unnamed constants: they are refuted along a limit in which the left side stays and the right side vanishes.

All concern n = 1, x = (1, 0, …, 0) and steps so small that no sign changes. Then dq(⟨w̃, x⟩) moves by ρ times the movement of ⟨w, x⟩, ρ =
(\\|w₁ − E(w)\\|/√V(w) + 1)/d, because only √V and E move in dq.

Judges of the effect of pattern changes in a step (Lemma H.4), and of their frequency (Lemma G.5).

Judges of bounds up to a constant that hold at initialisation (Lemmas I.3, I.6, J.5, K.4): a constant is exhibited, with our proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import log2
from typing import Any, Literal

import flint

from constructions.one_bit_scaling.mathematics import training
from constructions.one_bit_scaling.mathematics.training import Array, Change, Problem, Quantized, exact, loss
from constructions.one_bit_scaling.mathematics.width_limit import (
    densest,
    descent_share,
    enclosed,
    expected_normalised_entry,
    jump_of_patterns,
    mirrored_output,
    most_flips,
    squared_gap,
    tail_of_densities,
    training_gap,
)
from verifier.arithmetic.confidence import Interval, mean_interval, slope_interval
from verifier.arithmetic.enclosure import ball_around, decided, ends, positive
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.reals import Real, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Integer, Rational, judge
from verifier.judges.fields import Combination
from verifier.judges.reals import combination
from verifier.language.real_functions import four_digits
from verifier.running.errors import LimitError

LEVEL = Fraction(999, 1000)


def without_error(query: Query, what: str) -> Cases:
    """No weights have a quantization error in two dimensions, where all weights are t(1, 1) + c v with c >= 0 and one of these v.

    For c > 0 quantization keeps the signs, multiplies √V by c and moves the mean by t, so that u(t(1, 1) + c v) = c u(v).
    """
    if query["d"] != 2:
        raise ValueError(f"d = {query['d']}: two dimensions were expected")
    yield Over(f"{what}: every w is t(1, 1) + c v, c >= 0, v = (1, -1) or (-1, 1), and u(w) = c u(v),", "sums of square roots")
    for w in ((1, -1), (-1, 1)):
        error = Quantized(exact(w)).error
        yield bool((error == 0).all()) or {"w": w, "u(w)": error.tolist()}


def trained_alike(query: Query, what: str) -> Outcome | Cases:
    """Two dimensions, while both networks train: without an error they stay equal if both updates are gradients."""
    if query.edition is not Edition.STATEMENT:
        found = query.ask("theorem-k.1:update", d=2, m=2, n=1)
        if found.verdict is Verdict.REFUTED:
            reason = f"the update of F' that it is trained with is not the gradient: {found.reason or 'theorem-k.1:update'}"
            return replace(found, reason=reason)
    return without_error(query, what)


@judge
def vanishing_gap(query: Query) -> Outcome | Cases:
    """Whether f − f′ at initialisation tends to 0 in probability as the width grows, κ fixed.

    E(f − f′)² is κ² times a number that does not depend on the width. The fourth moment is at most 3 + c/m times its square, so that
    by Paley and Zygmund's inequality \\|f − f′\\| exceeds half its standard deviation with a probability that stays above 9/64 or so.
    """
    d = query["d"]
    if d == 2:
        return without_error(query, "f = f', for u(w) = 0")
    found = gap_at_initialisation(d)
    shown = {"E(f - f')^2/kappa^2": four_digits(*found), "E f'^2/kappa^2": "1/2", "width": "every"}
    scope = Scope(f"x = (1, -1, 0, ...)/sqrt(2), at initialisation {query.at}", None, "closed form in balls")
    return Outcome(Verdict.REFUTED, scope, reason="the second moment of the gap is the same for every width", counterexample=shown)


def gap_at_initialisation(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around E(f − f′)²/κ², which is above 0; d >= 3."""
    found = enclosed(lambda: squared_gap(d))
    assert found[0] > 0, "the gap does not vanish"
    return found


@judge
@by_edition
def independent_of_signs(query: Query, *, after: Literal[0, 1]) -> Outcome | Cases:
    """Averaged over the signs a_r, f − f′ is 0, as Hoeffding's inequality needs.

    At t = 0 both outputs are sums of a_r times numbers that do not depend on the signs, so those of a and of −a cancel for all weights. In
    two dimensions f = f′. Otherwise: one neuron, x = (1, 0, …), y = 1.

    after: the step after which the outputs are compared.
    """
    d = query["d"]
    if d == 2:
        what = "f = f' at every step, for u(w) = 0"
        return trained_alike(query, what) if after else without_error(query, what)
    return _over_signs(query, after)


def _over_signs(query: Query, after: int) -> Cases:
    d = query["d"]
    w, x = tuple(1 if 2 * k < d else -1 for k in range(d)), axis(d)
    kappa, eta = Fraction(1, 2), Fraction(1, 4)
    gaps = []
    for a in (1, -1):
        problem = Problem(exact([x]), exact([a]), kappa)
        one = full = exact([w])
        for step in range(after + 1):
            layer, plain = problem.layer(one), problem.layer(full).full
            outputs, others = problem.outputs(layer.quantized), problem.outputs(plain)
            if step < after:
                one, full = problem.step(one, layer.active, outputs - 1, eta), problem.step(full, plain >= 0, others - 1, eta)
        gaps.append(Real.of((outputs - others)[0]))
    mean = sum(gaps, Real()) / 2
    shown = {"w": w, "x": x, "kappa": kappa, "eta": eta, "y": 1, f"mean of f - f' at t = {after} over a = +-1": mean}
    if after:
        yield Over(f"one neuron, one datum, t = {after}", "sums of square roots", sample_of="all weights and data")
        yield mean == 0 or shown
        return
    yield Over("all weights and data, t = 0: both outputs are linear in the signs, as at one neuron,", "linear in the signs")
    yield gaps[0] == -gaps[1] or shown


MOST_DIMENSIONS = 1 << 11
"""The closed form has as many terms."""
METHOD = "closed form in balls, law of large numbers"


def closed(form: Callable[[int], Any], d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around a closed form in d dimensions.

    Raises:
        LimitError: too many dimensions.
    """
    if d < 2:
        raise ValueError(f"d = {d}: weights have no signs below two dimensions")
    if d > MOST_DIMENSIONS:
        raise LimitError(f"{d:,} dimensions, at most {MOST_DIMENSIONS:,} are enclosed", "a smaller parameter")
    return enclosed(lambda: form(d))


def gap_while_training(d: int) -> Any:
    """The largest gap while training, in units of \\|y\\|; d >= 3."""
    return training_gap(descent_share(d))


@judge
@by_edition
def gap_in_limit(query: Query, *, of: Literal["training", "test input"], least: Rational = Fraction(0)) -> Outcome | Cases:
    """Whether \\|F(t) − F′(t)\\| <= ε at all t for κ <= Kε/(d𝔇²), for some K; or the same at the test input −x after training (K.1).

    ε and K are fixed, m → ∞, κ and η as large as the hypotheses permit: powers of 1/log m, because 𝔇² is log m up to constants. Then κ√m →
    ∞, a weight moves by O(1/(κ√m)), and the law of large numbers applies to each of the steps, whose number is a power of log m. The
    outputs at the start are O(κ). With y = 1 the gap at some t tends to that of :func:`training_gap`, which is above small ε.

    least: the gap is claimed to be at most ε for small κ and every ε above this.
    """
    d = query["d"]
    if d == 2:
        same = "F = F', for u(w) = 0"
        return without_error(query, same) if of == "training" else trained_alike(query, same)
    limits = "m -> infinity, kappa and eta -> 0, kappa sqrt(m) -> infinity"
    shown = {"x": "(1, 0, ...)", "y": "1"}
    if of == "training":
        low, high = closed(gap_while_training, d)
        where, below = f"one datum, x = (1, 0, ...), y = 1, {limits}", f"at this datum the gap tends to {four_digits(low, high)} at most"
        shown["|F(t) - F'(t)| at some t tends to"] = four_digits(low, high)
        shown["rate of the one-bit network"] = f"{four_digits(*closed(descent_share, d))} times that of the other"
        reason = (
            "both networks reach y, at rates that do not depend on kappa: the gap on the way does not shrink with kappa, and epsilon does"
        )
    else:
        low, high = closed(mirrored_output, d)
        where = f"trained at x = (1, 0, ...) to y = 1, tested at -x, {limits}"
        below = f"at this input the gap tends to {four_digits(low, high)}"
        shown |= {"test input": "-x", "F(T) tends to": four_digits(-high, -low), "F'(T) tends to": "0"}
        reason = "neurons that training takes over a change of sign become active at -x, and none do in the other network"
    scope = Scope(f"{where} {query.at}", None, METHOD)
    if low <= least:
        return Outcome(Verdict.OPEN, scope, reason=below)
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=shown)


@judge
def kernel_descent(query: Query, *, least: Rational = Fraction(1)) -> Outcome:
    """Whether L(t) − L(t + 1) is at least this share of η·eᵀHe, up to terms that vanish as m → ∞ and then η → 0.

    least: the share of η·eᵀHe by which the loss is claimed to fall at least, as the width grows.
    """
    d = query["d"]
    low, high = closed(descent_share, d)
    scope = Scope(f"one datum, x = (1, 0, ...), m -> infinity, then eta -> 0 {query.at}", None, METHOD)
    if high < least:
        shown = {
            "x": "(1, 0, ...)",
            "(L(t) - L(t+1))/(eta e^T H e) tends to": four_digits(low, high),
            "C3/C1 tends to": four_digits(low - 1, high - 1),
        }
        return Outcome(Verdict.REFUTED, scope, reason="C3 stays in proportion to C1 at every width", counterexample=shown)
    return Outcome(Verdict.OPEN, scope, reason=f"at this datum the share is {four_digits(low, high)}")


LENGTH = Fraction(1, 200)
"""The length of the step whose jumps are simulated."""


@dataclass(frozen=True)
class Network:
    """A simulated network at one datum; κ and the number of its steps matter if it is trained."""

    width: int
    d: int
    seed: int
    kappa: Fraction
    steps: int

    def trained(self, slower: int = 1, mirrored_too: bool = False) -> list[training.Moment]:
        """Both networks, η = 1/κ² divided by ``slower``; ``mirrored_too``: whether their outputs at −x are recorded."""
        start, kappa = training.single(self.width, self.d, self.seed), float(self.kappa)
        return list(training.trained(start, kappa, 1 / (slower * kappa**2), self.steps, -start.inputs if mirrored_too else None))

    def gap_at_start(self) -> float:
        """f − f′ over κ."""
        return training.gap_at_start(self.width, self.d, self.seed, 1.0)

    def error_share(self) -> float:
        """C₃/(C₁ + C₂) of the last step."""
        after = self.trained()[-1]
        return after.error_part / after.weights_part

    def jump(self) -> float:
        """C₂/(ηκ²L) of a step at initialisation."""
        return training.second_term_share(self.width, self.d, self.seed, float(LENGTH))


MEANS: dict[str, tuple[Callable[[Network], float], Callable[[int], Sequence[Fraction]]]] = {
    "squared-gap": (lambda network: network.gap_at_start() ** 2, gap_at_initialisation),
    "error-share": (Network.error_share, lambda d: tuple(end - 1 for end in closed(descent_share, d))),
    "mirrored-gap": (lambda network: -network.trained(mirrored_too=True)[-1].unseen_gap, lambda d: closed(mirrored_output, d)),
    "jump": (Network.jump, lambda d: jump(d)),
}
"""A quantity that is measured of one network, with the closed form of its mean in d dimensions."""


def _against(expected: str, value: str, inside: bool, interval: Interval, scope: Scope) -> Outcome:
    """The outcome is conditional on the sample if the interval contains the expected value."""
    if inside:
        return Outcome(Verdict.CONDITIONAL, scope, assumptions=("sampling",), reason=f"{value} in {interval}")
    return Outcome(Verdict.REFUTED, scope, counterexample={expected: value, "interval": str(interval)})


@judge
def simulated_mean(
    query: Query,
    *,
    of: Literal["squared-gap", "error-share", "mirrored-gap", "jump"],
    width: int,
    seeds: int,
    kappa: str = "",
    steps: int = 1,
    dimensions: int = 0,
) -> Outcome:
    """The closed form of a mean (:data:`MEANS`) lies in Student's interval of simulated networks.

    of: the measured quantity; width: neurons; seeds: the number of networks; kappa, steps: of their training, η = 1/κ²; dimensions: added
    to d in the closed form (0).
    """
    measured, closed = MEANS[of]
    found = []
    for seed in range(seeds):
        query.advance("networks", seed, seeds)
        found.append(measured(Network(width, query["d"], seed, rational(kappa or "1"), steps)))
    query.advance("networks", 1, 1)
    interval = mean_interval(found, LEVEL)
    low, high = closed(query["d"] + dimensions)
    besides = f"kappa {kappa}, " if kappa else f"steps of {LENGTH}, " if of == "jump" else ""
    what = f"width {width}, {besides}seeds 0..{seeds - 1}, level {LEVEL} {query.at}"
    scope = Scope(what, seeds, "simulation, Student's interval")
    return _against("closed form", four_digits(low, high), interval.low <= low and high <= interval.high, interval, scope)


@judge
def simulated_slope(query: Query, *, widths: list[int], seeds: int, slope: str, kappas: Sequence[str] = (), steps: int = 0) -> Outcome:
    """The slope lies in Student's interval of simulated networks.

    widths, kappas: of the networks; seeds: the number of each; steps: of their training, η = 1/(2κ²); slope: of log₂ of the largest gap in
    log₂ of κ, or, without any κ, of log₂ \\|f − f′\\| at the start in log₂ of the width.
    """
    points: list[tuple[float, float]] = []
    settings = [(width, kappa) for width in widths for kappa in kappas or [""]]
    for number, (width, kappa) in enumerate(settings):
        for seed in range(number * seeds, (number + 1) * seeds):
            query.advance("networks", seed, len(settings) * seeds)
            network = Network(width, query["d"], seed, rational(kappa or "1"), steps)
            if kappa:
                points.append((log2(network.kappa), log2(max(moment.gap for moment in network.trained(slower=2)))))
            else:
                points.append((log2(width), log2(abs(network.gap_at_start()))))
    query.advance("networks", 1, 1)
    interval = slope_interval(points, LEVEL)
    trained = f"kappa {', '.join(kappas)}, {steps} steps, " if kappas else ""
    where = f"width{'s' * (len(widths) > 1)} {', '.join(map(str, widths))}, {trained}{seeds} seeds of each, from 0 on, level {LEVEL}"
    scope = Scope(f"{where} {query.at}", len(points), "simulation, Student's interval for a slope")
    return _against("slope", slope, rational(slope) in interval, interval, scope)


KAPPA, ERROR = Fraction(1, 2), Fraction(1, 3)
FINEST = 6
ALONG_A_LIMIT = "exact instances along a limit, in sums of square roots"
ENOUGH = (
    "for x = (1, 0, ...) a small step changes the quantized output by {} of what the gradient assumes, on average over wide networks; "
    "the lemma needs at least {}, so this x is no counterexample"
)


def axis(d: int) -> tuple[Fraction, ...]:
    """x = (1, 0, …, 0)."""
    return (Fraction(1), *(Fraction(0),) * (d - 1))


def rate_share(w: tuple[int, ...]) -> Real:
    """ρ = (\\|w₁ − E(w)\\|/√V(w) + 1)/d."""
    q = Quantized(exact(w))
    share: Real = (Real.of(abs(q.centred[0])) / q.scale[0] + 1) / len(w)
    return share


def largest_share(d: int) -> Real:
    """(√(d − 1) + 1)/d, the greatest ρ of all weights: \\|w₁ − E(w)\\| <= √((d − 1)V(w)), with equality if the others are equal."""
    return (root(d - 1) + 1) / d


def first_weights(d: int) -> tuple[int, ...]:
    """w = (1, 0, …, 0): no entry at its mean, dq > 0 at x, and ρ the greatest of all weights."""
    return (1, *(0,) * (d - 1))


def one_step(x: Sequence[Any], w: tuple[int, ...], error: Any, eta: Fraction) -> tuple[Change, Array]:
    """Take one step of size η with one neuron at one datum, and return the change, and the weights after it."""
    problem, weights, errors = Problem(exact([x]), exact([1]), KAPPA), exact([w]), exact([error])
    before = problem.layer(weights)
    moved = exact([[Real.of(v).rational for v in problem.step(weights, before.active, errors, eta)[0]]])
    return Change(problem, before, problem.layer(moved), errors), moved


def small_step(d: int, eta: Fraction) -> Change:
    """A step that changes no sign, from :func:`first_weights`."""
    w = first_weights(d)
    change, moved = one_step(axis(d), w, ERROR, eta)
    assert (Quantized(moved).signs == Quantized(exact([w])).signs).all(), "a sign changes: a smaller step was expected"
    return change


@judge
def bounded(query: Query, *, term: Literal["C3", "C4"], eta: int, radius: int) -> Outcome | Cases:
    """Whether the term, divided by its claimed bound, stays bounded as η, and with it R, shrinks.

    \\|term\\| <= K·η^eta·R^radius·L is claimed, for a K that depends on neither η nor R.
    """
    d = query["d"]
    if term == "C3" and d == 2:
        return without_error(query, "C3 = 0, for u(w) = 0")
    rho = rate_share(first_weights(d))
    kernel = KAPPA * KAPPA
    limit = (Real.of(1) - rho) * (2 * kernel) if term == "C3" else rho * rho * (kernel * kernel)
    ratios: list[Real] = []
    for step in (Fraction(1, 4**k) for k in range(3, FINEST + 1)):
        change, moved = small_step(d, step), step * KAPPA * ERROR
        ratios.append(abs(change.c3 if term == "C3" else change.c4) / (step**eta * moved**radius * loss(exact([ERROR]))))
    scope = Scope(f"one neuron, one datum, w = {first_weights(d)}, eta = 1/4^3 ... 1/4^{FINEST} {query.at}", None, ALONG_A_LIMIT)
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


def _digits(x: Real) -> str:
    """The number to six digits, from a ball that decides them."""
    return str(decided(lambda _: x.ball(), lambda ball: ball.str(6, radius=False) if ball.rel_accuracy_bits() > 40 else None))


@judge
def descent(query: Query, *, rate: Rational) -> Outcome:
    """Whether a small step lowers the loss by the claimed factor. Without a change of sign L(t + 1) = (1 − 2ρηλ + O(η²))·L(t).

    ρ is here the mean of the active neurons' ρ. From some d on it is below rate/2 for all weights; from a smaller d on it is so in the
    limit of many neurons, with probability tending to 1: their expectation is below rate/2, and the law of large numbers applies. Below
    that, the data of Theorem I.1 decide, for steps of any length.

    L(t + 1) <= (1 − rate·ηλ)·L(t) is claimed.
    """
    d = query["d"]
    greatest = largest_share(d)
    if greatest * 2 < rate:
        return _failing_step(query, rate, greatest)
    mean = decided(
        lambda _: (expected_normalised_entry(d) + 1) / d,
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
        scope = Scope(f"the data of Theorem I.1, all t, as that theorem uses the lemma {query.at}", None, ALONG_A_LIMIT)
        shown = {"x and y": "as for Theorem I.1", "L(t)": "stays above a positive number for all weights", "claimed": "it tends to 0"}
        return Outcome(Verdict.REFUTED, scope, reason="with it at every t the loss of these data would tend to 0", counterexample=shown)
    scope = Scope(f"one datum, x = (1, 0, ...), eta -> 0 {query.at}", None, "closed form in balls")
    return Outcome(Verdict.OPEN, scope, reason=ENOUGH.format(four_digits(*mean), rate / 2))


def _failing_step(query: Query, rate: Fraction, greatest: Real) -> Outcome:
    d = query["d"]
    for k in range(3, 20):
        eta = Fraction(1, 4**k)
        before, after = small_step(d, eta).losses
        claimed = before * (1 - rate * eta * KAPPA * KAPPA)
        if after > claimed:
            shown = {
                "w": str(first_weights(d)),
                "eta": str(eta),
                "(L(t) - L(t+1))/(eta lambda L(t))": _digits((before - after) / (eta * KAPPA * KAPPA * loss(exact([ERROR])))),
                "claimed": f"at least {rate}",
                "greatest of all weights as eta -> 0": str(greatest * 2),
            }
            scope = Scope(f"one datum, x = (1, 0, ...), every width, all weights, eta small enough {query.at}", None, ALONG_A_LIMIT)
            return Outcome(Verdict.REFUTED, scope, reason="no weights at all have the descent, whatever the width", counterexample=shown)
    raise AssertionError("the limit is below the rate and no instance is")


@judge
def kept_share(query: Query, *, low: Rational, high: Rational) -> Cases:
    """(L(t) − L(t + 1))/(2ηλL(t)) lies between low·ρ and high·ρ at η = 1/4⁶: the rate that a small step has."""
    d = query["d"]
    yield Over(f"one neuron, w = {first_weights(d)}, eta = 1/4^{FINEST}", ALONG_A_LIMIT)
    eta = Fraction(1, 4**FINEST)
    before, after = small_step(d, eta).losses
    found = (before - after) / (2 * eta * KAPPA * KAPPA * loss(exact([ERROR])))
    rho = rate_share(first_weights(d))
    inside = rho * low <= found <= rho * high
    yield inside or {"w": first_weights(d), "rate/2": _digits(found), "rho": rho}


MOST_DENSITIES = 64
NONE = Fraction(0)


def jump(d: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around J; d >= 3."""
    return enclosed(lambda: jump_of_patterns(d))


def one_jump(d: int, eta: Fraction) -> Real:
    """C₂ of one step of one neuron whose pattern it changes: w = (0, 1, −1, 0, …), x = (1, −1, 0, …)/√2, F − y = √2/3."""
    x = (root(Fraction(1, 2)), -root(Fraction(1, 2)), *(Real(),) * (d - 2))
    change, _ = one_step(x, (0, 1, -1, *(0,) * (d - 3)), root(2) / 3, eta)
    assert (change.before.active != change.after.active).all(), "the step changes the pattern"
    found: Real = change.c1_and_c2
    return found


@judge
def second_term(query: Query, *, radius: Integer = 1, constant: Rational) -> Outcome:
    """\\|C₂\\| <= K·ηκ n^1.5 d R^radius 𝔇/δ·L for some K, with probability at least 1 − δ (H.4).

    d >= 3: C₂/(ηκ²L) tends to J > 0 (:func:`jump_of_patterns`), and R = ηκ\\|F − y\\|/√m, the length of the step, to 0.
    d = 2: by the claim's ``checks`` \\|C₂\\| <= ηκ²√n‖e‖²nPR/δ = 2P·ηκ²n^1.5R/δ·L, P by :func:`most_flips`, so that K = 2P/d suffices.

    constant: K for d = 2; radius: of R.
    """
    d = query["d"]
    if d == 2:
        least = enclosed(lambda: 2 * most_flips(2) / 2)
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

    It is verified if it is at least the bound of :func:`most_flips` in both parts, whose densities are compared in balls; refuted if the
    probability at d = 2 and R = 1/4, erf(R/√2), is larger.
    """
    assert positive(lambda _: densest(1) - tail_of_densities(2)), "chi of one degree has the largest density"
    for k in range(2, MOST_DENSITIES):
        assert closed(lambda k: tail_of_densities(k) - densest(k), k)[0] > 0, (
            f"chi of {k} degrees has a density that its bound does not have"
        )
    enough = entries * entries >= 2 and rest >= 4
    scope = Scope("every d >= 2, R > 0 and x of norm 1", None, "proof: Lipschitz functions and densities of chi; densities in balls")
    if enough:
        return Outcome(Verdict.VERIFIED, scope, witness=f"(d sqrt(2) + 4) R/sqrt(pi) is at most ({entries} d + {rest}) R/sqrt(pi)")
    radius = Fraction(1, 4)
    claimed = (2 * entries + rest) * radius
    gap = decided(
        lambda _: ball_around(flint, claimed) - (ball_around(flint, radius) / flint.arb(2).sqrt()).erf() * flint.arb.pi().sqrt(),
        lambda ball: ends(ball) if not ball.contains(0) else None,
    )
    if gap[1] < 0:
        probability = enclosed(lambda: (ball_around(flint, radius) / flint.arb(2).sqrt()).erf())
        shown = {
            "d": "2",
            "x": "(1, -1)/sqrt(2)",
            "R": str(radius),
            "probability": four_digits(*probability),
            "claimed": f"{claimed}/sqrt(pi)",
        }
        return Outcome(Verdict.REFUTED, Scope("d = 2", None, "closed form in balls"), counterexample=shown)
    return Outcome(Verdict.OPEN, scope, reason="our proof needs sqrt(2) d + 4, and the probability at d = 2 does not refute less")


@judge
def order_in_radius(query: Query, *, left: Formula, right: Formula, entries: Rational = NONE, rest: Rational = NONE) -> Outcome:
    """left <= K·right for some K and all R in (0, 1], both being polynomials in R; no K suffices if left alone is above 0 at R = 0.

    entries, rest: if they are given, left is (entries·d + rest)·R, whose order is clear, and it is judged as a bound on the
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


DELTA = Fraction(1, 20)


@judge
@by_edition
def by_our_proof(query: Query, *, given: list[str], positive: list[tuple[str, str]], at: dict[str, str], why: str) -> Outcome:
    """The formulas of a proof of ours, in the form of the judge ``combination``.

    As printed, the claim stays open, because this is not the paper's proof, and nothing that we have decides that proof. why: the reason.
    """
    made = combination(query, Combination(from_={}, positive=positive, given=given, at=at))
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


def _larger(square: Fraction, count: int) -> Any:
    """The probability that one of this many independent normal entries exceeds C√log(md/δ)."""
    bound = (ball_around(flint, square) * (ball_around(flint, count / DELTA)).log()).sqrt()
    return 1 - (bound / flint.arb(2).sqrt()).erf() ** count
