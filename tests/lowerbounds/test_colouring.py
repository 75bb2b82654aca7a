"""One-way complexity: known values, and colourings and cliques that are what they say."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from lowerbounds import colouring
from lowerbounds.colouring import _fewest_colours, conflicts, is_proper, one_way_complexity
from lowerbounds.communication import CommunicationProblem, disjointness, equality, from_callable, from_matrix, greater_than, index
from verifier.running.errors import InputError, LimitError


@pytest.mark.parametrize(
    ("problem", "messages"),
    [
        (equality(1), 2),
        (equality(5), 32),
        (equality(5, "none"), 32),
        (greater_than(4), 16),
        (index(5), 32),
        (disjointness(4), 16),
        (from_callable(lambda x, y: (x + y) % 2, 8, 8, "parity of the sum"), 2),
        (from_callable(lambda x, y: 1, 5, 5, "constant"), 1),
        (from_callable(lambda x, y: int(x // 4 == y), 8, 2, "first bit"), 2),
    ],
)
def test_known_values(problem, messages):
    found = one_way_complexity(problem)
    assert found.exact
    assert found.at_least == messages
    assert is_proper(problem, found.colouring)
    assert all(conflicts(problem)[a, b] for a, b in combinations(found.clique, 2))


def test_equality_needs_exactly_m_bits():
    assert [one_way_complexity(equality(m)).bits for m in range(1, 8)] == [(m, m) for m in range(1, 8)]


def fewest_messages(problem):
    """The definition: the least k for which some assignment of k messages lets Bob answer every promise pair."""
    table = problem.matrix().tolist()

    def works(sent):
        return all(
            len({table[x][y] for x in range(problem.alice) if sent[x] == k and table[x][y] != -1}) <= 1
            for k in set(sent)
            for y in range(problem.bob)
        )

    return next(k for k in range(1, problem.alice + 1) if any(works(s) for s in product(range(k), repeat=problem.alice)))


@pytest.mark.campaign
def test_partial_functions_against_the_definition():
    for entries in product((0, 1, None), repeat=8):
        problem = from_matrix([entries[0:2], entries[2:4], entries[4:6], entries[6:8]])
        found = one_way_complexity(problem)
        assert found.at_least <= fewest_messages(problem) == found.at_most


def separating(edges, size):
    """A problem whose conflicts are these edges: an input of Bob's for each, that separates its two ends."""
    return from_matrix([[edge.index(x) if x in edge else None for edge in edges] for x in range(size)])


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_an_odd_cycle_of_conflicts_needs_three_messages(size):
    problem = separating([(k, (k + 1) % size) for k in range(size)], size)
    found = one_way_complexity(problem)
    assert (found.at_least, found.at_most, found.exact) == (2, 2 + size % 2, size % 2 == 0)
    assert fewest_messages(problem) == found.at_most


@pytest.mark.parametrize(
    ("edges", "fewest"),
    [([(0, 1), (1, 2), (2, 3)], 2), ([(0, 2), (2, 3), (3, 1)], 2), ([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 3)],
)
def test_backtracking_finds_the_fewest_colours(edges, fewest):
    """From one colour for each input, or one too many; the colours of a path are two, of a cycle of five three."""
    size = 1 + max(max(edge) for edge in edges)
    matrix = conflicts(separating(edges, size))
    for known in (tuple(range(size)), (0,) * (size - fewest) + tuple(range(fewest + 1))[-fewest:]):
        found = _fewest_colours(matrix, 1, known)
        assert len(set(found)) == fewest
        assert all(found[a] != found[b] for a, b in edges)


@pytest.mark.parametrize(
    ("size", "seed", "share", "colours"),
    [(9, 336, 0.5, 3), (16, 17, 0.4, 3), (17, 0, 0.3, 2)],
    ids=["no order of networkx finds three", "nor of as many inputs as are searched", "the largest first finds three"],
)
def test_no_more_messages_than_a_colouring_that_is_there(size, seed, share, colours):
    random, given = Random(seed), [x % colours for x in range(size)]
    random.shuffle(given)
    edges = [(a, b) for a, b in combinations(range(size), 2) if given[a] != given[b] and random.random() < share]
    assert one_way_complexity(separating(edges, size)).at_most <= colours


def test_fewer_messages_are_searched_for_few_inputs_only(monkeypatch):
    asked = []
    monkeypatch.setattr(colouring, "_fewest_colours", lambda matrix, least, known: asked.append(len(known)) or known)
    for size in (15, 17, 19):
        found = one_way_complexity(separating([(k, (k + 1) % size) for k in range(size)], size))
        assert (found.at_least, found.at_most) == (2, 3)
    assert asked == [15]


def test_the_smallest_last_order_is_tried():
    """Each input conflicts with two before it at most: that order needs three messages, the others find four here."""
    random = Random(140)
    edges = [(a, b) for b in range(1, 17) for a in random.sample(range(b), min(b, 2))]
    assert one_way_complexity(separating(edges, 17)).at_most <= 3


def test_a_largest_clique_of_a_small_graph():
    """Networkx's quick search finds two of these five only."""
    random = Random(6)
    edges = [pair for pair in combinations(range(5), 2) if random.random() < 0.6]
    largest = max(k for k in range(6) for some in combinations(range(5), k) if {*combinations(some, 2)} <= {*edges})
    assert one_way_complexity(separating(edges, 5)).at_least == largest > 2


def test_an_improper_colouring_is_refused():
    assert not is_proper(equality(2), (0, 1, 2, 0))


def test_bad_input():
    with pytest.raises(LimitError, match="513 inputs of Alice's, its conflicts are listed up to 512"):
        one_way_complexity(from_callable(lambda x, y: 0, 513, 1))
    assert not conflicts(from_callable(lambda x, y: 0, 512, 1)).any()
    for alice, bob in ((0, 3), (3, 0)):
        with pytest.raises(InputError, match=f"Alice has {alice} inputs and Bob {bob}; at least one each"):
            CommunicationProblem("nothing", alice, bob, lambda x, y: x)
    assert CommunicationProblem("one", 1, 1, lambda x, y: x).matrix().tolist() == [[0]]


def test_a_function_of_two_numbers_is_tabulated():
    problem = from_callable(lambda x, y: None if x == y else 10 * x + y, 3, 4)
    assert problem.matrix().tolist() == [[-1 if x == y else 10 * x + y for y in range(4)] for x in range(3)]
    assert (problem.alice, problem.bob, problem.value(2, 3)) == (3, 4, 23)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_named_problems_are_their_definitions(length):
    every = range(1 << length)
    strings = [format(x, f"0{length}b") for x in every]
    assert index(length).matrix().tolist() == [[int(x[k]) for k in range(length)] for x in strings]
    assert [index(length).alice_name(x) for x in every] == [disjointness(length).bob_name(x) for x in every] == strings
    assert greater_than(length).matrix().tolist() == [[int(x > y) for y in strings] for x in strings]
    assert disjointness(length).matrix().tolist() == [[int("1" not in map(min, x, y)) for y in strings] for x in strings]
    assert equality(length).matrix().tolist() == [[int(x == y) if x <= y else -1 for y in strings] for x in strings]
