"""Why an activation has a gap of one level on Q_{p,s} for every s: its slopes beside 0 where s is large, two neighbours where s is small.

Source: Section 5.7, where this is done for each activation by (A4) to (A7).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from constructions.fixed_point_networks.mathematics.activations import Activation
from constructions.fixed_point_networks.mathematics.rounded_activations import unclamped
from verifier.arithmetic.rationals import Fraction
from verifier.language.enclosed_ranges import escape

ENDS = {"(A4)": (0, 2), "(A5)": (-3, 3)}
"""q₁ and q₂ of the conditions on slopes in (1/(q₂ − q₁), 1) on an interval with 0 in it or at its end."""
SMALL = 3
"""Up to this s slopes are asked for from s on, and neighbours below it."""
FURTHEST = 7
"""The greatest level of an input or output, which is in Q_{p,s} from p = 3 on."""


@dataclass(frozen=True)
class OneLevel:
    """The two parts of the reason.

    condition, ends: a condition on slopes, with q₁ and q₂; from_s: from which s on it holds, by enclosures of the slopes on all of
    (q₁/from_s, q₂/from_s). neighbours: for each smaller s the k for which the outputs at k/s and (k + 1)/s are one level apart.
    at_zero: a number that |σ(0)| does not exceed; furthest: the greatest level of the neighbours and of their outputs.
    """

    condition: str
    ends: tuple[int, int]
    from_s: int
    neighbours: dict[int, int]
    at_zero: Fraction
    furthest: int

    @property
    def reach(self) -> int:
        """max |q|: |σ(x)| ≤ |σ(0)| + reach/s on the interval, as the slopes there are between 0 and 1."""
        return max(map(abs, self.ends))

    def __str__(self) -> str:
        low, high = (Fraction(q, self.from_s) for q in self.ends)
        said = f"slopes in (1/{self.ends[1] - self.ends[0]}, 1) on ({low}, {high}), as {self.condition} asks for s >= {self.from_s}"
        small = [f"the outputs at {Fraction(k, s)} and {Fraction(k + 1, s)} for s = {s}" for s, k in self.neighbours.items()]
        return "; ".join([said, *small])


@lru_cache(maxsize=64)
def one_level(sigma: Activation) -> OneLevel | None:
    """The reason for an activation; None where none of this kind is found."""
    for from_s in range(1, SMALL + 1):
        for condition, ends in ENDS.items():
            if not _slopes(sigma, ends, from_s):
                continue
            neighbours = {s: _neighbours(sigma, s) for s in range(1, from_s)}
            known = {s: k for s, k in neighbours.items() if k is not None}
            if known.keys() == neighbours.keys():
                levels = [abs(unclamped(sigma, j, s)) for s, k in known.items() for j in (k, k + 1)]
                furthest = max([*levels, *(max(abs(k), abs(k + 1)) for k in known.values())], default=0)
                return OneLevel(condition, ends, from_s, known, _at_zero(sigma), furthest)
    return None


def _slopes(sigma: Activation, ends: tuple[int, int], s: int) -> bool:
    """Whether the slopes on all of (q₁/s, q₂/s), and so on every smaller such interval, lie in (1/(q₂ − q₁), 1)."""
    try:
        domain = Fraction(ends[0], s), Fraction(ends[1], s)
        return escape(sigma.real, 1, domain, (Fraction(1, ends[1] - ends[0]), Fraction(1))) is None
    except ArithmeticError:
        return False


def _neighbours(sigma: Activation, s: int) -> int | None:
    """The k nearest to 0 with outputs at k/s and (k + 1)/s one level apart, none of the four levels above :data:`FURTHEST`."""
    for k in sorted(range(-FURTHEST, FURTHEST), key=lambda k: (abs(k), k)):
        first, second = unclamped(sigma, k, s), unclamped(sigma, k + 1, s)
        if abs(first - second) == 1 and max(abs(first), abs(second)) <= FURTHEST:
            return k
    return None


def _at_zero(sigma: Activation) -> Fraction:
    """|σ(0)|, or the next hundredth above it where it is enclosed."""
    value = sigma.exact(Fraction(0))
    if value is not None:
        return abs(value)
    return Fraction(ceil(100 * max(map(abs, sigma.real.at(0, Fraction(0))))), 100)
