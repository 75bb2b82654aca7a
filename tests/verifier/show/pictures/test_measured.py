"""Means with intervals: where they are drawn, on both kinds of scale."""

import re

import pytest

from verifier.show.pictures.measured import HEIGHT, TOP, Mean, Series, picture


def _heights(means: list[tuple[float, float, float]], logarithmic: bool) -> list[float]:
    series = Series("measured", tuple(Mean(2**k, *values) for k, values in enumerate(means)))
    return [float(y) for y in re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', picture("t", "x", "y", [series], logarithmic).file())]


@pytest.mark.parametrize(
    ("means", "logarithmic", "shares"),
    [
        ([(0.1, 1.0, 10.0), (0.1, 0.1, 0.1)], True, [0.5, 0.0]),
        ([(-1.0, 1.0, 10.0), (1.0, 10.0, 10.0)], True, [0.0, 1.0]),  # an interval that reaches below 0 is cut
        ([(-4.0, -2.0, -1.0), (-4.0, -4.0, -4.0)], False, [0.5, 0.0]),  # 0 is on a linear scale
        ([(1.0, 1.0, 1.0)], True, [0.0]),
    ],
)
def test_where_means_are_drawn(means: list[tuple[float, float, float]], logarithmic: bool, shares: list[float]) -> None:
    assert _heights(means, logarithmic) == pytest.approx([TOP + HEIGHT * (1 - share) for share in shares])
