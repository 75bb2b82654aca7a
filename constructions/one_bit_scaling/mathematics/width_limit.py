"""Probabilities of wide networks as balls (python-flint): the limit as the width grows, moments that do not depend on the width, and how
often small moves of the weights change a neuron's pattern 1{dq >= 0}, for w ~ N(0, I_d).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb

from verifier.arithmetic.enclosure import decided, ends
from verifier.arithmetic.rationals import Fraction

BITS = 30


def expected_normalised_entry(d: int) -> Any:
    """E\\|Ln(w)₁\\| = √((d − 1)/π)·Γ((d − 1)/2)/Γ(d/2) for w ~ N(0, I_d), d >= 2: 1 at d = 2, tending to √(2/π).

    \\|w₁ − E(w)\\| has mean √(2(d − 1)/(πd)); √(dV) is the length of w − E(w)1, independent of its direction, with mean
    √2·Γ(d/2)/Γ((d − 1)/2).
    """
    return (arb(d - 1) / arb.pi()).sqrt() * (arb(d - 1) / 2).gamma() / (arb(d) / 2).gamma()


def sign_correlation(d: int) -> Any:
    """E w̃₁w̃₂ = −(2/π)·arcsin(1/(d − 1)): two entries of w − E(w)1 have the correlation −1/(d − 1)."""
    return -(arb(1) / (d - 1)).asin() * 2 / arb.pi()


def squared_gap(d: int) -> Any:
    """E(f − f′)²/κ² at initialisation, at x = (1, −1, 0, …, 0)/√2, for every width: half of

        E⟨u(w), x⟩² = (1 − 1/d)·(1 − E w̃₁w̃₂) + 1 − 2·E\\|Ln(w)₁\\|.

    The signs a_r are independent, so the m summands are uncorrelated; dq(⟨w̃, x⟩) and ⟨w, x⟩ never have opposite signs here, so that
    the squared difference of their positive parts, averaged over w and −w, is half of ⟨u, x⟩².
    """
    whole = (1 - arb(1) / d) * (1 - sign_correlation(d)) + 1 - 2 * expected_normalised_entry(d)
    return whole / 2


def descent_share(d: int) -> Any:
    """ρ, d >= 2: one datum x = (1, 0, …, 0), m → ∞, η and κ fixed: a step takes F(t) − y to (1 − ρηκ²/2) times itself, in probability.

    The full-precision network has 1 in the place of ρ. A step moves the first entry of each active w_r by h = −ηκa_r e/√m, so that
    F moves by −ηκ²e times the mean of the derivatives of ReLU(dq(⟨w̃, x⟩)) upwards and downwards. Two things add up to ρ/2:

    * dq itself has the slope (\\|Ln(w)₁\\| + 1)/d; half of the neurons are active.
    * w₁ − E(w) ~ N(0, 1 − 1/d) changes its sign with the density p = 1/√(2π(1 − 1/d)) times (1 − 1/d). There dq is ±v + E(w),
      v² ~ χ²_{d−2}/d. Upwards dq jumps by 2v where the neuron was active before, E(w) >= v; downwards it falls to 0 or by 2v. By the
      symmetry of E(w) the mean of the two jumps is half of E v + E(v; \\|E(w)\\| >= v).
    """
    kept, lost = _jumps(d)
    return (expected_normalised_entry(d) + 1) / d + 2 * kept + lost


def mirrored_output(d: int) -> Any:
    """−f(−x)/y after training to f(x) = y at x = (1, 0, …, 0), m → ∞ and then κ → 0; the full-precision network has 0 at −x, d >= 2.

    A neuron that is active at x moves. If it moves downwards across the change of sign, and \\|E(w)\\| < v, it becomes inactive at x, which
    loses v + E(w), and active at −x, which gains v − E(w). Full-precision neurons that are active at −x do not move.
    """
    _, lost = _jumps(d)
    return lost / descent_share(d)


def _jumps(d: int) -> tuple[Any, Any]:
    """The contribution of changes of sign to the slope of dq at an active neuron, by a step either way: (both sides active, one side), d >=
    2.

    The density p(1 − 1/d) of the change times E(v; \\|E(w)\\| >= v), and times E(v; \\|E(w)\\| < v): see :func:`descent_share`.
    """
    if d == 2:  # v = 0
        return arb(0), arb(0)
    density = (1 - arb(1) / d) / (2 * arb.pi() * (1 - arb(1) / d)).sqrt()
    # In d − 1 dimensions √d·(E(w), v·direction) is normal; θ is the angle between it and the axis of E(w).
    near_axis = 2 * _sines_to_quarter_pi(d - 2) / _sines_to_pi(d - 3)
    kept = _mean_length(d - 1) * near_axis
    return density * kept / arb(d).sqrt(), density * (_mean_length(d - 2) - kept) / arb(d).sqrt()


def training_gap(rho: Any) -> Any:
    """(1 − ρ)ρ^(ρ/(1−ρ)): the largest e^(−ρs) − e^(−s) over s > 0, for 0 < ρ < 1, which is \\|F(t) − F′(t)\\|/\\|y\\| at its largest where
    κ → 0 after m → ∞ and the steps are short (see :func:`descent_share`)."""
    return (1 - rho) * (rho.log() * rho / (1 - rho)).exp()


def _mean_length(n: int) -> Any:
    """The mean length of a normal vector of n >= 1 independent entries of variance 1."""
    return arb(2).sqrt() * (arb(n + 1) / 2).gamma() / (arb(n) / 2).gamma()


def _sines_to_pi(n: int) -> Any:
    """∫₀^π sinⁿ, n >= 0."""
    return arb.pi().sqrt() * (arb(n + 1) / 2).gamma() / (arb(n) / 2 + 1).gamma()


def _sines_to_quarter_pi(n: int) -> Any:
    """∫₀^{π/4} sinⁿ, n >= 0, by parts: n∫sinⁿ = (n − 1)∫sinⁿ⁻² − sinⁿ⁻¹·cos."""
    root = arb(1) / arb(2).sqrt()
    value = arb.pi() / 4 if n % 2 == 0 else 1 - root
    for k in range(2 + n % 2, n + 1, 2):
        value = ((k - 1) * value - root**k) / k
    return value


def most_flips(d: int) -> Any:
    """A number P with Pr[some weights within R of w have another pattern at x] <= P·R, for every R > 0 and every x of norm 1; d >= 2.

    Two events can occur within R, and their probabilities add up to at most (d√2 + 4)/√π times R:

    * An entry passes the mean. w_k − E(w) is √(1 − 1/d)-Lipschitz in w and normal with the variance 1 − 1/d, so that for each of the d
      entries Pr[\\|w_k − E(w)\\| <= √(1 − 1/d) R] <= 2R/√(2π).
    * No entry does, and dq(⟨q, x⟩) = √V⟨q, x⟩ + E⟨1, x⟩ changes its sign with the signs q as they were. The gradients of √V and of E are
      orthogonal and have the length 1/√d, so dq is s-Lipschitz with s² = (⟨q, x⟩² + ⟨1, x⟩²)/d, and \\|dq\\| <= sR is needed. Given q,
      √(dV) and √d E are independent, χ of d − 1 degrees and normal; dq/s = χ cos θ + g sin θ has a density of at most √2 times the larger
      of the two densities, which is √(2/π) (:func:`densest`). So Pr <= 2R·2/√π. If s = 0 the pattern does not change at all.
    """
    return (d * arb(2).sqrt() + 4) / arb.pi().sqrt()


def densest(k: int) -> Any:
    """The largest density of χ of k degrees, k >= 1: at √(k − 1), ((k − 1)/e)^((k−1)/2)/(2^(k/2−1)Γ(k/2)).

    It is √(2/π) at k = 1 and at most (1 − 1/k)^((k−1)/2)·√(e/π) by Γ(x) >= √(2π)x^(x−1/2)e^(−x), which decreases in k, and is below √(2/π)
    at k = 2.
    """
    half = arb(k) / 2
    peak = ((arb(k - 1) / arb(1).exp()).log() * (k - 1) / 2).exp() if k > 1 else arb(1)
    return peak / (arb(2).log() * (half - 1)).exp() / half.gamma()


def tail_of_densities(k: int) -> Any:
    """(1 − 1/k)^((k−1)/2)·√(e/π), which is at least the largest density of χ of k degrees or more; k >= 2."""
    return ((1 - arb(1) / k).log() * (k - 1) / 2).exp() * (arb(1).exp() / arb.pi()).sqrt()


def jump_of_patterns(d: int) -> Any:
    """J = √(d(d − 2))/(2π(d − 1)): at x = (1, −1, 0, …)/√2 the term C₂ of a step tends to J·ηκ²L as m → ∞, η and κ fixed; d >= 2.

    z = w − E(w)1 decides: the neuron is inactive for z₁ < 0 <= z₂ only. A step moves the active neurons by h = ηκ\\|F − y\\|/√m along ±x,
    half of them downwards. Downwards, (+, +) becomes (−, +) where z₁ passes 0, and (−, −) becomes (−, +) where z₂ does; upwards no
    pattern changes. z₁ has the density √(d/(d − 1))/√(2π) at 0 and passes it at the speed 1/√2. There z₂ is normal with the variance
    (d − 2)/(d − 1), and the product loses ⟨w, x⟩ = −z₂/√2, whose mean over z₂ > 0 is −√((d − 2)/(d − 1))/(2√π). Both kinds together lose
    J·h a neuron that moves downwards, always with the same sign, so that C₂ = κ\\|F − y\\|/√m · (m/2) · J·h = J·ηκ²(F − y)²/2. The number
    of changes is of the order of √m, and the law of large numbers applies. The other neurons of S^⊥ add O(h) for each of them.
    """
    return (arb(d) * (d - 2)).sqrt() / (2 * arb.pi() * (d - 1))


def enclosed(number: Callable[[], Any]) -> tuple[Fraction, Fraction]:
    """The ends of a ball around a number other than 0 that is given as a ball, to more than :data:`BITS` bits."""
    found: tuple[Fraction, Fraction] = decided(lambda _: number(), lambda ball: ends(ball) if ball.rel_accuracy_bits() > BITS else None)
    return found
