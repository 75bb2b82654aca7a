"""Measured runs of both networks, kept in ``runs.tsv``: a line for each width, κ and seed. Its first line is the command that
measures them anew, in about a minute of processor time; threads would cost more than they save.

Three things are run from each seed, in D dimensions:

* at the start, f − f′ at x = (1, −1, 0, …)/√2;
* one datum x = (1, 0, …), y = 1, SINGLE_STEPS steps of η = 1/(2κ²): the largest gap, and C₃/(C₁ + C₂) of the first step;
* N drawn data and as many test inputs, DRAWN_STEPS steps of η = 1/κ²: both losses and both gaps at the end.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from importlib.resources import files

from verifier.arithmetic.rationals import Fraction, rational

D, N, SINGLE_STEPS, DRAWN_STEPS = 8, 4, 12, 20
WIDTHS = tuple(4**k for k in range(3, 9))
KAPPAS = tuple(Fraction(1, 2**k) for k in range(7))
WIDTH, KAPPA, SEEDS = 1 << 14, Fraction(1, 8), 30
FILE = "runs.tsv"
COMMAND = f"OPENBLAS_NUM_THREADS=1 python -m constructions.one_bit_scaling.pictures.runs > constructions/one_bit_scaling/pictures/{FILE}"


@dataclass(frozen=True)
class Run:
    """One seed at one width and κ. share: C₃/(C₁ + C₂) of the first step."""

    width: int
    kappa: Fraction
    seed: int
    start_gap: float
    largest_gap: float
    share: float
    loss: float
    full_loss: float
    end_gap: float
    unseen_gap: float

    @property
    def line(self) -> str:
        return "\t".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in astuple(self))


def measured(width: int, kappa: Fraction, seed: int) -> Run:
    """Runs all three."""
    from constructions.one_bit_scaling.mathematics.wide import drawn, gap_at_start, single, trained

    k = float(kappa)
    one = list(trained(single(width, D, seed), k, 1 / (2 * k * k), SINGLE_STEPS))
    unseen = drawn(1, D, N, seed + 10000).inputs
    *_, last = trained(drawn(width, D, N, seed), k, 1 / (k * k), DRAWN_STEPS, unseen)
    largest, share = max(moment.gap for moment in one), one[1].error_part / one[1].weights_part
    start = abs(gap_at_start(width, D, seed, k))
    return Run(width, kappa, seed, start, largest, share, last.loss, last.full_loss, last.gap, abs(last.unseen_gap))


def kept() -> list[Run]:
    """The runs of the file."""
    text = (files("constructions.one_bit_scaling.pictures") / FILE).read_text(encoding="utf-8")
    _, *lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [_read(line.split("\t")) for line in lines]


def _read(row: list[str]) -> Run:
    width, kappa, seed, *rest = row
    return Run(int(width), rational(kappa), int(seed), *map(float, rest))


def _settings() -> Iterator[tuple[int, Fraction]]:
    yield from ((width, KAPPA) for width in WIDTHS)
    yield from ((WIDTH, kappa) for kappa in KAPPAS if kappa != KAPPA)


def main() -> None:
    """Writes the file to standard output."""
    import numpy as np

    from verifier.commands.progress import Progress

    print(f"# {COMMAND}")
    print(f"# Python {platform.python_version()}, NumPy {np.__version__}, default_rng(seed)")
    print(f"# d = {D}, n = {N} data, as many test inputs (seed + 10000); {SINGLE_STEPS} steps at one datum, {DRAWN_STEPS} at n")
    print("\t".join(field.name for field in fields(Run)))
    asked = list(_settings())
    with Progress() as advance:
        for number, (width, kappa) in enumerate(asked):
            for seed in range(number * SEEDS, (number + 1) * SEEDS):  # no two runs share their randomness
                advance("runs", seed, len(asked) * SEEDS)
                print(measured(width, kappa, seed).line)
                sys.stdout.flush()


if __name__ == "__main__":
    main()
