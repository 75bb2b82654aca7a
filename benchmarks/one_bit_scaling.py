"""How fast the one-bit scaling paper is. Usage: python benchmarks/one_bit_scaling.py [--quick]

Processor seconds of this process and its largest memory; with --quick less is judged, and the last lines say what was given up.

With --runs it measures the runs of the pictures again and prints ``runs.tsv``, in D dimensions. From each seed three things are run:

* at the start, f − f′ at x = (1, −1, 0, …)/√2;
* one datum x = (1, 0, …), y = 1, SINGLE_STEPS steps of η = 1/(2κ²): the largest gap, and C₃/(C₁ + C₂) of the first step;
* N drawn data and as many test inputs, DRAWN_STEPS steps of η = 1/κ²: both losses and both gaps at the end.
"""

from __future__ import annotations

import platform
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple, fields

import numpy as np

from constructions.one_bit_scaling.commands.simulate_command import QUICK_SEEDS, QUICK_STEPS, QUICK_WIDTH, simulate
from constructions.one_bit_scaling.mathematics.training import drawn, gap_at_start, single, trained
from constructions.one_bit_scaling.pictures.scaling import FILE, KAPPA, WIDTH, D, Run
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_paper
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition
from verifier.commands.progress import Progress
from verifier.show.screen import console, plain_table

WIDE, LONG, REST = 4096, 200, {"kappa": Fraction(1, 40), "d": 8, "n": 4, "eta": Fraction(400)}
"""What ``verify tool simulate one-bit`` runs from ten seeds."""

N, SINGLE_STEPS, DRAWN_STEPS, SEEDS = 4, 12, 20, 30
WIDTHS = tuple(4**k for k in range(3, 9))
KAPPAS = tuple(Fraction(1, 2**k) for k in range(7))
COMMAND = f"OPENBLAS_NUM_THREADS=1 python benchmarks/one_bit_scaling.py --runs > constructions/one_bit_scaling/pictures/{FILE}"


def measured(width: int, kappa: Fraction, seed: int) -> Run:
    """Run all three."""
    k = float(kappa)
    one = list(trained(single(width, D, seed), k, 1 / (2 * k * k), SINGLE_STEPS))
    unseen = drawn(1, D, N, seed + 10000).inputs
    *_, last = trained(drawn(width, D, N, seed), k, 1 / (k * k), DRAWN_STEPS, unseen)
    largest, share = max(moment.gap for moment in one), one[1].error_part / one[1].weights_part
    start = abs(gap_at_start(width, D, seed, k))
    return Run(width, kappa, seed, start, largest, share, last.loss, last.full_loss, last.gap, abs(last.unseen_gap))


def _settings() -> Iterator[tuple[int, Fraction]]:
    yield from ((width, KAPPA) for width in WIDTHS)
    yield from ((WIDTH, kappa) for kappa in KAPPAS if kappa != KAPPA)


def print_runs() -> None:
    """Print the file of runs."""
    print(f"# {COMMAND}")
    print(f"# Python {platform.python_version()}, NumPy {np.__version__}, default_rng(seed)")
    print(f"# d = {D}, n = {N} data, as many test inputs (seed + 10000); {SINGLE_STEPS} steps at one datum, {DRAWN_STEPS} at n")
    print("\t".join(field.name for field in fields(Run)))
    asked = list(_settings())
    with Progress() as advance:
        for number, (width, kappa) in enumerate(asked):
            for seed in range(number * SEEDS, (number + 1) * SEEDS):  # no two runs share their randomness
                advance("runs", seed, len(asked) * SEEDS)
                run = measured(width, kappa, seed)
                print("\t".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in astuple(run)), flush=True)


def judged(claims: list[Claim], quick: bool) -> dict[str, tuple[float, int, bool]]:
    """Seconds and points of each claim in all editions, and whether it rests on samples; quick: at the first point only."""
    session, found = Session(), {}
    with Progress() as advance:
        for number, claim in enumerate(claims):
            advance("claims", number, len(claims))
            start, sampled, asked = time.process_time(), False, 0
            for point in points(claim, {}):
                for edition in Edition:
                    sampled |= "sampling" in session.outcome(claim, edition, point, DEFAULT_SEMANTICS)[0].assumptions
                asked += 1
                if quick:
                    break
            found[claim.name] = time.process_time() - start, asked, sampled
    return found


def timed(what: str, seeds: int, run: Callable[[int], object]) -> tuple[str, float]:
    start = time.process_time()
    with Progress() as advance:
        for seed in range(seeds):
            advance(what, seed, seeds)
            run(seed)
    return f"{seeds} seeds", time.process_time() - start


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    paper = find_paper("one-bit-scaling")
    assert paper is not None
    claims = [each for claim in paper.statements() for each in (claim, *claim.steps)]
    begun = time.perf_counter()
    found = judged(claims, quick)
    exact = {k: v for k, v in found.items() if not v[2]}
    sampled = {k: v for k, v in found.items() if v[2]}
    table = plain_table()
    for heading in ("what", "goal", "measured", "over"):
        table.add_column(heading)

    def row(what: str, goal: str, seconds: float, over: str) -> None:
        table.add_row(what, goal, f"{seconds:.1f} s", over)

    row("everything exact", "30 s", sum(v[0] for v in exact.values()), f"{len(exact)} claims, {sum(v[1] for v in exact.values())} points")
    row("statistical claims", "240 s", sum(v[0] for v in sampled.values()), f"{len(sampled)} claims, at their default sizes")
    width, steps, seeds = (QUICK_WIDTH, QUICK_STEPS, QUICK_SEEDS) if quick else (WIDE, LONG, 10)
    over, seconds = timed("simulate", seeds, lambda seed: simulate(seed, width=width, steps=steps, **REST))
    row("verify tool simulate one-bit", "240 s", seconds, f"width {width}, {steps} steps, {over}")
    width, many = (WIDTH // 4, SEEDS // 10) if quick else (WIDTH, SEEDS)
    over, seconds = timed("runs of the pictures", many, lambda seed: measured(width, KAPPA, seed))
    row("runs of the pictures", "240 s", seconds, f"width {width}, kappa {KAPPA}, {over}")
    console().print(table)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    console().print(f"{time.perf_counter() - begun:.0f} s by the clock, at most {memory} MiB")
    if quick:
        console().print(
            f"quick: given up are {len(claims)} claims' points but the first (with it larger dimensions and widths), "
            f"{10 - seeds} of 10 simulated seeds at width {WIDE} and {LONG} steps, "
            f"and {SEEDS - many} of {SEEDS} runs at width {WIDTH}"
        )


if __name__ == "__main__":
    print_runs() if "--runs" in sys.argv[1:] else main()
