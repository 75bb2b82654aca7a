"""Arrays over all inputs, held against the definition, coordinate by coordinate."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from tests.random_subjects import random_arithmetic, random_network
from verifier.arithmetic.semantics import arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.network import network
from verifier.transformers.records import NetworkFile


def compare(seed: int) -> None:
    """All coordinates of every token of every input of one random network."""
    rng = random.Random(seed)
    built = network(msgspec.convert(random_network("any", rng), NetworkFile), {"n": rng.choice([1, 2, 3])})
    how = arithmetic(random_arithmetic(rng, of_tables=False))
    inputs = [built.input.tokens(strings) for strings in built.input.every()]
    arrays = Arrays(built, how)
    columns = arrays.run(np.array(inputs))
    at = rng.randrange(len(inputs[0]))
    alone = arrays.run(np.array(inputs), at)
    definition = context(how)
    for place in range(len(inputs[0])):
        values = {name: arrays.numbers(column, place, len(inputs)) for name, column in columns.items()}
        lone = {name: arrays.numbers(column, 0, len(inputs)) for name, column in alone.items()}
        for k, tokens in enumerate(inputs):
            expected = run(built, tokens, definition).last[place]
            assert {name: values[name][k] for name in values} == expected, (seed, str(how), tokens, place)
            if place == at:
                assert {name: lone[name][k] for name in lone} == expected, (seed, str(how), tokens, place)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(40))
def test_arrays_compute_what_the_definition_computes(seed: int) -> None:
    compare(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(100))
def test_ten_thousand_random_networks(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare(seed)
