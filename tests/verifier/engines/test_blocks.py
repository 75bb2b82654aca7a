"""Two blocks: products by spans against each combination, promises that no pair keeps, and what is no product of two blocks."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import numpy as np
import pytest

from tests.artificial import random_reading
from verifier.arithmetic.arrays import SPECIALS, States
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import Semantics
from verifier.engines.blocks import Block, Crossing
from verifier.engines.by_states import by_states
from verifier.engines.program import DENOMINATOR, INVALID, NEITHER, YES, Program
from verifier.engines.search import NotApplicableError
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


@pytest.mark.parametrize(
    "promise", ["y <= z and y[1:1] > 0 and y[1:1] < 1", "y <= z and z[4:5] > 3", "y <= z and y[1:1] > 0 and z[1:1] < 1"]
)
@pytest.mark.parametrize("shared", [(), (Bit("y", 2),)])
def test_a_promise_that_no_pair_keeps_is_an_error(promise: str, shared: Collection[Bit]) -> None:
    with pytest.raises(InputError, match=r"problem\.promise: no input keeps"):
        by_states(Execution(many_outcomes(Random(3), promise, shared), Semantics()))


def random_program(rng: Random, sums: int) -> Program:
    while True:
        program = Program(random_reading("wild", rng))
        if len(program.numerator_sums) == sums:
            return program


def outcomes(program: Program, count: int, columns: int, rng: Random) -> States:
    values = [int(program.lattice.encode(x)) for x in program.execution.machine.form.values()] + [0, *map(int, SPECIALS.values())]
    return np.array([[rng.choice(values) for _ in range(columns)] for _ in range(count)], dtype=np.int64)


def answered(program: Program, blocks: tuple[Block, Block], tables: tuple[States, States]) -> States:
    """What every combination is answered with, one by one."""
    sums = {s.name: tables[0][:, k, None] for k, s in enumerate(blocks[0].sums)}
    sums |= {s.name: tables[1][None, :, k] for k, s in enumerate(blocks[1].sums)}
    return np.broadcast_to(program.answers(*program.attentions(sums)), (len(tables[0]), len(tables[1])))


def test_one_block_with_every_sum_is_no_crossing() -> None:
    program = random_program(Random(1), 2)
    every, none = Block(1, 1, tuple(program.sums.values())), Block(2, 2, ())
    table, empty = outcomes(program, 3, 3, Random(1)), np.zeros((3, 0), dtype=np.int64)
    for blocks, tables in (((every, none), (table, empty)), ((none, every), (empty, table))):
        with pytest.raises(NotApplicableError, match="one of the two blocks holds every sum"):
            Crossing(program, blocks, tables)


def test_the_numerators_parts_beside_the_denominator_take_at_most_64_values() -> None:
    """In a program of two sums whose first is neither scaled nor of few values."""
    program = random_program(Random(9), 2)
    values = np.array([program.lattice.encode(x) for x in program.execution.machine.form.values()])
    beside = values[np.unique(program.weighted("sum 1", values), return_index=True)[1]]
    assert len(beside) >= 65
    first, second, denominator = (program.sums[name] for name in ("sum 1", "sum 2", DENOMINATOR))
    blocks = Block(1, 1, (first, denominator)), Block(2, 2, (second,))
    bottom, top = np.stack([beside, np.ones(len(beside), dtype=np.int64)], axis=1), outcomes(program, 2, 1, Random(1))
    taken = np.concatenate([bottom[:64], bottom[:64]]), top
    asked = [YES, NEITHER, INVALID]
    expected = np.isin(answered(program, blocks, taken), asked).sum(axis=1)
    assert Crossing(program, blocks, taken).sums(0, asked, np.ones(2, dtype=np.int64)).tolist() == expected.tolist()
    with pytest.raises(NotApplicableError, match="go with the denominator take 65 values"):
        Crossing(program, blocks, (bottom[:65], top))
