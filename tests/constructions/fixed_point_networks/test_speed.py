"""What the issue asks of speed, run by hand: ``pytest -m campaign``."""

import time

import pytest

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.census import census
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference, representator
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded

pytestmark = pytest.mark.campaign


def test_lemma_8_to_p_8_in_10_seconds() -> None:
    start = time.perf_counter()
    for p in range(1, 9):
        assert all(has_unit_gap(a, grid) for grid in fixed_points(p) for a in NAMED.values())
    assert time.perf_counter() - start < 10


def test_every_table_at_p_2_in_15_seconds() -> None:
    start = time.perf_counter()
    assert all(census(grid).tables == 7**7 for grid in fixed_points(2))
    assert time.perf_counter() - start < 15


def test_relu_at_p_3_s_2_d_2_in_half_a_second() -> None:
    grid = FixedPoint(3, 2)
    target = tuple((3 * x * y) % 15 - 7 for x, y in all_inputs(grid, 2))
    start = time.perf_counter()
    assert first_difference(representator(rounded(NAMED["relu"], grid), target, 2), target) is None
    assert time.perf_counter() - start < 0.5
