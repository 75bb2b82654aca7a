"""How fast the fixed-point networks are, the best of three runs. Usage: python benchmarks/fixed_point_networks.py"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from constructions.fixed_point_networks.mathematics.activations import NAMED, has_unit_gap, rounded, unclamped
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs, first_difference, representator
from verifier.show.screen import console, plain_table


def lemma_8() -> str:
    """Lemma 8 for ten activations, p ≤ 8, every s."""
    unclamped.cache_clear()
    cases = [(grid, a) for p in range(1, 9) for grid in fixed_points(p) for a in NAMED.values()]
    assert all(has_unit_gap(a, grid) for grid, a in cases)
    return f"{len(cases):,} pairs of an activation and Q_(p,s)"


def network() -> str:
    """The ReLU network at p = 3, s = 2, d = 2, built and run."""
    grid = FixedPoint(3, 2)
    source = random.Random(1)
    inputs = all_inputs(grid, 2)
    target = tuple(source.randint(-grid.top, grid.top) for _ in inputs)
    built = representator(rounded(NAMED["relu"], grid), target, 2)
    assert first_difference(built, target) is None
    return f"{len(inputs)} inputs, {built.parameters:,} parameters"


def best(run: Callable[[], str]) -> tuple[float, str]:
    times, text = [], ""
    for _ in range(3):
        start = time.perf_counter()
        text = run()
        times.append(time.perf_counter() - start)
    return min(times), text


GOALS = (
    ("Lemma 8, p <= 8", "10 s", lemma_8),
    ("ReLU network, p = 3, s = 2, d = 2", "0.5 s", network),
)


def main() -> None:
    table = plain_table()
    for heading in ("what", "goal", "measured", "over"):
        table.add_column(heading)
    for name, goal, run in GOALS:
        seconds, text = best(run)
        table.add_row(name, goal, f"{seconds:.3f} s", text)
    console().print(table)


if __name__ == "__main__":
    main()
