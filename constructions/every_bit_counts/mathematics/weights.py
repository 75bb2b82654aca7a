"""What the construction files hold of weight matrices and of the final MLP, by the number of their table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from verifier.construction.errata import read_construction
from verifier.construction.instantiate import instantiate
from verifier.errors import InputError

TABLES = Path(__file__).parents[1] / "tables"


def query_dimension(table: Fraction) -> Fraction:
    """d_q of a printed table: the columns of its W^Q."""
    matrix = read_construction(TABLES / f"table-{table}.toml").file.weights.query.matrix
    (columns,) = {len(row if isinstance(row, list) else row.row) for row in matrix}
    return Fraction(columns)


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
