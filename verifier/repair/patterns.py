"""Describe the failing inputs by the shortest sentence that fits exactly these, or by the properties that they share, with their numbers.

Every failing input is available first: all pairs if these are few enough, else the pairs with z = y and z = y + 1 if their number equals
the engine's count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import Truths
from verifier.engines.enumerate import wrong_on
from verifier.engines.program import sums_of
from verifier.networks.problems import Integers, Problem
from verifier.transformers.tables import Execution

MOST_PAIRS = 1 << 18
MOST_STRINGS = 1 << 18


@dataclass(frozen=True)
class Pattern:
    """conditions: hold on all failing inputs; exact: whether they hold on no other promised input; among: the number of inputs on which
    they hold."""

    conditions: tuple[str, ...]
    failing: int
    among: int

    @property
    def exact(self) -> bool:
        return self.failing == self.among

    def __str__(self) -> str:
        said = " and ".join(self.conditions)
        if self.exact:
            return f"those that fail are exactly all with {said}"
        return f"all that fail have {said}, {self.failing:,} of the {self.among:,} such inputs"


def failing_pattern(execution: Execution, failures: int) -> Pattern | None:
    """A common property of the failing inputs, or None without one, if not all are available, or if inputs are not pairs.

    failures: the number of promised inputs that fail, by an engine's count.
    """
    if not isinstance(execution.instance.task, Problem) or execution.instance.outputs > 1:
        return None
    for y, z in _families(execution.instance.m):
        promised = execution.instance.problem.promises(y, z)
        y, z = y[promised], z[promised]
        wrong = wrong_on(sums_of(execution), y, z)
        if int(wrong.sum()) == failures and failures:
            return _common(y, z, wrong, execution.instance.m)
    return None


def _families(length: int) -> Iterator[tuple[Integers, Integers]]:
    """Lists of pairs, one after the other; a list is useful if it contains all failing pairs."""
    if 1 << length > MOST_STRINGS:
        return
    every = np.arange(1 << length, dtype=np.int64)
    yield every, every
    yield every[:-1], every[1:]
    yield np.concatenate([every, every[:-1]]), np.concatenate([every, every[1:]])
    if 4**length <= MOST_PAIRS:
        y, z = np.meshgrid(every, every, indexing="ij")
        yield y.ravel(), z.ravel()


def _common(y: Integers, z: Integers, wrong: Truths, length: int) -> Pattern | None:
    """The conditions that hold on every failing pair but not on every pair, each useful in addition to those before it."""
    conditions: list[str] = []
    left: Truths = np.ones(y.shape, dtype=bool)
    # what holds on a whole list of _families stands first: the list has all pairs for which it holds
    near = ("z = y or z = y+1", (z == y) | (z == y + 1))
    relations = [("y = z", y == z), ("z = y+1", z == y + 1), near, ("y < z", y < z), ("y > z", y > z)]
    for text, holds in relations:
        if not conditions and holds[wrong].all():
            conditions.append(text)
            left &= holds
    for name, strings in (("y", y), ("z", z)):
        for k in range(1, length + 1):
            bit = strings >> (length - k) & 1
            values = np.unique(bit[wrong])
            narrower = left & (bit == values[0])
            if len(values) == 1 and narrower.sum() < left.sum():
                conditions.append(f"{name}_{k} = {values[0]}")
                left = narrower
    return Pattern(tuple(conditions), int(wrong.sum()), int(left.sum())) if conditions else None
