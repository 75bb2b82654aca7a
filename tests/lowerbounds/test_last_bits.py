"""What the last bits must tell apart: going backwards against every set going forwards, barriers against every matching."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from lowerbounds.last_bits import bound, largest_matching, last_bits, neighbours_of_leaves
from lowerbounds.running_sums import COUPLINGS, START, RunningSums, products
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO
from verifier.arithmetic.semantics import read_semantics

READINGS = ["a4", "a4+ties=away", "a4+overflow=before", "a4+overflow=saturate", "a4+point=grid"]


def sums_of(bits, coupling, reading="a4"):
    return RunningSums(read_semantics(reading), bits, coupling)


def forwards(sums, length):
    """By the definition: every set of 2^i different states that i tokens leave, token by token."""
    known = set(sums.states)
    sets = {frozenset({START})}
    for _ in range(length):
        longer = set()
        for states in sets:
            images = {frozenset(sums.moved(s, move) for s in states) for move in sums.moves}
            whole = [image for image in images if len(image) == len(states) and image <= known]
            longer |= {one | other for one, other in combinations(whole, 2) if one.isdisjoint(other)}
        sets = longer
    return bool(sets)


@pytest.mark.one_in(6)
@pytest.mark.long("3-a4-product", "3-a4-any", "3-a4+ties=away-product", "3-a4+ties=away-any")
@pytest.mark.parametrize("coupling", COUPLINGS)
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_backwards_against_forwards(coupling, reading, length):
    for bits in (1, 2):
        sums = sums_of(bits, coupling, reading)
        if length == 3 and coupling == "independent":
            sums = sums_of(1, coupling, reading)
        assert (last_bits(sums, length).found is not None) is forwards(sums, length)


def test_what_is_left_out_can_be_rejected_only():
    """The states are those of the definition: reached from (0, 0), and not doomed to NaN."""
    sums = sums_of(3, "any")
    states = set(sums.states)
    assert len(states) == 17 * 9 - 2 - 16  # without (±inf, inf) and without a numerator over the denominator 0
    for doomed in ((INF, INF), (NEG_INF, INF)):
        assert doomed not in states
        assert all(sums.machine.divide(*sums.moved(doomed, move)) is NAN for move in sums.moves)
    assert {a for a, d in states if d == 0} == {ZERO}
    assert len(set(sums_of(3, "independent").states)) == 17 * 9 - 2


def disjoint(sets):
    """The most disjoint edges or other sets, by trying every choice."""
    if not sets:
        return 0
    first, *others = sets
    return max(disjoint(others), 1 + disjoint([one for one in others if not {*first} & {*one}]))


@pytest.mark.one_in(7)
@pytest.mark.parametrize("seed", range(40))
def test_matchings_and_barriers(seed):
    random = Random(seed)
    pairs = list(combinations(range(8), 2))
    edges = random.sample(pairs, random.randrange(1, 14))
    best = disjoint(edges)
    assert largest_matching(edges).bound == best
    assert bound(edges, neighbours_of_leaves(edges)) >= best
    assert all(bound(edges, frozenset(barrier)) >= best for k in range(4) for barrier in combinations(range(8), k))


def test_a_matching_that_no_barrier_shows_is_a_fault(monkeypatch):
    stars, triangle = [(0, 1), (0, 2), (3, 4), (3, 5)], [(0, 1), (1, 2), (2, 0)]
    monkeypatch.setattr("networkx.max_weight_matching", lambda graph, maxcardinality: {(0, 1), (3, 4) if 6 in graph else (0, 2)})
    with pytest.raises(AssertionError, match="2 disjoint edges were found and a bound of 2"):
        largest_matching(stars)
    with pytest.raises(AssertionError, match="2 disjoint edges were found and a bound of 1"):
        largest_matching(triangle)
    with pytest.raises(AssertionError, match="2 disjoint edges were found and a bound of 3"):
        largest_matching([(0, 1), (1, 2), (3, 4), (5, 6)])


@pytest.mark.one_in(5)
@pytest.mark.parametrize("coupling", COUPLINGS)
@pytest.mark.parametrize("reading", [*READINGS, "a4+overflow=saturate+point=grid"])
def test_states_and_maps_by_the_definition(coupling, reading):
    """States: of the sums without NaN that are reached from (0, 0) those from which an output is reached, in ascending order."""
    sums = sums_of(2, coupling, reading)
    machine, after = sums.machine, {}
    frontier = [START]
    while frontier:
        a, d = frontier.pop()
        after[a, d] = {s for x, w in sums.moves if NAN not in (s := (machine.add(a, x), machine.add(d, w)))}
        frontier += after[a, d] - after.keys()
    giving = {s for s in after if machine.divide(*s) is not NAN}
    while longer := {s for s in after if after[s] & giving} - giving:
        giving |= longer
    ascending = [NEG_INF, *machine.form.values(), INF]
    assert sums.states == sorted(giving, key=lambda s: tuple(map(ascending.index, s)))
    for image, move in sums.maps.items():
        assert [s if s in giving else None for s in (sums.moved(s, move) for s in sums.states)] == [
            None if k is None else sums.states[k] for k in image
        ]
    assert len(sums.maps) == len({tuple(s if s in giving else None for s in (sums.moved(t, m) for t in sums.states)) for m in sums.moves})


@pytest.mark.one_in(5)
@pytest.mark.parametrize("coupling", COUPLINGS)
@pytest.mark.parametrize("reading", READINGS)
def test_the_states_after_the_first_bit_by_the_definition(coupling, reading):
    sums = sums_of(2, coupling, reading)

    def after(states):
        return {sums.moved(s, move) for s in states for move in sums.moves} & set(sums.states)

    assert sums.first == after({START})
    assert all(NAN not in products(sums.machine, w, coupling) for _, w in sums.moves)


@pytest.mark.parametrize(("bits", "coupling", "length"), [(1, "any", 2), (1, "product", 3), (2, "product", 4), (2, "any", 4)])
def test_all_pairs_of_maps_are_gone_through_and_counted(bits, coupling, length):
    sums, spent = sums_of(bits, coupling), []
    found = last_bits(sums, length, spend=spent.append)
    maps = len(sums.maps)
    assert found.found is None
    assert found.levels[0].pairs == maps * (maps - 1) // 2
    assert found.pairs == sum(level.codes + level.images + level.matching + level.covers + level.continued for level in found.levels)
    assert found.levels[0].continued > 0 or found.pairs == maps * (maps - 1) // 2
    assert sum(spent) > 0
