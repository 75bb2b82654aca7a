"""The pairs that agree so far: one row for each y, kept once for all beginnings that lead to the same rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import States
from verifier.engines.multiset import Indices

Step = Callable[[States, int], States]
"""The rows (n, columns) after a stage with its bits of z set to a value."""


@dataclass(frozen=True)
class Agreeing:
    """z = y on the positions read; y is a beginning (the positions read) and the rest behind it.

    rows:  (groups, rests, columns); group: (beginnings,), whose rows are those of a beginning.

    Where z takes away what y added, all beginnings lead to the same rows, and a stage costs half of the one before.
    """

    rows: States
    group: Indices

    @property
    def sizes(self) -> States:
        """How many beginnings a group has."""
        return np.bincount(self.group, minlength=len(self.rows)).astype(np.int64)

    @property
    def counts(self) -> States:
        """How many y each row of :meth:`flat` stands for."""
        return np.repeat(self.sizes, self.rows.shape[1])

    def flat(self) -> States:
        """All rows, (groups · rests, columns)."""
        return self.rows.reshape(-1, self.rows.shape[2])

    def of_each_y(self) -> Indices:
        """The row in :meth:`flat` of each y."""
        rests = self.rows.shape[1]
        index: Indices = (self.group[:, None] * rests + np.arange(rests)).reshape(-1)
        return index

    def part(self, value: int, width: int) -> States:
        """The rows (groups, rests behind the next ``width`` positions, columns) of the y that have ``value`` there."""
        groups, rests, columns = self.rows.shape
        return self.rows.reshape(groups, 1 << width, rests >> width, columns)[:, value]

    def stepped(self, step: Step, value: int, by: int, width: int) -> States:
        """:meth:`part` of ``value`` after a stage in which z's bits are ``by``, flat."""
        return step(self.part(value, width).reshape(-1, self.rows.shape[2]), by)

    def next(self, step: Step, width: int) -> Agreeing:
        """After a stage of ``width`` positions in which z agrees with y."""
        groups, rests, columns = self.rows.shape
        each = [self.stepped(step, value, value, width).reshape(groups, rests >> width, columns) for value in range(1 << width)]
        children = np.stack(each, axis=1).reshape(groups << width, rests >> width, columns)
        first, same = _alike(children)
        beginnings = (self.group[:, None] << width) + np.arange(1 << width)
        return Agreeing(children[first], same[beginnings.reshape(-1)])


def _alike(children: States) -> tuple[Indices, Indices]:
    """One child of each kind, and the kind of each child; equal sums of a hash are compared row by row.

    The factors may be any, as agreement is compared.
    """
    flat = children.reshape(len(children), -1)
    odd = np.random.default_rng(flat.shape[1]).integers(0, 1 << 62, flat.shape[1], dtype=np.int64) * 2 + 1
    _, first, kind = np.unique(flat @ odd, return_index=True, return_inverse=True)
    if np.array_equal(flat, flat[first[kind]]):
        return first, kind
    return np.arange(len(children)), np.arange(len(children))
