"""How long reachable sets take on the repaired Table 6 under a4, beside enumeration, and how the time grows.

    python benchmarks/reachable.py [--last 16] [--plot reachable.svg]

Prints one line for each p: the engine, the inputs covered, seconds (best of three), peak memory so far; then the growth rate, fitted by
least squares on the logarithm of the time. ``--plot`` needs matplotlib (extra ``plot``).
"""

from __future__ import annotations

import argparse
import math
import resource
import time
from collections.abc import Callable

from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.transformers.tables import Execution

TARGETS = {8: 0.1, 12: 0.3, 16: 1.0, 20: 5.0, 22: 20.0, 24: 120.0}
LAST_ENUMERATED = 11
REPEAT_BELOW = 2.0
Engine = Callable[[Execution], Census]


def repaired_table() -> ConstructionFile:
    """Table 6 with its errata."""
    table = find_claim("every-bit-counts/lemma-2.6:table-6").table
    assert table is not None
    return table.source.repaired()


def timed(engine: Engine, p: int) -> tuple[Census, float]:
    """The census and the best of three times, of which the construction's reading is a part; one where it takes long."""
    best = math.inf
    for _ in range(3):
        start = time.perf_counter()
        instance = instantiate(repaired_table(), {"p": p})
        census = engine(Execution(instance, NAMED["a4"]))
        best = min(best, time.perf_counter() - start)
        if best > REPEAT_BELOW:
            break
    return census, best


def growth(times: dict[int, float]) -> float:
    """The factor from p to p + 1, by least squares on log2 of the time."""
    n, mean = len(times), sum(times) / len(times)
    logs = {p: math.log2(t) for p, t in times.items()}
    average = sum(logs.values()) / n
    return 2 ** (sum((p - mean) * (logs[p] - average) for p in times) / sum((p - mean) ** 2 for p in times))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--last", type=int, default=16, help="largest p")
    arguments.add_argument("--plot", help="write this SVG or PNG")
    given = arguments.parse_args()
    engines: dict[str, tuple[Engine, range]] = {
        "reachable": (by_states, range(8, given.last + 1)),
        "enumerate": (enumerate_inputs, range(8, LAST_ENUMERATED + 1)),
    }
    curves: dict[str, dict[int, float]] = {}
    for name, (engine, sizes) in engines.items():
        curves[name] = {}
        for p in sizes:
            census, seconds = timed(engine, p)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            target = TARGETS.get(p) if name == "reachable" else None
            verdict = "" if target is None else f"  target {target} s: {'met' if seconds < target else 'MISSED'}"
            print(f"{name:10} p = {p:2}  {census.cases:>30,} inputs  {census.failures} failures  {seconds:8.3f} s  {peak:.2f} GiB{verdict}")
            curves[name][p] = seconds
        large = {p: t for p, t in curves[name].items() if p >= (12 if name == "reachable" else 9)}
        if len(large) > 1:
            print(f"{name}: × {growth(large):.2f} for each further bit, fitted over p = {min(large)} … {max(large)}")
    if given.plot:
        plot(curves, given.plot)


def plot(curves: dict[str, dict[int, float]], path: str) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    for name, curve in curves.items():
        axes.semilogy(list(curve), list(curve.values()), marker="o", label=name)
    axes.set(xlabel="bits p", ylabel="seconds", title="Repaired Table 6, every pair y ≤ z, semantics a4")
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main()
