"""The modulus of continuity of a piecewise linear function, exactly, and its inverse.

Source: Section 4.3, Eqs. (18)–(19). Everything is counted in levels, x as well as f*(x).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.arithmetic.rationals import Fraction

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class PiecewiseLinear:
    """f*(x₁, …, x_d) = Σ h(x_i)/d, h linear between neighbouring inputs; ``values``: h at each level, ascending.

    The d coordinates move independently and alike, so ω of f* is ω of h, whatever d is.
    """

    values: tuple[Fraction, ...]

    @property
    def end(self) -> int:
        """2(2^p − 1), the length of the domain in levels."""
        return len(self.values) - 1

    def h(self, place: Fraction) -> Fraction:
        """h at ``place`` levels above −q_max."""
        below = min(place.numerator // place.denominator, self.end - 1)
        return self.values[below] + (place - below) * (self.values[below + 1] - self.values[below])

    def at(self, grid: FixedPoint, x: tuple[int, ...]) -> Fraction:
        """f*(x) at an input of Q_{p,s}^d."""
        return sum((self.values[v + grid.top] for v in x), Fraction(0)) / len(x)

    def modulus(self, delta: Fraction) -> Fraction:
        """ω(δ), the greatest |h(x) − h(x′)| with |x − x′| ≤ δ.

        h(x) − h(x′) is linear where x and x′ stay in their segments, so it is greatest at a corner of {|x − x′| ≤ δ} there: both are
        inputs, or one is an input and the other δ away.
        """
        best = Fraction(0)
        for k in range(self.end + 1):
            near = [Fraction(j) for j in range(self.end + 1) if abs(j - k) <= delta]
            near += [x for x in (k - delta, k + delta) if 0 <= x <= self.end]
            best = max(best, *(abs(self.values[k] - self.h(x)) for x in near))
        return best

    def change(self, m: int) -> Fraction:
        """The greatest |h(x) − h(x′)| of inputs m levels apart."""
        return max(abs(a - b) for a, b in zip(self.values, self.values[m:], strict=False))

    def whole(self) -> list[Fraction]:
        """ω(0), ω(1), …, ω(2(2^p − 1)): for a whole number of levels both places are inputs."""
        return list(accumulate(map(self.change, range(self.end + 1)), max))

    def inverse(self, epsilon: Fraction) -> Fraction | None:
        """ω⁻¹(ε) = sup{δ ≥ 0 : ω(δ) ≤ ε}; None for infinity.

        Let m be the greatest whole number with ω(m) ≤ ε. Between m and m + 1 only inputs and places δ from them can exceed ε, and
        h(k ± δ) − h(k) is linear in δ there.
        """
        m = max(n for n, omega in enumerate(self.whole()) if omega <= epsilon)
        if m == self.end:
            return None
        crossings = []
        for k in range(self.end + 1):
            for sign in (1, -1):
                if 0 <= k + sign * (m + 1) <= self.end:
                    now, then = (self.values[k + sign * n] - self.values[k] for n in (m, m + 1))
                    if abs(then) > epsilon:
                        crossings.append(m + ((epsilon if then > 0 else -epsilon) - now) / (then - now))
        return min(crossings)
