"""The sets N, S°, S, BN° , BN and BS, decided by greatest common divisors.

Source: Sections 3.1–3.3. In units of 1/s² the sums Σ wᵢxᵢ run over a group gZ: g is the gcd of the levels of ⌈σ⌉ (for N) or of their gaps
(for S), times s where the weights are ±1. So N_b is the set of roundings of sβ + gZ with b = β/s, and whether it is Q_{p,s} depends on β
only through its class modulo g/gcd(g, s). :func:`closure` is the brute-force version for comparison.

N, S, BN and BS depend on a set of outputs only through the least output a and the gcd g of the gaps. The outputs a₀ < a₁ < … have the gcds
of {a₀, a₀ + g}, which is a set of levels too (g divides a₁ − a₀ > 0); so claims about every set of outputs are claims about a and g. If
some output is a gap, g divides it, and so every output.

Expressive power: the functions that networks of more than one layer compute, for an activation with Condition 1, by the start of their
sums. Before the last rounding the value of such a network at x is v(x) = b + Σ wⱼ⌈σ⌉(yⱼ(x)). In units of 1/s², v(x) ∈ sZ + nZ with n the
gcd of the outputs' levels, and v(x) − v(x′) ∈ gZ with g the gcd of their gaps. Conversely, every start c ∈ sZ + nZ is the sum of a bias and
of constant neurons, and every z: Q_{p,s}^d → gZ is added to it by indicators of points (Lemma 5). So the functions of these networks are
exactly x ↦ ⌈(c + z(x))/s²⌉. The paper's S_b has only the starts sZ; corollary-9:hypotheses asks whether another start ever reaches more.

Sharp criterion: the condition under which the sums over (g/s²)Z make a set Q_{p,s}, for every common divisor g. Not in the paper, which has
Lemmas 2 and 12. Theorem. Let the sums run over (g/s²)Z, g ≥ 1. {⌈b + t/s²⌉ : t ∈ gZ} is Q_{p,s}
    for every bias b ∈ Q_{∞,s} if and only if g ≤ s;
    for some bias if and only if g ≤ s or 2(2^p − 2)(g − s) < s, and then for b = 0.
Where 1 ∈ Q_{p,s}, s ≤ 2^p − 1, the second case is p = 1 only (for p ≥ 2, 2(2^p − 2) ≥ 2^p − 1 ≥ s), so that from p = 2 on some bias and
every bias are the same. g is the gcd of the levels of the outputs (N) or of their gaps (S), and s times that where weights are ±1 (BN, BS).
So from p = 2 on N (S) is everything, for one bias or for all, if and only if the outputs (gaps) are not all 0 and have a greatest common
divisor of at most 1; BN (BS) if and only if it is 1/s. Lemmas 2 and 12 require a divisor of at least 3, and more; 2 suffices.

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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import gcd, lcm

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from verifier.arithmetic.rationals import Fraction

KINDS = ("N", "S", "BN", "BS")


@dataclass(frozen=True)
class Reach:
    """A set of roundings {⌈b + t/s²⌉ : t ∈ gZ} for every bias b: ``step`` is g, 0 for the group {0}."""

    grid: FixedPoint
    step: int

    @property
    def classes(self) -> int:
        """The number of classes of biases β = 0, 1, … (every bias is a class of its own if the group is {0})."""
        return self.step // gcd(self.step, self.grid.s) if self.step else self.grid.size

    def sum_for(self, beta: int, level: int) -> int | None:
        """The t ∈ gZ of least magnitude with ⌈β/s + t/s²⌉ = level/s, or None without one."""
        return self.sum_from(self.grid.s * beta, level)

    def sum_from(self, start: int, level: int) -> int | None:
        """The t ∈ gZ of least magnitude with ⌈(start + t)/s²⌉ = level/s, for any integer ``start``; None without one."""
        low, high = self.grid.preimage(level)
        low = None if low is None else low - start
        high = None if high is None else high - start
        return _least_multiple(self.step, low, high)

    def missing_from(self, start: int, levels: Iterable[int]) -> int | None:
        """The first of these levels that ``start`` + t reaches for no t ∈ gZ."""
        return next((q for q in levels if self.sum_from(start, q) is None), None)

    def missing_within(self, beta: int, furthest: Fraction) -> int | None:
        """The first level that bias β reaches by no sum of magnitude up to ``furthest`` (in units of x), or None if all are reached."""
        sums = ((q, self.sum_for(beta, q)) for q in self.grid.levels())
        return next((q for q, t in sums if t is None or abs(t) > furthest * self.grid.s**2), None)

    def missing(self, beta: int) -> int | None:
        """The level nearest 0 (the smaller first) that bias β does not reach, or None if the set is Q_{p,s}."""
        if 0 < self.step <= self.grid.s:
            return None
        return self.missing_from(self.grid.s * beta, (q for size in range(self.grid.top + 1) for q in (-size, size)))

    def full_for_every_bias(self) -> int | None:
        """A class of biases that misses a value, or None if every bias reaches all of Q_{p,s}."""
        return next((beta for beta in range(self.classes) if self.missing(beta) is not None), None)

    def full_bias(self) -> int | None:
        """The least bias β ≥ 0 that reaches all of Q_{p,s}, or None if no bias does.

        If one exists, the least is 0. For g ≤ s every bias reaches all. For g > s each finite preimage holds at most one of the starts sβ +
        gZ, its own; the preimages of q and −q mirror each other, so −β also reaches everything, and with both so does every bias between
        them.
        """
        return 0 if self.step and self.missing(0) is None else None

    def bias_for(self, levels: Iterable[int]) -> int | None:
        """The least bias β ≥ 0 that reaches these levels (if the group is {0}: the one level itself), or None if no bias reaches all."""
        asked = sorted(set(levels))
        if self.step == 0:
            return asked[0] if len(asked) == 1 else None
        return next((beta for beta in range(self.classes) if self.missing_from(self.grid.s * beta, asked) is None), None)

    def same_for_every_bias(self, other: Reach) -> int | None:
        """A bias at which the two sets differ, or None if they are equal for every bias."""
        if self.step == other.step:
            return None
        classes = Reach(self.grid, lcm(self.step, other.step)).classes
        return next((b for b in range(classes) if self.reached(b) != other.reached(b)), None)

    def reached(self, beta: int) -> frozenset[int]:
        """The set itself, in levels."""
        return frozenset(q for q in self.grid.levels() if self.sum_for(beta, q) is not None)


def _least_multiple(step: int, low: int | None, high: int | None) -> int | None:
    """The multiple of ``step`` of least magnitude in [low, high]."""
    nearest = low if low is not None and low > 0 else high if high is not None and high < 0 else 0
    if step == 0 or nearest == 0:
        return None if nearest else 0
    found = -(-nearest // step) * step if nearest > 0 else nearest // step * step
    return found if (low is None or found >= low) and (high is None or found <= high) else None


def reach(kind: str, table: Table) -> Reach:
    """N, S, BN or BS of a table (:data:`KINDS`)."""
    return reach_of_image(kind, table.grid, table.image)


def reach_of_image(kind: str, grid: FixedPoint, image: Iterable[int]) -> Reach:
    """N, S, BN or BS; only the image of ⌈σ⌉ matters."""
    outputs = sorted(image)
    step = gcd(*(v - outputs[0] for v in outputs)) if kind.endswith("S") else gcd(*outputs)
    return Reach(grid, step * grid.s if kind.startswith("B") else step)


def closure(kind: str, table: Table, beta: int, reach_of_sums: int) -> frozenset[int]:
    """Brute force: the roundings of β/s + all sums of products w·x, found by visiting every partial sum of magnitude ≤ ``reach_of_sums``.

    A sum can be reordered so that its partial sums stay within the greatest product of its target, so a bound of a few times
    (2^p − 1)·max(s, 2^p − 1) loses nothing.
    """
    inputs = table.gaps if kind.endswith("S") else table.image
    weights = (-table.grid.s, table.grid.s) if kind.startswith("B") else table.grid.levels()
    products = {w * x for w in weights for x in inputs} - {0}
    seen, edge = {0}, [0]
    while edge:
        edge = [t for t in {e + m for e in edge for m in products} if abs(t) <= reach_of_sums and t not in seen]
        seen.update(edge)
    return frozenset(table.grid.nearest(table.grid.s * beta + t) for t in seen)


def images(grid: FixedPoint) -> Iterator[frozenset[int]]:
    """Every image that some σ can have on Q_{p,s}: every nonempty set of levels."""
    levels = list(grid.levels())
    for mask in range(1, 1 << len(levels)):
        yield frozenset(v for i, v in enumerate(levels) if mask >> i & 1)


def shapes(grid: FixedPoint) -> Iterator[frozenset[int]]:
    """The shapes of two or more outputs, each as the least output and its sum with the gcd of the gaps."""
    for g in range(1, 2 * grid.top + 1):
        for least in range(-grid.top, grid.top - g + 1):
            yield frozenset({least, least + g})


def monotone_tables(grid: FixedPoint) -> Iterator[Table]:
    """Every monotone ⌈σ⌉."""
    for levels in combinations_with_replacement(grid.levels(), grid.size):
        yield Table(grid, levels)
        if levels[0] != levels[-1]:
            yield Table(grid, levels[::-1])


@dataclass(frozen=True)
class Sums:
    """The sums of an activation with two or more outputs; ``outputs`` and ``gaps`` are n and g."""

    grid: FixedPoint
    outputs: int
    gaps: int

    @property
    def starts(self) -> range:
        """The starts c, in units of 1/s², up to the sums of gaps."""
        return range(0, self.gaps, gcd(self.grid.s, self.outputs))

    @property
    def reach(self) -> Reach:
        """The values that gaps add to a start."""
        return Reach(self.grid, self.gaps)

    def start_for(self, values: Iterable[int]) -> int | None:
        """A start from which one network takes all these levels, each at its place, or None if no network does."""
        asked = tuple(values)
        return next((c for c in self.starts if self.reach.missing_from(c, asked) is None), None)

    @cache  # noqa: B019 - few and small
    def each_with_zero(self) -> bool:
        """Whether for each level γ some start has both 0 and γ: whether each γ·1_C is a network, for cubes C other than the whole
        domain."""
        return all(self.start_for((0, q)) is not None for q in self.grid.levels())

    @cache  # noqa: B019
    def everything(self) -> bool:
        """Whether some start has every level, so that networks represent every function."""
        return self.start_for(self.grid.levels()) is not None


def sums_of(grid: FixedPoint, image: Iterable[int], binary: bool = False) -> Sums:
    """The sums of an activation with these output levels. If ``binary``, the weights are ±1 and sums start at biases only."""
    outputs, kinds = frozenset(image), ("BN", "BS") if binary else ("N", "S")
    return Sums(grid, *(reach_of_image(kind, grid, outputs).step for kind in kinds))


def swap_target(grid: FixedPoint, level: int) -> int:
    """Section 5.1's f as a function of x₁: i + 1 for odd i, i − 1 for even i, and 2^p − 1 at 2^p − 1."""
    if level == grid.top:
        return grid.top
    return level + 1 if level % 2 else level - 1


def full_for_every_bias(step: str) -> tuple[str, ...]:
    """The theorem's first case, as conditions in s."""
    return (f"({step}) >= 1", f"({step}) <= s")


def full_biases(grid: FixedPoint, step: int) -> list[bool]:
    """For b = 0, 1/s, … (one of each class) whether the roundings of b + (step/s²)Z are all of Q_{p,s}: each level's numerators must
    contain one of the class. The computation follows the definition, level by level; the theorem is compared with it."""
    import numpy as np

    ends = [grid.preimage(level) for level in grid.levels() if abs(level) < grid.top]
    low, high = np.array([a for a, _ in ends], dtype=np.int64), np.array([b for _, b in ends], dtype=np.int64)
    starts = grid.s * np.arange(step // gcd(step, grid.s), dtype=np.int64)[:, None]
    met = (high - starts) // step >= -((starts - low) // step)
    return [all(row) for row in met.tolist()]
