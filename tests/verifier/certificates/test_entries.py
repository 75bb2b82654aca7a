"""The entries about two maps: how they are read, the covers in them, and the barrier that the checker finds on its own."""

from __future__ import annotations

from random import Random

import pytest

from lowerbounds.matchings import largest_matching
from tests.verifier.certificates.test_bits_before import entry, made
from verifier.certificates import recheck
from verifier.certificates.recheck import At, Rejected, Unknown

MADE = made([(0, 1), (1, 0)])


COVERS: list[tuple[str, str, type[Exception] | None]] = [
    ("1", "01", None),
    ("35", "zy", None),
    ("0", "00", Unknown),
    ("36", "00", Unknown),
    ("2", "0", Unknown),
    ("2", "000", Unknown),
    ("9", "A0", Unknown),
    ("1", "11", Rejected),
    ("5", "91", Rejected),
]


def test_covers_are_read() -> None:
    """Of two states, where two sets have no room."""
    for least, text, error in COVERS:
        given = At({"least": least, "weights": text})
        if error:
            with pytest.raises(error):
                recheck.read_cover(given, 2, 2)
        else:
            assert recheck.read_cover(given, 2, 2) == (int(least), [int(letter, 36) for letter in text])


ENTRIES: list[tuple[list[tuple[int, ...]], type[Exception] | None]] = [
    ([(0, 1)], None),
    ([(0, 0)], Rejected),
    ([(0, 1), (0, 1)], Rejected),
    ([(0, 1), (1, 0)], Rejected),
    ([(0, 2)], Unknown),
    ([(0,)], Unknown),
    ([(0, 1, 1)], Unknown),
]


def test_entries_are_of_two_maps_each_and_of_no_others() -> None:
    for pairs, error in ENTRIES:
        given = At([entry(pair, covers=[], longer=[]) for pair in pairs])
        if error:
            with pytest.raises(error):
                recheck.read_longer(given, MADE)
        else:
            assert [*recheck.read_longer(given, MADE)] == [{*MADE.map.values()}]


def test_a_move_is_a_product_and_a_weight_that_there_are() -> None:
    assert recheck.read_move(At(["0", "1"]), MADE) == (0, 1)
    for move in (["0"], ["0", "0", "0"], ["1", "0"], ["0", "2"]):
        with pytest.raises(Unknown):
            recheck.read_move(At(move), MADE)


SPIDER = [(x, 4 + x) for x in range(3)] + [(4 + x, 8 + x) for x in range(3)] + [(8 + x, 11) for x in range(3)]
"""Three legs of three edges: once the outer two of each are gone, its first one ends in a leaf."""
LAST = [(0, 1), (0, 2), (1, 2), (2, 6), (3, 4), (3, 5), (4, 5), (5, 6), (6, 7)]
"""Two triangles and one leaf, the last vertex, around 6."""


def test_neighbours_of_leaves_are_the_best_barrier_of_a_forest() -> None:
    forests = [SPIDER, LAST]
    for seed in range(12):
        rng = Random(seed)
        forests.append([(rng.randrange(x), x) for x in range(1, rng.randrange(2, 14)) if rng.random() < 0.8])
    for edges in forests:
        assert recheck.most_disjoint({*edges}, recheck.leaf_barrier(edges)) == largest_matching(edges).bound, edges
