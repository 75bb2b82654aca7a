"""Bézout coefficients and sums of products against brute force, each with a neighbour that is refused."""

from itertools import combinations, permutations, product
from math import gcd

import pytest

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.weighted_sums import (
    bounded_coefficients,
    combination,
    small_coefficients,
)


def exists(xs: tuple[int, ...], first: int, rest: int) -> bool:
    """Brute force: all coefficients with |c₁| ≤ first and |cᵢ| ≤ rest."""
    ranges = [range(-first, first + 1), *[range(-rest, rest + 1)] * (len(xs) - 1)]
    return any(sum(c * x for c, x in zip(cs, xs, strict=True)) == gcd(*xs) for cs in product(*ranges))


def test_lemma_26_by_brute_force() -> None:
    for n in (2, 3):
        for xs in combinations(range(1, 10), n):
            d, cs = small_coefficients(xs)
            assert exists(xs, xs[-1] // d, xs[0] // d)
            assert sum(c * x for c, x in zip(cs, xs, strict=True)) == d == gcd(*xs)
            assert abs(cs[0]) * d <= xs[-1]
            assert all(abs(c) * d <= xs[0] for c in cs[1:])


def test_the_search_finds_coefficients_where_there_are_any_and_only_there() -> None:
    seen = set()
    for xs in [*permutations(range(6), 3), *product(range(-2, 3), repeat=2), (4,), (-4,)]:
        if not any(xs):
            continue
        for first, rest in ((-1, 0), (0, 1), (1, 0), (1, 1), (3, 2)):
            found = bounded_coefficients(xs, first, rest)
            seen.add(found is None)
            assert (found is not None) == exists(xs, first, rest)
            if found is not None:
                assert sum(c * x for c, x in zip(found, xs, strict=True)) == gcd(*xs)
                assert abs(found[0]) <= first
                assert all(abs(c) <= rest for c in found[1:])
    assert seen == {True, False}


@pytest.mark.parametrize("binary", [False, True])
def test_combinations_add_up(binary: bool) -> None:
    table = Table(FixedPoint(2, 2), (-3, -1, 1, 1, 1, 1, 1))
    unit = 4 if binary else 2
    for t in range(-20, 21):
        if t % unit:
            with pytest.raises(ValueError, match="not a sum"):
                combination(table, t, binary)
        else:
            terms = combination(table, t, binary)
            assert sum(w * (table(a) - table(b)) for w, a, b in terms) == t
            assert all(abs(w) == 2 if binary else abs(w) <= 3 for w, _, _ in terms)
