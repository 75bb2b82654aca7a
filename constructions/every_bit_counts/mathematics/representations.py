"""The input representations T⁰ and T¹ (Sections 2.1, 2.2): what each token holds, as the construction files of Tables 5 and 6 say."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from verifier.arithmetic.rationals import Fraction
from verifier.errata.tables import Source, read_construction
from verifier.language.definitions import inlined_text
from verifier.language.formula_functions import written
from verifier.language.tree import Node
from verifier.networks.indices import Bit, field, index_set
from verifier.networks.instantiate import complete, names_at, pair_length
from verifier.running.errors import InputError

TABLES = {"T0": "table-5", "T1": "table-6"}
"""The construction file that each representation stands in."""

NO_TOKEN, CONSTANT, OF_Y, OF_Z = -1, 0, 1, 2
"""What a token holds: there is no such token, 0, a bit of y, a bit of z."""


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
    held = {i: field(str(clause.reads), names, i) for clause in table.file.input for i in index_set(clause.i, names)}
    return {i: held[i][0] if held[i] else None for i in sorted(held)}


def _formula(representation: str) -> Node:
    """What token i holds as a formula in p and i: the clauses of the construction file, of which the last that names a token counts.

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
        read = re.match(r"[yz](?=\[)", str(clause.reads))
        held = {"y": OF_Y, "z": OF_Z}[read[0]] if read else CONSTANT
        found = f"({held} if {named} else {found})"
    defaults = {name: str(entry.default) for name, entry in file.parameters.items() if entry.default is not None}
    return inlined_text(found, {**defaults, **{name: str(text) for name, text in file.derived.items()}})


def _holds(representation: str, p: Fraction, i: Fraction) -> int:
    held = contents(representation, {"p": int(p)})
    if int(i) not in held:
        return NO_TOKEN
    bit = held[int(i)]
    return CONSTANT if bit is None else OF_Y if bit.string == "y" else OF_Z


@written(lambda: _formula("T0"))
def holds_on_t0(p: Fraction, i: Fraction) -> int:
    """The content of token i of T⁰, m = 2p − 3, n = 4p + 1: −1 no such token, 0 a constant, 1 a bit of y, 2 a bit of z."""
    return _holds("T0", p, i)


@written(lambda: _formula("T1"))
def holds_on_t1(p: Fraction, i: Fraction) -> int:
    """The content of token i of T¹, m = 2p − 1, n = 4p + 2: −1 no such token, 0 a constant, 1 a bit of y, 2 a bit of z."""
    return _holds("T1", p, i)
