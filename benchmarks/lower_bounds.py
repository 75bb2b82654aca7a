"""How fast the lower bounds are: a fooling set pair by pair, the table of Theorem 2.4. Usage: python benchmarks/lower_bounds.py"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from lowerbounds.fooling import check_fooling_set
from verifier.networks.problems import Problem
from verifier.show.screen import console, plain_table

VERIFY = str(Path(sys.executable).parent / "verify")


def fooling(length: int) -> tuple[float, str]:
    """Seconds and size of the fooling set of EQ on ``length`` bits, every pair of members."""
    start = time.perf_counter()
    found = check_fooling_set(Problem("EQ", "y <= z", length), [(x, x) for x in range(1 << length)])
    seconds = time.perf_counter() - start
    assert found.bad is None, found.bad
    return seconds, f"{found.pairs:,} pairs"


def tradeoff(last: int) -> tuple[float, str]:
    """Seconds of the whole process that makes the table for p = 1 … ``last``, and its size."""
    start = time.perf_counter()
    done = subprocess.run([VERIFY, "theorem-2.4", "--p", f"1..{last}"], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    table = done.stdout.partition("theorem-2.4:both-halves")[2].splitlines()
    return seconds, f"{sum(' a4' in line or ' narrative' in line for line in table)} rows"


def main() -> None:
    table = plain_table(title="lower bounds; limits on 2 idle cores: 5 s for EQ_13, 60 s for the table up to p = 16", title_justify="left")
    for column in ("what", "size", "seconds", "ratio to the line above"):
        table.add_column(column, justify="right")
    before: float | None = None
    for what, (seconds, size) in (
        *((f"fooling set of EQ_{m}", fooling(m)) for m in (11, 12, 13)),
        *((f"theorem-2.4 --p 1..{p}", tradeoff(p)) for p in (8, 12, 16)),
    ):
        table.add_row(what, size, f"{seconds:.3f}", f"{seconds / before:.2f}" if before else "")
        before = seconds
    console().print(table)


if __name__ == "__main__":
    main()
