"""Tokens, weight matrices and the final MLP of the construction files, by the number of their table.

Facts in the construction files of Appendix C's tables as printed: the ends of T2 and T3, precision and kind of attention of Table 8.

Entries of a construction file are named by their places, in the notation of errata.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from verifier.arithmetic.rationals import Fraction
from verifier.errata.tables import read_construction
from verifier.language.definitions import inlined_text, written
from verifier.language.exact import rational
from verifier.language.printer import printed
from verifier.language.tree import Node
from verifier.networks.entries import Names, integer
from verifier.networks.indices import field, index_set
from verifier.networks.instantiate import instantiate, names_at
from verifier.networks.record_base import Expression, complete
from verifier.networks.records import ConstructionFile, InputEntry
from verifier.running.errors import InputError

TABLES = Path(__file__).parents[1] / "tables"


def printed_table(table: str) -> ConstructionFile:
    """The construction file of a table."""
    return read_construction(TABLES / f"{table}.toml").file


def in_parameters(file: ConstructionFile, text: str) -> Node:
    """A formula of a file in its parameters alone, with derived quantities and defaults put in."""
    defaults = {name: str(entry.default) for name, entry in file.parameters.items() if entry.default is not None}
    return inlined_text(text, {**defaults, **{name: str(text) for name, text in file.derived.items()}})


def quantities(file: ConstructionFile, **given: Fraction) -> dict[str, Fraction]:
    """The parameters and derived quantities of a file, by the parameters given."""
    return names_at(file, complete(file, {name: int(value) for name, value in given.items()}))


def query_dimension(table: Fraction) -> Fraction:
    """d_q of a printed table: the columns of its W^Q."""
    matrix = printed_table(f"table-{table}").weights.query.matrix
    (columns,) = {len(row if isinstance(row, list) else row.row) for row in matrix}
    return Fraction(columns)


def first_token(table: Fraction) -> Fraction:
    """The number of a printed table's first token."""
    return Fraction(int(printed_table(f"table-{table}").tokens.first))


def first_row(table: Fraction) -> Fraction:
    """The first token of the first row of a printed table."""
    rows = printed_table(f"table-{table}").row
    named = re.match(r"[\[{]?(-?[0-9]+)", str(rows[0].i))
    if named is None:
        raise InputError(f"table {table}: its first row is for {rows[0].i}; a number first was expected")
    return Fraction(int(named[1]))


def largest_output_weight(table: Fraction, p: Fraction) -> Fraction:
    """The largest magnitude among the output weights of a printed table's final MLP."""
    return max(abs(w) for w in instantiate(printed_table(f"table-{table}"), {"p": int(p)}).output.weights)


def _where_all_are_0() -> str:
    """−b/w of the first hidden node of Table 5 or 6; the others have the same."""
    found = "1/0"
    for table in (5, 6):
        file = printed_table(f"table-{table}")
        first, *others = (f"-({node.bias})/({node.weights[0]})" for node in file.mlp.hidden)
        same = " and ".join(f"{first} == {other}" for other in others) or "1 == 1"
        chosen = printed(in_parameters(file, f"({first} if {same} else 1/0)"))
        found = f"(({chosen}) if table == {table} else {found})"
    return found


@written(_where_all_are_0)
def mlp_looks_for(table: Fraction, p: Fraction) -> Fraction:
    """The input at which all hidden nodes of a printed table's final MLP are 0: −b/w, the same for each node of weight w and bias b.

    Raises:
        InputError: the nodes are 0 at different inputs.
    """
    file = printed_table(f"table-{table}")
    inputs = {-node.bias / node.weights[0] for node in instantiate(file, {"p": int(p)}).hidden}
    if len(inputs) != 1:
        raise InputError(f"the hidden nodes of table {table} are 0 at {' and '.join(map(str, sorted(inputs)))}; one input was expected")
    return inputs.pop()


@lru_cache(maxsize=256)
def last_token_of_z(t: Fraction, e: Fraction) -> int:
    """The last token of T2 that holds a bit of z, at mantissa digits t and exponent digits e."""
    file = printed_table("table-7")
    names = quantities(file, t=t, e=e, n=4 * t + 2 * (t + e))
    tokens = (
        i for clause in file.input for i in index_set(clause.i, names) if any("z" in _strings(text, names, i) for text in reads_of(clause))
    )
    return max(tokens)


@lru_cache(maxsize=256)
def last_token_of_t3(m: Fraction, e: Fraction) -> int:
    """The last token whose content T3 states, apart from the placeholder n + 1, if n is larger than needed."""
    file = printed_table("table-8")
    names = quantities(file, m=m, e=e, n=4 * m)
    return max(i for clause in file.input for i in index_set(clause.i, names) if i <= 4 * m)


def reads_of(clause: InputEntry) -> list[Expression]:
    return clause.reads if isinstance(clause.reads, list) else [clause.reads]


def _strings(text: Expression, names: Names, token: int) -> set[str]:
    return {bit.string for bit in field(text, names, token)}


def _of_table_8(text: str) -> Node:
    """A formula of Table 8's file in m and e alone."""
    return in_parameters(printed_table("table-8"), text)


@written(lambda: _of_table_8(f"({printed_table('table-8').precision.t}) + ({printed_table('table-8').precision.e})"))
def bits_of_table_8(m: Fraction, e: Fraction) -> Fraction:
    """t + e, the precision of Lemma C.8's construction."""
    file = printed_table("table-8")
    digits = (file.precision.t, file.precision.e)
    return Fraction(sum(integer(x, quantities(file, m=m, e=e)) for x in digits if x is not None))


@written(lambda: _of_table_8(str(entry_at(printed_table("table-8"), "weights.value.matrix.3.1"))))
def value_weight_of_table_8(m: Fraction, e: Fraction) -> Fraction:
    """The only non-zero entry of Table 8's W^V."""
    file = printed_table("table-8")
    return rational(str(entry_at(file, "weights.value.matrix.3.1")), quantities(file, m=m, e=e))


def table_8_divides() -> int:
    """1 if Table 8's attention is divided by a denominator (softmax), 0 if it is linear."""
    return int(printed_table("table-8").attention == "softmax")


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
