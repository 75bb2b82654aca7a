"""When the sums over (g/s²)Z make a set Q_{p,s}: decided exactly, for every common divisor g. Not in the paper, which has Lemmas 2 and 12.

Theorem. Let the sums run over (g/s²)Z, g ≥ 1. {⌈b + t/s²⌉ : t ∈ gZ} is Q_{p,s}
    for every bias b ∈ Q_{∞,s} if and only if g ≤ s;
    for some bias if and only if g ≤ s or 2(2^p − 2)(g − s) < s, and then for b = 0.
Where 1 ∈ Q_{p,s}, s ≤ 2^p − 1, the second case is p = 1 only (for p ≥ 2, 2(2^p − 2) ≥ 2^p − 1 ≥ s), so that from p = 2 on some bias and
every bias are the same. g is the gcd of the levels of the outputs (N) or of their gaps (S), and s times that where weights are ±1 (BN, BS).
So from p = 2 on N (S) is everything, for one bias or for all, if and only if the outputs (gaps) are not all 0 and have a greatest common
divisor of at most 1; BN (BS) if and only if it is 1/s. Lemmas 2 and 12 ask for a divisor of at least 3, and more; 2 does.

Proof. In units of 1/s² the numerators that round to a level q, 0 < |q| < top = 2^p − 1, are s successive ones about sq: from sq − s/2 on
for q > 0, up to sq + s/2 for q < 0 (ties away from zero); those of 0 are the t with |t| < s/2, s − 1 of them for even s, s for odd s; the
ends ±top have all beyond, and are always reached. The set is everything if and only if each inner interval meets sb + gZ.
(a) g < s: an interval of s − 1 successive numbers meets every class modulo g. g = s: sb + gZ = sZ holds sq for every q.
(b) g > s: an interval of s numbers holds at most one of a class. Let tᵩ be that of the inner level q. Neighbours differ by a positive
multiple of g that is below 2s < 2g, so by g; hence tᵩ = t₀ + qg for |q| ≤ top − 1, and tᵩ is in its interval where −s/2 ≤ t₀ + q(g − s) <
s/2 for q > 0, −s/2 < t₀ + q(g − s) ≤ s/2 for q < 0, |t₀| < s/2 for q = 0. With e = g − s > 0 and the outermost q all of these come to
2|t₀| + 2(top − 1)e < s. Conversely a t₀ of the class with that is one for every level. As |t₀| < s/2 < g/2, t₀ is the residue of sb of
least magnitude; b = 0 has t₀ = 0, which gives the second case.
(c) g > s, every bias: sb runs through the multiples of d = gcd(s, g), so some t₀ has 2|t₀| = g (g/d even), or g − d (g/d odd). The first
is above s. The second would need g − d + 2(top − 1)e < s, so e < d, while d divides e. So some bias fails.
"""

from __future__ import annotations

from math import gcd

from constructions.fixed_point_networks.mathematics.grid import FixedPoint


def full_for_no_bias(step: str) -> tuple[str, ...]:
    """The theorem's second case denied, as conditions in p and s, for the sums over (step/s²)Z."""
    return (f"({step}) > s", f"2*(2**p - 2)*(({step}) - s) >= s")


def full_for_every_bias(step: str) -> tuple[str, ...]:
    """The theorem's first case, as conditions in s."""
    return (f"({step}) >= 1", f"({step}) <= s")


def full_biases(grid: FixedPoint, step: int) -> list[bool]:
    """For b = 0, 1/s, … (one of each class) whether the roundings of b + (step/s²)Z are all of Q_{p,s}: each level's numerators are asked
    for one of the class. By the definition, level by level; the theorem is held against it."""
    import numpy as np

    ends = [grid.preimage(level) for level in grid.levels() if abs(level) < grid.top]
    low, high = np.array([a for a, _ in ends], dtype=np.int64), np.array([b for _, b in ends], dtype=np.int64)
    starts = grid.s * np.arange(step // gcd(step, grid.s), dtype=np.int64)[:, None]
    met = (high - starts) // step >= -((starts - low) // step)
    return [all(row) for row in met.tolist()]
