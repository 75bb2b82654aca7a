"""Two blocks' outcomes against each other by spans, held against the answer to each combination; dot products beyond 64 bits."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.artificial import random_reading
from verifier.arithmetic.arrays import SPECIALS, States
from verifier.engines.blocks import Block, Crossing
from verifier.engines.program import DENOMINATOR, INVALID, NEITHER, YES, Program
from verifier.engines.search import NotApplicableError


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
    with pytest.raises(NotApplicableError, match="beside the denominator take 65 values"):
        Crossing(program, blocks, (bottom[:65], top))
