"""Confidence intervals keep their level: at the ends the tail is what it should be."""

from math import comb

import pytest

from verifier.arithmetic.confidence import _root_above, _side, mean_interval, slope_interval, student
from verifier.arithmetic.rationals import Fraction

LEVEL = Fraction(95, 100)


def at_least(k: int, n: int, p: Fraction) -> Fraction:
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


def test_student_with_one_degree_of_freedom_is_cauchy() -> None:
    """Pr[|T| <= 1] = 1/2, which no precision tells from more: 1 is not certain to do."""
    assert 0 < student(1, Fraction(1, 2)) - 1 < Fraction(1, 10**9)


def test_intervals_of_exact_data() -> None:
    assert slope_interval([(0, 1), (1, 3), (2, 5), (3, 7)], LEVEL).low <= 2 <= slope_interval([(0, 1), (1, 3), (2, 5), (3, 7)], LEVEL).high
    assert 2 in mean_interval([1.0, 2.0, 3.0], LEVEL)
    assert 9 not in mean_interval([1.0, 2.0, 3.0], LEVEL)


POINTS = [(0.0, 1.0), (1.0, 3.5), (2.5, 4.0), (4.0, 9.0), (7.0, 8.0)]


@pytest.mark.long("3-level0")
@pytest.mark.parametrize("level", [Fraction(1, 2), LEVEL])
@pytest.mark.parametrize("count", [3, 5])
def test_students_intervals_are_scipys(count: int, level: Fraction) -> None:
    """To nine digits: theirs are floats."""
    from scipy import stats  # a second to import: only for the process that runs this

    xs, ys = zip(*POINTS[:count], strict=True)
    line = stats.linregress(xs, ys)
    beside = line.stderr * stats.t.ppf((1 + float(level)) / 2, count - 2)
    mean = stats.t.interval(float(level), count - 1, sum(ys) / count, stats.sem(ys))
    for found, low, high in (
        (slope_interval(POINTS[:count], level), line.slope - beside, line.slope + beside),
        (mean_interval(ys, level), *mean),
    ):
        assert (float(found.low), float(found.high)) == pytest.approx((low, high), rel=1e-9)
        assert found.low in found
        assert found.high in found
        assert found.low - 1 not in found


def test_a_tie_is_neither_below_nor_above() -> None:
    """I_x(1, 1) = x."""
    half = Fraction(1, 2)
    assert [_side(x, Fraction(1), Fraction(1), half) for x in (Fraction(1, 4), half, Fraction(3, 4))] == [-1, 0, 1]


def test_a_root_from_above_is_near() -> None:
    for x in (Fraction(0), Fraction(2), Fraction(1, 3), Fraction(10**9)):
        found = _root_above(x)
        assert x < found**2
        assert (found - Fraction(1, 2**180)) ** 2 <= x
