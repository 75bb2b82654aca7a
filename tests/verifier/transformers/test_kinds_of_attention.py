"""Kinds of attention and of hidden units: each has its definition, and what only the definition knows is run by nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import numpy as np
import pytest

from tests.random_subjects import named
from verifier.arithmetic.numbers import ONE
from verifier.arithmetic.semantics import arithmetic
from verifier.engines.dispatch import ANSWER, ENGINES, OfNetwork, decided
from verifier.running.errors import InputError, LimitError
from verifier.transformers import evaluate
from verifier.transformers.answers import WHOLE
from verifier.transformers.arrays import Arrays
from verifier.transformers.contexts import context
from verifier.transformers.exports import Operations
from verifier.transformers.network import Head, Network, network
from verifier.transformers.records import BY_ARRAYS, Activation, FeedForward, Kind, NetworkFile

FLOAT16 = arithmetic("float16")


def built(kind: str) -> Network:
    """The number of ones of a string of two bits, by a head of this kind that counts: right where all tokens weigh alike."""
    content: dict[str, Any] = {
        **named("small"),
        "input": {"strings": {"w": "n"}, "tokens": ["w"]},
        "embedding": {"x": "token", "y": "0"},
        "layer": [{"head": [{"value": {"y": "2*x"}}]}],
        "accept": {"function": "popcount(w) == 2", "at": "last", "yes": "y > 1"},
    }
    file = msgspec.convert(content, NetworkFile)
    (layer,) = file.layer
    head = msgspec.structs.replace(layer.head[0], kind=kind)
    return network(msgspec.structs.replace(file, layer=[msgspec.structs.replace(layer, head=[head])]), {"n": 2})


def test_each_kind_that_a_file_can_name_is_defined() -> None:
    assert evaluate.KINDS.keys() == {*get_args(Kind)} >= {*BY_ARRAYS}


def test_a_kind_without_a_definition_is_refused() -> None:
    with pytest.raises(InputError, match="attention of kind 'twofold' is not defined; one of softmax, "):
        evaluate.run(built("twofold"), [0, 1], context(FLOAT16))


def test_a_kind_that_the_definition_alone_knows_is_run_by_it_and_by_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def twofold(head: Head, scores: list[Any], given: Any) -> tuple[list[Any], None]:
        """Half of the weight on the first token and half on the last."""
        half = given.divide(ONE, given.count(2))
        return [half if j in (0, len(scores) - 1) else None for j in range(len(scores))], None

    monkeypatch.setattr(evaluate, "KINDS", {**evaluate.KINDS, "twofold": twofold})
    new = built("twofold")
    found, reasons = decided(OfNetwork(new.file, {"n": 2}, new, FLOAT16, WHOLE, 1 << 20))
    assert found is not None
    assert (found.method, found.wrong, found.cases) == ("definition", None, 4)
    alone = "attention of kind twofold, which the definition alone computes"
    assert all(reason for reason in reasons.values())
    assert reasons.keys() == {engine.name for engine in ENGINES if ANSWER in engine.of and not engine.defines}
    with pytest.raises(LimitError, match=alone):
        Arrays(new, FLOAT16)
    with pytest.raises(LimitError, match=alone):
        Operations(new)


def with_units(activation: str) -> Network:
    """The network with a hidden unit whose activation is this one."""
    file = built("softmax").file
    units = msgspec.structs.replace(FeedForward(hidden={"u": "y"}, into={"y": "u"}), activation=activation)
    return network(msgspec.structs.replace(file, layer=[msgspec.structs.replace(file.layer[0], network=units)]), {"n": 2})


def test_each_activation_that_a_file_can_name_is_defined() -> None:
    assert evaluate.ACTIVATIONS.keys() == {*get_args(Activation)}


@pytest.mark.parametrize(
    "run", [lambda new: evaluate.run(new, [0, 1], context(FLOAT16)), lambda new: Arrays(new, FLOAT16).run(np.array([[0, 1]]))]
)
def test_an_activation_without_a_definition_is_refused(run: Callable[[Network], Any]) -> None:
    with pytest.raises(InputError, match="activation 'folded' is not defined; one of relu, "):
        run(with_units("folded"))


def test_an_activation_that_exports_do_not_know_is_refused() -> None:
    with pytest.raises(LimitError, match="the activation folded, which exports do not know"):
        Operations(with_units("folded"))
