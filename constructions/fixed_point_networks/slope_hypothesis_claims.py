"""Which hypotheses of (A1)–(A3) are needed for S and for BS: Lemmas 7 and 16 (Sections 3.2.3, 3.3).

One hypothesis at a time is violated while the others hold, and the conclusion is to fail. The instances are ramps: σ linear between two
grid points and constant (where continuity is dropped: with a jump) on either side. They are tried smallest first: p, s, the number of
steps, the sizes of the values. No p and s are smaller than 1; |σ′| ≤ 1 in (A2) is first needed at p = 2, for at p = 1 the values of σ
between the grid points round to 0 and 1/s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd

from constructions.fixed_point_networks.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, within_limit
from verifier.claims.model import Chapter, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

QUARTER = Fraction(1, 4)


@dataclass(frozen=True)
class Ramp:
    """σ from ``low`` at q₁ to ``high`` at q₂ = q₁ + ``steps``, linear, in levels; ``left`` at and before q₁, ``right`` from q₂ on."""

    grid: FixedPoint
    steps: int
    low: Fraction
    high: Fraction
    left: Fraction
    right: Fraction

    @property
    def slope(self) -> Fraction:
        return (self.high - self.low) / self.steps

    @property
    def rise(self) -> Fraction:
        """|σ(q₂/s) − σ(q₁/s)| in levels."""
        return abs(self.right - self.left)

    @property
    def continuous(self) -> bool:
        return (self.left, self.right) == (self.low, self.high)

    @property
    def greatest(self) -> Fraction:
        """sup |σ| between the grid points."""
        return max(abs(self.low), abs(self.high))

    def levels(self) -> list[int]:
        """⌈σ⌉ at q₁/s, …, q₂/s."""
        inner = [self.low + self.slope * k for k in range(1, self.steps)]
        return [self.grid.clamp(half_away_from_zero(v)) for v in (self.left, *inner, self.right)]

    def short(self, kind: str) -> int | None:
        """A bias for which S (or BS) of σ is not everything."""
        levels = self.levels()
        step = gcd(*(v - levels[0] for v in levels))
        return Reach(self.grid, step * self.grid.s if kind == "BS" else step).full_for_every_bias()

    @property
    def shape(self) -> str:
        ends = "" if self.continuous else f", {self.left} before and {self.right} after"
        return f"levels {self.low} to {self.high} over {self.steps} step{'s' if self.steps > 1 else ''}{ends}"

    def __str__(self) -> str:
        return f"p = {self.grid.p}, s = {self.grid.s}, {self.shape}"


def half_away_from_zero(x: Fraction) -> int:
    magnitude = int(abs(x) + Fraction(1, 2))
    return magnitude if x >= 0 else -magnitude


Holds = Callable[[Ramp], bool]
CONTINUOUS: tuple[str, Holds] = ("sigma continuous", lambda r: r.continuous)
BELOW_TOP: tuple[str, Holds] = ("|sigma| <= q_max", lambda r: r.greatest <= r.grid.top)
FAR_ENDS: tuple[str, Holds] = ("ends at least 1/s apart", lambda r: r.rise >= 1)

CONDITIONS: dict[str, tuple[tuple[str, Holds], ...]] = {
    "(A1)": (("|sigma'| < 1", lambda r: abs(r.slope) < 1), BELOW_TOP, FAR_ENDS, CONTINUOUS),
    "(A2)": (
        ("|sigma'| <= 1", lambda r: abs(r.slope) <= 1),
        ("sigma >= 0", lambda r: min(r.low, r.high) >= 0),
        ("sigma <= q_max", lambda r: max(r.low, r.high) <= r.grid.top),
        FAR_ENDS,
        CONTINUOUS,
    ),
    "(A3)": (
        ("sigma' >= 1", lambda r: r.slope >= 1),
        ("sigma' <= 2", lambda r: r.slope <= 2),
        BELOW_TOP,
        ("ends less than (2(q2 - q1) - 1)/s apart", lambda r: r.rise < 2 * r.steps - 1),
        CONTINUOUS,
    ),
}
"""The hypotheses of each condition, as they read for a ramp."""

NOT_NEEDED = {("(A3)", "sigma' <= 2")}
"""What condition_a3's case split does not use."""


@lru_cache(maxsize=64)
def ramps(grid: FixedPoint) -> tuple[Ramp, ...]:
    """Ramps of up to three steps with values in quarters of a level up to 5/2 levels beyond the ends; jumps to a level at the ends."""
    values = [QUARTER * k for k in range(-4 * grid.top - 10, 4 * grid.top + 11)]
    found = []
    for steps in range(1, min(3, 2 * grid.top) + 1):
        pairs = sorted(product(values, repeat=2), key=lambda v: (abs(v[0]) + abs(v[1]), v))
        found += [Ramp(grid, steps, low, high, low, high) for low, high in pairs]
        jumps = sorted(product(grid.levels(), repeat=2), key=lambda v: (abs(v[0]) + abs(v[1]), v))
        found += [
            Ramp(grid, steps, low, low + slope * steps, Fraction(a), Fraction(b))
            for slope in (Fraction(0), Fraction(1))
            for low in (Fraction(0), Fraction(-steps, 2))
            for a, b in jumps
        ]
    return tuple(found)


def smallest_without(kind: str, condition: str, hypothesis: str, p: int) -> Ramp | None:
    """The first ramp up to p that violates this hypothesis and the conclusion and keeps the other hypotheses."""
    for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
        for ramp in ramps(grid):
            if all(holds(ramp) == (name != hypothesis) for name, holds in CONDITIONS[condition]) and ramp.short(kind) is not None:
                return ramp
    return None


def _trials(kind: str, p: int, needed: list[str]) -> Iterator[Failure]:
    for condition, hypotheses in CONDITIONS.items():
        for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
            kept = (r for r in ramps(grid) if all(holds(r) for _, holds in hypotheses))
            bad = next((r for r in kept if r.short(kind) is not None), None)
            yield None if bad is None else {"all of": condition, "ramp": bad}
        for name, _ in hypotheses:
            found = smallest_without(kind, condition, name, p)
            wanted = (condition, name) not in NOT_NEEDED
            yield None if (found is not None) == wanted else {"hypothesis": f"{condition} {name}", "ramp": found}
            if found is not None:
                needed.append(f"{condition} {name} ({found})")


def _claim(name: str, kind: str, place: str) -> None:
    @claim(
        f"{name}:hypotheses",
        statement=f"{name.replace('-', ' ').capitalize()} needs each hypothesis of (A1)-(A3) but sigma' <= 2 in (A3)",
        place=place,
        checks=f"for each hypothesis violated, the smallest ramp that keeps the others and for which {kind} is not everything; and no "
        "ramp that keeps all",
        parameters=(Parameter("p", "the largest p tried", "p >= 2", "2"),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        p = question["p"]
        within_limit(question, 64**p)
        needed: list[str] = []
        trials = list(_trials(kind, p, needed))
        return decide(
            f"every hypothesis, at every p <= {p} and s <= 2^p - 1, ramps of at most three steps in quarters of 1/s",
            trials,
            "gcd of the gaps",
            f"needed, with the smallest of these ramps: {'; '.join(needed)}. Not needed: sigma' <= 2 in (A3): condition-a3",
        )

    del judge


_claim("lemma-7", "S", "Section 3.2.3, Lemma 7")
_claim("lemma-16", "BS", "Section 3.3, Lemma 16")
