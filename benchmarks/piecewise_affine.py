"""How fast piecewise affine operations are, the best of three runs. Usage: python benchmarks/piecewise_affine.py [--rows N]

--rows: of the 65,536 rows of float16's pairs (one operand against all), how many are gone through; by default all of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from constructions.piecewise_affine import operations as pa
from constructions.piecewise_affine.mathematics.arrays import Arrays
from constructions.piecewise_affine.mathematics.every_pair import ByFields, first_difference
from verifier.arithmetic.bit_patterns import FLOAT16
from verifier.output.screen import console, plain_table

CORES = 2
ROWS = 1 << FLOAT16.width
ELEMENTS = 1 << 23


def rows(chosen: range) -> tuple[int, int] | None:
    """The first pair of these rows where bit addition is not the product by fields."""
    return first_difference(ByFields(FLOAT16), Arrays(FLOAT16), chosen)


def every_pair(count: int) -> str:
    """float16: the product by its fields against the sum of the patterns, on two cores."""
    step = ROWS // count
    with ProcessPoolExecutor(CORES) as pool:
        found = list(pool.map(rows, [range(k * step, ROWS, CORES * step) for k in range(CORES)]))
    assert found == [None] * CORES
    return f"{len(range(0, ROWS, step)) << FLOAT16.width:,} pairs"


def against_numpy(name: str) -> str:
    """How many times as long as numpy's own a product takes."""
    dtype = np.dtype(name)
    a, b = (np.random.default_rng(k).normal(size=ELEMENTS).astype(dtype) for k in range(2))
    ours, theirs = best(lambda: pa.multiply(a, b)), best(lambda: np.multiply(a, b))
    return f"{ELEMENTS:,} elements: {ours / theirs:.1f} times numpy's {theirs * 1e3:.1f} ms"


def best(run: Callable[[], object], times: int = 3) -> float:
    """Seconds of this process, the least of three runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    count = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else ROWS
    table = plain_table()
    for heading in ("what", "seconds", "of what"):
        table.add_column(heading)
    start = time.perf_counter()
    text = every_pair(count)
    table.add_row("all pairs of float16, product by fields against bit addition", f"{time.perf_counter() - start:.1f}", text)
    for name in ("float32", "float16"):
        table.add_row(f"product of two arrays of {name}", "", against_numpy(name))
    console().print(table)


if __name__ == "__main__":
    main()
