"""Tokens, weight matrices and the final MLP of the construction files, by the number of their table."""

from __future__ import annotations

import re
from pathlib import Path

from verifier.arithmetic.rationals import Fraction, rational
from verifier.errata.tables import read_construction
from verifier.language.definitions import inlined
from verifier.language.formula_functions import written
from verifier.language.syntax import parse, printed
from verifier.networks.instantiate import instantiate
from verifier.running.errors import InputError

TABLES = Path(__file__).parents[1] / "tables"


def query_dimension(table: Fraction) -> Fraction:
    """d_q of a printed table: the columns of its W^Q."""
    matrix = read_construction(TABLES / f"table-{table}.toml").file.weights.query.matrix
    (columns,) = {len(row if isinstance(row, list) else row.row) for row in matrix}
    return Fraction(columns)


def first_token(table: Fraction) -> Fraction:
    """The number of a printed table's first token."""
    return Fraction(int(read_construction(TABLES / f"table-{table}.toml").file.tokens.first))


def first_row(table: Fraction) -> Fraction:
    """The first token that the first row of a printed table is for."""
    rows = read_construction(TABLES / f"table-{table}.toml").file.row
    named = re.match(r"[\[{]?(-?[0-9]+)", str(rows[0].i))
    if named is None:
        raise InputError(f"table {table}: its first row is for {rows[0].i}; a number first was expected")
    return rational(named[1])


def largest_output_weight(table: Fraction, p: Fraction) -> Fraction:
    """The largest magnitude among the output weights of a printed table's final MLP."""
    return max(abs(w) for w in instantiate(read_construction(TABLES / f"table-{table}.toml").file, {"p": int(p)}).output.weights)


def _where_all_are_0() -> str:
    """−b/w of the first hidden node of Table 5 or 6, where the others have the same."""
    found = "1/0"
    for table in (5, 6):
        file = read_construction(TABLES / f"table-{table}.toml").file
        first, *others = (f"-({node.bias})/({node.weights[0]})" for node in file.mlp.hidden)
        same = " and ".join(f"{first} == {other}" for other in others) or "1 == 1"
        chosen = printed(inlined(parse(f"({first} if {same} else 1/0)"), {name: str(text) for name, text in file.derived.items()}))
        found = f"(({chosen}) if table == {table} else {found})"
    return found


@written(_where_all_are_0)
def mlp_looks_for(table: Fraction, p: Fraction) -> Fraction:
    """The input at which all hidden nodes of a printed table's final MLP are 0: −b/w, the same for each node of weight w and bias b.

    Raises:
        InputError: the nodes are 0 at different inputs.
    """
    file = read_construction(TABLES / f"table-{table}.toml").file
    inputs = {-node.bias / node.weights[0] for node in instantiate(file, {"p": int(p)}).hidden}
    if len(inputs) != 1:
        raise InputError(f"the hidden nodes of table {table} are 0 at {' and '.join(map(str, sorted(inputs)))}; one input was expected")
    return inputs.pop()
