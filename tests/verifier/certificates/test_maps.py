"""The bound of disjoint edges beside the largest matching, and sets of states as bits."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx
import pytest

from verifier.certificates.recheck_maps import bit_set, most_disjoint


@pytest.mark.parametrize("case", range(30))
def test_no_barrier_allows_fewer_edges_than_are_disjoint(case: int) -> None:
    """And some barrier allows no more (Tutte and Berge)."""
    rng = Random(case)
    nodes = range(rng.randint(2, 7))
    edges = {pair for pair in combinations(nodes, 2) if rng.random() < 0.4}
    largest = len(networkx.max_weight_matching(networkx.Graph(list(edges)), maxcardinality=True))
    bounds = [most_disjoint(edges, set(barrier)) for size in range(len(nodes)) for barrier in combinations(nodes, size)]
    assert min(bounds) == largest


def test_a_set_of_states_has_a_bit_for_each() -> None:
    """State 0 too; a state that leads nowhere has none."""
    assert [bit_set(states) for states in ([], [0], [-1, 0], [2, 0, 2], [9], [-1])] == [0, 1, 1, 5, 512, 0]
