"""What the construction files of Appendix C's tables say as printed: where T2 and T3 end, precision and kind of attention of Table 8.

Entries of a construction file are named by their places, written as errata write them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from verifier.arithmetic.rationals import Fraction
from verifier.errata.tables import read_construction
from verifier.language.definitions import inlined_text
from verifier.language.exact import rational
from verifier.language.formula_functions import written
from verifier.language.tree import Node
from verifier.networks.entries import Names, integer
from verifier.networks.indices import field, index_set
from verifier.networks.instantiate import complete, names_at
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile, InputEntry
from verifier.running.errors import InputError

TABLES = Path(__file__).parents[1] / "tables"


@lru_cache(maxsize=8)
def printed(table: str) -> ConstructionFile:
    """The construction file of a table."""
    return read_construction(TABLES / f"{table}.toml").file


@lru_cache(maxsize=256)
def last_token_of_z(t: Fraction, e: Fraction) -> int:
    """The last token of T2 that holds a bit of z, at mantissa digits t and exponent digits e."""
    file = printed("table-7")
    names = names_at(file, complete(file, {"t": int(t), "e": int(e), "n": int(4 * t + 2 * (t + e))}))
    tokens = (
        i for clause in file.input for i in index_set(clause.i, names) if any("z" in _strings(text, names, i) for text in _reads(clause))
    )
    return max(tokens)


@lru_cache(maxsize=256)
def last_token_of_t3(m: Fraction, e: Fraction) -> int:
    """The last token whose content T3 says, apart from the placeholder n + 1, where n is larger than needed."""
    file = printed("table-8")
    names = names_at(file, complete(file, {"m": int(m), "e": int(e), "n": int(4 * m)}))
    return max(i for clause in file.input for i in index_set(clause.i, names) if i <= 4 * m)


def _reads(clause: InputEntry) -> list[Expression]:
    return clause.reads if isinstance(clause.reads, list) else [clause.reads]


def _strings(text: Expression, names: Names, token: int) -> set[str]:
    return {bit.string for bit in field(text, names, token)}


def _of_table_8(text: str) -> Node:
    """A formula of Table 8's file in m and e alone: derived quantities and the default of t in their place."""
    file = printed("table-8")
    defaults = {name: str(entry.default) for name, entry in file.parameters.items() if entry.default is not None}
    return inlined_text(text, {**defaults, **{name: str(text) for name, text in file.derived.items()}})


@written(lambda: _of_table_8(f"({printed('table-8').precision.t}) + ({printed('table-8').precision.e})"))
def bits_of_table_8(m: Fraction, e: Fraction) -> Fraction:
    """t + e, the precision of Lemma C.8's construction."""
    file = printed("table-8")
    names = names_at(file, complete(file, {"m": int(m), "e": int(e)}))
    digits = (file.precision.t, file.precision.e)
    return Fraction(sum(integer(x, names) for x in digits if x is not None))


@written(lambda: _of_table_8(str(entry_at(printed("table-8"), "weights.value.matrix.3.1"))))
def value_weight_of_table_8(m: Fraction, e: Fraction) -> Fraction:
    """The one entry of Table 8's W^V that is not 0."""
    file = printed("table-8")
    return rational(str(entry_at(file, "weights.value.matrix.3.1")), names_at(file, complete(file, {"m": int(m), "e": int(e)})))


def table_8_divides() -> int:
    """1 where Table 8's attention is divided by a denominator (softmax), 0 where it is linear."""
    return int(printed("table-8").attention == "softmax")


def entry_at(file: ConstructionFile, place: str) -> Expression:
    """The printed expression at ``row.10.zero.3`` (step, the vector for a bit, entry) or ``weights.value.matrix.3.1`` (row, column).

    Raises:
        InputError: nothing stands there.
    """
    match place.split("."):
        case ["row", step, ("zero" | "one") as bit, number] if vectors := [getattr(r, bit) for r in file.row if r.step == int(step)]:
            vector: list[Expression] | None = vectors[0]
            if vector is not None and 1 <= int(number) <= len(vector):
                return vector[int(number) - 1]
        case ["weights", ("query" | "key" | "value") as name, "matrix", row, column]:
            matrix: list[list[Expression]] = getattr(file.weights, name).matrix
            if 1 <= int(row) <= len(matrix) and 1 <= int(column) <= len(matrix[int(row) - 1]):
                return matrix[int(row) - 1][int(column) - 1]
    raise InputError(f"{file.id}: nothing stands at {place}")
