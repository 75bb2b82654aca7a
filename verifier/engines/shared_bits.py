"""Splitting the positions into two blocks whose sums share a few input bits: for each setting of those, the blocks are independent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from verifier.engines.position_blocks import Block
from verifier.engines.program import Program, RunningSum
from verifier.networks.indices import Bit

MOST_SHARED = 6

Setting = Mapping[Bit, int]


@dataclass(frozen=True)
class Sharing:
    """A prefix and the suffix behind it, and the bits of one block on which a sum of the other depends."""

    high: Block
    low: Block
    shared: tuple[Bit, ...]

    @property
    def work(self) -> int:
        """How many states the two blocks have together, over all settings."""
        return int(4**self.high.width + 4**self.low.width) << len(self.shared)

    def settings(self) -> Iterator[Setting]:
        """Every assignment of the shared bits."""
        for values in product((0, 1), repeat=len(self.shared)):
            yield dict(zip(self.shared, values, strict=True))


def share(program: Program) -> Sharing | None:
    """The cheapest cut with at most six shared bits; None where none is cheaper than all positions together."""
    length = program.execution.instance.m
    found = [s for cut in range(1, length) if (s := _at(program, cut)) is not None]
    best = min(found, key=lambda s: s.work, default=None)
    return best if best is not None and best.work < 4**length else None


def _at(program: Program, cut: int) -> Sharing | None:
    length, conditions = program.execution.instance.m, program.execution.instance.problem.conditions.parts
    if not all(p.last <= cut or p.first > cut for p in conditions):
        return None
    high: list[RunningSum] = []
    low: list[RunningSum] = []
    shared: set[Bit] = set()
    for total in program.sums.values():
        before = {b for b in total.bits if b.index <= cut}
        behind = total.bits - before
        (high if len(before) >= len(behind) else low).append(total)
        shared |= behind if len(before) >= len(behind) else before
    if len(shared) > MOST_SHARED:
        return None
    return Sharing(Block(1, cut, tuple(high)), Block(cut + 1, length, tuple(low)), tuple(sorted(shared)))
