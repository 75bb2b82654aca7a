"""Blocks of positions: all positions once, each sum in the block that has its bits, as even as the sums allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verifier.engines.random_constructions import random_construction
from verifier.attention.terms import Reading
from verifier.engines.blocks import Block, split
from verifier.engines.program import Program, RunningSum
from verifier.problems import Problem
from verifier.semantics import NAMED


@pytest.mark.parametrize("promise", ["y <= z", "y <= z and y[1:2] > 0", "y <= z and z[2:3] != 0"])
def test_the_blocks_by_the_definition(promise: str) -> None:
    several = 0
    for seed in range(40):
        instance, _ = random_construction(seed)
        if instance.m < 3:
            continue
        program = Program(Reading(replace(instance, task=Problem("EQ", promise, instance.m)), NAMED["a4"]))
        bits = [{b.index for b in s.bits} for s in program.sums.values()]
        bits += [set(range(p.first, p.last + 1)) for p in program.reading.instance.problem.conditions.parts]
        cuts = [c for c in range(1, instance.m) if all(max(b, default=0) <= c or min(b) > c for b in bits)]
        blocks = split(program)
        assert [b.first for b in blocks] == [1, *(b.last + 1 for b in blocks[:-1])]
        assert blocks[-1].last == instance.m
        assert sorted(s.name for b in blocks for s in b.sums) == sorted(program.sums)
        assert all(b.first <= bit.index <= b.last for b in blocks for s in b.sums for bit in s.bits)
        assert sum(b.width for b in blocks) == instance.m
        if cuts:
            assert blocks[0].last == min(cuts, key=lambda c: (max(c, instance.m - c), c))
        assert len(blocks) == 1 + bool(cuts)
        several += bool(cuts)
    assert several


@pytest.mark.parametrize(("names", "words"), [([], "nothing"), (["sum 1"], "sum 1"), (["sum 1", "denominator"], "sum 1, denominator")])
def test_a_block_names_its_sums(names: list[str], words: str) -> None:
    assert str(Block(3, 5, tuple(RunningSum(name, ()) for name in names))) == f"positions 3–5: {words}"
