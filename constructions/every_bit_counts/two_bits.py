"""A transformer of two bits for EQ_m at every m: the reduction of Lemmas 2.2 and 2.5 sends two numbers, ((A X) W^V) has more.

Every token weighs 1/2, so that the denominator, a sum that meets ties at 1 + 1/2, is 1. Position i of the strings has three columns of
A X, each with the sum (y_i − z_i)/2, and W^V adds all columns with weight 1, the last position first. With two bits the values are
0, ±1/2 and ±1, and 1 + 1/2 is rounded to 1: three columns with −1/2 bring any partial numerator below 0, three with 1/2 above it,
and columns of zeros leave it where it is. So the numerator is 0 exactly for y = z. No sum overflows, none is NaN.

Where values are a grid of integers there is no 1/2: the second variant has weights 1 and two columns a position, whose sums overflow
for y ≠ z; the denominator overflows always, and inf/inf is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from verifier.construction.schema import CONSTRUCTION, ConstructionFile, shaped

BITS = 2


@dataclass(frozen=True)
class Variant:
    """The key of every token, how many columns each position has, and a word on how unequal strings are told."""

    key: int
    columns: int
    how: str


SATURATING = Variant(-1, 3, "three columns a position, all sums finite")
OVERFLOWING = Variant(0, 2, "two columns a position, unequal strings overflow to inf/inf")
VARIANTS = (SATURATING, OVERFLOWING)

Clause = tuple[int, str | int, int, int]
"""A token, what it holds, the position of the strings that it adds to (0: none), and the sign of what it adds."""


def _t0(m: int, n: int) -> Iterator[Clause]:
    yield from ((i, f"y[{i}]", i, 1) for i in range(1, m + 1))
    yield from ((m + i, f"z[{i}]", i, -1) for i in range(1, m + 1))
    yield from ((i, 0, 0, 0) for i in range(2 * m + 1, n + 2))


def _t1(m: int, n: int) -> Iterator[Clause]:
    yield from ((-1, 0, 0, 0), (0, "y[1]", 0, 0))
    yield from ((i, f"y[{i}]", i, 1) for i in range(1, m + 1))
    yield from ((m + 1, "z[1]", 0, 0), (m + 2, "z[1]", 1, -1), (m + 3, 0, 0, 0))
    yield from ((m + 2 + i, f"z[{i}]", i, -1) for i in range(2, m + 1))
    yield from ((i, 0, 0, 0) for i in range(2 * m + 3, n))


REPRESENTATIONS = {"T0": _t0, "T1": _t1}


def two_bit_table(representation: str, m: int, n: int, variant: Variant = SATURATING) -> dict[str, Any]:
    """The construction on strings of length m and n + 1 tokens, as the content of a construction file."""
    copies = variant.columns
    width = 2 + copies * m
    clauses = list(REPRESENTATIONS[representation](m, n))

    def vector(position: int, sign: int) -> list[int]:
        start = 2 + copies * (m - position)
        return [1, variant.key] + [sign if start <= k < start + copies else 0 for k in range(2, width)]

    def row(step: int, clause: Clause) -> dict[str, Any]:
        i, reads, position, sign = clause
        zero = {"step": step, "i": i, "zero": vector(0, 0)}
        return zero if reads == 0 else {**zero, "one": vector(position, sign)}

    return {
        "format": CONSTRUCTION,
        "id": f"two-bits-{representation.lower()}",
        "title": f"EQ_{m} with two bits on {representation}: {copies} columns of A X for each position",
        "source": "ours, not the paper's: against Lemmas 2.2 and 2.5 where A X is formed first (Section A.4, step 5)",
        "parameters": {},
        "precision": {"bits": BITS},
        "problem": {"function": "EQ", "promise": "y <= z", "length": m},
        "tokens": {"first": clauses[0][0], "last": clauses[-1][0]},
        "input": [{"i": i, "reads": reads} for i, reads, _, _ in clauses],
        "row": [row(step, clause) for step, clause in enumerate(clauses, 1)],
        "weights": {
            "query": {"times": "ln2", "matrix": [[1]] + [[0]] * (width - 1)},
            "key": {"matrix": [[0], [1]] + [[0]] * (width - 2)},
            "value": {"matrix": [[0], [0]] + [[1]] * (width - 2)},
        },
        "mlp": {
            "hidden": [{"weights": [w], "bias": 0} for w in (1, -1, 1, -1)],
            "output": {"weights": [-1, -1, -1, -1], "bias": 1},
        },
    }


@lru_cache(maxsize=64)
def two_bit_construction(representation: str, m: int, n: int, variant: Variant = SATURATING) -> ConstructionFile:
    """:func:`two_bit_table` as a construction."""
    raw = two_bit_table(representation, m, n, variant)
    return shaped(raw, ConstructionFile, CONSTRUCTION, raw["id"])
