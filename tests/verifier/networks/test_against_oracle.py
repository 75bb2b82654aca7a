"""The scalar definition against a second implementation written from the paper: every intermediate value, every knob."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from tests.artificial import KINDS, embedding, random_reading, transformer
from tests.oracle import Value
from tests.oracle_reading import oracle_reading, plain
from tests.tables import table
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.networks.instantiate import instantiate
from verifier.transformers.table_traces import Trace, evaluate
from verifier.transformers.tables import Execution


def found(trace: Trace) -> tuple[Value, ...]:
    return tuple(plain(x) for x in (trace.numerator, trace.denominator, trace.attention, trace.decision.output))


def inputs(m: int, rng: Random) -> list[tuple[int, int]]:
    """Equal strings, strings one bit apart, the ends, and random pairs; y ≤ z and y > z both."""
    y = rng.randrange(2**m)
    apart = y ^ (1 << rng.randrange(m))
    half = (1 << m // 2) - 1
    return [(y, y), (y, apart), (apart, y), (0, 2**m - 1), (half, half), (0, 0), (rng.randrange(2**m), rng.randrange(2**m))]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(("attention", "floating"), [*product(("softmax", "linear"), (False, True))])
def test_random_constructions_under_random_readings(attention: str, floating: bool, count: int) -> None:
    """Of each kind in turn; every answer comes up, or the comparison could pass by meeting nothing else."""
    rng = Random(f"{attention} {floating}")
    outputs: Counter[Value] = Counter()
    for k in range(count):
        execution = random_reading(KINDS[k % len(KINDS)], rng, attention, floating)
        instance, semantics = execution.instance, execution.semantics
        made, m = transformer(instance), instance.m
        for y, z in inputs(m, rng):
            expected = made.output(embedding(instance, f"{y:0{m}b}", f"{z:0{m}b}"), oracle_reading(semantics, instance.precision))
            assert found(evaluate(execution, y, z)) == expected, f"{instance}\n{semantics.label}, y = {y}, z = {z}"
            outputs[expected[3]] += 1
    assert {0, 1, "nan"} < set(outputs)


def test_what_was_rounded_is_on_record() -> None:
    """Each line of a step names a value before and after, which differ; where nothing was rounded there is no line."""
    execution = Execution(instantiate(table("table-6").source.repaired(), {"p": 8}), DEFAULT_SEMANTICS)
    steps = [step for y, z in inputs(15, Random(4)) for step in evaluate(execution, y, z).steps]
    lines = [line.partition(": ")[2].split(" → ") for step in steps for line in step.rounded]
    assert lines
    assert all(before != after for before, after in lines)
    assert any(not step.rounded for step in steps)
