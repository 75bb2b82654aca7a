"""Write an element of a sum group as Σ w·x with few terms: weights in Q_{p,s} or ±1, x among outputs or gaps.

Source: the definitions of N and S° (Sections 3.1, 3.2.2) and the proof of Lemma 25.

Bézout coefficients with the bounds of Lemma 26 (Section 5.15), by the recipe of its proof: for x₁ < … < x_n with gcd d there are c with Σ
cᵢxᵢ = d, |c₁| ≤ x_n/d and |cᵢ| ≤ x₁/d. The proof picks c_j in turn, from n down to 2, in b_j + Z·x₁ with |c_j| ≤ x₁ and a sign that differs
from that of another number: as printed from c_{j+1}, as repaired from the sum Σ_{i>j} cᵢxᵢ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import gcd

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.running.errors import LimitError, amount

Term = tuple[int, int, int]
"""(w, v₁, v₂): the summand w·(⌈σ⌉(v₁) − ⌈σ⌉(v₂)), in levels."""

Product = tuple[int, int]
"""(w, x) in levels; its value w·x is in units of 1/s²."""


def gap_witnesses(table: Table) -> dict[int, tuple[int, int]]:
    """Each gap with inputs (v₁, v₂) such that ⌈σ⌉(v₁) − ⌈σ⌉(v₂) is it."""
    where = {v: k for k, v in reversed(list(zip(table.grid.levels(), table.levels, strict=True)))}
    return {a - b: (where[a], where[b]) for a in sorted(where) for b in sorted(where)}


@lru_cache(maxsize=256)
def _single(grid: FixedPoint, magnitudes: tuple[int, ...], binary: bool) -> dict[int, Product]:
    """The products of one weight and one output, by their values."""
    weights = (-grid.s, grid.s) if binary else tuple(grid.levels())
    found: dict[int, Product] = {}
    for x in magnitudes:
        for w in weights:
            found.setdefault(w * x, (w, x))
    return found


def products(grid: FixedPoint, magnitudes: tuple[int, ...], t: int, binary: bool) -> tuple[Product, ...]:
    """Find products of magnitudes that add up to t: none, one, two, or as many as there are Bézout coefficients. ``magnitudes``: the x > 0,
    ascending.

    Raises:
        ValueError: t is not in the group of the sums.
    """
    if t == 0:
        return ()
    single = _single(grid, magnitudes, binary)
    if t in single:
        return (single[t],)
    for value, term in single.items():
        if t - value in single:
            return (term, single[t - value])
    return _by_bezout(grid, magnitudes, t, binary)


def _by_bezout(grid: FixedPoint, magnitudes: tuple[int, ...], t: int, binary: bool) -> tuple[Product, ...]:
    unit, top = (grid.s, 1) if binary else (1, grid.top)
    if not magnitudes:
        raise ValueError(f"{t} is not a sum: there is nothing to add")
    step, coefficients = small_coefficients(magnitudes)
    times, rest = divmod(t, step * unit)
    if rest:
        raise ValueError(f"{t} is not a sum of the weights and values")
    terms: list[Product] = []
    for x, c in zip(magnitudes, coefficients, strict=True):
        whole = c * times
        while whole:
            w = max(-top, min(top, whole))
            terms.append((w * unit, x))
            whole -= w
    return tuple(terms)


def combination(table: Table, t: int, binary: bool) -> tuple[Term, ...]:
    """t as a sum of weights times gaps, each gap by inputs that have it.

    Raises:
        ValueError: t is not in S° (or BS°).
    """
    witnesses = gap_witnesses(table)
    magnitudes = tuple(gap for gap in sorted(witnesses) if gap > 0)
    return tuple((w, *witnesses[gap]) for w, gap in products(table.grid, magnitudes, t, binary))


def sums_reaching(kind: str, table: Table, beta: int) -> dict[int, tuple[Product, ...]] | None:
    """For each level the products (w, x) with ⌈β/s + Σ w·x⌉ equal to it, x outputs (N, BN) or gaps (S, BS); None where one has none."""
    sets, binary = reach(kind, table), kind.startswith("B")
    if sets.missing(beta) is not None:
        return None
    values = table.gaps if kind.endswith("S") else table.image
    sign = {abs(x): 1 if x > 0 else -1 for x in sorted(values) if x}
    magnitudes = tuple(sorted(sign))
    reached = {}
    for level in table.grid.levels():
        t = sets.sum_for(beta, level)
        assert t is not None
        reached[level] = tuple((sign[x] * w, sign[x] * x) for w, x in products(table.grid, magnitudes, t, binary))
    return reached


Numbers = tuple[int, ...]


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


def coefficients(xs: tuple[int, ...]) -> tuple[int, list[int]]:
    """gcd(xs) and some b with Σ bᵢxᵢ = gcd: the extended Euclidean algorithm, left to right."""
    total = 0
    found: list[int] = []
    for x in xs:
        total, u, v = extended(total, x)
        found = [u * c for c in found] + [v]
    return total, found


def extended(a: int, b: int) -> tuple[int, int, int]:
    """(g, u, v) with g = gcd(a, b) = ua + vb."""
    u0, v0, u1, v1 = 1, 0, 0, 1
    while b:
        q, (a, b) = a // b, (b, a % b)
        u0, v0, u1, v1 = u1, v1, u0 - q * u1, v0 - q * v1
    return a, u0, v0


def candidates(b: int, x: int, other: int) -> list[int]:
    """The numbers of b + Z·x of magnitude at most x whose sign differs from ``other``, least magnitude first."""
    rest = b % x
    near = {rest, rest - x} | ({x} if rest == 0 else set())
    return sorted((c for c in near if sign(c) != other), key=lambda c: (abs(c), c))


def recipes(xs: tuple[int, ...], start: list[int], repaired: bool) -> Iterator[list[int]]:
    """Every outcome of the proof's recipe for coprime 1 < x₁ < … < x_n, from coefficients b = ``start``.

    The last coefficient c_n needs no sign; the others are picked with the sign rule. c₁ is the remainder: (1 − Σ_{i≥2} cᵢxᵢ)/x₁.
    """

    def extend(j: int, chosen: list[int]) -> Iterator[list[int]]:
        total = sum(c * x for c, x in zip(chosen, xs[j + 1 :], strict=True))
        if j == 0:
            yield [(1 - total) // xs[0], *chosen]
            return
        other = 2 if not chosen else sign(total) if repaired else sign(chosen[0])
        for c in candidates(start[j], xs[0], other):
            yield from extend(j - 1, [c, *chosen])

    yield from extend(len(xs) - 1, [])


def small_coefficients(xs: tuple[int, ...]) -> tuple[int, list[int]]:
    """d = gcd(xs) of positive ascending xs, and c with Σ cᵢxᵢ = d within the bounds of Lemma 26."""
    d, start = coefficients(xs)
    reduced = tuple(x // d for x in xs)
    if reduced[0] == 1:
        return d, [1, *([0] * (len(xs) - 1))]
    return d, next(recipes(reduced, start, repaired=True))


def bounded_coefficients(xs: tuple[int, ...], first: int, rest: int) -> tuple[int, ...] | None:
    """Some c with Σ cᵢxᵢ = gcd(xs), |c₁| ≤ first and |cᵢ| ≤ rest for i ≥ 2, by search, or None if none exist. The xs are any integers, not
    all 0.
    """
    bounds = (first, *[rest] * (len(xs) - 1))
    ranges = [sorted(range(-bound, bound + 1), key=abs) for bound in bounds[:-1]]
    for cs in product(*ranges):
        left = gcd(*xs) - sum(c * x for c, x in zip(cs, xs, strict=False))
        last, over = divmod(left, xs[-1]) if xs[-1] else (0, left)
        if over == 0 and abs(last) <= bounds[-1]:
            return (*cs, last)
    return None


def numbers(kind: str, n: int, largest: int) -> Iterator[Numbers]:
    if largest > sys.maxsize >> 1:
        raise LimitError(f"the computation would go through numbers up to {amount(largest)}", "a smaller parameter")
    if kind == "ascending":
        yield from combinations(range(1, largest + 1), n)
    elif kind == "repetitions":
        yield from combinations_with_replacement(range(1, largest + 1), n)
    elif kind == "unordered":
        every = (xs for xs in permutations(range(1, largest + 1), n) if list(xs) != sorted(xs))
        yield from sorted(every, key=lambda xs: (max(xs), sum(xs), xs))
    else:
        found = (xs for xs in combinations(range(-largest, largest + 1), n) if any(xs))
        yield from sorted(found, key=lambda xs: (max(map(abs, xs)), sum(map(abs, xs)), xs))


def within(xs: Numbers, first: int, rest: int) -> bool:
    """Decide whether some c with Σ cᵢxᵢ = gcd(xs) has |c₁| ≤ first and the others ≤ rest: first by the corrected recipe, then by search."""
    if xs[0] > 0 and all(a < b for a, b in pairwise(xs)):
        d, cs = small_coefficients(xs)
        if abs(cs[0]) <= first and all(abs(c) <= rest for c in cs[1:]) and sum(c * x for c, x in zip(cs, xs, strict=True)) == d:
            return True
    return bounded_coefficients(xs, first, rest) is not None


def outcomes(n: int, largest: int, repaired: bool) -> Iterator[tuple[Numbers, list[int], list[list[int]]]]:
    """Each tuple to which the recipe applies, coprime and greater than 1, its Euclidean coefficients b, and every outcome."""
    for xs in combinations(range(2, largest + 1), n):
        if gcd(*xs) == 1:
            b = coefficients(xs)[1]
            yield xs, b, list(recipes(xs, b, repaired=repaired))
