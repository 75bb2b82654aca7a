"""Chosen pairs: each is judged as the definition judges it, and the sample is of the four kinds that it names."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.artificial import KINDS, random_reading
from verifier.arithmetic.arrays import Truths
from verifier.engines import chosen_inputs as chosen
from verifier.engines.chosen_inputs import sampled_failure, wrong_on
from verifier.engines.program import Program
from verifier.networks.evaluate import evaluate
from verifier.networks.tasks import Integers


@pytest.mark.parametrize("attention", ["softmax", "linear"])
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_are_judged_as_by_the_definition(kind: str, attention: str) -> None:
    rng = Random(f"chosen {kind}")
    for _ in range(3):
        execution = random_reading(kind, rng, attention)
        program, size = Program(execution), 1 << execution.instance.m
        y, z = (each.reshape(-1) for each in np.indices((size, size)))
        traces = [evaluate(execution, a, b) for a in range(size) for b in range(size)]
        assert wrong_on(program, y, z).tolist() == [t.promised and not t.correct for t in traces]
        failing = {(t.y, t.z) for t in traces if t.y <= t.z and t.promised and not t.correct}
        found = sampled_failure(program)
        assert found in failing if failing else found is None, "of so few pairs each is asked"


def test_equal_neighbouring_one_bit_apart_and_any(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(random_reading("joint", Random(5)))
    size = 1 << program.execution.instance.m
    asked: list[list[tuple[int, int]]] = []
    every = {(y, z) for y in range(size) for z in range(y, size)}

    def recorded(program: Program, y: Integers, z: Integers) -> Truths:
        asked.append(list(zip(y.tolist(), z.tolist(), strict=True)))
        wrong: Truths = (y == fails[0]) & (z == fails[1])
        return wrong

    monkeypatch.setattr(chosen, "wrong_on", recorded)
    fails = (-1, -1)
    assert (size, sampled_failure(program)) == (8, None)
    equal, neighbours, turned, any_pair = (set(each) for each in asked)
    assert equal == {(y, y) for y in range(size)}
    assert neighbours == {(y, min(y + 1, size - 1)) for y in range(size)}
    assert turned == {(y, z) for y, z in every if (y ^ z).bit_count() == 1}
    assert any_pair == every
    fails = (2, 5)
    assert sampled_failure(program) == fails
