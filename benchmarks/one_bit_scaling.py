"""How fast the one-bit scaling paper is. Usage: python benchmarks/one_bit_scaling.py [--quick]

Processor seconds of this process and its largest memory; with --quick less is judged, and the last lines say what was given up.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

from constructions.one_bit_scaling.commands.simulate_command import QUICK_SEEDS, QUICK_STEPS, QUICK_WIDTH, simulate
from constructions.one_bit_scaling.pictures.scaling import KAPPA, SEEDS, WIDTH, measured
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
    main()
