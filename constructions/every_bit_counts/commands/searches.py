"""How far searches went where a threshold is open: tables found at random that tell many of Alice's strings apart, counted anew.

If no table tells all strings y apart, so many bits do not compute EQ; a table that does decides nothing, since Bob's tokens are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from constructions.every_bit_counts.judges.last_bits import KnownTable
from lowerbounds.last_bits import told_apart
from lowerbounds.running_sums import Coupling, RunningSums
from verifier.arithmetic.semantics import read_semantics
from verifier.networks.files import read_toml
from verifier.running.errors import InputError

FILE = Path(__file__).with_name("searches.toml")
TOKEN = read_semantics("narrative")
HEAD = (
    "## How far searches went where it is open",
    "",
    "In token order with a free point, with q-bit numbers and one value column, Alice's tokens make two running sums of each string",
    "y. Sums from which no output is accepted do not help. If no choice of her tokens tells all strings apart, q bits do not compute",
    "EQ. A random search changed one token at a time and kept the best table; this page counts again what it tells apart. The tables",
    "are in `constructions/every_bit_counts/commands/searches.toml`. A table that tells all strings apart decides nothing, because",
    "Bob's tokens are left out.",
    "",
    "| EQ on | numbers of | pairs of sums that can be accepted | strings y | told apart by the best table found |",
    "| --- | --- | --- | --- | --- |",
)

TAIL = (
    "One sum by itself, on T1 with one placeholder: with 3-bit numbers the numerator compares three bits, and the denominator two but not",
    "three, whatever sums are accepted (`lowerbounds/single_sum.py`, by SAT; tests run the tables and check the proof).",
)


class Best(KnownTable, frozen=True):
    """The best table found for numbers of so many bits, whose products are those of a coupling."""

    coupling: Coupling


@dataclass(frozen=True)
class Reach:
    """A table, recounted: how many pairs of sums there are, and how many strings it tells apart."""

    table: Best
    states: int
    apart: int

    @property
    def length(self) -> int:
        """The length of the strings."""
        return len(self.table.tokens)

    def __str__(self) -> str:
        cells = (f"{self.length} bits", f"{self.table.bits} bits", self.states, 1 << self.length, self.apart)
        return f"| {' | '.join(map(str, cells))} |"


def searches() -> Iterator[Reach]:
    """The tables of the file, each recounted.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    try:
        tables = msgspec.convert(read_toml(FILE).get("table", []), list[Best])
    except msgspec.ValidationError as error:
        raise InputError(f"{FILE.name}: {error}") from None
    for table in tables:
        sums = RunningSums(TOKEN, table.bits, table.coupling)
        yield Reach(table, len(sums.states), told_apart(sums, table.table))


def section(found: Sequence[Reach]) -> list[str]:
    """The section of the page."""
    return [*HEAD, *map(str, found), "", *TAIL]
