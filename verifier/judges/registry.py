"""The judges of the core."""

from __future__ import annotations

from verifier.judges.fields import (
    Combination,
    Computes,
    Declined,
    Expectation,
    Fields,
    Formula,
    Inclusion,
    InputRepresentation,
    Matrices,
    Mean,
    OneString,
    Output,
    Pairs,
    PartialSum,
    Reals,
)

CORE: dict[str, tuple[type[Fields], str]] = {
    "formula": (Formula, "verifier.judges.formula:judge"),
    "pairs": (Pairs, "verifier.judges.pairs:judge"),
    "partial-sum": (PartialSum, "verifier.judges.partial_sum:judge"),
    "one-string": (OneString, "verifier.judges.one_string:judge"),
    "input-representation": (InputRepresentation, "verifier.judges.input_representation:judge"),
    "output": (Output, "verifier.judges.output:judge"),
    "computes": (Computes, "verifier.judges.tables:judge"),
    "inclusion": (Inclusion, "verifier.judges.inclusion:judge"),
    "declined": (Declined, "verifier.judges.declined:judge"),
    "expectation": (Expectation, "verifier.judges.expectation:judge"),
    "identity": (Expectation, "verifier.judges.expectation:judge"),
    "matrices": (Matrices, "verifier.judges.matrices:judge"),
    "reals": (Reals, "verifier.judges.reals:judge"),
    "mean": (Mean, "verifier.judges.mean:judge"),
    "combination": (Combination, "verifier.judges.combination:judge"),
}
"""The judges of the core by the names that statement files give them."""

WITHOUT_ARITHMETIC = (
    "formula",
    "pairs",
    "inclusion",
    "input-representation",
    "expectation",
    "identity",
    "matrices",
    "reals",
    "mean",
    "combination",
    "declined",
)
"""Those in which no bounded arithmetic takes part."""
