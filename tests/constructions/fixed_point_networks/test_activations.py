"""Rounded activations: certain, clamped, ties away; compared with the core's own rounding of enclosures."""

from typing import Any

import flint
import pytest

from constructions.fixed_point_networks.mathematics.activations import NAMED, has_unit_gap, rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from verifier.arithmetic.enclosure import ball_around, round_real
from verifier.arithmetic.rationals import Fraction


def series(name: str, x: Any) -> Any:
    """The five smooth activations and ELU, written with flint's own functions."""
    one, mish = 1 + (-x).exp(), 1 + x.exp()
    return {
        "elu": lambda: x.exp() - 1 if x < 0 else x,
        "silu": lambda: x / one,
        "mish": lambda: x * (1 - 2 / (mish * mish + 1)),
        "gelu": lambda: x * (1 + (x / flint.arb(2).sqrt()).erf()) / 2,
        "softplus": lambda: mish.log(),
        "sigmoid": lambda: 1 / one,
    }[name]()


ENCLOSED = [name for name, activation in NAMED.items() if activation.exact(Fraction(-1)) is None]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", ENCLOSED)
@pytest.mark.parametrize("grid", [g for p in (2, 3) for g in fixed_points(p)], ids=str)
def test_levels_are_the_machines(name: str, grid: FixedPoint) -> None:
    activation, machine = NAMED[name], grid.machine()
    table = rounded(activation, grid)
    for k in grid.levels():
        x = grid.value(k)
        exact = activation.exact(x)
        if exact is not None:
            expected = machine.round(exact)
        else:
            expected = round_real(machine, lambda flint, x=x: series(name, ball_around(flint, x)))
        assert grid.value(table(k)) == expected


def test_a_tie_is_recognised_not_approximated() -> None:
    assert rounded(NAMED["sigmoid"], FixedPoint(3, 1))(0) == 1
    assert rounded(NAMED["sigmoid"], FixedPoint(3, 3))(0) == 2
    assert rounded(NAMED["softplus"], FixedPoint(3, 1))(0) == 1


def test_unit_gaps_are_found_and_their_absence_too() -> None:
    assert has_unit_gap(NAMED["relu"], FixedPoint(2, 1)) == (0, 1)
    assert has_unit_gap(scaled_hardtanh(2), FixedPoint(2, 1)) is None


@pytest.mark.parametrize("name", ENCLOSED)
def test_the_formula_says_what_is_written_here(name: str) -> None:
    """The formula's reading in balls of 200 bits meets the function written with flint, at every quarter from −3 to 3."""
    with flint.ctx.workprec(200):
        for x in (Fraction(k, 4) for k in range(-12, 13)):
            found = NAMED[name].real.enclosed(x)
            assert found.overlaps(series(name, ball_around(flint, x)))
            assert found.rad() < 2**-100
