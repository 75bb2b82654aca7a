"""How fast: start-up, engines and memory, measured in one run, with ratios. Usage: python benchmarks/foundation.py [--large]"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.engines.by_states import by_states
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.show.screen import console, plain_table
from verifier.transformers.tables import Execution

VERIFY = str(Path(sys.executable).parent / "verify")


def repaired_table() -> ConstructionFile:
    """Table 6 with its errata."""
    table = find_claim("every-bit-counts/lemma-2.6:table-6").table
    assert table is not None
    return table.source.repaired()


def process(*words: str) -> float:
    """The best of three runs of the whole process, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([VERIFY, *words], capture_output=True, check=False)
        times.append(time.perf_counter() - start)
    return min(times)


def engine(run: Callable[[Execution], Census], p: int) -> tuple[float, Census]:
    """Seconds and census of an engine on the repaired Table 6 at p bits."""
    execution = Execution(instantiate(repaired_table(), {"p": p}), NAMED["a4"])
    start = time.perf_counter()
    census = run(execution)
    return time.perf_counter() - start, census


def main() -> None:
    table = plain_table(title="repaired Lemma 2.6 under a4, one process", title_justify="left")
    for column in ("what", "p", "pairs", "seconds", "ratio to the line above", "peak MiB so far"):
        table.add_column(column, justify="right")
    before: float | None = None

    def row(what: str, p: str, pairs: str, seconds: float) -> None:
        nonlocal before
        ratio = f"{seconds / before:.2f}" if before else ""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        table.add_row(what, p, pairs, f"{seconds:.3f}", ratio, str(peak))
        before = seconds

    row("verify --help", "", "", process("--help"))
    row("verify theorem-2.4 --p 5", "5", "", process("theorem-2.4", "--p", "5"))
    for name, run, sizes in (("enumeration", enumerate_inputs, (8, 9, 10, 11)), ("reachable sets", by_states, (8, 12, 16))):
        for p in (*sizes, *((12,) if name == "enumeration" and "--large" in sys.argv else ())):
            seconds, census = engine(run, p)
            row(name, str(p), f"{census.cases:,}", seconds)
    console().print(table)


if __name__ == "__main__":
    main()
