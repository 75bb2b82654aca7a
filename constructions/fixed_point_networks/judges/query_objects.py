"""Turn a query's parameters and fields into objects: the grid, a divisor, formulas; and the activations and targets that are tried for
*every activation* and every target.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, product

from constructions.fixed_point_networks.mathematics.activations import NAMED, Normal, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.continuous_functions import PiecewiseLinear
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.sets import images, reach
from constructions.fixed_point_networks.mathematics.slope_conditions import Reals
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Over
from verifier.claims.model import Query
from verifier.judges.declaring import Written
from verifier.running.errors import LimitError

MOST_BITS = 60


def grid_of(query: Query) -> FixedPoint:
    """Q_(p,s) at the query's p and s.

    Raises:
        LimitError: more levels than machine integers count.
    """
    return FixedPoint(_few_bits(query), query["s"])


def _few_bits(query: Query) -> int:
    """The query's p.

    Raises:
        LimitError: more levels than machine integers count.
    """
    if query["p"] > MOST_BITS:
        raise LimitError(f"the judge goes through the levels of Q_(p,s) up to p = {MOST_BITS} only", "a smaller --p")
    return query["p"]


def chosen(query: Query, name: str) -> int:
    """The number of a parameter that can be ``every``; 0 for that, and if the claim has no such parameter."""
    return int(query.parameters.get(name, 0))


class Weights(Written):
    """A field with the range of the networks' weights: ``Q``, in Q_(p,s), or ``+-1``."""

    @property
    def binary(self) -> bool:
        return self.text == "+-1"

    @property
    def set(self) -> str:
        """The set that is everything for some bias exactly if such networks represent every function."""
        return "BS" if self.binary else "S"


class Interval(Written):
    """A field that is an interval of levels, its ends formulas in p, s, ``top`` = 2^p − 1 and names that the judge supplies."""

    def __call__(self, **names: Fraction | int) -> Reals:
        assert self.query is not None
        return Reals.read(self.text, {**names_of(grid_of(self.query)), **names})


def names_of(grid: FixedPoint) -> dict[str, Fraction | int]:
    return {"p": grid.p, "s": grid.s, "top": grid.top}


def at_every_s(query: Query, activations: Iterable[str]) -> Iterator[tuple[FixedPoint, str]]:
    """Every grid with the query's p and 1 in Q_(p,s), with each of these activations.

    Raises:
        LimitError: more levels than machine integers count.
    """
    return ((grid, name) for grid in fixed_points(_few_bits(query)) for name in activations)


def every_image(query: Query) -> Iterator[frozenset[int]]:
    """Every set of outputs that an activation can have.

    Raises:
        LimitError: too many.
    """
    query.within(2 ** grid_of(query).size, "sets of outputs")
    return images(grid_of(query))


@dataclass
class Tried:
    """The activations of a query, each with Condition 1's normal form, recorded as they are visited.

    set: S or BS, if only activations count with which it is Q_(p,s) for some bias; only: a further requirement on a table, in words.
    seen: the gcd of the gaps, in levels, of each visited activation; whole: whether these are all activations.
    """

    query: Query
    set: str | None = None
    only: tuple[str, Callable[[Table], bool]] | None = None
    seen: dict[str, int] = field(default_factory=dict)
    whole: bool = False

    def __iter__(self) -> Iterator[tuple[str, Table, Normal]]:
        for name, table, normal in tables(grid_of(self.query), chosen(self.query, "sigma")):
            full = self.set is None or reach(self.set, table).full_bias() is not None
            if full and (self.only is None or self.only[1](table)):
                self.seen[name] = reach("S", table).step
                yield name, table, normal
        self.whole = True

    @property
    def named_tables(self) -> Iterator[tuple[str, Table]]:
        return ((name, table) for name, table, _ in self)

    def over(self, what: str, method: str | None = "enumeration", at_once: int = 1) -> Over:
        """The cases of a judge that goes through these activations; they are all activations if every table of one bit is tried."""
        every_table = self.query["p"] == 1 and not chosen(self.query, "sigma")
        return Over(self.scope(what), method, at_once, lambda: "" if self.whole and every_table else "every activation")

    def scope(self, what: str) -> Callable[[], str]:
        """The scope, to be read after the visits: ``all 18 activation tables with Condition 1, …``, without the parameters."""
        return lambda: f"{self._which()}, {what},"

    def _which(self) -> str:
        having = "with Condition 1" + ("" if self.set is None else f" and {self.set} = Q_(p,s) for some bias")
        having += f", {self.only[0]}" if self.only else ""
        if chosen(self.query, "sigma"):
            return f"{self.query.parameters['sigma']}{'' if self.seen else f', which is not among those {having}'}"
        if not self.whole:
            return f"the first {len(self.seen)} of the activations tried {having}"
        if self.query["p"] == 1:
            return f"all {len(self.seen)} activation tables {having}"
        named = len(self.seen.keys() & NAMED.keys())
        return f"{named} named activations and {len(self.seen) - named} drawn tables {having} (gcd of the gaps {self._divisors()}, in 1/s)"

    def _divisors(self) -> str:
        found = sorted(set(self.seen.values()))
        runs = [[g for _, g in run] for _, run in groupby(enumerate(found), lambda pair: pair[1] - pair[0])]
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)


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
    """The gcds of gaps, in levels, for which tables are drawn. The list has all gcds up to p = 3, and for larger p those near the borders
    1, s and 2(2^p − 1).
    """
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
