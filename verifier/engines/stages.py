"""Cutting a block's running sums into stages, one for each position of z (or a few together), after everything that y alone adds.

A sum of tokens is run for all inputs at once by carrying the set of values reached so far; that set may forget which z led to a value
only if no later token asks for a bit of z again. A cut after position c is possible where each sum has read all bits z_1 … z_c that it
ever reads before it reads any bit behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.engines.position_blocks import Block
from verifier.engines.program import Addend, RunningSum
from verifier.networks.indices import Bit

WIDEST_STAGE = 8


class StagingError(Exception):
    """The reachable-set engine cannot handle this construction; another engine has to."""


@dataclass(frozen=True)
class Stage:
    """Positions first … last of z become known; ``addends[k]`` is what they make the block's k-th sum add, in order."""

    first: int
    last: int
    addends: tuple[tuple[Addend, ...], ...]

    @property
    def width(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class Plan:
    """A block in stages.

    start: each sum up to the first token that reads a bit of z; late: the bits of y that are read after that, ascending.
    """

    block: Block
    start: tuple[RunningSum, ...]
    stages: tuple[Stage, ...]
    late: tuple[Bit, ...]


def _first_reading_beyond(addends: Sequence[Addend], position: int) -> int:
    """The index of the first addend that reads a bit of z behind ``position``; their number where none does."""
    return next((k for k, a in enumerate(addends) if any(b.string == "z" and b.index > position for b in a.reads)), len(addends))


def _can_cut(addends: Sequence[Addend], position: int) -> bool:
    behind = addends[_first_reading_beyond(addends, position) :]
    return all(b.string == "y" or b.index > position for a in behind for b in a.reads)


def plan(block: Block) -> Plan:
    """The block's stages, as narrow as its sums allow.

    Raises:
        StagingError: more than 8 positions of z have to be taken together.
    """
    starts, rests = [], []
    for total in block.sums:
        begin = _first_reading_beyond(total.addends, 0)
        starts.append(RunningSum(total.name, total.addends[:begin]))
        rests.append(total.addends[begin:])
    cuts = [c for c in range(block.first, block.last) if all(_can_cut(rest, c) for rest in rests)]
    stages = []
    for first, last in zip([block.first, *(c + 1 for c in cuts)], [*cuts, block.last], strict=True):
        if last - first >= WIDEST_STAGE:
            raise StagingError(f"z_{first} … z_{last} are not read in ascending order; at most {WIDEST_STAGE} positions are taken together")
        ends = [_first_reading_beyond(rest, last) for rest in rests]
        stages.append(Stage(first, last, tuple(rest[:end] for rest, end in zip(rests, ends, strict=True))))
        rests = [rest[end:] for rest, end in zip(rests, ends, strict=True)]
    late = {b for stage in stages for each in stage.addends for a in each for b in a.reads if b.string == "y"}
    return Plan(block, tuple(starts), tuple(stages), tuple(sorted(late)))
