"""The counts of all activation tables against brute force from the paper's definitions, which uses nothing of the program's sets."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

import pytest

from constructions.fixed_point_networks.commands.sets_command import TableCounts, count_tables
from constructions.fixed_point_networks.mathematics.grid import FixedPoint

Image = frozenset[int]
KINDS = ("N", "S", "BN", "BS")


def satisfies_condition_1(table: tuple[int, ...]) -> bool:
    """α·ρ(β·x) for α, β = ±1, where ρ takes its maximum from some z > min Q on, and only there."""
    for ascending in (table, table[::-1]):
        for extreme in (max(table), min(table)):
            z = ascending.index(extreme)
            if z > 0 and ascending.count(extreme) == len(table) - z:
                return True
    return False


@lru_cache
def tables(p: int) -> Counter[tuple[Image, bool]]:
    """How many tables have an image and satisfy Condition 1, or do not."""
    levels = range(1 - 2**p, 2**p)
    return Counter((frozenset(table), satisfies_condition_1(table)) for table in product(levels, repeat=len(levels)))


def rounded(units: int, p: int, s: int) -> int:
    """The level of ⌈units/s²⌉: the nearest one, ties away from 0, beyond the ends the end."""
    size = min((2 * abs(units) + s) // (2 * s), (1 << p) - 1)
    return size if units >= 0 else -size


@lru_cache(maxsize=4096)
def sums(steps: frozenset[int], furthest: int) -> frozenset[int]:
    """Every sum of steps that stays within ±furthest."""
    found, edge = {0}, {0}
    while edge:
        edge = {total + step for total in edge for step in steps if abs(total + step) <= furthest} - found
        found |= edge
    return frozenset(found)


@lru_cache(maxsize=4096)
def full(steps: frozenset[int], p: int, s: int) -> tuple[bool, bool]:
    """Whether the roundings of bias + sums are all of Q for some bias, and for every bias: biases up to thrice the greatest product."""
    top = 2**p - 1
    biases = range(-3 * top * max(top, s), 3 * top * max(top, s) + 1)
    furthest = s * biases[-1] + 4 * top * max(top, s)
    found = [{rounded(s * bias + total, p, s) for total in sums(steps, furthest)} == set(range(-top, top + 1)) for bias in biases]
    return any(found), all(found)


def by_brute_force(p: int, s: int) -> TableCounts:
    counted: dict[str, Counter[str]] = {name: Counter() for name in ("some", "every", "some and 1", "every and 1")}
    for (image, condition), count in tables(p).items():
        for kind in KINDS:
            inputs = {x - y for x in image for y in image} if kind.endswith("S") else image
            weights = (-s, s) if kind.startswith("B") else range(1 - 2**p, 2**p)
            some, every = full(frozenset(w * x for w in weights for x in inputs), p, s)
            counted["some"][kind] += some * count
            counted["every"][kind] += every * count
            counted["some and 1"][kind] += (some and condition) * count
            counted["every and 1"][kind] += (every and condition) * count
    by_kind = [{kind: counts[kind] for kind in KINDS} for counts in counted.values()]
    return TableCounts(tables(p).total(), sum(count for (_, condition), count in tables(p).items() if condition), *by_kind)


@pytest.mark.long("2-1", "2-2", "2-3")
@pytest.mark.parametrize(("p", "s"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_the_counts_are_those_of_brute_force(p: int, s: int) -> None:
    assert count_tables(FixedPoint(p, s)) == by_brute_force(p, s)
