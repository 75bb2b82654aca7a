"""The column automaton against enumeration, and constructions that it must leave to others."""

from __future__ import annotations

import copy

import pytest

from constructions.every_bit_counts.two_bits import OVERFLOWING, SATURATING, two_bit_construction, two_bit_table
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.construction.schema import CONSTRUCTION, ConstructionFile, shaped
from verifier.engines.columns import walk_columns
from verifier.engines.enumerate import enumerate_pairs
from verifier.semantics import read_semantics

READINGS = ["a4", "ties=even", "overflow=before", "overflow=saturate", "rounding=truncate", "ln2=rounded", "point=grid"]


def reading(raw_or_file, semantics="a4"):
    file = raw_or_file if isinstance(raw_or_file, ConstructionFile) else shaped(raw_or_file, ConstructionFile, CONSTRUCTION, "test")
    return Reading(instantiate(file, {}), read_semantics(semantics))


@pytest.mark.parametrize("variant", [SATURATING, OVERFLOWING])
@pytest.mark.parametrize("semantics", READINGS)
@pytest.mark.parametrize(("representation", "m"), [("T0", 1), ("T0", 4), ("T1", 3)])
def test_counts_are_those_of_enumeration(variant, semantics, representation, m):
    run = reading(two_bit_construction(representation, m, 2 * m + 4, variant), semantics)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    if counted is None:
        assert semantics == "point=grid"
        assert variant is SATURATING
    else:
        assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)


def test_a_changed_entry_is_counted_exactly():
    raw = copy.deepcopy(two_bit_table("T0", 3, 9))
    raw["row"][1]["one"] = raw["row"][1]["zero"]
    counted, listed = walk_columns(reading(raw)), enumerate_pairs(reading(raw))
    assert counted.failures == listed.failures > 0


@pytest.mark.parametrize("semantics", ["narrative", "order=values"])
def test_one_running_sum_is_no_column_walk(semantics):
    assert walk_columns(reading(two_bit_construction("T0", 3, 9), semantics)) is None


def test_columns_in_another_order_are_left_alone():
    raw = copy.deepcopy(two_bit_table("T0", 2, 6))
    for row in raw["row"]:
        for side in ("zero", "one"):
            if side in row:
                row[side] = row[side][:2] + row[side][2:][::-1]
    assert walk_columns(reading(raw)) is None
