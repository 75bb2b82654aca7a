"""How long the experiments take: compiling, a thousand steps of training, each table, rows of all pairs. Usage:
python benchmarks/experiments.py [--m M] [--seeds N]

Seconds on the clock and of processor time; the steps that the paper has for m = 15, 30 are 6,000, for 50 and 100 20,000 and 30,000.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jax
import jax.numpy as jnp
import numpy as np

from constructions.every_bit_counts.experiments.choices import printed
from constructions.every_bit_counts.experiments.every_pair import Count, IntegerNetwork, counted
from constructions.every_bit_counts.experiments.training import KINDS, accuracies, started, test_pairs, trained
from verifier.show.screen import console, plain_table

STEPS = 500
ROWS = 200
LONGEST = 15
"""Bits of a string whose pairs are gone through."""


def timed(run: Callable[[], Any]) -> tuple[Any, str]:
    """What comes out, and its seconds."""
    wall, used = time.perf_counter(), time.process_time()
    found = jax.block_until_ready(run())
    return found, f"{time.perf_counter() - wall:.1f} s, of processor time {time.process_time() - used:.1f} s"


def main(m: int, seeds: int) -> None:
    choices = printed(m, seeds)
    network, training = choices.network, choices.training
    numbers = jnp.arange(seeds)
    table = plain_table()
    table.add_column(f"m = {m}, {seeds} seeds, {training.steps} steps in all")
    table.add_column("time")
    states = started(seeds, network)
    (states, _), seconds = timed(lambda: trained(states, numbers, jnp.int32(0), network, training, STEPS))
    table.add_row(f"{STEPS} steps with compiling", seconds)
    (states, _), seconds = timed(lambda: trained(states, numbers, jnp.int32(STEPS), network, training, STEPS))
    table.add_row(f"{STEPS} steps", seconds)
    parameters = states["parameters"]
    tests, seconds = timed(lambda: test_pairs(numbers, network, training.test))
    table.add_row("test pairs", seconds)
    for tuned, kind in product((False, True), KINDS):
        _, seconds = timed(lambda kind=kind, tuned=tuned: accuracies(parameters, tests, numbers, choices, kind, tuned))
        table.add_row(f"{'fine-tuned' if tuned else 'after training'}, {kind} formats", seconds)
    if m <= LONGEST:
        first = {name: np.asarray(x)[0] for name, x in parameters.items()}
        whole = IntegerNetwork.rounded(first, 8, m, network.heads)
        rows = min(ROWS, 1 << m)
        _, seconds = timed(lambda: counted(whole, Count.begun(m), lambda _: None, rows).rows)
        table.add_row(f"{rows} of {1 << m:,} strings y, each with every z", seconds)
    console().print(table)


if __name__ == "__main__":
    given = dict(zip(sys.argv[1::2], map(int, sys.argv[2::2]), strict=True))
    main(given.pop("--m", 15), given.pop("--seeds", 10))
