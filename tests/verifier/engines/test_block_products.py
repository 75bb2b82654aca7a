"""Two blocks' outcomes against each other by spans, held against the answer to each combination; dot products beyond 64 bits."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.artificial import random_reading
from verifier.arithmetic.arrays import SPECIALS, States
from verifier.engines import block_products as crossing
from verifier.engines.block_products import Crossing, exact_dot
from verifier.engines.position_blocks import Block
from verifier.engines.program import DENOMINATOR, INVALID, NEITHER, YES, Program, RunningSum
from verifier.engines.stages import StagingError

COUNTS = 11, 9


def random_program(rng: Random, sums: int) -> Program:
    while True:
        program = Program(random_reading("wild", rng))
        if len(program.numerator_sums) == sums:
            return program


def parted(program: Program, rng: Random) -> tuple[Block, Block]:
    """The sums dealt to two blocks, none of them empty."""
    while True:
        sides: tuple[list[RunningSum], list[RunningSum]] = ([], [])
        for total in program.sums.values():
            rng.choice(sides).append(total)
        if all(sides):
            return Block(1, 1, tuple(sides[0])), Block(2, 2, tuple(sides[1]))


def outcomes(program: Program, count: int, columns: int, rng: Random) -> States:
    values = [int(program.lattice.encode(x)) for x in program.execution.machine.form.values()] + [0, *map(int, SPECIALS.values())]
    return np.array([[rng.choice(values) for _ in range(columns)] for _ in range(count)], dtype=np.int64)


def answered(program: Program, blocks: tuple[Block, Block], tables: tuple[States, States]) -> States:
    """What every combination is answered with, one by one."""
    sums = {s.name: tables[0][:, k, None] for k, s in enumerate(blocks[0].sums)}
    sums |= {s.name: tables[1][None, :, k] for k, s in enumerate(blocks[1].sums)}
    return np.broadcast_to(program.answers(program.attention(sums)), (len(tables[0]), len(tables[1])))


@pytest.mark.parametrize("seed", range(9))
def test_sums_over_the_other_block_are_those_of_every_combination(seed: int) -> None:
    rng, answers = Random(seed), np.zeros(COUNTS, dtype=np.int64)
    while len(np.unique(answers)) < 3:
        program = random_program(rng, 1 + seed % 3)
        blocks = parted(program, rng)
        tables = outcomes(program, COUNTS[0], len(blocks[0].sums), rng), outcomes(program, COUNTS[1], len(blocks[1].sums), rng)
        answers = answered(program, blocks, tables)
    crossed = Crossing(program, blocks, tables)
    weights = [np.array([rng.randrange(1, 9) for _ in table], dtype=np.int64) for table in tables]
    for asked in ([YES], [NEITHER], [INVALID], [YES, NEITHER]):
        matrix = np.isin(answers, asked).astype(np.int64)
        assert crossed.sums(0, asked, weights[1]).tolist() == (matrix @ weights[1]).tolist()
        assert crossed.sums(1, asked, weights[0]).tolist() == (weights[0] @ matrix).tolist()


def test_one_block_with_every_sum_is_no_crossing() -> None:
    program = random_program(Random(1), 2)
    every, none = Block(1, 1, tuple(program.sums.values())), Block(2, 2, ())
    table, empty = outcomes(program, 3, 3, Random(1)), np.zeros((3, 0), dtype=np.int64)
    for blocks, tables in (((every, none), (table, empty)), ((none, every), (empty, table))):
        with pytest.raises(StagingError, match="one of the two blocks holds every sum"):
            Crossing(program, blocks, tables)


def test_the_numerators_parts_beside_the_denominator_take_at_most_64_values() -> None:
    """In a program of two sums whose first is neither scaled nor of few values."""
    program = random_program(Random(19), 2)
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
    with pytest.raises(StagingError, match="beside the denominator take 65 values"):
        Crossing(program, blocks, (bottom[:65], top))


@pytest.mark.parametrize("at_once", [1, 2, 5, crossing.DOT_AT_ONCE], ids=["1", "2", "5", "as it stands"])
def test_dot_products_are_exact_beyond_64_bits(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "DOT_AT_ONCE", at_once)
    numbers = [0, 1, (1 << 62) + 1, (1 << 63) - 1, 12345678901234567, *(1 << k for k in (20, 21, 22, 41, 42, 43)), (1 << 42) - 1]
    for a, b in ((numbers, numbers), (numbers, numbers[::-1]), ([(1 << 63) - 1] * 7, [(1 << 63) - 1] * 7)):
        assert exact_dot(np.array(a), np.array(b)) == sum(x * y for x, y in zip(a, b, strict=True))
