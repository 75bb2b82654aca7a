"""Judges of our own questions to the paper, which `verify ask` answers: the sharp criterion, the fewest copies of g."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of, holds, number
from constructions.fixed_point_networks.mathematics.condition_1 import Normal, normal_form
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import REPAIRED, cube_layer, gate_layer, switch
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import closure, reach_of_image
from constructions.fixed_point_networks.mathematics.sharp_criterion import full_biases
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Finding


class Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N, S, BN or BS; some, every: when it is everything for some bias, and for every bias, in g, the gcd in levels of the outputs
    (N, BN) or of their gaps (S, BS)."""

    set: str
    some: str
    every: str


BY_HAND = 2
"""The largest p at which every activation is gone through, with every sum walked."""


def sharp_criterion(question: Question, given: Criterion) -> Finding:
    """:mod:`..mathematics.sharp_criterion`: each g by the numerators of each level; up to p = 2 each set of outputs by every sum, too."""
    grid = grid_of(question)
    unit, most = grid.s if given.set.startswith("B") else 1, (2 if given.set.endswith("S") else 1) * grid.top
    besides: list[str] = []

    def said(g: int) -> tuple[bool, bool]:
        return holds(question, given.some, g=g), holds(question, given.every, g=g)

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
    made = decide(question, f"{given.set} by {where}, every class of biases,", trials(), "numerators of each level")
    exceptions = f"besides for {'; '.join(besides)}" if besides else "for one bias where for all"
    return replace(made, witness=f"for every bias exactly where {given.every}; {exceptions}")


class Fewest(Struct, frozen=True, forbid_unknown_fields=True):
    """weights: ``Q`` (q_max·g) or ``+-1`` (g); each: the least m_q that serves all q, by z and drop = ⌈σ⌉(q_max) − ⌈σ⌉(z − 1/s), in levels;
    most: the greatest of these."""

    weights: str
    each: str
    most: str


BUILT = 2
"""The largest p at which the copies are built and run for every z and drop."""


def fewest_copies(question: Question, given: Fewest) -> Finding:
    """The least m_q with which every ⌈q + Σ g⌉ is at least z on the cube, so that F_q has the values of Eq. (27): one fewer does not do.

    m_q more copies only add; what is not in Q_(p,s) is clamped, so that 2q_max need not be exceeded, as the proof asks, and not be reached
    where z is less than q_max. Beyond p = 2 by the same sum, not built.
    """
    grid, binary = grid_of(question), given.weights == "+-1"
    size, needed = grid.s if binary else grid.top, 0

    def enough(normal: Normal, m: int) -> bool:
        if grid.p > BUILT:
            return grid.nearest(-grid.s * grid.top + m * size * normal.drop) >= normal.z
        levels = list(grid.levels())
        third = tuple(switch(normal, q, REPAIRED, 0, m, binary) for q in levels)
        last = tuple(Neuron((i,), (grid.s,), 0) for i in range(len(levels)))
        layers = (cube_layer(normal, ((0, 0),)), gate_layer(normal, 1, REPAIRED, 0, m), third, last)
        on, off = run_all(Network(normal.rho, 1, layers), [(0,), (grid.top,)])
        return bool((on == normal.rho(grid.top)).all()) and off.tolist() == [normal.rho(q) for q in levels]

    def trials() -> Iterator[Failure]:
        nonlocal needed
        for z, drop in product(range(-grid.top + 1, grid.top + 1), range(1, 2 * grid.top + 1)):
            normal = normal_form(Table(grid, tuple(grid.top - (drop if k < z else 0) for k in grid.levels())))
            assert normal is not None
            least = int(number(question, given.each, z=z, drop=drop))
            needed = max(needed, least)
            ok = enough(normal, least) and (least == 1 or not enough(normal, least - 1))
            yield None if ok else {"z": grid.show(z), "drop": grid.show(drop), "copies": least, "enough": enough(normal, least)}
        most = int(number(question, given.most))
        yield None if needed == most else {"most": most, "found": needed}

    made = decide(question, f"every z and drop, {'built and run' if grid.p <= BUILT else 'by their sums'},", trials())
    return replace(made, witness=f"{given.each} by activation; {given.most} for every activation, needed by some")
