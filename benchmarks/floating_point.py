"""How far the engine gets with floats: repaired Table 7 by t + e. Usage: python benchmarks/floating_point.py [--large]"""

from __future__ import annotations

import resource
import sys
import time

from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.engines.enumerate import enumerate_inputs
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.running.errors import LimitError
from verifier.show.screen import console, plain_table
from verifier.transformers.tables import Execution

SIZES = ((4, 4), (5, 4), (4, 5), (3, 6))
LARGE = ((5, 5), (6, 5), (8, 9))


def repaired_table() -> ConstructionFile:
    """Table 7 with its errata."""
    table = find_claim("every-bit-counts/lemma-c.5:table-7").table
    assert table is not None
    return table.source.repaired()


def main() -> None:
    table = plain_table(title="Lemma C.5, repaired Table 7 under a4, every promise pair", title_justify="left")
    for column in ("t", "e", "t + e", "pairs", "seconds", "peak MiB so far"):
        table.add_column(column, justify="right")
    for t, e in (*SIZES, *(LARGE if "--large" in sys.argv else ())):
        start = time.perf_counter()
        try:
            instance = instantiate(repaired_table(), {"t": t, "e": e})
            pairs = f"{enumerate_inputs(Execution(instance, NAMED['a4'])).cases:,}"
        except LimitError as limit:
            pairs = str(limit)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        table.add_row(str(t), str(e), str(t + e), pairs, f"{time.perf_counter() - start:.2f}", str(peak))
    console().print(table)


if __name__ == "__main__":
    main()
