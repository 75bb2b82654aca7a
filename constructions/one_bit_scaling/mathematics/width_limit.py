"""What networks at initialisation tend to as the width grows, and moments that do not depend on it, as balls (python-flint)."""

from __future__ import annotations

from typing import Any


def expected_normalised_entry(flint: Any, d: int) -> Any:
    """E\\|Ln(w)₁\\| = √((d − 1)/π)·Γ((d − 1)/2)/Γ(d/2) for w ~ N(0, I_d), d >= 2: 1 at d = 2, tending to √(2/π).

    \\|w₁ − E(w)\\| has mean √(2(d − 1)/(πd)); √(dV) is the length of w − E(w)1, independent of its direction, with mean
    √2·Γ(d/2)/Γ((d − 1)/2).
    """
    arb = flint.arb
    return (arb(d - 1) / arb.pi()).sqrt() * (arb(d - 1) / 2).gamma() / (arb(d) / 2).gamma()


def sign_correlation(flint: Any, d: int) -> Any:
    """E w̃₁w̃₂ = −(2/π)·arcsin(1/(d − 1)): two entries of w − E(w)1 have the correlation −1/(d − 1)."""
    arb = flint.arb
    return -(arb(1) / (d - 1)).asin() * 2 / arb.pi()


def squared_gap(flint: Any, d: int) -> Any:
    """E(f − f′)²/κ² at initialisation, at x = (1, −1, 0, …, 0)/√2, for every width: half of

        E⟨u(w), x⟩² = (1 − 1/d)·(1 − E w̃₁w̃₂) + 1 − 2·E\\|Ln(w)₁\\|.

    The signs a_r are independent, so the m summands are uncorrelated; dq(⟨w̃, x⟩) and ⟨w, x⟩ never have opposite signs here, so that
    the squared difference of their positive parts, averaged over w and −w, is half of ⟨u, x⟩².
    """
    arb = flint.arb
    whole = (1 - arb(1) / d) * (1 - sign_correlation(flint, d)) + 1 - 2 * expected_normalised_entry(flint, d)
    return whole / 2
