"""The smallest counterexample where failures are rare: random criteria on a construction with many outcomes, and nearly right ones."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.verifier.engines.random_constructions import nearly_right
from verifier.arithmetic.rationals import Fraction as F
from verifier.attention.terms import Reading
from verifier.construction.entries import Large
from verifier.construction.indices import Bit
from verifier.construction.instance import Instance, Matrix, Node, Token
from verifier.engines.blocks import Block, split
from verifier.engines.combine import PIECE_BITS, combine
from verifier.engines.enumerate import _joint
from verifier.engines.forward import Budget
from verifier.engines.lattice import States
from verifier.engines.program import Criterion, Faults, Program
from verifier.engines.reachable import _one_block, reachable_sets
from verifier.engines.sharing import Sharing
from verifier.problems import Problem
from verifier.semantics import NAMED, Semantics

HIGH, LOW = 3, 2
LENGTH = HIGH + LOW


def many_outcomes(rng: Random, promise: str) -> Instance:
    """The numerator adds a random number for each bit of the prefix, the denominator a random power for each bit of the suffix."""
    tokens = []
    for string in "yz":
        for k in range(1, LENGTH + 1):
            early = k <= HIGH
            key = [F(0)] * 2 if early else [F(rng.randint(-3, 3)) for _ in range(2)]
            value = [F(rng.randint(-9, 9)) if early else F(0) for _ in range(2)]
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

    def marked(salt: int, states: States) -> States:
        values, places = np.unique(states, return_inverse=True)
        chosen = np.array([Random(f"{salt} {s}").random() < rate for s in values])
        return chosen[places.reshape(states.shape)]

    return lambda program, attention: Faults(*(marked(salt, attention) for salt in (on_no, on_yes, invalid)))


@pytest.mark.parametrize("rate", [0.3, 0.02, 0.004])
@pytest.mark.parametrize("promise", ["y <= z", "y <= z and y[1:2] != 2 and z[4:5] > 0 and z[1:3] > 3"])
@pytest.mark.parametrize("piece_bits", [PIECE_BITS, HIGH])
def test_two_blocks_find_what_the_joint_path_finds(rate: float, piece_bits: int, promise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the y of a block are taken piece by piece."""
    monkeypatch.setattr("verifier.engines.combine.PIECE_BITS", piece_bits)
    rng = Random(f"smallest {rate}")
    smallest = set()
    for _ in range(4):
        program = Program(Reading(many_outcomes(rng, promise), Semantics()))
        blocks = split(program)
        assert [b.width for b in blocks] == [HIGH, LOW]
        criterion = rarely(rng, rate)
        found = combine(program, Sharing(blocks[0], blocks[1], ()), lambda done, total: None, criterion)
        whole = _joint(program, Block(1, LENGTH, tuple(program.sums.values())), lambda done, total: None, criterion)
        assert (found.cases, found.failures, found.nans, found.smallest) == (whole.cases, whole.failures, whole.nans, whole.smallest)
        smallest.add(found.smallest)
    assert len(smallest) > 1


@pytest.mark.parametrize(("high", "low"), [(2, 2), (1, 3), (3, 1), (3, 2)])
def test_reachable_sets_find_the_first_failure(high: int, low: int) -> None:
    """In two blocks, and all sums together."""
    rng, smallest = Random(f"nearly right {high} {low}"), set()
    for _ in range(5):
        program = Program(Reading(nearly_right(rng, high, low), NAMED["a4"]))
        block = Block(1, high + low, tuple(program.sums.values()))
        whole = _joint(program, block, lambda done, total: None)
        for found in (reachable_sets(program.reading), _one_block(program, block, Budget(1 << 20), lambda done, total: None)):
            assert (found.cases, found.failures, found.nans, found.smallest) == (whole.cases, whole.failures, whole.nans, whole.smallest)
        smallest.add(whole.smallest)
    assert len(smallest) > 1


def test_a_second_half_that_fails_only_behind_a_larger_first_one() -> None:
    """(5 + z_1 - y_1) / (5 + y_2 - z_2) is 1 where both halves agree, and where y = 01, z = 10; nothing else is accepted."""
    one, zero = F(1), F(0)
    contents = {Bit("y", 1): ((0, 5), (0, 4)), Bit("z", 1): ((0, 0), (0, 1)), Bit("y", 2): ((0, 0), (1, 0)), Bit("z", 2): ((1, 0), (0, 0))}
    tokens = [Token(k, k, ((bit,),), tuple((one, *map(F, each)) for each in both)) for k, (bit, both) in enumerate(contents.items(), 1)]
    asks = Token(5, 5, ((),), ((one, Large(positive=False), zero),))
    steep, output = F(8), Node((-one, -one), one)
    instance = replace(nearly_right(Random(0), 1, 1), tokens=(*tokens, asks), hidden=(Node((steep,), -steep), Node((-steep,), steep)))
    found = reachable_sets(Reading(replace(instance, output=output), NAMED["a4"]))
    assert "two independent blocks" in found.how
    assert (found.cases, found.failures, found.smallest) == (10, 1, (0b01, 0b10))
