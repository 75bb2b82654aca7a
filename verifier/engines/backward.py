"""Walking back: the smallest y that leads to a failing outcome, from the outcomes that fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.forward import Layer, Walk
from verifier.engines.multiset import Multiset, holds
from verifier.engines.stages import Stage


@dataclass(frozen=True)
class Failing:
    """Which outcomes fail: ``equal``, a truth for each y; ``less`` and ``every``, a truth for each row of ``outcomes``."""

    outcomes: States
    equal: Truths
    less: Truths
    every: Truths


def earliest(walk: Walk, layers: Sequence[Layer], failing: Failing) -> int | None:
    """The smallest y of the block from which a failing outcome is reached.

    Args:
        layers: every layer of the walk, the start first.
    """
    found = failing.equal.copy()
    less = holds(failing.outcomes, failing.less, layers[-1].less.states[:, : walk.sums])
    every = holds(failing.outcomes, failing.every, layers[-1].every.states[:, : walk.sums])
    for stage, before, after in reversed(list(zip(walk.plan.stages, layers, layers[1:], strict=False))):
        step = partial(walk.step, stage)
        for value in range(1 << stage.width):
            for smaller in range(value):
                fresh = before.equal.stepped(step, smaller, value, stage.width)
                leads = holds(after.less.states, less, fresh).reshape(len(before.equal.rows), -1)
                found.reshape(len(before.equal.group), 1 << stage.width, -1)[:, smaller] |= leads[before.equal.group]
        less = _leading(walk, stage, before.less, after.less, less)
        every = _leading(walk, stage, before.every, after.every, every)
    found |= holds(layers[0].every.states, every, layers[0].equal.flat())
    return int(found.argmax()) if found.any() else None


def _leading(walk: Walk, stage: Stage, before: Multiset, after: Multiset, marked: Truths) -> Truths:
    """Which states before the stage lead to a marked one after it."""
    leading = np.zeros(len(before), dtype=bool)
    for value in range(1 << stage.width):
        leading |= holds(after.states, marked, walk.step(stage, before.states, value))
    return leading
