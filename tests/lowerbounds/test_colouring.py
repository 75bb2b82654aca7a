"""One-way complexity: known values, and colourings and cliques that are what they say."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from lowerbounds.colouring import _fewest_colours, conflicts, is_proper, one_way_complexity
from lowerbounds.communication import CommunicationProblem, disjointness, equality, from_callable, from_matrix, greater_than, index
from verifier.errors import InputError, LimitError


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


def test_partial_functions_against_the_definition():
    for entries in product((0, 1, None), repeat=8):
        problem = from_matrix([entries[0:2], entries[2:4], entries[4:6], entries[6:8]])
        found = one_way_complexity(problem)
        assert found.at_least <= fewest_messages(problem) == found.at_most


def test_an_odd_cycle_of_conflicts_needs_three_messages():
    rows = [[None] * 5 for _ in range(5)]
    for k in range(5):
        rows[k][k], rows[(k + 1) % 5][k] = 0, 1
    found = one_way_complexity(from_matrix(rows))
    assert (found.at_least, found.at_most, found.exact) == (2, 3, False)
    assert fewest_messages(from_matrix(rows)) == 3


@pytest.mark.parametrize(("edges", "fewest"), [([(0, 1), (1, 2), (2, 3)], 2), ([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 3)])
def test_backtracking_finds_the_fewest_colours(edges, fewest):
    """From one colour for each input; the colours of a path are two, of a cycle of five three."""
    size = 1 + max(max(edge) for edge in edges)
    matrix = np.zeros((size, size), dtype=bool)
    for a, b in edges:
        matrix[a, b] = matrix[b, a] = True
    found = _fewest_colours(matrix, 1, tuple(range(size)))
    assert len(set(found)) == fewest
    assert all(found[a] != found[b] for a, b in edges)


def test_an_improper_colouring_is_refused():
    assert not is_proper(equality(2), (0, 1, 2, 0))


def test_bad_input():
    with pytest.raises(LimitError, match="1024 inputs"):
        one_way_complexity(equality(10))
    with pytest.raises(InputError, match="at least one each"):
        CommunicationProblem("nothing", 0, 3, lambda x, y: x)


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
