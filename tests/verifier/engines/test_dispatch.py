"""Which engine decides, and what is said where the one that was asked for cannot."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import OVERFLOWING, two_bit_table
from tests.artificial import random_reading
from tests.tables import FOLDER
from tests.verifier.engines.test_columns import execution as of_table
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.failure_counts import Census
from verifier.errata.tables import read_construction
from verifier.networks.execution import Execution
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.networks.tasks import FormulaTask
from verifier.running.errors import InputError, LimitError


def columns(changed: bool) -> Execution:
    """A construction whose columns are counted, without an order that reachable sets need; with a changed entry it fails."""
    raw = two_bit_table("T0", 2, 10, OVERFLOWING)
    if changed:
        raw["row"][1]["one"] = raw["row"][1]["zero"]
    run = of_table(raw, 2, 10)
    return Execution(replace(run.instance, task=Problem("EQ", "none", run.instance.m)), run.semantics)


def joint(promise: str, strings: int = 2) -> Execution:
    found = random_reading("joint", Random(6))
    task = Problem("EQ", promise, 3) if strings == 2 else FormulaTask("y[1] == z[1]", "none", (("y", 3), ("z", 3), ("x", 1)))
    return Execution(replace(found.instance, task=task), found.semantics)


ORDERED, UNORDERED, COUNTED, FAILING, THREE = joint("y <= z"), joint("none"), columns(False), columns(True), joint("none", 3)


@pytest.mark.parametrize(
    ("execution", "method", "decided_by"),
    [
        (ORDERED, "auto", "reachable-sets"),
        (ORDERED, "reachable", "reachable-sets"),
        (ORDERED, "enumerate", "enumeration"),
        (UNORDERED, "auto", "enumeration"),
        (COUNTED, "auto", "column automaton"),
        (COUNTED, "columns", "column automaton"),
        (COUNTED, "enumerate", "enumeration"),
        (FAILING, "auto", "enumeration"),
        (THREE, "auto", "enumeration"),
        (THREE, "enumerate", "enumeration"),
    ],
)
def test_the_engine_that_decides(execution: Execution, method: str, decided_by: str) -> None:
    found = decide(execution, method)
    assert found.method == decided_by
    assert decide(execution, method) is found, "several claims ask the same"
    if isinstance(execution.instance.task, Problem):
        counted = enumerate_pairs(execution)
        assert (found.cases, found.smallest) == (counted.cases, counted.smallest)


@pytest.mark.parametrize(
    ("execution", "method", "why"),
    [
        (ORDERED, "columns", "it is not of that form"),
        (UNORDERED, "reachable", "reachable sets decide EQ under y <= z, not EQ under none"),
        (FAILING, "columns", r"[\d,]+ pairs fail, and counting finds no smallest one"),
        (THREE, "columns", "it decides pairs of strings and one value column"),
        (THREE, "reachable", "it decides pairs of strings and one value column"),
    ],
)
def test_what_an_engine_cannot_decide_is_left_to_enumeration(execution: Execution, method: str, why: str) -> None:
    with pytest.raises(InputError, match=rf"^--method {method}: {why}; --method enumerate"):
        decide(execution, method)


def test_no_such_method() -> None:
    with pytest.raises(InputError, match="--method guess: auto, enumerate, reachable, columns were expected"):
        decide(joint("none"), "guess")


def test_what_was_found_with_more_work_is_found_again_with_less() -> None:
    """Where a limit keeps all that was done. What was found with the smallest failure serves without it, not the other way round."""
    file = read_construction(FOLDER / "table-6.toml").file
    execution = Execution(instantiate(file, {"p": 7, "n": 30}), DEFAULT_SEMANTICS)
    counted = decide(execution, smallest=False)
    found = decide(execution)
    assert isinstance(counted, Census)
    assert isinstance(found, Census)
    assert (counted.failures, counted.smallest) == (found.failures, None)
    assert found.smallest is not None
    assert decide(execution, smallest=False) in (counted, found)
    assert found.work is not None
    assert decide(execution, limit=found.work) is found
    with pytest.raises(LimitError):
        decide(execution, limit=found.work - 1)
