"""Judges of our questions, which `verify ask` answers: when a set is everything for some bias and when for every bias, and what it is."""

from __future__ import annotations

from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import grid_of
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import closure, reach, reach_of_image
from constructions.fixed_point_networks.mathematics.sharp_criterion import full_biases
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Condition, Integer, judge

BY_HAND = 2
"""The largest p at which every activation is gone through, with every sum walked."""


@judge
def sharp_criterion(query: Query, *, set: Literal["N", "S", "BN", "BS"], some: Condition, every: Condition) -> Cases:
    """:mod:`..mathematics.sharp_criterion`: each g by the numerators of each level; up to p = 2 also each set of outputs by every sum.

    some, every: when the set is everything for some bias, and for every bias, in g, the gcd in levels of the outputs (N, BN) or of their
    gaps (S, BS).
    """
    grid = grid_of(query)
    unit, most = grid.s if set.startswith("B") else 1, (2 if set.endswith("S") else 1) * grid.top
    besides: list[str] = []

    def said(g: int) -> tuple[bool, bool]:
        return some(g=g), every(g=g)

    where = f"every g up to {most}" + (", and every set of outputs by its sums" if grid.p <= BY_HAND else "")
    yield Over(f"{set} by {where}, every class of biases,", "numerators of each level")
    for g in range(1, most + 1):
        full = full_biases(grid, unit * g)
        found = any(full), all(full)
        ok = said(g) == found and (full[0] or not any(full))
        yield ok or {"g": g, "some bias, every bias": found, "expected": said(g)}
        if any(full) and not all(full):
            besides.append(f"g = {g} at b = {', '.join(grid.show(b) for b, ok in enumerate(full) if ok)}")
    for image in images(grid) if grid.p <= BY_HAND else ():
        sets, table = reach_of_image(set, grid, image), Table(grid, (*image, *[max(image)] * (grid.size - len(image))))
        walked = [len(closure(set, table, b, 4 * grid.top * max(grid.s, grid.top))) == grid.size for b in range(sets.classes)]
        shown = {"outputs": [grid.show(v) for v in sorted(image)], "some bias, every bias": (any(walked), all(walked))}
        yield (any(walked), all(walked)) == said(sets.step // unit) or shown
    exceptions = f"besides for {'; '.join(besides)}" if besides else "for one bias where for all"
    return f"for every bias exactly where {every}; {exceptions}"


@judge
def values_of_hardtanh(query: Query, *, set: Literal["N", "BN"], factor: Integer) -> Cases:
    """All values of N (BN) for factor·Hardtanh, for each class of biases that differ by what the sums reach."""
    grid = grid_of(query)
    sets = reach(set, rounded(scaled_hardtanh(factor), grid))
    yield Over(f"{sets.classes} classes of biases, every value of Q_(p,s)", "gcd of the outputs")
    said = []
    for beta in range(sets.classes):
        values = sorted(sets.reached(beta))
        said.append(f"b = {grid.show(beta)}: {grid.show_all(values)} ({len(values)} of {grid.size})")
        yield True
    return "; ".join(said)
