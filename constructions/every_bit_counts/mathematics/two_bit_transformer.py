"""A transformer of two bits for EQ_m at every m: the reduction of Lemmas 2.2 and 2.5 sends two numbers, ((A X) W^V) has more.

Every token weighs 1/2, so that the denominator, a sum that meets ties at 1 + 1/2, is 1. Position i of the strings has three columns of
A X, each with the sum (y_i − z_i)/2, and W^V adds all columns with weight 1, the last position first. With two bits the values are
0, ±1/2 and ±1, and 1 + 1/2 is rounded to 1: three columns with −1/2 bring any partial numerator below 0, three with 1/2 above it,
and columns of zeros leave it where it is. So the numerator is 0 exactly for y = z. No sum overflows, none is NaN.

Where values are a grid of integers there is no 1/2: the second variant has weights 1 and two columns a position, whose sums overflow
for y ≠ z; the denominator overflows always, and inf/inf is rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from constructions.every_bit_counts.mathematics.representations import contents, length, source
from verifier.networks.files import shaped
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile

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


def two_bit_table(representation: str, p: int, n: int, variant: Variant = SATURATING) -> dict[str, Any]:
    """The construction for the strings and tokens of T0 or T1 at p and n, as the content of a construction file.

    Where several tokens hold one bit, the last of them adds it and the others add nothing.
    """
    table = source(representation).raw
    held = contents(representation, {"p": p, "n": n})
    adds = {bit: i for i, bit in held.items() if bit is not None}
    m = length(representation, {"p": p, "n": n})
    width = 2 + variant.columns * m

    def vector(bit: Bit | None) -> list[int]:
        start = 2 + variant.columns * (m - bit.index) if bit else width
        sign = 1 if bit and bit.string == "y" else -1
        return [1, variant.key] + [sign if start <= k < start + variant.columns else 0 for k in range(2, width)]

    def row(step: int, i: int, bit: Bit | None) -> dict[str, Any]:
        zero = {"step": step, "i": i, "zero": vector(None)}
        return zero if bit is None else {**zero, "one": vector(bit if adds[bit] == i else None)}

    return {
        **{key: table[key] for key in ("parameters", "derived", "problem", "tokens", "input")},
        "format": CONSTRUCTION,
        "id": f"two-bits-{representation.lower()}",
        "title": f"EQ_{m} with two bits on {representation}: {variant.columns} columns of A X for each position",
        "source": "ours, not the paper's: against Lemmas 2.2 and 2.5 where A X is formed first (Section A.4, step 5)",
        "precision": {"bits": BITS},
        "row": [row(step, i, bit) for step, (i, bit) in enumerate(held.items(), 1)],
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
def two_bit_transformer(representation: str, p: int, n: int, variant: Variant = SATURATING) -> Instance:
    """:func:`two_bit_table` at its point."""
    raw = two_bit_table(representation, p, n, variant)
    return instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, raw["id"]), {"p": p, "n": n})


def against_lemma_2_5(p: int) -> Instance:
    """The transformer that refutes Lemma 2.5 at p, with the fewest tokens that T1 needs."""
    return two_bit_transformer("T1", p, 4 * p + 2)
