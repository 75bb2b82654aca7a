"""The column automaton against enumeration, and constructions that it must leave to others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import OVERFLOWING, SATURATING, two_bit_table
from verifier.arithmetic.semantics import read_semantics
from verifier.engines import by_states
from verifier.engines.columns import walk_columns
from verifier.engines.enumerate import enumerate_pairs
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.transformers.tables import Execution

READINGS = ["a4", "ties=even", "overflow=before", "overflow=saturate", "rounding=truncate", "ln2=rounded", "point=grid"]


def execution(raw, p, n, semantics="a4"):
    return Execution(instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "test"), {"p": p, "n": n}), read_semantics(semantics))


@pytest.mark.one_in(3)
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


def asked(run, promise, length, function="EQ"):
    return Execution(replace(run.instance, task=Problem(function, promise, length)), run.semantics)


@pytest.mark.parametrize(
    ("promise", "taken"),
    [("y <= z and z[3:4] > 0", True), ("y[2:4] != 1 and z[1:1] == 1", False), ("z[1:1] == 1 and y[1:3] > 0", False)],
)
def test_wide_conditions_of_the_promise_are_left_alone(promise, taken, monkeypatch):
    monkeypatch.setattr(by_states, "WIDEST_CONDITION", 2)
    run = asked(execution(two_bit_table("T0", 3, 13), 3, 13), promise, 4)
    assert (walk_columns(run) is not None) == taken
