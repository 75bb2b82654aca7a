"""Confidence intervals keep their level: at the ends the tail is what it should be."""

from math import comb

import pytest

from verifier.arithmetic.confidence import clopper_pearson, mean_interval, slope_interval, student
from verifier.arithmetic.rationals import Fraction

LEVEL = Fraction(95, 100)


def at_least(k: int, n: int, p: Fraction) -> Fraction:
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize(("k", "n"), [(0, 5), (5, 5), (3, 10), (7, 12)])
def test_the_ends_of_clopper_and_pearson(k: int, n: int) -> None:
    found, tail, little = clopper_pearson(k, n, LEVEL), (1 - LEVEL) / 2, Fraction(1, 10**9)
    assert found.low == 0 if k == 0 else at_least(k, n, found.low) <= tail < at_least(k, n, found.low + little)
    assert found.high == 1 if k == n else 1 - at_least(k + 1, n, found.high) <= tail < 1 - at_least(k + 1, n, found.high - little)


def test_student_with_one_degree_of_freedom_is_cauchy() -> None:
    """Pr[|T| <= 1] = 1/2."""
    assert 0 <= student(1, Fraction(1, 2)) - 1 < Fraction(1, 10**9)


def test_intervals_of_exact_data() -> None:
    assert slope_interval([(0, 1), (1, 3), (2, 5), (3, 7)], LEVEL).low <= 2 <= slope_interval([(0, 1), (1, 3), (2, 5), (3, 7)], LEVEL).high
    assert 2 in mean_interval([1.0, 2.0, 3.0], LEVEL)
    assert 9 not in mean_interval([1.0, 2.0, 3.0], LEVEL)
