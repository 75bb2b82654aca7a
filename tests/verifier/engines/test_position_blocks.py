"""Blocks of positions: all positions once, each sum in the block that has its bits, as even as the sums allow."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from verifier.engines.blocks import split
from verifier.engines.program import Addend, Program, RunningSum
from verifier.networks.indices import Bit


def cuts(program: Program) -> list[int]:
    """Where the positions split, by the definition."""
    instance = program.execution.instance
    bits = [{b.index for b in s.bits} for s in program.sums.values()]
    bits += [set(range(p.first, p.last + 1)) for p in instance.problem.conditions.parts]
    return [c for c in range(1, instance.m) if all(max(b, default=0) <= c or min(b) > c for b in bits)]


def is_split_evenly(program: Program) -> bool:
    """Whether all positions and sums are in the blocks, each sum where its bits are, the widths as even as they can be; two blocks?"""
    blocks, length = split(program), program.execution.instance.m
    assert [b.first for b in blocks] == [1, *(b.last + 1 for b in blocks[:-1])]
    assert blocks[-1].last == length
    assert sorted(s.name for b in blocks for s in b.sums) == sorted(program.sums)
    assert all(b.first <= bit.index <= b.last for b in blocks for s in b.sums for bit in s.bits)
    assert sum(b.width for b in blocks) == length
    found = cuts(program)
    if found:
        assert blocks[0].last == min(found, key=lambda c: (max(c, length - c), c))
    assert len(blocks) == 1 + bool(found)
    return bool(found)


def test_the_most_even_of_many_cuts() -> None:
    """Sums that read few positions, or none."""
    rng, several = Random(1), 0
    for _ in range(80):
        length, sums = rng.randint(1, 6), {}
        for name in "abc"[: rng.randint(1, 3)]:
            read = sorted(rng.choices(range(1, length + 1), k=2))
            reads = tuple(Bit(rng.choice("yz"), k) for k in range(read[0], read[1] + 1) if rng.random() < 0.6)
            sums[name] = RunningSum(name, tuple(Addend((bit,), np.arange(2)) for bit in reads))
        parts = [SimpleNamespace(first=k, last=min(k + 1, length)) for k in rng.sample(range(1, length + 1), rng.randint(0, 1))]
        problem = SimpleNamespace(conditions=SimpleNamespace(parts=parts))
        program: Any = SimpleNamespace(sums=sums, execution=SimpleNamespace(instance=SimpleNamespace(m=length, problem=problem)))
        is_split_evenly(program)
        several += len(cuts(program)) > 1
    assert several > 10
