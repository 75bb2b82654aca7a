"""The judge of our question when a set is everything for some bias, and when for every bias, which `verify ask` answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of, holds
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import closure, reach_of_image
from constructions.fixed_point_networks.mathematics.sharp_criterion import full_biases
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome


class Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N, S, BN or BS; some, every: when it is everything for some bias, and for every bias, in g, the gcd in levels of the outputs
    (N, BN) or of their gaps (S, BS)."""

    set: str
    some: str
    every: str


BY_HAND = 2
"""The largest p at which every activation is gone through, with every sum walked."""


def sharp_criterion(query: Query, given: Criterion) -> Outcome:
    """:mod:`..mathematics.sharp_criterion`: each g by the numerators of each level; up to p = 2 each set of outputs by every sum, too."""
    grid = grid_of(query)
    unit, most = grid.s if given.set.startswith("B") else 1, (2 if given.set.endswith("S") else 1) * grid.top
    besides: list[str] = []

    def said(g: int) -> tuple[bool, bool]:
        return holds(query, given.some, g=g), holds(query, given.every, g=g)

    def trials() -> Iterator[Failure]:
        for g in range(1, most + 1):
            full = full_biases(grid, unit * g)
            found, shown = (any(full), all(full)), {"g": g, "some bias, every bias": (any(full), all(full)), "expected": said(g)}
            yield None if said(g) == found and (full[0] or not any(full)) else shown
            if any(full) and not all(full):
                besides.append(f"g = {g} at b = {', '.join(grid.show(b) for b, ok in enumerate(full) if ok)}")
        for image in images(grid) if grid.p <= BY_HAND else ():
            sets, table = reach_of_image(given.set, grid, image), Table(grid, (*image, *[max(image)] * (grid.size - len(image))))
            walked = [len(closure(given.set, table, b, 4 * grid.top * max(grid.s, grid.top))) == grid.size for b in range(sets.classes)]
            shown = {"outputs": [grid.show(v) for v in sorted(image)], "some bias, every bias": (any(walked), all(walked))}
            yield None if (any(walked), all(walked)) == said(sets.step // unit) else shown

    where = f"every g up to {most}" + (", and every set of outputs by its sums" if grid.p <= BY_HAND else "")
    made = decide(query, f"{given.set} by {where}, every class of biases,", trials(), "numerators of each level")
    exceptions = f"besides for {'; '.join(besides)}" if besides else "for one bias where for all"
    return replace(made, witness=f"for every bias exactly where {given.every}; {exceptions}")
