"""Judges of statements in probability (Sections 5.1, 5.2, Appendix K): closed forms, else simulation."""

from __future__ import annotations

from math import log2
from typing import Any, Literal

from constructions.one_bit_scaling.mathematics.quantization import Quantized
from constructions.one_bit_scaling.mathematics.training import ROOTS, Problem
from constructions.one_bit_scaling.mathematics.width_limit import squared_gap
from verifier.arithmetic.confidence import mean_interval, slope_interval
from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.square_roots import RootSum
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import judge
from verifier.language.enclosed_ranges import four_digits

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
def second_moment(query: Query, *, width: int = 256, seeds: int = 2000, dimensions: int = 0) -> Outcome:
    """The closed form of E(f − f′)²/κ² lies in Student's interval of simulated networks.

    width: neurons; seeds: how many networks; dimensions: added to d in the closed form (0).
    """
    from constructions.one_bit_scaling.mathematics.wide import gap_at_start

    d = query["d"]
    squares = []
    for seed in range(seeds):
        squares.append(gap_at_start(width, d, seed, 1.0) ** 2)
        if seed % 100 == 0:
            query.advance("networks", seed, seeds)
    query.advance("networks", 1, 1)
    interval = mean_interval(squares, LEVEL)
    low, high = gap_at_initialisation(d + dimensions)
    scope = Scope(f"width {width}, seeds 0..{seeds - 1}, level {LEVEL} {query.at}", seeds, "simulation, Student's interval")
    shown = f"{four_digits(low, high)} in {interval}"
    if interval.low <= low and high <= interval.high:
        return Outcome(Verdict.CONDITIONAL, scope, assumptions=("sampling",), reason=shown)
    return Outcome(Verdict.REFUTED, scope, counterexample={"closed form": four_digits(low, high), "interval": str(interval)})


@judge
def decay_with_width(query: Query, *, widths: list[int], seeds: int, slope: str) -> Outcome:
    """The slope lies in Student's interval of simulated networks.

    widths: of the networks; seeds: how many of each width; slope: of log₂|f − f′| in log₂ of the width.
    """
    from constructions.one_bit_scaling.mathematics.wide import gap_at_start

    points: list[tuple[float, float]] = []
    for number, width in enumerate(widths):
        for seed in range(number * seeds, (number + 1) * seeds):
            points.append((log2(width), log2(abs(gap_at_start(width, query["d"], seed, 1.0)))))
        query.advance("networks", len(points), len(widths) * seeds)
    interval = slope_interval(points, LEVEL)
    where = f"widths {', '.join(map(str, widths))}, {seeds} seeds of each, from 0 on, level {LEVEL} {query.at}"
    scope = Scope(where, len(points), "simulation, Student's interval for a slope")
    if rational(slope) in interval:
        return Outcome(Verdict.CONDITIONAL, scope, assumptions=("sampling",), reason=f"{slope} in {interval}")
    return Outcome(Verdict.REFUTED, scope, counterexample={"slope": slope, "interval": str(interval)})


@judge
def independent_of_signs(query: Query, *, after: Literal[0, 1]) -> Cases:
    """Averaged over the signs a_r, f − f′ is 0, as Hoeffding's inequality needs.

    At t = 0 both outputs are sums of a_r times numbers that do not depend on the signs, so that those of a and of −a cancel for all
    weights. In two dimensions f = f′. Else: one neuron, x = (1, 0, …), y = 1.

    after: the step after which the outputs are compared.
    """
    d = query["d"]
    if d == 2:
        yield from without_error(query, "f = f' at every step, for u(w) = 0")
        return
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
