"""(A1)–(A3) for named activations: what is found is checked again at many points, and what is called impossible is."""

from fractions import Fraction

import flint
import pytest

from constructions.fixed_point_networks.claims.listed import impossible, satisfied
from constructions.fixed_point_networks.claims.remark import PRACTICAL
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation
from constructions.fixed_point_networks.mathematics.enclosures import derivative
from constructions.fixed_point_networks.mathematics.grid import FixedPoint


def ball(activation: Activation, order: int, x: Fraction) -> flint.arb:
    return derivative(activation, order, x, x)


@pytest.mark.parametrize("s", [1, 3, 7])
@pytest.mark.parametrize("name", [n for n in PRACTICAL if n not in ("relu", "elu")])
def test_the_condition_found_holds_at_points_of_its_interval(name: str, s: int) -> None:
    grid, activation = FixedPoint(3, s), NAMED[name]
    found = satisfied(activation, grid)
    if found is None:
        assert (name, s) == ("sigmoid", 1)
        assert impossible(activation, grid)
        return
    case, (first, last) = found
    difference = abs(ball(activation, 0, grid.value(last)) - ball(activation, 0, grid.value(first))) * s
    assert difference >= 1 if case == "A1" else difference < 2 * (last - first) - 1
    for k in range(1, 40):
        x = grid.value(first) + (grid.value(last) - grid.value(first)) * k / 40
        slope = ball(activation, 1, x)
        assert abs(ball(activation, 0, x)) <= grid.top / flint.arb(s)
        assert abs(slope) < 1 if case == "A1" else 1 <= slope <= 2


def test_only_sigmoid_at_scale_one_is_impossible() -> None:
    refused = [(name, s) for s in range(1, 8) for name in PRACTICAL if impossible(NAMED[name], FixedPoint(3, s))]
    assert refused == [("sigmoid", 1)]
