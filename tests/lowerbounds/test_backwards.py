"""Going backwards from the last bit, over maps made at random: what is excluded, and why, by plain sets; what is found is run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from random import Random
from types import SimpleNamespace

import pytest

from lowerbounds.last_bits import Level, barriers, bound, fewest_denominators, largest_matching, last_bits, neighbours_of_leaves
from tests.lowerbounds.test_last_bits import disjoint, sums_of

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
    first = {rep: [frozenset(random.sample(letters, 2)) for _ in range(2)] for rep in ("T0", "T1")}
    return SimpleNamespace(states=[*letters], maps={image: str(k) for k, image in enumerate(dict.fromkeys(images))}, first=first.get)


def left(sums, start, table):
    """The states, by number, that the strings of a table leave from some states; None where a string leaves none."""
    image_of = {move: image for image, move in sums.maps.items()}
    states = tuple(map(sums.states.index, start))
    for pair in table:
        states = tuple(None if s is None else image_of[move][s] for s in states for move in pair)
    return states


def all_different(states):
    return None not in states and len({*states}) == len(states)


def told_apart(sums, length, representation):
    """By the definition: the first two states of one first set, with pairs of maps, that leave 2^m different states, if any do.

    The pair of the last token is the foremost in their order.
    """
    for backwards in product(combinations(sums.maps.values(), 2), repeat=length - 1):
        for start in (pair for reached in sums.first(representation) for pair in combinations(sorted(reached), 2)):
            if all_different(left(sums, start, backwards[::-1])):
                return [start, *backwards[::-1]]
    return None


def excluded(sums, length, listed):
    """The levels and the steps of a search that finds nothing, each pair of maps by plain sets.

    listed: behind each path the weights that were found, in the order in which they were needed.
    """
    levels, spent = [Level(f"y_(m-{k})" if k else "y_m", 2 ** (length - 1 - k), 0, 0, 0, 0, 0, 0, 0) for k in range(length - 1)], 0

    def look(path):
        nonlocal spent
        depth = len(path)
        if depth == length - 1:
            return
        level, known, new = levels[depth], [], [*listed[path]]
        coded = {k for k, s in enumerate(sums.states) if all_different(left(sums, s, path))}
        useful = sum(sum(k in coded for k in image) >= level.needed for image in sums.maps)
        spent += useful * (useful - 1) // 2 + 1
        for (zero, move), (one, other) in combinations(sums.maps.items(), 2):
            longer = ((move, other), *path)
            codes = {frozenset(ends): (k, ends) for k, s in enumerate(sums.states) if all_different(ends := left(sums, s, longer))}
            level.pairs += 1
            if len(codes) < level.needed:
                level.codes += 1
                continue
            if len(frozenset().union(*codes)) < 2**length:
                level.images += 1
                continue
            here = {(zero[k], one[k]) for k, _ in codes.values()}
            last = {ends[k : k + 2] for _, ends in codes.values() for k in range(0, len(ends), 2)}
            spent += len(here) + len(last)
            most = [disjoint([*edges]) if depth == 0 else bound(edges, neighbours_of_leaves(edges)) for edges in (here, last)]
            if most[0] < level.needed or most[1] < 2 ** (length - 1):
                level.matching += 1
                level.disjoint = max(level.disjoint, disjoint([*codes]))
                continue
            if depth and not any(cover.covers(codes) for cover in known):
                spent += sum(map(len, codes))
                known += new[:1] if new and new[0].covers(codes) else []
                del new[: len(known) + len(new) - len(listed[path])]
            if any(cover.covers(codes) for cover in known):
                level.covers += 1
                continue
            level.continued += 1
            look(longer)
        assert not new
        assert all(cover.room < level.needed for cover in known)

    look(())
    return levels, spent


REASONS = ("codes", "images", "matching", "covers", "continued")


@pytest.mark.long("3-8-5-2-9-reasons2")
@pytest.mark.parametrize(
    ("length", "states", "maps", "lost", "seeds", "reasons"),
    [
        (1, 4, 2, 1, 3, ()),
        (2, 4, 4, 3, 40, REASONS[:3] + REASONS[4:]),
        (3, 8, 5, 2, 9, REASONS),
        (3, 9, 4, 3, 9, REASONS),
    ],
)
def test_what_is_excluded_and_why_by_plain_sets(length, states, maps, lost, seeds, reasons):
    seen, possible = Counter(), set()
    for seed in range(seeds):
        sums, told, representation = made(seed, states, maps, lost), [], ("T0", "T1")[seed % 2]
        first, asked = sums.first, []
        sums.first = lambda rep, first=first, asked=asked: asked.append(rep) or first(rep)
        found = last_bits(sums, length, representation, told.append)
        possible.add(found.possible)
        looked = len(asked)
        assert found.found == told_apart(sums, length, representation)
        if found.possible:
            continue
        levels, spent = excluded(sums, length, found.covers)
        assert (sum(told), looked) == (spent, levels[-1].continued if levels else 1)
        for level, expected in zip(found.levels, levels, strict=True):
            assert expected.disjoint <= level.disjoint < level.needed if level.matching else level.disjoint == 0
            assert replace(level, disjoint=0) == replace(expected, disjoint=0)
            seen.update(reason for reason in REASONS if getattr(level, reason))
    assert possible == ({True, False} if reasons else {True})
    assert {*seen} == {*reasons}


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
