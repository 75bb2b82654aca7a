"""Sums of square roots: a ring whose signs are decided, equality included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root

ROOTS = st.lists(st.tuples(st.fractions(-4, 4, max_denominator=4), st.integers(0, 12)), max_size=3)


def built(parts: list[tuple[Fraction, int]]) -> RootSum:
    return sum((c * root(x) for c, x in parts), RootSum())


@given(ROOTS, ROOTS)
def test_it_agrees_with_floats_where_these_are_far_apart(a: list[tuple[Fraction, int]], b: list[tuple[Fraction, int]]) -> None:
    x, y = built(a), built(b)
    near = [sum(float(c) * n**0.5 for c, n in parts) for parts in (a, b)]
    for found, about in ((x - y, near[0] - near[1]), (x * y, near[0] * near[1])):
        assert abs(about) < 1e-9 or found.sign == (1 if about > 0 else -1)
    assert (x - x).sign == 0
    assert x * y == y * x


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (root(8), 2 * root(2), True),
        (root(2) * root(3), root(6), True),
        (root(2) + root(3), root(5), False),
        (root(Fraction(1, 2)) * root(2), 1, True),
    ],
)
def test_equality_is_decided(left: RootSum, right: RootSum | int, equal: bool) -> None:
    assert (left == right) is equal
