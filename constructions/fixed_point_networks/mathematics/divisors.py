"""Bézout coefficients with the bounds of Lemma 26, by the recipe of its proof.

Source: Section 5.15, Lemma 26: for x₁ < … < x_n with gcd d there are c with Σ cᵢxᵢ = d, |c₁| ≤ x_n/d and |cᵢ| ≤ x₁/d.
The proof picks c_j in turn, from n down to 2, in b_j + Z·x₁ with |c_j| ≤ x₁ and a sign that differs from one to be compared with:
as printed from that of c_{j+1}, as repaired from that of the sum Σ_{i>j} cᵢxᵢ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import gcd

from verifier.running.errors import LimitError, amount

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

    The last coefficient c_n needs no sign; the others are picked with the sign rule. c₁ is what is left: (1 − Σ_{i≥2} cᵢxᵢ)/x₁.
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


def within_bounds(xs: tuple[int, ...], cs: list[int]) -> bool:
    """Lemma 26's conclusion."""
    d = gcd(*xs)
    return sum(c * x for c, x in zip(cs, xs, strict=True)) == d and abs(cs[0]) * d <= xs[-1] and all(abs(c) * d <= xs[0] for c in cs[1:])


def bounded_coefficients(xs: tuple[int, ...], first: int, rest: int) -> tuple[int, ...] | None:
    """Some c with Σ cᵢxᵢ = gcd(xs), |c₁| ≤ first and |cᵢ| ≤ rest for i ≥ 2, by search; None where there is none. Any integers not all 0."""
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
        raise LimitError(f"numbers up to {amount(largest)} are gone through", "a smaller parameter")
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
    """Whether some c with Σ cᵢxᵢ = gcd(xs) have |c₁| ≤ first and the others ≤ rest: by the repaired recipe, else by search."""
    if xs[0] > 0 and all(a < b for a, b in pairwise(xs)):
        d, cs = small_coefficients(xs)
        if abs(cs[0]) <= first and all(abs(c) <= rest for c in cs[1:]) and sum(c * x for c, x in zip(cs, xs, strict=True)) == d:
            return True
    return bounded_coefficients(xs, first, rest) is not None


def outcomes(n: int, largest: int, repaired: bool) -> Iterator[tuple[Numbers, list[int], list[list[int]]]]:
    """Each tuple for which the recipe does anything, coprime and greater than 1, its Euclidean coefficients b, and every outcome."""
    for xs in combinations(range(2, largest + 1), n):
        if gcd(*xs) == 1:
            b = coefficients(xs)[1]
            yield xs, b, list(recipes(xs, b, repaired=repaired))
