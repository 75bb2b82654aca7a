"""Weights of states: what is found covers and leaves little room; where there is more room than that, nothing is found."""

from __future__ import annotations

import pytest

from lowerbounds.last_bits import HEAVIEST, Cover, tight_cover

pytest.importorskip("scipy")


def ring(k, n, first=0):
    """The n intervals of k states on a ring of n. Where k and n have no common divisor, every state weighs 1/k, n/k together."""
    return [tuple(first + (start + step) % n for step in range(k)) for start in range(n)]


def rings(*sizes):
    """Several of them beside each other."""
    return [one for i, (k, n) in enumerate(sizes) for one in ring(k, n, sum(size for _, size in sizes[:i]))]


@pytest.mark.parametrize(
    ("sets", "needed", "least", "weights"),
    [
        ([(0,)], 2, 1, [1]),
        (rings((2, 3)), 2, 2, [1] * 3),
        ([(0, 1, 2), (1, 3, 4), (3, 4, 5), (0, 5)], 2, None, None),
        (rings((5, 7), (7, 11)), 3, 35, [7] * 7 + [5] * 11),
        ([*rings((5, 7), (7, 11)), (18,)], 4, 35, [7] * 7 + [5] * 11 + [35]),
        (rings((4, 7), (9, 11)), 3, None, None),
        (rings((10, 11), (14, 15), (24, 25)), 4, 20, [2] * 26 + [1] * 25),
    ],
    ids=["one state", "a triangle", "two disjoint sets", "35ths", "a weight of 35", "36ths are too fine", "rounded up, not to the nearest"],
)
def test_the_least_scale_at_which_whole_weights_do(sets, needed, least, weights):
    """By hand: rings of n/k have room for less than ``needed`` where Σ n·⌈least/k⌉ < needed·least."""
    found = tight_cover(sets, 1 + max(map(max, sets)), needed)
    assert found == (None if least is None else Cover(least, tuple(weights)))
    assert found is None or (found.covers(sets) and found.room < needed and max(found.weights) <= HEAVIEST)


@pytest.mark.parametrize("needed", range(1, 5))
def test_no_less_room_than_the_disjoint_sets_need(needed):
    disjoint = [(0, 1), (2, 3), (4,)]
    found = tight_cover([*disjoint, (1, 2), (3, 4)], 5, needed)
    assert (found is None) is (needed <= len(disjoint))
    assert tight_cover([(0,), ()], 1, needed) is None, "nothing covers the empty set"
