"""Preimages against the machine, on a mesh finer than any midpoint."""

from itertools import product

import pytest

from verifier.arithmetic.formats import FloatingPoint, Format, FreePoint, Grid
from verifier.arithmetic.machine import Machine, RoundingRule, Ties
from verifier.arithmetic.preimages import Interval, Spread, preimages, spread
from verifier.arithmetic.rationals import Fraction as F

FORMATS: list[FreePoint | Grid | FloatingPoint] = [
    *map(FreePoint, range(1, 6)),
    *(Grid(bits, scale) for bits in (1, 3, 5) for scale in (F(1), F(2, 3))),
    *(FloatingPoint(3, e, underflow) for e in (1, 2, 3) for underflow in ("nearest", "subnormals")),
]


def holds(interval: Interval, x: F) -> bool:
    return interval.low < x < interval.high or (x == interval.low and interval.holds_low) or (x == interval.high and interval.holds_high)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("ties", ["zero", "even", "away"])
def test_an_interval_holds_what_rounds_to_its_value(ties: Ties, form: FreePoint | Grid | FloatingPoint) -> None:
    machine = Machine(form, RoundingRule("nearest", ties))
    found = preimages(machine)
    assert list(found) == list(form.values())
    last = 4 * int(form.largest / form.unit)
    for x in (form.unit * k / 4 for k in range(-last, last + 1)):
        assert [value for value, interval in found.items() if holds(interval, x)] == [machine.round(x)]


@pytest.mark.parametrize(
    ("title", "form", "rule"),
    [
        ("truncation", Grid(3), RoundingRule("truncate")),
        ("underflow to zero", FloatingPoint(3, 2, "flush"), RoundingRule("nearest")),
    ],
)
def test_other_roundings_are_refused(title: str, form: Format, rule: RoundingRule) -> None:
    with pytest.raises(ValueError, match="midpoints"):
        preimages(Machine(form, rule))


@pytest.mark.parametrize(
    ("title", "first", "second", "expected"),
    [
        ("closed", Interval(F(0), F(1), True, True), Interval(F(2), F(4), True, True), Spread(F(1), True, F(4), True)),
        ("the first open above", Interval(F(0), F(1), True, False), Interval(F(2), F(4), True, True), Spread(F(1), False, F(4), True)),
        ("the second open above", Interval(F(0), F(1), True, True), Interval(F(2), F(4), True, False), Spread(F(1), True, F(4), False)),
        ("both away from 0", Interval(F(5), F(7), True, True), Interval(F(8), F(9), True, True), Spread(F(1), True, F(4), True)),
        ("the first open below", Interval(F(0), F(1), False, True), Interval(F(2), F(4), True, True), Spread(F(1), True, F(4), False)),
        ("the second open below", Interval(F(0), F(1), True, True), Interval(F(2), F(4), False, True), Spread(F(1), False, F(4), True)),
        ("with itself, half open", Interval(F(0), F(1), True, False), Interval(F(0), F(1), True, False), Spread(F(-1), False, F(1), False)),
    ],
)
def test_differences(title: str, first: Interval, second: Interval, expected: Spread) -> None:
    assert spread(first, second) == expected


@pytest.mark.parametrize(("least_occurs", "greatest_occurs"), [*product((True, False), repeat=2)])
def test_what_a_spread_can_be(least_occurs: bool, greatest_occurs: bool) -> None:
    """Against differences one by one, in steps of 1/2."""
    found = Spread(F(1), least_occurs, F(4), greatest_occurs)
    occur = [F(k, 2) for k in range(3 - least_occurs, 8 + greatest_occurs)]
    for bound in range(6):
        assert found.can_be_below(bound) == any(x < bound for x in occur)
        assert found.can_be_at_most(bound) == any(x <= bound for x in occur)
        assert found.can_be_at_least(bound) == any(x >= bound for x in occur)
