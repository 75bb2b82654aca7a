"""The SMT solver, a method with nothing in common, finds what the engines find: whether a pair fails, and the smallest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.artificial import KINDS, combines, random_instance, random_reading
from tests.oracle_reading import random_semantics
from tests.oracle_smt import smallest_failure
from tests.tables import table
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, Semantics, read_semantics, readings
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import enumerate_inputs
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.transformers.tables import Execution

TABLE = table("table-6")


def agree(execution: Execution, label: object) -> bool:
    """Whether a pair fails; both methods must say so, and name the same smallest."""
    counted = enumerate_inputs(execution)
    assert smallest_failure(execution) == counted.smallest, f"{label}, {execution.semantics.label}"
    return counted.fails


@pytest.mark.one_in(3)
@pytest.mark.long("0-120")
@pytest.mark.parametrize(("first", "last"), [(0, 10), (10, 20), (20, 30), (0, 120)])
def test_random_constructions_agree_with_enumeration(first: int, last: int) -> None:
    failing: Counter[bool] = Counter()
    for seed in range(first, last):
        execution = random_reading(KINDS[seed % len(KINDS)], Random(f"smt {seed}"))
        failing[agree(execution, seed)] += 1
    assert min(failing[True], failing[False]) >= 5 or last - first < 120, failing


@pytest.mark.one_in(6)
@pytest.mark.parametrize("semantics", list(readings()), ids=lambda s: s.label)
def test_small_constructions_agree_under_every_reading(semantics: Semantics) -> None:
    for seed in range(0, 60, 12):
        instance = random_instance("separate", Random(seed))
        execution = Execution(replace(instance, task=Problem("EQ", "y <= z", instance.m)), semantics)
        assert not combines(execution) or agree(execution, seed) in (True, False)


def test_an_infinite_numerator_keeps_its_sign() -> None:
    assert agree(random_reading("wild", Random("infinite 218")), "inf")


def test_linear_attention_agrees() -> None:
    outcomes = set()
    for seed in range(8):
        outcomes.add(agree(random_reading(("mixed", "nearly right")[seed % 2], Random(f"linear {seed}"), "linear"), seed))
    assert outcomes == {True, False}


@pytest.mark.parametrize("promise", ["y <= z and y[1:2] > 0 and z[2:3] != 2", "y[1:1] == 1 and z[2:3] < 3", "z[1:3] >= 5 and y[3:3] <= 0"])
def test_conditions_on_bits_are_encoded(promise: str) -> None:
    for seed in range(12):
        rng = Random(f"promise {seed}")
        instance = random_instance("mixed", rng)
        execution = Execution(replace(instance, task=Problem("EQ", promise, 3)), random_semantics(rng))
        if instance.m == 3 and combines(execution):
            agree(execution, seed)


def table(edition: str, p: int) -> Execution:
    file = TABLE.source.file if edition == "printed" else TABLE.source.repaired()
    return Execution(instantiate(file, {"p": p}), NAMED["a4"])


@pytest.mark.long("printed-7", "printed-8", "repaired-7", "repaired-8")
@pytest.mark.parametrize("p", [6, 7, 8])
@pytest.mark.parametrize("edition", ["printed", "repaired"])
def test_table_6_agrees_with_by_states(edition: str, p: int) -> None:
    execution = table(edition, p)
    found = smallest_failure(execution)
    assert found == decide(execution, "reachable").smallest
    assert (found is None) == (edition == "repaired" and p > 6)


def test_one_symbol_changed_is_refuted() -> None:
    """The repaired table is right; with the output's bias 1/2 no input is answered with 1."""
    execution = table("repaired", 7)
    changed = replace(execution.instance, output=Node(execution.instance.output.weights, Fraction(1, 2)))
    assert smallest_failure(Execution(changed, NAMED["a4"])) == (0, 0)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(("ties", "first"), [("zero", (0, 0)), ("even", (0, 0)), ("away", (0, 1))])
def test_a_quotient_on_a_midpoint(ties: str, first: tuple[int, int], side: int) -> None:
    """Four bits: for y = 0 the output is ±(1/4)/4, half of the least value 1/8; the MLP accepts ±1/8 and rejects 0."""
    one, zero, quarter = Fraction(1), Fraction(0), Fraction(-2)
    heavy = Token(1, 1, (), ((one, Fraction(2), zero),))
    reads_y = Token(2, 2, ((Bit("y", 1),),), tuple((one, quarter, Fraction(side * (1 - y))) for y in range(2)))
    asks = Token(3, 3, (), ((one, -Fraction(7), zero),))
    instance = Instance(
        id="midpoint",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 1),
        tokens=(heavy, reads_y, asks),
        query=Matrix(((one,), (zero,), (zero,)), ln2=True),
        key=Matrix(((zero,), (one,), (zero,))),
        value=Matrix(((zero,), (zero,), (one,))),
        hidden=(Node((Fraction(side * 7),), zero), Node((Fraction(side),), zero)),
        output=Node((one, one), zero),
    )
    execution = Execution(instance, read_semantics(f"ties={ties}"))
    assert smallest_failure(execution) == enumerate_inputs(execution).smallest == first
