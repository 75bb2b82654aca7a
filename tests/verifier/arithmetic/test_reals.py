"""Sums of square roots: a ring whose signs are decided, equality included; and of numbers that balls enclose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import Real, Undecided, enclosure, exponential, opaque, product, quotient, root, sign, total

ROOTS = st.lists(st.tuples(st.fractions(-4, 4, max_denominator=4), st.integers(0, 12)), max_size=3)


def built(parts: list[tuple[Fraction, int]]) -> Real:
    return sum((c * root(x) for c, x in parts), Real())


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (root(8), 2 * root(2), True),
        (root(2) * root(3), root(6), True),
        (root(2) + root(3), root(5), False),
        (root(Fraction(1, 2)) * root(2), 1, True),
    ],
)
def test_equality_is_decided(left: Real, right: Real | int, equal: bool) -> None:
    assert (left == right) is equal


@settings(max_examples=25)
@given(ROOTS, st.fractions(-4, 4, max_denominator=4).map(Fraction), st.integers(1, 12))
def test_quotients_differences_and_order(parts: list[tuple[Fraction, int]], c: Fraction, n: int) -> None:
    x = built(parts)
    assert (x / root(n)) * root(n) == x
    assert c - x == -(x - c)
    assert (c - x) + x == c
    assert [x < c, x > c, x == c] == [(x - c).sign == k for k in (-1, 1, 0)]
    assert abs(x) == (-x if x < 0 else x)
    assert c == 0 or x / c * c == x
    assert hash(x + 0) == hash(x)
    if len(x.terms) != 1:
        with pytest.raises(ZeroDivisionError):
            Real.of(c) / x


@pytest.mark.parametrize(
    ("x", "written"),
    [(Real(), "0"), (root(2), "sqrt(2)"), (-root(2) + 1, "1 - sqrt(2)"), (3 * root(8) + Fraction(1, 2), "1/2 + 6*sqrt(2)")],
)
def test_how_it_is_written(x: Real, written: str) -> None:
    assert str(x) == written


def test_what_is_rational_and_what_has_a_root() -> None:
    assert Real.of(0).rational == 0
    assert (root(2) * root(8)).rational == 4
    assert root(Fraction(4, 9)) == Fraction(2, 3)
    assert (root(12).terms, root(0).terms, Real.of(0).terms) == ({(3, frozenset()): 2}, {}, {})
    assert ((1 + root(2)) * (1 - root(2))).terms == {(1, frozenset()): -1}
    assert root(2) != "sqrt(2)"
    with pytest.raises(ValueError, match="irrational"):
        _ = (root(2) + 1).rational
    with pytest.raises(ValueError, match="-1 has no real root"):
        root(-1)


def test_the_sign_of_what_is_nearly_0_is_that_of_the_squares() -> None:
    """√(n² ± 1) is beside n, by 1/2n: a first ball holds 0."""
    n = 2**40
    above, below = root(n * n + 1), root(n * n - 1)
    assert [(x - n).sign for x in (above, below)] == [-(n - x).sign for x in (above, below)] == [1, -1]


def test_what_cancels_as_a_polynomial_is_0_and_what_does_not_is_left_open() -> None:
    """e, the root of 2 and another number that is e, of which only balls are known."""
    e, other, two = exponential(Fraction(1)), opaque(lambda: enclosure(exponential(Fraction(1)))), root(2)
    assert product(total([e, two]), total([e, -two])) == total([product(e, e), Fraction(-2)])
    assert total([product(e, two), product(-two, e)]) == 0
    assert sign(total([product(e, two), Fraction(-3)])) == 1
    assert quotient(product(e, two), two) == e
    with pytest.raises(Undecided):
        sign(total([e, -other]))
