"""The activations on which constructions are tried, and how scopes name them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from constructions.fixed_point_networks.activations import NAMED, Table, rounded
from constructions.fixed_point_networks.condition import Normal, normal_form
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.trials import at, chosen
from verifier.claims.model import Question


def tables(grid: FixedPoint, sigma: int = 0) -> Iterator[tuple[str, Table, Normal]]:
    """The activations tried, each with Condition 1's normal form: every table at p = 1, else the named ones and some drawn ones.

    ``sigma``: only the named one of this number, from 1; 0 for all.
    """
    if sigma:
        found = iter([(n, rounded(a, grid)) for n, a in NAMED.items()][sigma - 1 : sigma])
    elif grid.p == 1:
        found = ((str(v), Table(grid, v)) for v in product(grid.levels(), repeat=grid.size))
    else:
        found = ((name, t) for name, t in [*((n, rounded(a, grid)) for n, a in NAMED.items()), *_drawn(grid)])
    for name, table in found:
        normal = normal_form(table)
        if normal is not None:
            yield name, table, normal


def _drawn(grid: FixedPoint) -> list[tuple[str, Table]]:
    """Twelve tables that satisfy Condition 1 and are neither monotone nor named, drawn with a fixed seed, all four signs among them."""
    source, found = random.Random(grid.p * 1000 + grid.s), []
    for number in range(12):
        z = source.randint(-grid.top + 1, grid.top)
        rho = [source.randint(-grid.top, grid.top - 1) for _ in range(grid.top + z)] + [grid.top] * (grid.top - z + 1)
        levels = tuple((1, -1)[number % 2] * v for v in rho[:: (1, -1)[number // 2 % 2]])
        found.append((f"table {list(levels)}", Table(grid, levels)))
    return found


def scope_of(question: Question, what: str) -> str:
    """``all 18 activation tables that satisfy Condition 1, …``."""
    if chosen(question, "sigma"):
        name, admitted = question.parameters["sigma"], any(tables(FixedPoint(question["p"], question["s"]), chosen(question, "sigma")))
        return f"{name}{'' if admitted else ', which does not satisfy Condition 1'}, {what}, {at(question)}"
    count = sum(1 for _ in tables(FixedPoint(question["p"], question["s"])))
    which = f"all {count} activation tables" if question["p"] == 1 else f"those {count} of ten named activations and twelve drawn tables"
    return f"{which} that satisfy Condition 1, {what}, {at(question)}"
