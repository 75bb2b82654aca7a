"""Preimages against the machine, on a mesh finer than any midpoint."""

import pytest

from verifier.arithmetic.formats import Format, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Interval, Machine, RoundingRule, Ties, preimages
from verifier.arithmetic.rationals import Fraction as F

FORMATS: list[Format] = [
    *map(free_point, range(1, 6)),
    *(fixed_grid(bits, scale) for bits in (1, 3, 5) for scale in (F(1), F(2, 3))),
    *(floating_point(3, e, underflow) for e in (1, 2, 3) for underflow in ("nearest", "subnormals")),
]


def holds(interval: Interval, x: F) -> bool:
    return interval.low < x < interval.high or (x == interval.low and interval.holds_low) or (x == interval.high and interval.holds_high)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("ties", ["zero", "even", "away"])
def test_an_interval_holds_what_rounds_to_its_value(ties: Ties, form: Format) -> None:
    machine = Machine(form, RoundingRule("nearest", ties))
    found = preimages(machine)
    assert list(found) == list(form.values())
    last = 4 * int(form.largest / form.unit)
    for x in (form.unit * k / 4 for k in range(-last, last + 1)):
        assert [value for value, interval in found.items() if holds(interval, x)] == [machine.round(x)]


@pytest.mark.parametrize(
    ("title", "form", "rule"),
    [
        ("truncation", fixed_grid(3), RoundingRule("truncate")),
        ("underflow to zero", floating_point(3, 2, "flush"), RoundingRule("nearest")),
    ],
)
def test_other_roundings_are_refused(title: str, form: Format, rule: RoundingRule) -> None:
    with pytest.raises(ValueError, match="midpoints"):
        preimages(Machine(form, rule))
