"""Judges of statements in probability (Sections 4.2, 5.1, 5.2, Appendix K), at initialisation and while wide networks train: the limit of
infinite width as a ball, and simulations that are held against it.

Those of training speak of one datum, x = (1, 0, …, 0). Weights move by O(1/√m) each, so that in the limit a step multiplies F(t) − y by a
number, which is not the same for both networks from three dimensions on (:func:`descent_share`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import TYPE_CHECKING, Any, Literal

from constructions.one_bit_scaling.judges.pattern_changes import jump
from constructions.one_bit_scaling.mathematics.quantization import Quantized
from constructions.one_bit_scaling.mathematics.training import ROOTS, Problem
from constructions.one_bit_scaling.mathematics.width_limit import descent_share, mirrored_output, squared_gap, training_gap
from verifier.arithmetic.confidence import Interval, mean_interval, slope_interval
from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.square_roots import RootSum
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge
from verifier.language.enclosed_ranges import four_digits
from verifier.running.errors import LimitError

if TYPE_CHECKING:
    from constructions.one_bit_scaling.mathematics.wide import Moment


LEVEL = Fraction(999, 1000)


def without_error(query: Query, what: str) -> Cases:
    """No weights have a quantization error, as in two dimensions, where all are t(1, 1) + c v with c >= 0 and one of these v.

    For c > 0 quantization keeps the signs, multiplies √V by c and moves the mean by t, so that u(t(1, 1) + c v) = c u(v).
    """
    if query["d"] != 2:
        raise ValueError(f"d = {query['d']}: two dimensions were expected")
    yield Over(f"{what}: every w is t(1, 1) + c v, c >= 0, v = (1, -1) or (-1, 1), and u(w) = c u(v),", "sums of square roots")
    for q in map(Quantized.of, ((1, -1), (-1, 1))):
        yield all(u == 0 for u in q.error) or {"w": q.w, "u(w)": q.error}


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
    found: tuple[Fraction, Fraction] = decided(
        lambda flint: squared_gap(flint, d), lambda ball: ends(ball) if ball > 0 and ball.rel_accuracy_bits() > 30 else None
    )
    return found


@judge
@by_edition
def independent_of_signs(query: Query, *, after: Literal[0, 1]) -> Outcome | Cases:
    """Averaged over the signs a_r, f − f′ is 0, as Hoeffding's inequality needs.

    At t = 0 both outputs are sums of a_r times numbers that do not depend on the signs, so that those of a and of −a cancel for all
    weights. In two dimensions f = f′. Else: one neuron, x = (1, 0, …), y = 1.

    after: the step after which the outputs are compared.
    """
    d = query["d"]
    if d == 2:
        what = "f = f' at every step, for u(w) = 0"
        return trained_alike(query, what) if after else without_error(query, what)
    return _over_signs(query, after)


def _over_signs(query: Query, after: int) -> Cases:
    d = query["d"]
    w, x = tuple(1 if 2 * k < d else -1 for k in range(d)), (Fraction(1), *(Fraction(0),) * (d - 1))
    kappa, eta = Fraction(1, 2), Fraction(1, 4)
    total, gaps = RootSum(), []
    for a in (1, -1):
        problem = Problem([x], [a], kappa, ROOTS)
        one: list[list[Any]] = [list(w)]
        full: list[list[Any]] = [list(w)]
        for _ in range(after):
            errors = [problem.outputs(problem.neurons(one))[0] - 1]
            others = [problem.full_outputs(problem.neurons(full))[0] - 1]
            one, full = problem.step(one, errors, eta), problem.step(full, others, eta, quantized=False)
        gaps.append(problem.outputs(problem.neurons(one))[0] - problem.full_outputs(problem.neurons(full))[0])
        total = total + gaps[-1]
    mean = total / 2
    shown = {"w": w, "x": x, "kappa": kappa, "eta": eta, "y": 1, f"mean of f - f' at t = {after} over a = +-1": mean}
    if after:
        yield Over(f"one neuron, one datum, t = {after}", "sums of square roots", sample_of="all weights and data")
        yield mean == 0 or shown
        return
    yield Over("all weights and data, t = 0: both outputs are linear in the signs, as at one neuron,", "linear in the signs")
    yield gaps[0] == -gaps[1] or shown


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
@by_edition
def gap_in_limit(query: Query, *, of: Literal["training", "test input"], least: Rational = Fraction(0)) -> Outcome | Cases:
    """Whether \\|F(t) − F′(t)\\| <= ε at all t for κ <= Kε/(d𝔇²), whatever K; or the same at the test input −x after training (K.1).

    ε and K are fixed, m → ∞, κ and η as large as the hypotheses permit: powers of 1/log m, 𝔇² being log m up to constants. Then κ√m → ∞,
    a weight moves by O(1/(κ√m)), and the law of large numbers applies to each of the steps, of which there are as many as a power of
    log m. The outputs at the start are O(κ). With y = 1 the gap at some t tends to that of :func:`training_gap`, which is above small ε.

    least: the gap is at most ε for small κ is claimed for every ε above this.
    """
    d = query["d"]
    if d == 2:
        same = "F = F', for u(w) = 0"
        return without_error(query, same) if of == "training" else trained_alike(query, same)
    limits = "m -> infinity, kappa and eta -> 0, kappa sqrt(m) -> infinity"
    shown = {"x": "(1, 0, ...)", "y": "1"}
    if of == "training":
        low, high = largest_gap(d)
        where, below = f"one datum, x = (1, 0, ...), y = 1, {limits}", f"at this datum the gap tends to {four_digits(low, high)} at most"
        shown["|F(t) - F'(t)| at some t tends to"] = four_digits(low, high)
        shown["rate of the one-bit network"] = f"{four_digits(*share(d))} times that of the other"
        reason = (
            "both networks reach y, at rates that do not depend on kappa: the gap on the way does not shrink with kappa, and epsilon does"
        )
    else:
        low, high = mirrored(d)
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


LENGTH = Fraction(1, 200)
"""Of the step whose jumps are simulated."""


@dataclass(frozen=True)
class Network:
    """A simulated network at one datum; κ and the number of its steps count where it is trained."""

    width: int
    d: int
    seed: int
    kappa: Fraction
    steps: int

    def trained(self, slower: int = 1, mirrored_too: bool = False) -> list[Moment]:
        """Both networks, η = 1/κ² divided by ``slower``; ``mirrored_too``: their outputs at −x are followed as well."""
        from constructions.one_bit_scaling.mathematics.wide import single, trained

        start, kappa = single(self.width, self.d, self.seed), float(self.kappa)
        return list(trained(start, kappa, 1 / (slower * kappa**2), self.steps, -start.inputs if mirrored_too else None))

    def gap_at_start(self) -> float:
        """f − f′ over κ."""
        from constructions.one_bit_scaling.mathematics.wide import gap_at_start

        return gap_at_start(self.width, self.d, self.seed, 1.0)

    def error_share(self) -> float:
        """C₃/(C₁ + C₂) of the last step."""
        after = self.trained()[-1]
        return after.error_part / after.weights_part

    def jump(self) -> float:
        """C₂/(ηκ²L) of a step at initialisation."""
        from constructions.one_bit_scaling.mathematics.wide import second_term_share

        return second_term_share(self.width, self.d, self.seed, float(LENGTH))


MEANS: dict[str, tuple[Callable[[Network], float], Callable[[int], tuple[Fraction, Fraction]]]] = {
    "squared-gap": (lambda network: network.gap_at_start() ** 2, gap_at_initialisation),
    "error-share": (Network.error_share, lambda d: (share(d)[0] - 1, share(d)[1] - 1)),
    "mirrored-gap": (lambda network: -network.trained(mirrored_too=True)[-1].unseen_gap, mirrored),
    "jump": (Network.jump, jump),
}
"""What is measured of one network, with the closed form of its mean in d dimensions."""


def _against(expected: str, value: str, inside: bool, interval: Interval, scope: Scope) -> Outcome:
    """Conditional on the sample where the interval has the expected value."""
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

    of: what is measured; width: neurons; seeds: how many networks; kappa, steps: of their training, η = 1/κ²; dimensions: added to d in the
    closed form (0).
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

    widths, kappas: of the networks; seeds: how many of each; steps: of their training, η = 1/(2κ²); slope: of log₂ of the largest gap in
    log₂ of κ, or without any κ of log₂ \\|f − f′\\| at the start in log₂ of the width.
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
