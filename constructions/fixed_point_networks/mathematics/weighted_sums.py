"""Writing an element of a sum group as Σ w·x with few terms: weights in Q_{p,s} or ±1, x among outputs or gaps.

Source: the definitions of N and S° (Sections 3.1, 3.2.2) and the proof of Lemma 25.
"""

from __future__ import annotations

from functools import lru_cache

from constructions.fixed_point_networks.mathematics.divisors import small_coefficients
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach

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
    """Every single product by its value."""
    weights = (-grid.s, grid.s) if binary else tuple(grid.levels())
    found: dict[int, Product] = {}
    for x in magnitudes:
        for w in weights:
            found.setdefault(w * x, (w, x))
    return found


def products(grid: FixedPoint, magnitudes: tuple[int, ...], t: int, binary: bool) -> tuple[Product, ...]:
    """Products that add up to t: none, one, two, or as many as Bézout coefficients ask for. ``magnitudes``: the x > 0, ascending.

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
