"""A table is a network: what is remembered of its tokens is what the definition computes, and its own file as a network answers alike."""

from __future__ import annotations

from random import Random

import pytest

from tests.random_subjects import KINDS, random_table
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.semantics import read_arithmetic
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.running.errors import InputError
from verifier.transformers.evaluate import run
from verifier.transformers.table_traces import answer_at, evaluate_at
from verifier.transformers.tables import OUTPUT, Execution

ARITHMETICS = (
    "a4",
    "narrative+ties=away",
    "a4+order=values+columns=all",
    "a4+format=e5m2",
    "float16",
    "e4m3+sums=pairwise",
    "numpy-float16",
)


def random_instance(kind: str, rng: Random) -> Instance:
    import msgspec

    content = random_table(kind, rng)
    file = msgspec.convert({"id": "random", "title": "a table", "source": "none", **content}, ConstructionFile)
    return instantiate(file, {"m": int(content["parameters"]["m"]["where"].split()[-1])})


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", ARITHMETICS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_remembered_of_tokens_is_what_the_definition_computes(kind: str, name: str) -> None:
    compared = 0
    for seed in range(6):
        rng = Random(f"{kind} {name} {seed}")
        instance = random_instance(kind, rng)
        try:
            execution = Execution(instance, read_arithmetic(name))
            for _ in range(4):
                strings = {string: rng.randrange(1 << length) for string, length in instance.task.strings.items()}
                tokens = [token.pattern_at(strings, instance.task.strings) for token in instance.tokens]
                made = run(execution.table, tokens, execution.context)
                trace = evaluate_at(execution, strings)
                output: Number = made.last[0][OUTPUT]
                assert tuple(made.layers[0].attention[0].values()) == trace.attentions
                assert trace.decision == answer_at(execution, strings)
                assert output == trace.decision.output or (instance.accept.rectified and trace.decision.output == 0)
                compared += 1
        except InputError:  # N combines with nothing
            continue
    assert compared
