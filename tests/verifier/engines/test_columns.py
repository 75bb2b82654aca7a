"""The column automaton against enumeration, and constructions that it must leave to others."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import OVERFLOWING, SATURATING, two_bit_table
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.engines import columns
from verifier.engines.columns import walk_columns
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.program import DENOMINATOR, program_of
from verifier.networks.execution import Execution
from verifier.networks.files import shaped
from verifier.networks.instance import Matrix
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.networks.records import CONSTRUCTION, ConstructionFile

READINGS = ["a4", "ties=even", "overflow=before", "overflow=saturate", "rounding=truncate", "ln2=rounded", "point=grid"]


def execution(raw, p, n, semantics="a4"):
    return Execution(instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "test"), {"p": p, "n": n}), read_semantics(semantics))


@pytest.mark.parametrize("variant", [SATURATING, OVERFLOWING])
@pytest.mark.parametrize("semantics", READINGS)
@pytest.mark.parametrize(("representation", "p"), [("T0", 2), ("T0", 3), ("T1", 2)])
def test_counts_are_those_of_enumeration(variant, semantics, representation, p):
    run = execution(two_bit_table(representation, p, 4 * p + 2, variant), p, 4 * p + 2, semantics)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    if counted is None:
        assert semantics == "point=grid"
        assert variant is SATURATING
    else:
        assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)


def test_a_changed_entry_is_counted_exactly():
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    raw["row"][1]["one"] = raw["row"][1]["zero"]
    counted, listed = walk_columns(execution(raw, 3, 13)), enumerate_pairs(execution(raw, 3, 13))
    assert counted.failures == listed.failures > 0


@pytest.mark.parametrize("semantics", ["narrative", "order=values"])
@pytest.mark.parametrize(("p", "n"), [(2, 10), (3, 13)])
def test_one_running_sum_is_no_column_walk(semantics, p, n):
    """Of one position or of several."""
    assert walk_columns(execution(two_bit_table("T0", p, n), p, n, semantics)) is None


def test_columns_in_another_order_are_left_alone():
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    for row in raw["row"]:
        for side in ("zero", "one"):
            if side in row:
                row[side] = row[side][:2] + row[side][2:][::-1]
    assert walk_columns(execution(raw, 3, 13)) is None


@pytest.mark.parametrize("changed", [False, True])
def test_linear_attention_is_counted_as_by_enumeration(changed):
    """It has no denominator: the output is the numerator."""
    raw = copy.deepcopy(two_bit_table("T0", 3, 13))
    raw["attention"] = "linear"
    if changed:
        raw["row"][1]["one"] = raw["row"][1]["zero"]
    counted, listed = walk_columns(execution(raw, 3, 13)), enumerate_pairs(execution(raw, 3, 13))
    assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)


@pytest.mark.parametrize("variant", [SATURATING, OVERFLOWING])
@pytest.mark.parametrize(
    "promise",
    ["y[1:2] > 0", "y <= z and z[2:3] != 2", "y <= z and y[1:1] == 0 and y[2:3] < 3 and z[2:3] > 1", "z[1:3] >= 5 and y[2:3] <= 2", "none"],
)
def test_conditions_of_the_promise_are_kept_position_by_position(variant, promise):
    run = execution(two_bit_table("T0", 3, 13, variant), 3, 13)
    run = Execution(replace(run.instance, task=Problem("EQ", promise, run.instance.m)), run.semantics)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)
    assert counted.cases == sum(run.instance.problem.promised(y, z) for y in range(1 << run.instance.m) for z in range(1 << run.instance.m))


def asked(run, promise, length, function="EQ"):
    return Execution(replace(run.instance, task=Problem(function, promise, length)), run.semantics)


@pytest.mark.parametrize(
    ("promise", "taken"),
    [("y <= z and z[3:4] > 0", True), ("y[2:4] != 1 and z[1:1] == 1", False), ("z[1:1] == 1 and y[1:3] > 0", False)],
)
def test_wide_conditions_of_the_promise_are_left_alone(promise, taken, monkeypatch):
    monkeypatch.setattr(columns, "WIDEST_CONDITION", 2)
    run = asked(execution(two_bit_table("T0", 3, 13), 3, 13), promise, 4)
    assert (walk_columns(run) is not None) == taken


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_positions_that_no_column_reads_are_counted(shift):
    """Two of them: behind those that are read, around them, before them."""
    run = execution(two_bit_table("T0", 3, 13), 3, 13)
    tokens = tuple(
        replace(token, fields=tuple(tuple(replace(bit, index=bit.index + shift) for bit in each) for each in token.fields))
        for token in run.instance.tokens
    )
    run = asked(Execution(replace(run.instance, tokens=tokens), run.semantics), "y <= z", 5)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)
    assert counted.failures > 0


@pytest.mark.parametrize(("p", "n", "taken"), [(2, 10, True), (3, 13, False)])
def test_a_constant_column_may_stand_among_those_of_the_first_position(p, n, taken):
    """The first column, of ones, is read with a weight; with three positions it stands before those of the last."""
    run = execution(two_bit_table("T0", p, n), p, n)
    value = Matrix(((Fraction(1, 2),), *run.instance.value.rows[1:]))
    run = Execution(replace(run.instance, value=value), run.semantics)
    counted, listed = walk_columns(run), enumerate_pairs(run)
    assert (counted is not None) == taken
    if taken:
        assert (counted.cases, counted.failures, counted.nans) == (listed.cases, listed.failures, listed.nans)


def test_other_functions_and_ill_formed_constructions_are_left_alone():
    run = execution(two_bit_table("T0", 2, 10), 2, 10)
    assert walk_columns(asked(run, "none", 1)) is not None
    assert walk_columns(asked(run, "none", 1, "GT")) is None
    assert walk_columns(Execution(replace(run.instance, defects=("an entry is missing",)), run.semantics)) is None


def test_a_column_of_two_positions_is_left_alone():
    run, left = execution(two_bit_table("T0", 3, 13), 3, 13), 0
    places = [{bit.index for bit in program_of(run).sums[name].bits} for name in program_of(run).numerator_sums]
    for k, token in enumerate(run.instance.tokens):
        for column, (used, place) in enumerate(zip(run.columns, places, strict=True)):
            if token.reads and token.reads[0].index > min(place):  # the columns stay in their order
                zero, one = token.vectors
                changed = replace(token, vectors=(zero, (*one[:used], Fraction(1), *one[used + 1 :])))
                tokens = (*run.instance.tokens[:k], changed, *run.instance.tokens[k + 1 :])
                again = Execution(replace(run.instance, tokens=tokens), run.semantics)
                if len({bit.index for bit in program_of(again).sums[program_of(again).numerator_sums[column]].bits}) == 2:
                    assert walk_columns(again) is None
                    left += 1
    assert left


def test_a_denominator_that_depends_on_the_strings_is_left_alone():
    run = execution(two_bit_table("T0", 3, 13), 3, 13)
    k = next(k for k, token in enumerate(run.instance.tokens) if token.reads)
    zero, one = run.instance.tokens[k].vectors
    left = set()
    for entry in range(len(one)):
        changed = replace(run.instance.tokens[k], vectors=(zero, (*one[:entry], Fraction(1, 2), *one[entry + 1 :])))
        tokens = (*run.instance.tokens[:k], changed, *run.instance.tokens[k + 1 :])
        again = Execution(replace(run.instance, tokens=tokens), run.semantics)
        if program_of(again).sums[DENOMINATOR].bits:
            assert walk_columns(again) is None
            left.add(entry)
    assert left
