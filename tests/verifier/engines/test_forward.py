"""Stages, one after the other, lead each pair to its sums, as do the outcomes of one y; what may be visited is counted."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from tests.verifier.engines.test_sum_values import BITS, FIRST, LAST, LATTICE, at, random_sum
from verifier.engines.backward import Failing, earliest
from verifier.engines.forward import Budget, Walk
from verifier.engines.position_blocks import Block
from verifier.engines.program import Addend, RunningSum
from verifier.engines.stages import StagingError, plan
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError

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


def can_cut(total: RunningSum, position: int) -> bool:
    """Whether all bits of z up to a position are read before any behind it."""
    read = [(k, bit.index > position) for k, addend in enumerate(total.addends) for bit in addend.reads if bit.string == "z"]
    return max((k for k, behind in read if not behind), default=-1) < min((k for k, behind in read if behind), default=len(total.addends))


def test_the_stages_are_as_narrow_as_they_can_be() -> None:
    """Several positions together, and bits of y read behind those of z, several of them by one token."""
    seen = set()
    for seed in range(30):
        rng = Random(seed)
        sums = tuple(random_sum(rng, BITS) for _ in range(2))
        stages = plan(Block(FIRST, LAST, sums)).stages
        cuts = [c for c in range(FIRST, LAST) if all(can_cut(total, c) for total in sums)]
        assert [(stage.first - 1, stage.last) for stage in stages] == list(pairwise([FIRST - 1, *cuts, LAST]))
        late = [sum(bit.string == "y" for bit in a.reads) for stage in stages for each in stage.addends for a in each]
        seen |= {tuple(stage.width for stage in stages), max(late, default=0)}
    assert {(1, 1, 1), (2, 1), (1, 2), (3,), 0, 2} <= seen


def test_eight_positions_at_most_are_taken_together() -> None:
    """Where z is read backwards."""
    backwards = [Addend((Bit("z", k),), np.array([0, 1])) for k in range(9, 0, -1)]
    assert [stage.width for stage in plan(Block(1, 8, (RunningSum("sum", tuple(backwards[1:])),))).stages] == [8]
    with pytest.raises(StagingError, match="z_1 … z_9 are not read in ascending order; at most 8"):
        plan(Block(1, 9, (RunningSum("sum", tuple(backwards)),)))


def test_where_nothing_fails_no_string_is_named() -> None:
    walk = Walk(LATTICE, plan(Block(FIRST, LAST, (random_sum(Random(7), BITS),))), Budget(1 << 20))
    layers = list(walk.layers(with_every=True))
    rows = layers[-1].every.states[:, :1]
    none = Failing(rows, np.zeros(len(STRINGS), dtype=bool), np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool))
    assert earliest(walk, layers, none) is None


@pytest.mark.parametrize("with_every", [True, False])
def test_each_state_of_each_layer_is_counted(with_every: bool) -> None:
    """At least once: those that are merged were visited one by one."""
    rng = Random(7)
    found, budget = plan(Block(FIRST, LAST, tuple(random_sum(rng, BITS) for _ in range(2)))), Budget(1 << 20)
    layers = list(Walk(LATTICE, found, budget).layers(with_every))
    assert len(layers[-1].every) > 0 or not with_every
    assert budget.spent >= sum(len(layer.equal.flat()) + len(layer.less) + len(layer.every) for layer in layers)


def test_what_is_spent_is_added_up() -> None:
    budget = Budget(5)
    budget.spend(3)
    budget.spend(2)
    with pytest.raises(LimitError, match="visited 6 states, the limit is 5"):
        budget.spend(1)
