"""Stages, one after the other, lead each pair to its sums, as do the outcomes of one y; what may be visited is counted."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.verifier.engines.test_sum_values import BITS, FIRST, LAST, LATTICE, at, random_sum
from verifier.engines.forward import Budget, Walk
from verifier.engines.position_blocks import Block
from verifier.engines.program import Addend, RunningSum
from verifier.engines.stages import StagingError, plan
from verifier.networks.indices import Bit

WIDTH = LAST - FIRST + 1
STRINGS = range(1 << WIDTH)


@pytest.mark.parametrize("seed", [0, 6, 7, 10, 18, 24])
def test_every_pair_is_led_to_its_sums(seed: int) -> None:
    rng = Random(seed)
    sums = tuple(random_sum(rng, BITS) for _ in range(2))
    walk = Walk(LATTICE, plan(Block(FIRST, LAST, sums)), Budget(1 << 20))
    start = next(iter(walk.layers(with_every=False))).equal.flat()
    for z in STRINGS:
        rows = start
        for stage in walk.plan.stages:
            rows = walk.step(stage, rows, z >> LAST - stage.last & (1 << stage.width) - 1)
        for y in STRINGS:
            given = {Bit(name, k): x >> LAST - k & 1 for name, x in (("y", y), ("z", z)) for k in range(FIRST, LAST + 1)}
            expected = [LATTICE.encode(at(total, given)) for total in sums]
            assert walk.of_y(y)[z, :2].tolist() == rows[y, :2].tolist() == expected
            assert walk.of_y(y)[z, 2:].tolist() == start[y, 2:].tolist(), "the bits of y that are read late"


def test_eight_positions_at_most_are_taken_together() -> None:
    """Where z is read backwards."""
    backwards = [Addend((Bit("z", k),), np.array([0, 1])) for k in range(9, 0, -1)]
    assert [stage.width for stage in plan(Block(1, 8, (RunningSum("sum", tuple(backwards[1:])),))).stages] == [8]
    with pytest.raises(StagingError, match="z_1 … z_9 are not read in ascending order; at most 8"):
        plan(Block(1, 9, (RunningSum("sum", tuple(backwards)),)))
