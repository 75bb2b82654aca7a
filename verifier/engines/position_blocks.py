"""Discovering which running sums depend on which positions of the strings, and whether the positions split into two blocks.

Nothing is assumed: a sum depends on a bit exactly when some token's addend differs for its two values
(:func:`verifier.engines.program._essential`). Two blocks are a prefix and a suffix of the positions, since the promise compares strings
lexicographically.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.engines.program import Program, RunningSum


@dataclass(frozen=True)
class Block:
    """Positions first … last of both strings (1-based, inclusive), and the sums that depend on no others."""

    first: int
    last: int
    sums: tuple[RunningSum, ...]

    @property
    def width(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        names = ", ".join(s.name for s in self.sums) or "nothing"
        return f"positions {self.first}–{self.last}: {names}"


def split(program: Program) -> tuple[Block, ...]:
    """One block, or two where every sum and condition depends on a prefix or on the suffix behind it; the widths as even as possible.

    A sum that reads no position is in the first.
    """
    length = program.execution.instance.m
    positions = {s.name: {b.index for b in s.bits} for s in program.sums.values()}
    conditions = program.execution.instance.problem.conditions.parts
    for cut in sorted(range(1, length), key=lambda c: (max(c, length - c), c)):
        low = [s for s in program.sums.values() if max(positions[s.name], default=0) <= cut]
        high = [s for s in program.sums.values() if s not in low and min(positions[s.name]) > cut]
        if len(low) + len(high) == len(program.sums) and all(p.last <= cut or p.first > cut for p in conditions):
            return (Block(1, cut, tuple(low)), Block(cut + 1, length, tuple(high)))
    return (Block(1, length, tuple(program.sums.values())),)
