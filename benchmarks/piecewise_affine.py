"""How fast piecewise affine operations are, the best of three runs. Usage: python benchmarks/piecewise_affine.py [--rows N]

--rows: of the 65,536 rows of float16's pairs (one operand against all), how many are gone through; by default all of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from constructions.piecewise_affine import operations as pa
from constructions.piecewise_affine.mathematics.arrays import Arrays
from constructions.piecewise_affine.mathematics.every_pair import ByFields, first_difference
from verifier.arithmetic.bit_patterns import FLOAT16
from verifier.show.screen import console, plain_table

CORES = 2
ROWS = 1 << FLOAT16.width
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def rows(chosen: range) -> tuple[tuple[int, int] | None, float]:
    """The first pair of these rows where bit addition is not the product by fields, and the seconds of this process."""
    start = time.process_time()
    found = first_difference(ByFields(FLOAT16), Arrays(FLOAT16), chosen)
    return found, time.process_time() - start


def every_pair(count: int) -> str:
    """float16: the product by its fields against the sum of the patterns, in two processes."""
    step = ROWS // count
    with ProcessPoolExecutor(CORES) as pool:
        found = list(pool.map(rows, [range(k * step, ROWS, CORES * step) for k in range(CORES)]))
    assert [first for first, _ in found] == [None] * CORES
    seconds = " and ".join(f"{used:.1f} s" for _, used in found)
    return f"{len(range(0, ROWS, step)) << FLOAT16.width:,} pairs; of processor time {seconds}"


def against_numpy(name: str, elements: int) -> str:
    """How many times as long as numpy's own a product takes, by NumPy alone and compiled."""
    dtype = np.dtype(name)
    a, b = (np.random.default_rng(k).normal(size=elements).astype(dtype) for k in range(2))
    calls = max(1, (1 << 21) // elements)
    theirs = best(lambda: np.multiply(a, b), calls)
    products, found = pa.products(name), []
    for multiply in (products.of.multiply, products.compiled):
        products.multiply = multiply
        found.append(f"{best(lambda: pa.multiply(a, b), calls) / theirs:.1f}")
    return f"{elements:,} elements: {' and compiled '.join(found)} times numpy's {theirs * 1e6:.1f} microseconds"


def best(run: Callable[[], object], calls: int, times: int = 5) -> float:
    """Seconds of this process for a call, the least mean of some runs of so many calls."""
    found = []
    for _ in range(times):
        start = time.process_time()
        for _ in range(calls):
            run()
        found.append((time.process_time() - start) / calls)
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
        start = time.perf_counter()
        assert pa.products(name).load(), "numba was expected"
        table.add_row(f"loading the compiled product of {name}", f"{time.perf_counter() - start:.1f}", "compiled anew or kept")
    for name, elements in product(("float32", "float16"), SIZES):
        table.add_row(f"product of two arrays of {name}", "", against_numpy(name, elements))
    console().print(table)


if __name__ == "__main__":
    main()
