"""States of any function count what enumeration counts, in every order of the bits, and find the same first failure."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from random import Random

import pytest

from tests.artificial import KINDS, combines, random_instance
from tests.oracle_reading import random_semantics
from tests.verifier.engines.test_inputs import readings
from verifier.arithmetic.arrays import Interned
from verifier.arithmetic.semantics import read_semantics
from verifier.engines.by_states import Question, together
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_inputs
from verifier.engines.failure_counts import Census
from verifier.engines.program import Program
from verifier.engines.search import NotApplicableError
from verifier.engines.table_states import TableStates
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, Task
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.networks.templates import beginning
from verifier.running.errors import InputError
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
            assert counts(together(question, states, 1 << 20)) == listed, f"{execution.instance}\n{execution.semantics.label}"
    return True


def test_random_tables() -> None:
    """Functions of bits and ones, and pairs under a promise."""
    asked = [*readings(6, "states"), *(execution for seed in range(9) if (execution := of_pairs(seed)) is not None)]
    assert sum(map(agree, asked)) > 6


@pytest.mark.one_in(2)
def test_values_that_are_looked_up() -> None:
    """Any format is computed on values as on 64-bit integers, also with infinities and NaN."""
    found = [e for seed in range(10) if (e := of_pairs(seed)) is not None]
    for execution in found:
        question = Question(execution)
        program = Program(execution, lattice=Interned(execution.machine))
        question.__dict__["program"] = program
        states = TableStates(program, next(question.orders()), question.asked)
        listed = enumerate_inputs(execution)
        assert counts(together(question, states, 1 << 20)) == counts(listed), execution.semantics.label
    assert len(found) > 2


def parity(m: int, last: str = "-2") -> Execution:
    """The table for parity on m bits; last: the weight of each second step of the MLP."""
    text = beginning("parity", 3, "mine").replace("else -2", f"else {last}")
    return Execution(instantiate(shaped(tomllib.loads(text), ConstructionFile, CONSTRUCTION, "t"), {"m": m}), read_semantics("a4"))


def test_parity_on_more_inputs_than_can_be_listed() -> None:
    """In a format of 103 bits, whose numbers 64-bit integers do not hold."""
    found = decide(parity(100))
    assert counts(found) == (1 << 100, 0, 0, None, 1 << 99, 0)
    wrong = decide(parity(100, "-1"))
    assert wrong.smallest == (3,)
    assert wrong.failures > 1 << 98
    assert counts(decide(parity(8, "-1"), "reachable")) == counts(enumerate_inputs(parity(8, "-1")))


def test_numbers_of_inputs_that_cannot_be_written_are_not_counted() -> None:
    with pytest.raises(NotApplicableError, match="the inputs have 9,000 bits; the limit is 8,192"):
        Question(Execution(replace(parity(3).instance, task=Task("x[1] == 1", "none", (("x", 9000),))), read_semantics("a4")))
