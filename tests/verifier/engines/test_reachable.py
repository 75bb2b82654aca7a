"""Reachable sets count what enumeration counts: cases, failures, NaNs, and the smallest failing pair."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.artificial import random_instance
from tests.tables import table as table_of
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, read_semantics
from verifier.engines.blocks import WIDEST_BLOCK, Block, share
from verifier.engines.by_states import by_states
from verifier.engines.dispatch import decide
from verifier.engines.failure_counts import Census
from verifier.engines.program import Program
from verifier.engines.search import Budget, NotApplicableError
from verifier.networks.entries import Large
from verifier.networks.files import shaped
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.networks.templates import beginning
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

WITNESS_T1 = table_of("witness-t1", errata=False)
TABLE_6 = table_of("table-6").source.repaired()


def table_6(p: int) -> Execution:
    return Execution(instantiate(TABLE_6, {"p": p}), NAMED["a4"])


def pairs(kind: str, seed: int) -> Instance:
    """A random table that is asked for EQ under y <= z."""
    instance = random_instance(kind, Random(seed))
    return replace(instance, task=Problem("EQ", "y <= z", instance.m))


def counted(census: Census) -> tuple[int, int, int, tuple[int, int] | None]:
    return census.cases, census.failures, census.nans, census.smallest


def by_definition(execution: Execution) -> tuple[int, int, int, tuple[int, int] | None]:
    """The census by the scalar definition, pair by pair."""
    size = range(1 << execution.instance.m)
    traces = [evaluate(execution, y, z) for y in size for z in size if y <= z]
    wrong = [(t.y, t.z) for t in traces if not t.correct]
    return len(traces), len(wrong), sum(t.meets_nan for t in traces), wrong[0] if wrong else None


def test_pairs_are_counted_in_64_bits() -> None:
    program = Program(Execution(pairs("ordered", 1), NAMED["a4"]))
    assert 4**WIDEST_BLOCK < 1 << 62
    with pytest.raises(LimitError, match=f"{WIDEST_BLOCK + 1} positions together"):
        Block(1, WIDEST_BLOCK + 1, ()).sides(program, Budget(1), with_every=False)


@pytest.mark.parametrize("p", [9, 12, 14])
def test_cases_are_exact_beyond_64_bits(p: int) -> None:
    found = by_states(table_6(p))
    length = 2 * p - 1
    assert (found.cases, found.failures) == (sum(1 << k for k in (2 * length - 1, length - 1)), 0)
    assert found.nans > 0


def with_output(execution: Execution, weights: tuple[Fraction, ...], bias: Fraction, semantics: str) -> Execution:
    return Execution(replace(execution.instance, output=Node(weights, bias)), read_semantics(semantics))


@pytest.mark.campaign
def test_failures_beyond_64_bits_are_counted_exactly() -> None:
    """An MLP that always answers 0 fails on the 2^33 equal pairs; one that always answers 1 fails on all others."""
    execution = table_6(17)
    never = by_states(with_output(execution, execution.instance.output.weights, Fraction(0), "a4"))
    assert (never.cases, never.failures, never.smallest) == (Problem("EQ", "y <= z", 33).pairs(), 1 << 33, (0, 0))
    zero = (Fraction(0), Fraction(0))
    always = by_states(with_output(execution, zero, Fraction(1), "overflow=saturate"))
    assert always.failures > 1 << 63
    assert (always.failures + always.nans, always.smallest) == (Problem("EQ", "y <= z", 33).pairs() - (1 << 33), (0, 1))


def test_a_state_limit_declines() -> None:
    with pytest.raises(LimitError, match="--limit"):
        by_states(table_6(10), limit=1000)


def test_linear_attention_without_sums_is_left_to_enumeration() -> None:
    text = beginning("equality", 2, "mine").replace('promise = "none"', 'promise = "y <= z"').replace("[[0], [1]]", "[[0], [0]]")
    execution = Execution(instantiate(shaped(tomllib.loads(text), ConstructionFile, CONSTRUCTION, "t"), {}), read_semantics("a4"))
    assert (execution.sums, execution.normalised) == (0, False)
    with pytest.raises(NotApplicableError, match=r"linear attention with W\^V = 0 has none"):
        by_states(execution)
    found = decide(execution, "auto", 1 << 20)
    assert isinstance(found, Census)
    assert (found.cases, found.failures, found.smallest) == (10, 6, (0, 1))


def test_methods_are_named() -> None:
    execution = table_6(8)
    assert decide(execution, "auto", 1 << 31).method == "reachable-sets"
    assert decide(execution, "enumerate", 1 << 31).method == "enumeration"
    with pytest.raises(InputError, match="auto, enumerate, reachable"):
        decide(execution, "guess", 1 << 31)


def test_a_pair_that_fails_behind_one_that_does_not() -> None:
    """Without the weight of z_1, y = 00000 is taken for equal with 10… and with no smaller z."""
    instance = instantiate(WITNESS_T1.source.file, {"p": 3})
    tokens = tuple(replace(t, vectors=(t.vectors[0],) * 2) if t.step == 6 else t for t in instance.tokens)
    execution = Execution(replace(instance, tokens=tokens), NAMED["a4"])
    assert share(Program(execution)) is not None
    found = by_states(execution)
    assert counted(found) == by_definition(Execution(replace(instance, tokens=tokens), NAMED["a4"]))
    assert found.smallest == (0, 0b10000)


HALF, STEEP = Fraction(1, 2), Fraction(8)
NEVER = Large(positive=False)
SEPARATED = {
    # Accepted is 1/2: (2 + z_2 - y_2) / 4, but over 6 where y_1 = 0 and z_1 = 1.
    "00 is taken for 11, and nothing else": (
        {"y1": ((1, 0), (NEVER, 0)), "y2": ((0, 2), (0, 1)), "z1": ((NEVER, 0), (1, 0)), "z2": ((0, 0), (0, 1))},
        (Node((Fraction(1),), -HALF), Node((Fraction(-1),), HALF), Node((-STEEP, -STEEP), Fraction(1))),
        (0b00, 0b11),
    ),
    # (5 + z_1 - y_1) / (5 + y_2 - z_2) is 1 where both halves agree, and where y = 01, z = 10.
    "01 is taken for 10, behind a larger first half": (
        {"y1": ((0, 5), (0, 4)), "z1": ((0, 0), (0, 1)), "y2": ((0, 0), (1, 0)), "z2": ((1, 0), (0, 0))},
        (Node((STEEP,), -STEEP), Node((-STEEP,), STEEP), Node((Fraction(-1), Fraction(-1)), Fraction(1))),
        (0b01, 0b10),
    ),
}


@pytest.mark.parametrize(("contents", "nodes", "smallest"), SEPARATED.values(), ids=SEPARATED.keys())
def test_the_smallest_failure_of_two_blocks(contents: dict[str, Any], nodes: tuple[Node, Node, Node], smallest: tuple[int, int]) -> None:
    one, zero = Fraction(1), Fraction(0)
    tokens = [
        Token(k, k, ((Bit(name[0], int(name[1])),),), tuple((one, *(x if x is NEVER else Fraction(x) for x in each)) for each in both))
        for k, (name, both) in enumerate(contents.items(), 1)
    ]
    instance = Instance(
        id="two blocks",
        parameters={},
        names={},
        precision=6,
        task=Problem("EQ", "y <= z", 2),
        tokens=(*tokens, Token(5, 5, ((),), ((one, NEVER, zero),))),
        query=Matrix(((one,), (zero,), (zero,)), ln2=True),
        key=Matrix(((zero,), (one,), (zero,))),
        value=Matrix(((zero,), (zero,), (one,))),
        hidden=nodes[:2],
        output=nodes[2],
    )
    execution = Execution(instance, NAMED["a4"])
    assert share(Program(execution)) is not None
    found = by_states(execution)
    assert counted(found) == by_definition(execution)
    assert (found.failures, found.smallest) == (1, smallest)


def test_one_block_reads_y_before_z() -> None:
    """The order that holds fewer bits has two hundred times as many states."""
    instance = instantiate(table_of("witness-grid", errata=False).source.file, {"p": 9, "n": 34})
    found = by_states(Execution(instance, NAMED["a4"]), limit=1 << 22, smallest=False)
    assert (found.cases, found.failures) == (instance.problem.pairs(), 0)
