"""How often small moves of the weights change a neuron's pattern 1{dq >= 0}, for w ~ N(0, I_d), as balls (python-flint)."""

from __future__ import annotations

from typing import Any


def most_flips(flint: Any, d: int) -> Any:
    """A number P with Pr[some weights within R of w have another pattern at x] <= P·R, for every R > 0 and every x of norm 1; d >= 2.

    Two things can happen within R, and their probabilities add up to (d√2 + 4)/√π times R:

    * An entry passes the mean. w_k − E(w) is √(1 − 1/d)-Lipschitz in w and normal with the variance 1 − 1/d, so that for each of the d
      entries Pr[\\|w_k − E(w)\\| <= √(1 − 1/d) R] <= 2R/√(2π).
    * No entry does, and dq(⟨q, x⟩) = √V⟨q, x⟩ + E⟨1, x⟩ changes its sign with the signs q as they were. The gradients of √V and of E are
      orthogonal and have the length 1/√d, so dq is s-Lipschitz with s² = (⟨q, x⟩² + ⟨1, x⟩²)/d, and \\|dq\\| <= sR is needed. Given q,
      √(dV) and √d E are independent, χ of d − 1 degrees and normal; dq/s = χ cos θ + g sin θ has a density of at most √2 times the larger
      of the two densities, which is √(2/π) (:func:`densest`). So Pr <= 2R·2/√π. If s = 0 the pattern does not change at all.
    """
    arb = flint.arb
    return (d * arb(2).sqrt() + 4) / arb.pi().sqrt()


def densest(flint: Any, k: int) -> Any:
    """The largest density of χ of k degrees, k >= 1: at √(k − 1), ((k − 1)/e)^((k−1)/2)/(2^(k/2−1)Γ(k/2)).

    It is √(2/π) at k = 1 and at most (1 − 1/k)^((k−1)/2)·√(e/π) by Γ(x) >= √(2π)x^(x−1/2)e^(−x), which decreases in k, and is below √(2/π)
    at k = 2.
    """
    arb = flint.arb
    half = arb(k) / 2
    peak = ((arb(k - 1) / arb(1).exp()).log() * (k - 1) / 2).exp() if k > 1 else arb(1)
    return peak / (arb(2).log() * (half - 1)).exp() / half.gamma()


def tail_of_densities(flint: Any, k: int) -> Any:
    """(1 − 1/k)^((k−1)/2)·√(e/π), which is at least the largest density of χ of k degrees or more; k >= 2."""
    arb = flint.arb
    return ((1 - arb(1) / k).log() * (k - 1) / 2).exp() * (arb(1).exp() / arb.pi()).sqrt()


def jump_of_patterns(flint: Any, d: int) -> Any:
    """J = √(d(d − 2))/(2π(d − 1)): at x = (1, −1, 0, …)/√2 the term C₂ of a step tends to J·ηκ²L as m → ∞, η and κ fixed; d >= 2.

    z = w − E(w)1 decides: the neuron is inactive for z₁ < 0 <= z₂ only. A step moves the active neurons by h = ηκ\\|F − y\\|/√m along ±x,
    half of them downwards. Downwards, (+, +) becomes (−, +) where z₁ passes 0, and (−, −) becomes (−, +) where z₂ does; upwards no
    pattern changes. z₁ has the density √(d/(d − 1))/√(2π) at 0 and passes it at the speed 1/√2. There z₂ is normal with the variance
    (d − 2)/(d − 1), and the product loses ⟨w, x⟩ = −z₂/√2, whose mean over z₂ > 0 is −√((d − 2)/(d − 1))/(2√π). Both kinds together lose
    J·h a neuron that moves downwards, always with the same sign, so that C₂ = κ\\|F − y\\|/√m · (m/2) · J·h = J·ηκ²(F − y)²/2. The number
    of changes is of the order of √m, and the law of large numbers applies. What else S^⊥ has adds O(h) for each of them.
    """
    arb = flint.arb
    return (arb(d) * (d - 2)).sqrt() / (2 * arb.pi() * (d - 1))
