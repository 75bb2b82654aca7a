"""Cuts of the positions into two blocks against every cut there is."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from verifier.engines.blocks import Block, Cut, share
from verifier.networks.indices import Bit


def program(length: int, sums: list[set[Bit]], conditions: list[tuple[int, int]]) -> Any:
    """What is asked of a program: the bits that each of its sums depends on, and the conditions' positions."""
    parts = [SimpleNamespace(first=first, last=last) for first, last in conditions]
    problem = SimpleNamespace(conditions=SimpleNamespace(parts=parts))
    named = {str(k): SimpleNamespace(name=str(k), bits=frozenset(bits)) for k, bits in enumerate(sums)}
    return SimpleNamespace(sums=named, execution=SimpleNamespace(instance=SimpleNamespace(m=length, problem=problem)))


def states(sharing: Cut) -> int:
    """Counted: the pairs of contents of either block, setting by setting."""
    return sum(4**block.width for _ in sharing.high.settings() for block in (sharing.high, sharing.low))


def cheapest(length: int, sums: list[set[Bit]], conditions: list[tuple[int, int]]) -> int | None:
    """The least work of a cut that divides no condition, each sum with the side that has more of its bits."""
    found = []
    for cut in range(1, length):
        if all(cut not in range(first, last) for first, last in conditions):
            crossing: set[Bit] = set()
            for bits in sums:
                sides = [{b for b in bits if b.index <= cut}, {b for b in bits if b.index > cut}]
                crossing |= min(reversed(sides), key=len)
            if len(crossing) <= 6:
                found.append(2 ** len(crossing) * (4**cut + 4 ** (length - cut)))
    return min((work for work in found if work < 4**length), default=None)


@pytest.mark.parametrize("conditioned", [False, True])
def test_the_cheapest_cut_is_taken(conditioned: bool) -> None:
    rng, seen = Random(4), Counter[object]()
    for _ in range(300):
        length = rng.randint(1, 9)
        every = [Bit(string, k) for string in "yz" for k in range(1, length + 1)]
        middle = rng.randint(1, length)
        near = [[b for b in every if (b.index <= middle) == early] for early in (True, False)]
        sums = [{*rng.sample(side, rng.randint(0, len(side))), *rng.sample(every, rng.choice([0, 0, 1, 2]))} for side in near]
        conditions = [tuple(sorted(rng.choices(range(1, length + 1), k=2))) for _ in range(2 * conditioned)]
        found, least = share(program(length, sums, conditions)), cheapest(length, sums, conditions)
        assert (found and found.work) == (found and states(found)) == least
        seen[found and len(found.shared)] += 1
        if found is not None:
            cut, shared = found.high.last, set(found.shared)
            assert (found.high.first, found.low.first, found.low.last) == (1, cut + 1, length)
            assert all(last <= cut or first > cut for first, last in conditions)
            assert sorted(s.name for block in (found.high, found.low) for s in block.sums) == ["0", "1"]
            for block in (found.high, found.low):
                foreign = {b for s in block.sums for b in s.bits if not block.first <= b.index <= block.last}
                assert foreign <= shared
                shared -= foreign
            assert not shared
            assert list(found.shared) == sorted(found.shared)
    assert all(seen[k] > 3 for k in (None, 0, 1, 2, 3))


def test_every_setting_of_the_shared_bits_comes_once() -> None:
    bits = Bit("y", 1), Bit("z", 3), Bit("z", 4)
    settings = [tuple(setting.items()) for setting in Block(1, 2, (), bits).settings()]
    assert sorted(settings) == sorted(tuple(zip(bits, (k >> 2, k >> 1 & 1, k & 1), strict=True)) for k in range(8))


@pytest.mark.parametrize(("crossing", "shared"), [(6, 6), (7, None)])
def test_at_most_six_bits_are_shared(crossing: int, shared: int | None) -> None:
    """Each sum is of eight positions, but for the bits of the first that come behind."""
    first, second = ({Bit(s, k) for s in "yz" for k in side} for side in (range(1, 9), range(9, 17)))
    found = share(program(16, [first | {Bit("yz"[k % 2], 9 + k // 2) for k in range(crossing)}, second], [(1, 8), (9, 16)]))
    assert (found and len(found.shared)) == shared
