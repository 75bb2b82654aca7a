"""States of any function count what enumeration counts, in every order of the bits, and find the same first failure."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.artificial import KINDS, combines, random_instance
from tests.oracle_reading import random_semantics
from tests.verifier.engines.test_inputs import readings
from verifier.engines.by_states import Question, by_states
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.engines.search import NotApplicableError
from verifier.engines.table_states import TableStates
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError
from verifier.transformers.tables import Execution

PROMISES = ("none", "y <= z", "y <= z and z[1:2] > 0", "y[1:1] == 0 and z[2:2] != 1")


def counts(census: Census) -> tuple[object, ...]:
    return census.cases, census.failures, census.nans, census.smallest, census.yes, census.missed


def of_pairs(seed: int) -> Execution | None:
    """A random table for EQ or GT under a random promise, and a random reading."""
    rng = Random(seed)
    instance = random_instance(rng.choice(KINDS), rng)
    problem = Problem(rng.choice(["EQ", "GT"]), rng.choice(PROMISES), max(instance.m, 2))
    try:
        execution = Execution(replace(instance, task=problem), random_semantics(rng))
    except InputError:
        return None
    return execution if combines(execution) and instance.m > 1 else None


def agree(execution: Execution) -> bool:
    """Whether states apply; if they do, they agree with enumeration in every order that compares position by position."""
    try:
        question = Question(execution)
    except NotApplicableError:
        return False
    listed = counts(enumerate_inputs(execution))
    for order in question.orders():
        states = TableStates(question.program, order, question.asked)
        if states.comparable:
            assert counts(by_states(question, states, "states", 1 << 20)) == listed, f"{execution.instance}\n{execution.semantics.label}"
    return True


def test_functions_of_bits_and_ones() -> None:
    assert sum(agree(execution) for execution in readings(30, "states")) > 8


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_pairs_under_a_promise(first: int) -> None:
    applied = [agree(execution) for seed in range(first, first + 20) if (execution := of_pairs(seed)) is not None]
    assert sum(applied) > 8


def test_a_limit_on_states_declines() -> None:
    execution = next(e for seed in range(9) if (e := of_pairs(seed)) is not None)
    with pytest.raises(LimitError, match="--limit"):
        decide(execution, "reachable", 3)
