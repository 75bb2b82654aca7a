"""The census of two blocks, where failures are rare: random criteria on a construction with many outcomes."""

from collections.abc import Collection
from functools import cache, partial
from random import Random
from unittest.mock import Mock, call

import numpy as np
import pytest

from verifier.arithmetic.arrays import States
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import Semantics
from verifier.engines.blocks import share
from verifier.engines.enumerate import _census, _judged, _of_blocks, enumerate_pairs
from verifier.engines.program import Criterion, Faults, Program
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

HIGH, LOW = 3, 2
LENGTH = HIGH + LOW


def many_outcomes(rng: Random, promise: str, shared: Collection[Bit] = ()) -> Instance:
    """The numerator adds a random number for each bit of the prefix, the denominator a random power for each bit of the suffix; and
    either does for a shared bit.
    """
    tokens = []
    for string in "yz":
        for k in range(1, LENGTH + 1):
            early = k <= HIGH
            both = Bit(string, k) in shared
            key = [F(0)] * 2 if early and not both else [F(n) for n in rng.sample(range(-3, 4), 2)]
            value = [F(n) for n in rng.sample(range(-9, 10), 2)] if early or both else [F(0)] * 2
            vectors = tuple((F(1), key[bit], value[bit]) for bit in range(2))
            tokens.append(Token(len(tokens), len(tokens), ((Bit(string, k),),), vectors))
    tokens.append(Token(len(tokens), len(tokens), ((),), ((F(1), F(0), F(1)),)))
    one, zero = (F(1),), (F(0),)
    return Instance(
        id="many-outcomes",
        parameters={},
        names={},
        precision=10,
        task=Problem("EQ", promise, LENGTH),
        tokens=tuple(tokens),
        query=Matrix((one, zero, zero), ln2=True),
        key=Matrix((zero, one, zero)),
        value=Matrix((zero, zero, one)),
        hidden=(),
        output=Node((), F(1)),
    )


def rarely(rng: Random, rate: float) -> Criterion:
    """A criterion that holds a few values of the attention, chosen at random, against the transformer."""
    on_no, on_yes, invalid = (rng.getrandbits(30) for _ in range(3))

    hit = cache(lambda salt, state: Random(f"{salt} {state}").random() < rate)

    def marked(salt: int, states: States) -> States:
        values, places = np.unique(states, return_inverse=True)
        chosen = np.array([hit(salt, state) for state in values.tolist()])
        return chosen[places.reshape(states.shape)]

    return lambda program, attention: Faults(*(marked(salt, attention) for salt in (on_no, on_yes, invalid)))


SHARED = [(), (), (Bit("y", 2),), (Bit("y", 5), Bit("z", 3))]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rate", [0.3, 0.02])
@pytest.mark.parametrize("promise", ["y <= z", "y <= z and y[1:2] != 2 and z[4:5] > 0 and z[1:3] > 3"])
def test_two_blocks_find_what_the_joint_path_finds(rate: float, promise: str) -> None:
    """Also setting by setting of the bits that both blocks use."""
    rng = Random(f"smallest {rate}")
    smallest = set()
    for shared in SHARED:
        program = Program(Execution(many_outcomes(rng, promise, shared), Semantics()))
        sharing = share(program)
        assert [(b.first, b.last) for b in (sharing.high, sharing.low)] == [(1, HIGH), (HIGH + 1, LENGTH)]
        assert sharing.shared == shared
        criterion, told = rarely(rng, rate), Mock()
        found = _of_blocks(program, sharing, told, criterion)
        judged = partial(_judged, program, criterion=criterion)
        whole = _census(program.execution.instance.task, judged, 1 << 40, lambda done, total: None)
        assert found == whole
        assert told.call_args_list == [call(k, 1 << len(shared)) for k in range((1 << len(shared)) + 1)]
        smallest.add(found.smallest)
    assert len(smallest) > 1


@pytest.mark.parametrize(
    "promise", ["y <= z and y[1:1] > 0 and y[1:1] < 1", "y <= z and z[4:5] > 3", "y <= z and y[1:1] > 0 and z[1:1] < 1"]
)
@pytest.mark.parametrize("shared", [(), (Bit("y", 2),)])
def test_a_promise_that_no_pair_keeps_is_an_error(promise: str, shared: Collection[Bit]) -> None:
    with pytest.raises(InputError, match=r"problem\.promise: no input keeps"):
        enumerate_pairs(Execution(many_outcomes(Random(3), promise, shared), Semantics()))
