"""The activations and targets on which constructions are tried."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from constructions.fixed_point_networks.mathematics.activations import NAMED, Normal, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.continuous_functions import PiecewiseLinear
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.arithmetic.rationals import Fraction


def tables(grid: FixedPoint, sigma: int = 0) -> Iterator[tuple[str, Table, Normal]]:
    """The activations tried, each with Condition 1's normal form: every table at p = 1, else the named and some drawn ones.

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


def divisors(grid: FixedPoint) -> list[int]:
    """The gcds of gaps, in levels, for which tables are drawn: all up to p = 3, then those near the borders 1, s and 2(2^p − 1)."""
    every = range(1, 2 * grid.top + 1)
    return list(every) if grid.p <= 3 else sorted({1, 2, 3, grid.s - 1, grid.s, grid.s + 1, grid.top, every[-1]} & set(every))


def _drawn(grid: FixedPoint) -> list[tuple[str, Table]]:
    """For each divisor tables with Condition 1 whose gaps have it as their gcd, drawn with a fixed seed: four for 1, else two, one of them
    with multiples of it only, the other with any remainder; all four signs occur among them."""
    source, found = random.Random(grid.p * 1000 + grid.s), dict[str, Table]()
    for g in divisors(grid):
        for number in range(4 if g == 1 else 2):
            residue = 0 if number == 0 and g <= grid.top else source.randrange(g)
            outputs = [v for v in grid.levels() if (v - residue) % g == 0]
            if len(outputs) < 2:
                outputs = [-grid.top, g - grid.top]
            z = source.randint(-grid.top + 1, grid.top)
            below = [source.choice(outputs[:-1]) for _ in range(grid.top + z)]
            below[source.randrange(len(below))] = outputs[-2]
            rho = below + [outputs[-1]] * (grid.top - z + 1)
            signs = len(found)
            levels = tuple((1, -1)[signs % 2] * v for v in rho[:: (1, -1)[signs // 2 % 2]])
            found[f"table {list(levels)}"] = Table(grid, levels)
    return list(found.items())


def usable(grid: FixedPoint, binary: bool) -> Iterator[tuple[str, Table]]:
    """The activations tried for which some bias reaches every value."""
    for name, table, normal in tables(grid):
        if reach("BS" if binary else "S", normal.rho).full_bias() is not None:
            yield name, table


def targets(grid: FixedPoint, d: int) -> dict[str, tuple[int, ...]]:
    """x₁, −x₁, a constant, and two drawn targets."""
    inputs = all_inputs(grid, d)
    source = random.Random(len(inputs))
    drawn = {f"drawn {n}": tuple(source.randint(-grid.top, grid.top) for _ in inputs) for n in (1, 2)}
    return {"x1": tuple(x[0] for x in inputs), "-x1": tuple(-x[0] for x in inputs), "q_max": (grid.top,) * len(inputs), **drawn}


def continuous_targets(grid: FixedPoint) -> list[PiecewiseLinear]:
    """Two lines and three drawn functions, some of them outside Q_{p,s}; in levels."""
    lines = [tuple(slope * k + start for k in grid.levels()) for slope, start in ((Fraction(3, 4), Fraction(1, 3)), (Fraction(-1, 2), 0))]
    source = random.Random(grid.size * grid.s)
    end = 4 * grid.top + 4
    drawn = [tuple(Fraction(source.randint(-end, end), 4) for _ in grid.levels()) for _ in range(3)]
    return [PiecewiseLinear(values) for values in (*lines, *drawn)]


def without_condition_1(grid: FixedPoint) -> Iterator[Table]:
    """Activations without Condition 1: all at p = 1, else a constant, a peak, an alternating and ten drawn ones."""
    if grid.p == 1:
        found = [Table(grid, levels) for levels in product(grid.levels(), repeat=grid.size)]
    else:
        source = random.Random(grid.p * 100 + grid.s)
        drawn = [Table(grid, tuple(source.choice((-1, 0, 1, grid.top)) for _ in grid.levels())) for _ in range(60)]
        some = [tuple(int(k == 0) for k in grid.levels()), tuple(k % 2 for k in grid.levels())]
        found = [Table(grid, (1,) * grid.size), *(Table(grid, levels) for levels in some)]
        found += [t for t in drawn if normal_form(t) is None][:10]
    return (t for t in found if normal_form(t) is None)
