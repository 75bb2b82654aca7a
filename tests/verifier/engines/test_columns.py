"""The column automaton against enumeration, and constructions that it must leave to others."""

from __future__ import annotations

import copy

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import OVERFLOWING, SATURATING, two_bit_table
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.construction.records import CONSTRUCTION, ConstructionFile
from verifier.construction.schema import shaped
from verifier.engines.columns import walk_columns
from verifier.engines.enumerate import enumerate_pairs
from verifier.semantics import read_semantics

READINGS = ["a4", "ties=even", "overflow=before", "overflow=saturate", "rounding=truncate", "ln2=rounded", "point=grid"]


def reading(raw, p, n, semantics="a4"):
    return Reading(instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "test"), {"p": p, "n": n}), read_semantics(semantics))


@pytest.mark.parametrize("variant", [SATURATING, OVERFLOWING])
@pytest.mark.parametrize("semantics", READINGS)
@pytest.mark.parametrize(("representation", "p"), [("T0", 2), ("T0", 3), ("T1", 2)])
def test_counts_are_those_of_enumeration(variant, semantics, representation, p):
    run = reading(two_bit_table(representation, p, 4 * p + 2, variant), p, 4 * p + 2, semantics)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    if counted is None:
        assert semantics == "point=grid"
        assert variant is SATURATING
    else:
        assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)


def test_a_changed_entry_is_counted_exactly():
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    raw["row"][1]["one"] = raw["row"][1]["zero"]
    counted, listed = walk_columns(reading(raw, 3, 13)), enumerate_pairs(reading(raw, 3, 13))
    assert counted.failures == listed.failures > 0


@pytest.mark.parametrize("semantics", ["narrative", "order=values"])
def test_one_running_sum_is_no_column_walk(semantics):
    assert walk_columns(reading(two_bit_table("T0", 3, 13), 3, 13, semantics)) is None


def test_columns_in_another_order_are_left_alone():
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    for row in raw["row"]:
        for side in ("zero", "one"):
            if side in row:
                row[side] = row[side][:2] + row[side][2:][::-1]
    assert walk_columns(reading(raw, 3, 13)) is None


@pytest.mark.parametrize("changed", [False, True])
def test_linear_attention_is_counted_as_by_enumeration(changed):
    """It has no denominator: the output is the numerator."""
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    raw["attention"] = "linear"
    if changed:
        raw["row"][1]["one"] = raw["row"][1]["zero"]
    counted, listed = walk_columns(reading(raw, 3, 13)), enumerate_pairs(reading(raw, 3, 13))
    assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)
