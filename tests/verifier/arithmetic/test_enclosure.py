"""Rounded exponentials and logarithms against high-precision fractions, and against midpoints put right beside them."""

from itertools import product

import pytest

from tests.oracle import LN2, taylor
from verifier.arithmetic.enclosure import ball_around, round_exp, round_multiple_of_ln2, round_power_of_two, round_real, round_to_integer
from verifier.arithmetic.formats import fixed_grid, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import INF, Number
from verifier.arithmetic.rationals import Fraction as F

RULES = [
    RoundingRule(r, t, o)  # type: ignore[arg-type]
    for r, t, o in [
        ("nearest", "zero", "after"),
        ("nearest", "even", "before"),
        ("truncate", "zero", "after"),
        ("nearest", "away", "saturate"),
    ]
]
MACHINES = [Machine(form, rule) for form, rule in product((free_point(1), free_point(4), free_point(9), fixed_grid(7, F(3, 16))), RULES)]
EXPONENTS = sorted({F(a, b) for a in range(-23, 24) for b in (1, 2, 3, 7)})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_small_exponents(machine: Machine) -> None:
    for x in EXPONENTS:
        assert round_exp(machine, x) == machine.round(taylor(x)), f"e^{x}"
        assert round_multiple_of_ln2(machine, x) == machine.round(x * LN2), f"{x} ln 2"
        power = F(2) ** x.numerator if x.denominator == 1 else taylor(x * LN2)
        assert round_power_of_two(machine, x) == machine.round(power), f"2^{x}"


def test_the_reference_is_what_it_claims() -> None:
    e = sum(F(1, _factorial(k)) for k in range(80))
    assert abs(taylor(F(1)) - e) < F(1, 10**90)
    assert abs(taylor(LN2) - 2) < F(1, 10**90)


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)


@pytest.mark.parametrize("distance", [F(1, 10**k) for k in (5, 20, 40, 60)])
@pytest.mark.parametrize("x", [F(1), F(-3, 2), F(7, 3)])
def test_a_midpoint_right_beside_the_exponential(x: F, distance: F) -> None:
    """On a grid whose midpoint 3/2·scale is ``distance`` beside e^x, the side decides, not the distance."""
    for side, expected in ((1, 1), (-1, 2)):
        scale = (taylor(x) + side * distance) * F(2, 3)
        for ties in ("zero", "even", "away"):
            rule = RoundingRule(ties=ties)  # type: ignore[arg-type]
            assert round_exp(Machine(fixed_grid(4, scale), rule), x) == expected * scale


@pytest.mark.parametrize(
    ("title", "rule", "x", "expected"),
    [
        ("beyond any format", RoundingRule(), F(10**30), INF),
        ("beyond any format, saturated", RoundingRule(overflow="saturate"), F(10**30), F(127)),
        ("a fraction beyond any format", RoundingRule(overflow="before"), F(10**30) + F(1, 3), INF),
        ("vanishing", RoundingRule(ties="away"), F(-(10**30)), F(0)),
        ("a vanishing fraction", RoundingRule(), -F(10**30) - F(1, 3), F(0)),
        ("vanishing by truncation", RoundingRule("truncate"), F(-(10**30)), F(0)),
    ],
)
def test_huge_exponents_take_no_time(title: str, rule: RoundingRule, x: F, expected: Number) -> None:
    for form in (free_point(8), fixed_grid(8)):
        assert round_exp(Machine(form, rule), x) == round_power_of_two(Machine(form, rule), x) == expected


@pytest.mark.parametrize("bits", [1, 2])
def test_beyond_a_coarse_grid_truncation_overflows_from_its_next_value_on(bits: int) -> None:
    machine = Machine(fixed_grid(bits, F(100)), RoundingRule("truncate"))
    for x in range(-3, 12):
        assert round_power_of_two(machine, F(x)) == machine.round(F(2) ** x)


@pytest.mark.parametrize("scale", [F(1, 1000), F(1000)])
def test_exponentials_around_1_where_all_values_are_far_below_or_above_it(scale: F) -> None:
    machine = Machine(fixed_grid(3, scale), RoundingRule())
    for x in range(-9, 12):
        assert round_exp(machine, F(x)) == machine.round(taylor(F(x)))
        assert round_power_of_two(machine, F(x)) == machine.round(F(2) ** x)


def test_near_the_ends_of_the_format_nothing_is_cut_off() -> None:
    for machine in MACHINES:
        for k in range(-40, 41):
            assert round_power_of_two(machine, F(k)) == machine.round(F(2) ** k)


def test_a_rational_midpoint_is_never_decided() -> None:
    """round_real is for irrational numbers: a ball that keeps straddling a midpoint is an error, not a guess."""
    machine = Machine(fixed_grid(4, F(2, 9)))
    with pytest.raises(ArithmeticError, match="not decided at 65536 bits"):
        round_real(machine, lambda flint: flint.arb(1) / 3)


def test_zero_and_one() -> None:
    machine = Machine(free_point(5))
    assert round_exp(machine, F(0)) == round_power_of_two(machine, F(0)) == 1
    assert round_multiple_of_ln2(machine, F(0)) == 0


@pytest.mark.one_in(8)
@pytest.mark.parametrize("x", [F(k, 7) for k in range(-40, 40) if k], ids=str)
def test_the_nearest_integer_is_that_of_a_wide_grid(x: F) -> None:
    machine = Machine(fixed_grid(64), RoundingRule("nearest", "away"))
    assert round_to_integer(lambda flint: ball_around(flint, x).exp()) == round_exp(machine, x)


@pytest.mark.parametrize("x", [F(1, 2), F(-7, 2)], ids=str)
def test_a_midpoint_of_two_integers_is_never_decided(x: F) -> None:
    with pytest.raises(ArithmeticError, match="65536 bits"):
        round_to_integer(lambda flint: ball_around(flint, x))
    assert round_to_integer(lambda flint: ball_around(flint, x), lambda: x) == (1 if x > 0 else -4)


def test_whether_a_real_is_rational_is_asked_only_where_its_ball_does_not_decide() -> None:
    assert round_to_integer(lambda flint: ball_around(flint, F(2, 3)), lambda: pytest.fail("asked")) == 1


def test_a_first_enclosure_without_ends_decides_nothing() -> None:
    """1/(e^x − 1) = 1/x − 1/2 + x/12 − … is a little above the midpoint below 1/x = 10^25; at 64 bits e^x − 1 may be 0."""
    x = F(1, 10**25)
    assert round_to_integer(lambda flint: 1 / (ball_around(flint, x).exp() - 1)) == 10**25
    assert round_real(Machine(fixed_grid(90)), lambda flint: 1 / (ball_around(flint, x).exp() - 1)) == 10**25
