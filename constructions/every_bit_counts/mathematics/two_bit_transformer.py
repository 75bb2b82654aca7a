"""A transformer of two bits for EQ_m at every m: the reduction of Lemmas 2.2 and 2.5 sends two numbers, but ((A X) W^V) has more.

Every token weighs 1/2, so the denominator, a sum that meets ties at 1 + 1/2, is 1. Position i of the strings has three columns of
A X, each with the sum (y_i − z_i)/2, and W^V adds all columns with weight 1, the last position first. With two bits the values are 0, ±1/2
and ±1, and 1 + 1/2 is rounded to 1: three columns with −1/2 bring any partial numerator below 0, three with 1/2 above it, and columns of
zeros do not change it. So the numerator is 0 exactly for y = z. No sum overflows, and none is NaN.

A grid of integers has no 1/2: the second variant has weights 1 and two columns a position, whose sums overflow for y ≠ z; the denominator
always overflows, and inf/inf is rejected.

With exactly q >= 3 bits two columns a position are enough: every token weighs 2^−(q−1), entries are ±c and W^V is c, c = 2^(q−1) − 1 the
largest number. A column adds ±(c − 1), two of them overflow, and the later terms are finite. The denominator stays between 0 and 1.

The construction files of Tables 5 and 6 state the content of each token of T⁰ and T¹ (Sections 2.1, 2.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from constructions.every_bit_counts.mathematics.weights import in_parameters
from verifier.arithmetic.rationals import Fraction
from verifier.errata.tables import Source, read_construction
from verifier.language.definitions import written
from verifier.language.tree import Node
from verifier.networks.files import shaped
from verifier.networks.indices import LONGEST_RANGE, Bit, field, index_set
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate, names_at, pair_length
from verifier.networks.record_base import complete
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import InputError, LimitError

BITS = 2


@dataclass(frozen=True)
class Variant:
    """The key of every token, the number of columns of each position, a phrase for how unequal strings are detected, and the bits of all
    numbers."""

    key: int
    columns: int
    how: str
    bits: int = BITS

    @property
    def largest(self) -> int:
        """The largest number of this many bits: an entry's magnitude, and W^V."""
        return (1 << self.bits - 1) - 1


SATURATING = Variant(-1, 3, "three columns a position, all sums finite")
OVERFLOWING = Variant(0, 2, "two columns a position, unequal strings overflow to inf/inf")
VARIANTS = (SATURATING, OVERFLOWING)


def variants(bits: int) -> tuple[Variant, ...]:
    """The variants whose numbers have this many bits, two or more."""
    exactly = Variant(1 - bits, 2, "two columns a position, unequal strings overflow", bits)
    return VARIANTS if bits == BITS else (exactly,)


