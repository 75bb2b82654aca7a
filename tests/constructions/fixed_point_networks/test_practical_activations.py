"""The conditions on slopes that named activations satisfy, checked again with activations written with flint alone."""

from collections.abc import Callable

import flint
import pytest

from constructions.fixed_point_networks.judges.activations import stated
from constructions.fixed_point_networks.mathematics.activations import NAMED, rounded, scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.slope_conditions import excluded, satisfied
from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition
from verifier.running.errors import InputError

PAPER = "fixed-point-networks"
PRACTICAL = ("sigmoid", "relu", "elu", "softplus", "silu", "mish", "gelu")


WRITTEN: dict[str, Callable[[flint.arb], flint.arb]] = {
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
    "relu": lambda x: x if x > 0 else 0 * x,
    "elu": lambda x: x if x > 0 else x.exp() - 1,
    "softplus": lambda x: (1 + x.exp()).log(),
    "silu": lambda x: x / (1 + (-x).exp()),
    "mish": lambda x: x * (1 - 2 / ((1 + x.exp()) ** 2 + 1)),
    "gelu": lambda x: x * (1 + (x / flint.arb(2).sqrt()).erf()) / 2,
}
"""The activations written with flint alone."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("s", [1, 3, 7])
@pytest.mark.parametrize("name", PRACTICAL)
def test_the_condition_found_holds_at_points_of_its_interval(name: str, s: int) -> None:
    grid, sigma = FixedPoint(3, s), WRITTEN[name]
    query = Query(find_claim(f"{PAPER}/lemma-16:listed"), Edition.STATEMENT, {"p": 3}, DEFAULT_SEMANTICS, Session())
    conditions = {c: stated(query.claim, c, grid) for c in ("condition-a1", "condition-a2", "condition-a3")}
    found = next(satisfied(NAMED[name], grid, conditions, 7), None)
    if found is None:
        assert (name, s) == ("sigmoid", 1)
        assert all(excluded(NAMED[name], grid, asked) for asked in conditions.values())
        return
    case, (first, last) = found
    with flint.ctx.workprec(128):
        rise = abs(sigma(ball_around(flint, grid.value(last))) - sigma(ball_around(flint, grid.value(first)))) * s
        hair = flint.arb(2) ** -60
        assert rise > 1 - hair if case != "condition-a3" else rise < 2 * (last - first) - 1
        for k in range(1, 40):
            x = grid.value(first) + (grid.value(last) - grid.value(first)) * k / 40
            step = ball_around(flint, x), ball_around(flint, x + Fraction(1, 2**40))
            slope, value = (sigma(step[1]) - sigma(step[0])) * 2**40, sigma(step[0])
            assert abs(value) < grid.top / flint.arb(s) + hair
            assert {"condition-a1": abs(slope) < 1, "condition-a2": value > -hair, "condition-a3": slope > 1 - flint.arb(2) ** -30}[case]


def test_a_text_that_is_no_name_is_a_formula() -> None:
    assert rounded(NAMED["5*max(0, min(1, x))"], FixedPoint(3, 1)) == rounded(scaled_hardtanh(5), FixedPoint(3, 1))
    with pytest.raises(InputError, match="rleu"):
        rounded(NAMED["rleu"], FixedPoint(2, 1))
