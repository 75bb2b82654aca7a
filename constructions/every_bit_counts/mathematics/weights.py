"""The sizes of the weight matrices that the construction files hold, by the number of their table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from verifier.construction.errata import read_construction

TABLES = Path(__file__).parents[1] / "tables"


def query_dimension(table: Fraction) -> Fraction:
    """d_q of a printed table: the columns of its W^Q."""
    matrix = read_construction(TABLES / f"table-{table}.toml").file.weights.query.matrix
    (columns,) = {len(row) for row in matrix}
    return Fraction(columns)