def two_bit_table(representation: str, p: int, n: int, variant: Variant = SATURATING) -> dict[str, Any]:
    """The construction for the strings and tokens of T0 or T1 at p and n, as the content of a construction file.

    If several tokens hold one bit, the last of them adds it and the others add nothing.
    """
    table = source(representation).raw
    held = contents(representation, {"p": p, "n": n})
    adds = {bit: i for i, bit in held.items() if bit is not None}
    m = length(representation, {"p": p, "n": n})
    bits = "two" if variant.bits == BITS else str(variant.bits)
    width = 2 + variant.columns * m

    def vector(bit: Bit | None) -> list[int]:
        start = 2 + variant.columns * (m - bit.index) if bit else width
        entry = variant.largest if bit and bit.string == "y" else -variant.largest
        return [1, variant.key] + [entry if start <= k < start + variant.columns else 0 for k in range(2, width)]

    def row(step: int, i: int, bit: Bit | None) -> dict[str, Any]:
        zero = {"step": step, "i": i, "zero": vector(None)}
        return zero if bit is None else {**zero, "one": vector(bit if adds[bit] == i else None)}

    return {
        **{key: table[key] for key in ("parameters", "derived", "problem", "tokens", "input")},
        "format": CONSTRUCTION,
        "id": f"{bits}-bits-{representation.lower()}",
        "title": f"EQ_{m} with {bits} bits on {representation}: {variant.columns} columns of A X for each position",
        "source": "ours, not the paper's: against Lemmas 2.2 and 2.5 where A X is formed first (Section A.4, step 5)",
        "precision": {"bits": variant.bits},
        "row": [row(step, i, bit) for step, (i, bit) in enumerate(held.items(), 1)],
        "weights": {
            "query": {"times": "ln2", "matrix": [[1]] + [[0]] * (width - 1)},
            "key": {"matrix": [[0], [1]] + [[0]] * (width - 2)},
            "value": {"matrix": [[0], [0]] + [[variant.largest]] * (width - 2)},
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


TABLES = {"T0": "table-5", "T1": "table-6"}
"""The construction file that each representation stands in."""

NO_TOKEN, CONSTANT, OF_Y, OF_Z = -1, 0, 1, 2
"""The content of a token, which is 0, a bit of y or a bit of z, or says that no such token exists."""


@lru_cache(maxsize=4)
def source(representation: str) -> Source:
    """The construction file of T0 or T1."""
    return read_construction(Path(__file__).parents[1] / "tables" / f"{TABLES[representation]}.toml")


def length(representation: str, given: dict[str, int]) -> int:
    """m, the length of the strings."""
    file = source(representation).file
    return pair_length(file, names_at(file, complete(file, given)))


def contents(representation: str, given: dict[str, int]) -> dict[int, Bit | None]:
    """The bit that each token holds, or None for the constant 0, in the order of the tokens; the last one is the placeholder."""
    return _contents(source(representation), tuple(given.items()))


@lru_cache(maxsize=16)
def _contents(table: Source, given: tuple[tuple[str, int], ...]) -> dict[int, Bit | None]:
    names = names_at(table.file, complete(table.file, dict(given)))
    if names["m"] > LONGEST_RANGE:
        raise LimitError(f"{table.file.id} has strings of {names['m']} bits, at most {LONGEST_RANGE} are read", "a smaller parameter")
    held = {i: field(str(clause.reads), names, i) for clause in table.file.input for i in index_set(clause.i, names)}
    return {i: held[i][0] if held[i] else None for i in sorted(held)}


def _formula(representation: str, of_y: str = str(OF_Y), of_z: str = str(OF_Z)) -> Node:
    """The content of token i as a formula in p and i: the clauses of the construction file; the last clause that names a token counts.

    of_y, of_z: the text for a bit of y or z, in ``{0}``, its place in the string.

    Raises:
        InputError: a set of tokens that is neither one nor a range.
    """
    file = source(representation).file
    found = str(NO_TOKEN)
    for clause in file.input:
        text = str(clause.i)
        first, colon, last = text.strip("[]").partition(":")
        listed = re.fullmatch(r"\{([^.|]*)\}", text)
        if not listed and ("{" in text or "|" in text):
            raise InputError(f"{text!r} is neither a token nor a range of tokens")
        named = f"i in ({listed[1]},)" if listed else f"{first} <= i <= {last}" if colon else f"i == {first}"
        read = re.fullmatch(r"([yz])\[(.*)\]", str(clause.reads))
        held = {"y": of_y, "z": of_z}[read[1]].format(f"({read[2]})") if read else CONSTANT
        found = f"({held} if {named} else {found})"
    return in_parameters(file, found)


def _holds(representation: str, p: Fraction, i: Fraction) -> int:
    held = contents(representation, {"p": int(p)})
    if int(i) not in held:
        return NO_TOKEN
    bit = held[int(i)]
    return CONSTANT if bit is None else OF_Y if bit.string == "y" else OF_Z


@written(lambda: _formula("T1", "{0}", "(m + {0})"))
def bit_on_t1(p: Fraction, i: Fraction) -> int:
    """The bit that token i of T¹ holds, m = 2p − 1, n = 4p + 2: k for y_k, m + k for z_k, 0 for a constant, −1 for no such token."""
    held = contents("T1", {"p": int(p)})
    if int(i) not in held:
        return NO_TOKEN
    bit = held[int(i)]
    return CONSTANT if bit is None else bit.index + (0 if bit.string == "y" else 2 * int(p) - 1)


@written(lambda: _formula("T0"))
def holds_on_t0(p: Fraction, i: Fraction) -> int:
    """The content of token i of T⁰, m = 2p − 3, n = 4p + 1: −1 no such token, 0 a constant, 1 a bit of y, 2 a bit of z."""
    return _holds("T0", p, i)


@written(lambda: _formula("T1"))
def holds_on_t1(p: Fraction, i: Fraction) -> int:
    """The content of token i of T¹, m = 2p − 1, n = 4p + 2: −1 no such token, 0 a constant, 1 a bit of y, 2 a bit of z."""
    return _holds("T1", p, i)
