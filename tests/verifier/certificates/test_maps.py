"""The bound of disjoint edges beside the largest matching, and the maps of running sums."""

from __future__ import annotations

from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx
import pytest

from tests.verifier.certificates.oracle import decided
from verifier.certificates.recheck_maps import RunningSums, check_column, check_tokens, most_disjoint
from verifier.certificates.recheck_numbers import INF
from verifier.certificates.recheck_reading import At, Limits, Rejected
from verifier.certificates.statement import arithmetic_record


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", range(30))
def test_no_barrier_allows_fewer_edges_than_are_disjoint(case: int) -> None:
    """And some barrier allows no more (Tutte and Berge)."""
    rng = Random(case)
    nodes = range(rng.randint(2, 7))
    edges = {pair for pair in combinations(nodes, 2) if rng.random() < 0.4}
    largest = len(networkx.max_weight_matching(networkx.Graph(list(edges)), maxcardinality=True))
    bounds = [most_disjoint(edges, set(barrier)) for size in range(len(nodes)) for barrier in combinations(nodes, size)]
    assert min(bounds) == largest


def running(coupling: str, overflow: str) -> RunningSums:
    arithmetic = arithmetic_record({"format": "fixed:3", "ties": "zero", "overflow": overflow})
    return RunningSums(At(arithmetic), At(coupling), Limits())


@pytest.mark.parametrize("overflow", ["infinity", "saturate"])
def test_a_token_adds_these_weights_and_products(overflow: str) -> None:
    """Numbers of 3 bits are 1/4, 1/2, 3/4, 1, 3/2, 2 and 3, here in quarters."""
    numbers, ends = [1, 2, 3, 4, 6, 8, 12], [INF] if overflow == "infinity" else []
    signed = [-x for x in ends] + [-x for x in numbers[::-1]] + [0] + numbers + ends
    product, either, apart = (running(coupling, overflow) for coupling in ("product", "any", "independent"))
    for each in (product, either, apart):
        assert each.weights == [0, *numbers, *ends]
        assert each.numerators == signed
    assert (product.products(0), either.products(0), apart.products(0)) == ([0], [0], signed)
    assert (either.products(1), apart.products(1)) == (signed, signed)
    assert product.products(1) == [-3, -2, -1, 0, 1, 2, 3]
    assert not ends or product.products(INF) == [-INF, INF]


@pytest.mark.parametrize(("second", "tells"), [((2, 3), True), ((2, 1), False), ((3, -1), False)])
def test_two_maps_with_just_as_many_images_as_strings_need_a_barrier(second: tuple[int, int], tells: bool) -> None:
    """Of strings of two bits: two states, and two maps of them to four different ones."""
    maps = [(0, 1, -1, -1), (*second, -1, -1)]
    sums: Any = SimpleNamespace(maps=maps, states=range(4), limits=Limits(), coupling="any", numbers=SimpleNamespace(label="bits"))
    if tells:
        with pytest.raises(Rejected, match="two maps leave 2 states, and have no barrier"):
            check_tokens(At([]), sums, 2)
    else:
        assert "4 states, 1 pairs of maps, 0 of them by barriers" in check_tokens(At([]), sums, 2)


@pytest.mark.parametrize("overflow", ["infinity", "saturate", "before"])
@pytest.mark.parametrize("name", ["fixed:2:1", "fixed:2:1/2", "float:1:1"])
def test_one_column_decides_what_a_solver_finds_tokens_for(name: str, overflow: str) -> None:
    """And, on these formats, nothing else."""
    record = arithmetic_record({"format": name, "overflow": overflow, "ties": "zero"})
    arithmetic = {**record, "attention": "inputs", "division": "output", "maximum": "kept", "entries": "exact", "constants": "added"}
    for length in (1, 2, 3):
        parts = At({"arithmetic": arithmetic, "coupling": "product"}).names()
        sums = RunningSums(parts["arithmetic"], parts["coupling"], Limits())
        if decided(tuple(sorted(arithmetic.items())), "product", length):
            with pytest.raises(Rejected, match="some tokens may decide"):
                check_column(parts["arithmetic"], sums, length)
        else:
            assert check_column(parts["arithmetic"], sums, length).startswith("one column: no products (product) in ")


def test_a_barrier_must_leave_fewer_disjoint_edges_than_there_are_strings_of_one_bit_less() -> None:
    """The edges {0, 2} and {1, 3} are two, as many as the strings of one bit, whatever barrier is given."""
    maps = [(0, 1, -1, -1), (2, 3, -1, -1)]
    sums: Any = SimpleNamespace(maps=maps, states=range(4), limits=Limits(), coupling="any", numbers=SimpleNamespace(label="bits"))
    for barrier in ([], ["0"], ["0", "1"]):
        with pytest.raises(Rejected, match="2 edges may be disjoint, fewer than 2 were expected"):
            check_tokens(At([barrier]), sums, 2)
