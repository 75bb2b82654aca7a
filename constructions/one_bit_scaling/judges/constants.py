"""Judges of bounds up to a constant that hold at initialisation: a constant is exhibited, and the proof that it suffices is checked in
balls (Lemmas G.5, I.3, J.5, K.4).

C >= 2 in 𝔇 = max{C√log(md/δ), 1} everywhere. All md entries of W(0) are at most 𝔇 in magnitude but for a probability of
md·exp(−𝔇²/2) <= δ²/(md) <= δ/10, since δ < 1/10. Then what is bounded of a neuron is at most √(kd)·𝔇 at inputs of norm 1:

* k = 2 for \\|dq(⟨w̃, x⟩)\\| <= √d(√V + \\|E\\|), since V + E² is the mean square of w, and for \\|⟨u(w), x⟩\\| <= √(2dV);
* k = 1 for \\|⟨w, x⟩\\|.

The signs a_r are independent of the weights, and log(c/δ) <= (1 + log(c)/log(10))·𝔇²/4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any, Literal

from constructions.one_bit_scaling.mathematics.quantization import weights
from constructions.one_bit_scaling.mathematics.training import Neuron, Problem, units
from constructions.one_bit_scaling.mathematics.width_limit import enclosed, most_flips
from verifier.arithmetic.enclosure import ball_around, decided, positive
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Rational, judge
from verifier.language.real_functions import four_digits

LEFT_OVER = Fraction(9, 10)
"""The share of δ that is left to the signs."""
DELTA = Fraction(1, 20)
Part = Literal["quantized", "full", "error"]
SIZE: dict[Part, int] = {"quantized": 2, "full": 1, "error": 2}
"""k, for what is bounded of a neuron: √(kd)·𝔇."""
DIMENSIONS = (2, 3)
EACH_INPUT = (
    "Hoeffding's inequality at each of the n inputs, which the paper uses, needs log(n/delta) <= O(D^2); "
    "it has that where n is at most md, and our proof is another"
)
LOST = (
    "the text that we have ends with the lemma, without a proof; Hoeffding's inequality with the bound of Lemma D.7 needs "
    "kappa <= O(epsilon/(d D^2))"
)


def _logarithms(flint: Any, c: Any) -> Any:
    """log(c/δ)/(𝔇²/4) is at most this for δ < 1/10 and c >= 1."""
    return 1 + c.log() / flint.arb(10).log()


def largest_output(flint: Any, part: Part) -> Any:
    """‖F(0)‖ <= this·κ√(nd)·𝔇² with probability at least 1 − δ: F(0) = Σ a_r v_r with ‖v_r‖² <= κ²nkd𝔇²/m.

    Let σ² = Σ‖v_r‖². With g ~ N(0, I) independent of the signs, E exp(‖F‖²/(4σ²)) = E exp(⟨g, F⟩/(√2 σ)) <= E exp(Σ⟨g, v_r⟩²/(4σ²)) <= √2,
    since Π(1 − μ_j/(2σ²)) >= 1 − Σμ_j/(2σ²) = 1/2 for the eigenvalues μ_j of Σ v_r v_rᵀ. So ‖F‖² <= 4σ²·log(√2/δ′), but for a
    probability δ′.
    """
    return (SIZE[part] * _logarithms(flint, flint.arb(2).sqrt() / ball_around(flint, LEFT_OVER))).sqrt()


def largest_sum(flint: Any, part: Part) -> Any:
    """\\|Σ a_r v_r\\| <= this·κ√d·𝔇² with probability at least 1 − δ, for numbers \\|v_r\\| <= κ√(kd/m)·𝔇: Hoeffding's inequality,
    \\|Σ a_r v_r\\|² <= 2Σv_r²·log(2/δ′) but for a probability δ′."""
    return (SIZE[part] * _logarithms(flint, 2 / ball_around(flint, LEFT_OVER)) / 2).sqrt()


def _of(neuron: Neuron, part: Part) -> Any:
    return {"quantized": neuron.quantized, "full": neuron.full, "error": neuron.error}[part]


def _beyond(part: Part) -> Iterator[dict[str, object]]:
    """Weights at which a neuron exceeds √(kd) times their largest entry: all integer weights up to 2, two and three dimensions."""
    for d in DIMENSIONS:
        for w, x in product(weights(d, 2), units(d)):
            found = _of(Problem([x], [1], Fraction(1)).neuron(w, x), part)
            if found * found > SIZE[part] * d * max(map(abs, w)) ** 2:
                yield {"w": w, "x": x, part: found}


def _proved(query: Query, what: str, need: Any, constant: Fraction, part: Part | None) -> Outcome:
    """Verified where the number that the proof needs is at most the constant."""
    if part is not None:
        assert next(_beyond(part), None) is None, "a neuron is larger than the proof says"
    slack = positive(lambda flint: ball_around(flint, constant) - need(flint))
    needed = decided(need, lambda ball: ball.str(4, radius=False) if ball.rel_accuracy_bits() > 30 else None)
    scope = Scope(f"{what} {query.at}".rstrip(), None, "proof: tails of normal entries and signs; its constant in balls")
    if slack:
        return Outcome(Verdict.VERIFIED, scope, witness=f"C >= 2 in D; our proof needs {needed}")
    return Outcome(Verdict.OPEN, scope, reason=f"our proof needs {needed}")


def _not_as_printed(query: Query, made: Outcome, why: str) -> Outcome:
    """As printed, what our proof verifies is open: it is not the paper's, and nothing that we hold decides the paper's."""
    if query.edition is not Edition.PRINTED or made.verdict is not Verdict.VERIFIED:
        return made
    return Outcome(Verdict.OPEN, made.scope, reason=why)


@judge
@by_edition
def initial_error(query: Query, *, constant: Rational, part: Literal["quantized", "full"]) -> Outcome:
    """‖F(0) − y‖ <= K√n·d·𝔇² with probability at least 1 − δ (I.3, J.5): ‖y‖ <= √n, and :func:`largest_output`.

    The paper bounds the output at each input by Hoeffding's inequality. For all n of them at once that needs a union bound, log(n/δ) in the
    place of log(1/δ), and 𝔇² has log(md/δ): as printed the claim is open, since n is not bounded.

    constant: K; part: which of the two networks.
    """
    what = f"all n, m, data, kappa in (0, 1] and delta in (0, 1/10), K = {constant}, and sqrt(d) for d"
    return _not_as_printed(query, _proved(query, what, lambda flint: 1 + largest_output(flint, part), constant, part), EACH_INPUT)


@judge
@by_edition
def initial_gap(query: Query, *, constant: Rational) -> Outcome:
    """κ <= cε/(√d·𝔇²) implies \\|f − f′\\| <= ε at t = 0 with probability at least 1 − δ (K.4): ReLU is Lipschitz, and :func:`largest_sum`.

    As printed it is open: our copy has no proof of it. D.7 bounds \\|⟨u, x⟩\\| by O(d𝔇), where ours has √d.

    constant: c.
    """
    what = f"all d, m, x of norm 1, epsilon and delta in (0, 1/10), c = {constant}"
    return _not_as_printed(query, _proved(query, what, lambda flint: largest_sum(flint, "error"), 1 / constant, "error"), LOST)


@judge
def kernel_change(query: Query, *, constant: Rational, radius: Rational) -> Outcome:
    """With R <= cλδ/(κ²n²d𝔇), ‖H(t) − H(0)‖_F <= Kκ²n²dR/δ and λ_min(H(t)) >= λ/2 with probability at least 1 − δ (G.5, 4.1).

    \\|H_ij(t) − H_ij(0)\\| <= κ²/m·(N_i + N_j), N_i being the neurons of which some weights within R have another pattern at xᵢ. Their
    expected number is at most mPR (:func:`most_flips`), so by Markov's inequality ΣN_i <= nmPR/δ, and the norm is at most 2κ²n²PR/δ. P/d
    decreases in d, and 2P/d <= K at d = 2 is enough for all; then Kc <= 1/2 is enough for the eigenvalue.

    constant: K; radius: c.
    """
    what = f"all n, m, d >= 2, data, kappa, delta and weights within R, K = {constant}, c = {radius}"
    if constant * radius > Fraction(1, 2):
        return Outcome(Verdict.OPEN, Scope(what, None, "proof"), reason=f"K c = {constant * radius}, and our proof needs at most 1/2")
    return _proved(query, what, lambda flint: 2 * most_flips(flint, 2) / 2, constant, None)


@judge
def union_of_entries(query: Query, *, square: Rational) -> Outcome:
    """All md entries of W(0) are at most C·√log(md/δ) in magnitude with probability at least 1 − δ (I.6).

    One entry is larger with the probability erfc(x/√2) <= exp(−x²/2), and md·exp(−C²·log(md/δ)/2) = md·(δ/(md))^(C²/2) <= δ for C² >= 2.

    square: C²; a smaller one is refuted where a ball finds that independent entries are larger too often, δ = 1/20.
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
    """The probability that one of so many independent normal entries exceeds C√log(md/δ)."""
    bound = (ball_around(flint, square) * (ball_around(flint, count / DELTA)).log()).sqrt()
    return 1 - (bound / flint.arb(2).sqrt()).erf() ** count
