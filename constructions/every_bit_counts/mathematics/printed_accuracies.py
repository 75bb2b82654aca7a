"""The cells of Tables 1 to 4, read from their statement files, which have each cell once."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

STATEMENTS = Path(__file__).parents[1] / "statements"
FLOAT32 = 0
"""Where a table's number is asked for: the sentence of Section 3 on the networks before quantization."""


@lru_cache(maxsize=8)
def cells(table: int) -> dict[tuple[int, str], tuple[str, str]]:
    """(mean, standard deviation) in per cent, as printed, by m and the column's heading."""
    name = "section-3" if table == FLOAT32 else f"table-{table}"
    raw = tomllib.loads((STATEMENTS / f"{name}.toml").read_text(encoding="utf-8"))
    (listed,) = (step["cells"] for step in raw["step"] if step["id"] == "possible")
    return {(m, heading): (mean, deviation) for m, heading, mean, deviation in listed}


def _mean(table: Fraction, m: Fraction, heading: str) -> Fraction:
    found = cells(int(table)).get((int(m), heading))
    if found is None:
        raise InputError(f"table {table} has no cell {heading} at m = {m}")
    return rational(found[0])


def accuracy(table: Fraction, m: Fraction, bits: Fraction) -> Fraction:
    """The printed mean of INT<bits> in Table 1 or 2, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(table, m, f"INT{bits}")


def floating_accuracy(table: Fraction, m: Fraction, exponent: Fraction, mantissa: Fraction) -> Fraction:
    """The printed mean below the heading (exponent, mantissa) in Table 3 or 4, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(table, m, f"({exponent}, {mantissa})")


def float32_accuracy(m: Fraction) -> Fraction:
    """The mean of the networks before quantization that Section 3 prints, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(Fraction(FLOAT32), m, "float32")
