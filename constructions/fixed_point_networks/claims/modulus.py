"""Theorem 21 on given functions: the modulus of continuity at its inverse, and whole networks against Eq. (20) (Sections 4.3, 5.16)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Question

from constructions.fixed_point_networks.claims.continuous import bound
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.coverings import covering
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import Plan, assembled, plan
from constructions.fixed_point_networks.mathematics.piecewise_linear import PiecewiseLinear
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import usable
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

VALUES = (Fraction(-1), Fraction(0), Fraction(2))
EPSILONS = tuple(Fraction(n, 2) for n in (1, 2, 3, 5))


def _functions(grid: FixedPoint) -> tuple[str, Sequence[PiecewiseLinear]]:
    """The f* of d = 1 on which the modulus is judged: all with three values at p = 1, else drawn ones."""
    if grid.p == 1:
        return f"all 3^{grid.size} f* with values -1, 0, 2", [PiecewiseLinear(v) for v in product(VALUES, repeat=grid.size)]
    source = random.Random(grid.size)
    drawn = [PiecewiseLinear(tuple(Fraction(source.randint(-8, 8), 4) for _ in grid.levels())) for _ in range(60)]
    return "60 drawn f* with values in quarters up to 2", drawn


@claim(
    "theorem-21:modulus",
    statement="with delta = omega^-1(epsilon) between 1/s and 2 q_max, and x, p~ at most delta apart: |f*(x) - f*(p~)| <= omega(|x - p~|) "
    "<= omega(delta) = epsilon",
    place="Section 5.16, second case, the display for |f*(x) - f*(p~)|",
    checks="piecewise linear f*, d = 1, their omega and its inverse computed exactly (values and epsilon in units of 1/s), and all pairs "
    "of inputs at most delta apart",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def modulus(question: Question) -> Finding:
    grid = grid_of(question, 3)
    which, functions = _functions(grid)

    def trials() -> Iterator[Failure]:
        for f, epsilon in product(functions, EPSILONS):
            delta = f.inverse(epsilon)
            if delta is None or not 1 < delta < 2 * grid.top:
                continue
            there = f.modulus(delta)
            ok = there == epsilon and all(f.change(m) <= omega <= there for m, omega in enumerate(f.whole()[: int(delta) + 1]))
            shown = {"f*": ", ".join(map(str, f.values)), "epsilon": epsilon, "delta": delta / grid.s, "omega(delta)": there}
            yield None if ok else shown

    return decide(
        f"{which} at the inputs, linear between them, epsilon = 1/2, 1, 3/2, 5/2, where 1/s < delta < 2 q_max, {at(question)}",
        trials(),
        witness="an equality in this case only: where delta is infinite, omega(2 q_max) may be less than epsilon",
    )


def approximator(made: Plan, table: Table, f: PiecewiseLinear, delta: Fraction | None, d: int) -> Network:
    """The proof's network for f* and δ = ω⁻¹(ε), in levels, None for infinity: a constant, or [f*(p̃)] on each cube of δ's covering."""
    grid = table.grid

    def best(points: Sequence[tuple[int, ...]]) -> int:
        value = min((f.at(grid, x) for x in points), key=lambda v: abs(v - grid.rounded(v)))
        return grid.rounded(value)

    if delta is None or delta >= 2 * grid.top:
        return Network(table, d, ((Neuron((), (), best(all_inputs(grid, d))),),))
    cubes = product(covering(grid, delta / grid.s), repeat=d)
    return assembled(made, table, d, ((cube, best(list(product(*(range(a, b + 1) for a, b in cube))))) for cube in cubes))


def examples(grid: FixedPoint) -> list[PiecewiseLinear]:
    """Two lines and three drawn functions, some of them beyond the ends of Q_{p,s}; in levels."""
    lines = [tuple(slope * k + start for k in grid.levels()) for slope, start in ((Fraction(3, 4), Fraction(1, 3)), (Fraction(-1, 2), 0))]
    source = random.Random(grid.size * grid.s)
    end = 4 * grid.top + 4
    drawn = [tuple(Fraction(source.randint(-end, end), 4) for _ in grid.levels()) for _ in range(3)]
    return [PiecewiseLinear(values) for values in (*lines, *drawn)]


def _runs(question: Question) -> Iterator[Failure]:
    grid, d = grid_of(question), question["d"]
    inputs = all_inputs(grid, d)
    within_limit(question, len(inputs) ** 2 * 22)
    epsilons = (Fraction(1, 4), Fraction(1), Fraction(2), Fraction(3), Fraction(3 * grid.top))
    asked = [[(f, epsilon, f.inverse(epsilon)) for epsilon in epsilons] for f in examples(grid)]
    for number, (name, table) in enumerate(usable(grid, False)):
        made = plan(table)
        for f, epsilon, delta in asked[number % len(asked)]:
            network = approximator(made, table, f, delta, d)
            least, most = (1, Fraction(1)) if delta is None or delta >= 2 * grid.top else (4, bound(grid, d, delta / grid.s))
            given = {"activation": name, "f*": ", ".join(map(str, f.values)), "epsilon": epsilon, "delta": delta or "infinite"}
            small = network.depth == least and network.parameters <= most
            yield None if small else {**given, "layers": network.depth, "parameters": network.parameters, "P": most}
            for x, level in zip(inputs, run_all(network, inputs)[:, 0].tolist(), strict=True):
                value = f.at(grid, x)
                allowed = abs(value - grid.rounded(value)) + epsilon
                yield None if abs(level - value) <= allowed else {**given, "x": x, "f": level, "f*(x)": value}


@claim(
    "theorem-21:equation-20",
    statement="the proof's network for f* and epsilon is within |f* - [f*]| + epsilon of f* on every input, with at most P parameters "
    "(one layer in the first case, the constant 1761 in the others)",
    place="Section 4.3, Eq. (20); proof in 5.16",
    checks="two lines and three drawn piecewise linear f* (means over the coordinates), five epsilon, all in units of 1/s: delta computed, "
    "the network built and run on every input",
    parameters=(*p_and_s("1..2", "1..2"), dimension()),
    bounded=False,
)
def equation_20(question: Question) -> Finding:
    which = "those with S = Q_(p,s) for some bias, one of five f* for each, epsilon = 1/4, 1, 2, 3 and 3(2^p - 1) over s, all inputs"
    return decide(scope_of(question, which), _runs(question))
