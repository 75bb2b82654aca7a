"""Which bounds of (A1)–(A7) are needed for S and for BS, and whether continuity is: Lemmas 7, 16 and 24 (Sections 3.2.3, 3.3, 5.7).

One hypothesis at a time is violated while the others hold, and the conclusion is to fail. The instances are ramps: σ linear between two
grid points and constant (where continuity is dropped: with a jump) on either side. They are tried smallest first: p, s, the number of
steps, the sizes of the values. No p and s are smaller than 1; |σ′| ≤ 1 in (A2) is first needed at p = 2, for at p = 1 the values of σ
between the grid points round to 0 and 1/s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.step import SLOPES, Slope
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, within_limit
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
        return [self.grid.rounded(v) for v in (self.left, *inner, self.right)]

    @property
    def step(self) -> int:
        """The gcd of the gaps."""
        levels = self.levels()
        return gcd(*(v - levels[0] for v in levels))

    def short(self, kind: str) -> int | None:
        """A bias for which S (or BS) of σ is not everything."""
        return Reach(self.grid, self.step * (self.grid.s if kind == "BS" else 1)).full_for_every_bias()

    @property
    def shape(self) -> str:
        ends = "" if self.continuous else f", {self.left} before and {self.right} after"
        return f"levels {self.low} to {self.high} over {self.steps} step{'s' if self.steps > 1 else ''}{ends}"

    def __str__(self) -> str:
        return f"p = {self.grid.p}, s = {self.grid.s}, {self.shape}"


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


def slope_hypotheses(slope: Slope) -> tuple[tuple[str, Holds], ...]:
    """Those of a case of Lemma 24; σ′ > 1/2 of (A7) read as σ′ ≥ 1/2, which is enough."""
    return (
        (f"sigma' >= {slope.least}", lambda r: r.slope >= slope.least),
        (f"sigma' < {slope.below}", lambda r: r.slope < slope.below),
        BELOW_TOP,
        CONTINUOUS,
    )


SLOPE_CONDITIONS = {f"({name.upper()})": slope_hypotheses(slope) for name, slope in SLOPES.items()}


@dataclass(frozen=True)
class Lemma:
    """A lemma with its conditions: the set that it speaks of, the steps that a ramp of each condition may have, the least p."""

    name: str
    kind: str
    place: str
    conditions: Mapping[str, tuple[tuple[str, Holds], ...]]
    steps: Mapping[str, tuple[int, ...]]
    from_p: int = 1
    not_needed: frozenset[tuple[str, str]] = frozenset()

    def grids(self, p: int) -> list[FixedPoint]:
        return [g for q in range(self.from_p, p + 1) for g in fixed_points(q)]


A3_SLOPE = frozenset({("(A3)", "sigma' <= 2")})
"""What condition_a3's case split does not use."""
STEPS = dict.fromkeys(CONDITIONS, (1, 2, 3))
LEMMAS = (
    Lemma("lemma-7", "S", "Section 3.2.3, Lemma 7", CONDITIONS, STEPS, not_needed=A3_SLOPE),
    Lemma("lemma-16", "BS", "Section 3.3, Lemma 16", CONDITIONS, STEPS, not_needed=A3_SLOPE),
    Lemma("lemma-24", "S", "Section 5.7, Lemma 24", SLOPE_CONDITIONS, {f"({n.upper()})": (v.width,) for n, v in SLOPES.items()}, 3),
)


@lru_cache(maxsize=64)
def ramps(grid: FixedPoint, widths: tuple[int, ...] = (1, 2, 3)) -> tuple[Ramp, ...]:
    """Ramps over so many steps with values in quarters of a level up to 5/2 levels beyond the ends; jumps to a level at the ends."""
    values = [QUARTER * k for k in range(-4 * grid.top - 10, 4 * grid.top + 11)]
    pairs = sorted(product(values, repeat=2), key=lambda v: (abs(v[0]) + abs(v[1]), v))
    jumps = sorted(product(grid.levels(), repeat=2), key=lambda v: (abs(v[0]) + abs(v[1]), v))
    found = []
    for steps in (n for n in widths if n <= 2 * grid.top):
        found += [Ramp(grid, steps, low, high, low, high) for low, high in pairs]
        found += [
            Ramp(grid, steps, low, low + slope * steps, Fraction(a), Fraction(b))
            for slope in (Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(1))
            for low in (Fraction(0), -slope * steps / 2)
            for a, b in jumps
        ]
    return tuple(found)


def smallest_without(lemma: Lemma, condition: str, hypothesis: str, p: int) -> Ramp | None:
    """The first ramp up to p that violates this hypothesis and the conclusion and keeps the other hypotheses."""
    for grid in lemma.grids(p):
        for ramp in ramps(grid, lemma.steps[condition]):
            kept = all(holds(ramp) == (name != hypothesis) for name, holds in lemma.conditions[condition])
            if kept and ramp.short(lemma.kind) is not None:
                return ramp
    return None


def _trials(lemma: Lemma, p: int, needed: list[str]) -> Iterator[Failure]:
    for condition, hypotheses in lemma.conditions.items():
        for q in range(lemma.from_p, p + 1):
            kept = [r for r in ramps(FixedPoint(q, 1), lemma.steps[condition]) if all(holds(r) for _, holds in hypotheses)]
            each_step = {r.step: r for r in reversed(kept)}.values()
            for grid in fixed_points(q):
                bad = next((r for r in each_step if replace(r, grid=grid).short(lemma.kind) is not None), None)
                yield None if bad is None else {"all of": condition, "ramp": bad, "s": grid.s}
        for name, _ in hypotheses:
            found = smallest_without(lemma, condition, name, p)
            wanted = (condition, name) not in lemma.not_needed
            yield None if (found is not None) == wanted else {"hypothesis": f"{condition} {name}", "ramp": found}
            if found is not None:
                needed.append(f"{condition} {name} ({found})")


def _claim(lemma: Lemma, suffix: str) -> None:
    spared = ", ".join(f"{name} in {condition}" for condition, name in sorted(lemma.not_needed))
    text = f"{lemma.name.replace('-', ' ').capitalize()} needs each bound of {', '.join(lemma.conditions)}, and continuity"
    least = max(2, lemma.from_p)

    @claim(
        f"{lemma.name}:{suffix}",
        statement=text + (f", but not {spared}" if spared else ""),
        place=lemma.place,
        checks=f"for each hypothesis violated, the smallest ramp that keeps the others and for which {lemma.kind} is not everything; and "
        "no ramp that keeps all",
        parameters=(Parameter("p", "the largest p tried", f"p >= {least}", str(least)),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        p = question["p"]
        widths = sum(map(len, lemma.steps.values()))
        within_limit(question, widths * (8 * FixedPoint(p, 1).top + 21) ** 2 * 2**p)
        needed: list[str] = []
        trials = list(_trials(lemma, p, needed))
        return decide(
            f"every bound and continuity, at {lemma.from_p} <= p <= {p} and s <= 2^p - 1, ramps in quarters of 1/s",
            trials,
            "gcd of the gaps",
            f"needed, with the smallest of these ramps: {'; '.join(needed)}" + (f". Not needed: {spared}" if spared else ""),
        )

    del judge


for _lemma in LEMMAS:
    _claim(_lemma, "hypotheses" if _lemma.name != "lemma-24" else "each-hypothesis")
