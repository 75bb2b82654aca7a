"""Going backwards from the last bit, over maps made at random: what is excluded, and why, by plain sets; what is found is run."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from types import SimpleNamespace

import pytest

from lowerbounds.last_bits import barriers, bound, fewest_denominators, largest_matching, last_bits, neighbours_of_leaves
from tests.lowerbounds.test_last_bits import sums_of

pytest.importorskip("scipy")


def made(seed, states, maps, lost):
    """Sums whose states are letters. Each map moves them to others, ``lost`` of them to some that another is moved to, or to none."""
    random, letters = Random(seed), "abcdefghijklmnopqrstuvwxyz"[:states]
    images = []
    for _ in range(maps):
        image = random.sample(range(states), states)
        for s in random.sample(range(states), random.randint(0, lost)):
            image[s] = random.choice([None, random.randrange(states)])
        images.append(tuple(image))
    first = frozenset(random.sample(letters, 3))
    return SimpleNamespace(states=[*letters], maps={image: str(k) for k, image in enumerate(dict.fromkeys(images))}, first=first)


def left(sums, start, table):
    """The states, by number, that the strings of a table leave from some states; None where a string leaves none."""
    image_of = {move: image for image, move in sums.maps.items()}
    states = tuple(map(sums.states.index, start))
    for pair in table:
        states = tuple(None if s is None else image_of[move][s] for s in states for move in pair)
    return states


def all_different(states):
    return None not in states and len({*states}) == len(states)


def told_apart(sums, length):
    """By the definition: the first two first states, with pairs of maps, that leave 2^m different states, if any do.

    The pair of the last token is the foremost in their order.
    """
    for backwards in product(combinations(sums.maps.values(), 2), repeat=length - 1):
        for start in combinations(sorted(sums.first), 2):
            if all_different(left(sums, start, backwards[::-1])):
                return [start, *backwards[::-1]]
    return None


@pytest.mark.long("3-8-5-2-9-found2")
@pytest.mark.parametrize(
    ("length", "states", "maps", "lost", "seeds", "found"),
    [(1, 4, 2, 1, 3, {True}), (2, 4, 4, 3, 40, {True, False}), (3, 8, 5, 2, 9, {True, False}), (3, 9, 4, 3, 9, {True, False})],
)
def test_what_is_found_is_told_apart_and_what_is_excluded_is_not(length, states, maps, lost, seeds, found):
    possible = set()
    for seed in range(seeds):
        sums = made(seed, states, maps, lost)
        search = last_bits(sums, length)
        assert search.found == told_apart(sums, length)
        for level in () if search.found else search.levels:
            assert level.pairs == level.codes + level.images + level.matching + level.covers + level.continued
        possible.add(search.found is not None)
    assert possible == found


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("sums", "length"),
    [
        *((sums_of(2, coupling), m) for coupling, m in (("product", 3), ("product", 4), ("any", 4), ("independent", 5))),
        (SimpleNamespace(maps={(0, 0, 0, None): "one image", (1, 2, 3, None): "three"}), 2),
        *((made(seed, 8, 7, lost), m) for seed in range(6) for lost, m in ((8, 2), (4, 3), (2, 3))),
    ],
)
def test_barriers_are_for_the_pairs_of_maps_that_counting_leaves(sums, length):
    half, left = 1 << length - 1, {}
    for zero, one in combinations(sums.maps, 2):
        edges = {(u, v) for u, v in zip(zero, one, strict=True) if None not in (u, v) and u != v}
        images = min(len({*zero} - {None}), len({*one} - {None}))
        if half <= images and len({x for edge in edges for x in edge}) >= 2 * half:
            left[sums.maps[zero], sums.maps[one]] = edges
    found, going_on = barriers(sums, length)
    assert len(found) + len(going_on) == len(left)
    assert {*((b.zero, b.one) for b in found), *going_on} == left.keys()
    assert all(bound(left[b.zero, b.one], frozenset(b.states)) < half for b in found)
    assert all(largest_matching(left[pair]).bound >= half for pair in going_on)
    cheap, more = barriers(sums, length, exact=False)
    assert {(b.zero, b.one) for b in cheap} | {*more} == left.keys()
    assert {*more} == {pair for pair, edges in left.items() if bound(edges, neighbours_of_leaves(edges)) >= half} >= {*going_on}


def test_the_fewest_denominators_hold_the_strings_and_one_fewer_do_not():
    sums = sums_of(2, "any")
    for strings in range(1, len(sums.states) + 1):
        by_value = [{s for s in sums.states if s[1] == d} for d in {d for _, d in sums.states}]
        enough = [k for k in range(len(by_value) + 1) if any(sum(map(len, some)) >= strings for some in combinations(by_value, k))]
        assert fewest_denominators(sums, strings) == enough[0]
    with pytest.raises(ValueError, match="fewer"):
        fewest_denominators(sums, len(sums.states) + 1)
