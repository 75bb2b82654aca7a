"""The operations of the machine on special values, and each operation as exact result, rounded once."""

import fractions
from itertools import product

import pytest

from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine, RoundingRule, exact_product, exact_quotient, exact_sum, rectified
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, less, negate, show, show_binary, sign
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.running.errors import LimitError

ONE, ZERO, TWO = F(1), F(0), F(2)
SUMS = [
    (INF, NEG_INF, NAN),
    (INF, INF, INF),
    (NEG_INF, NEG_INF, NEG_INF),
    (INF, -TWO, INF),
    (NEG_INF, TWO, NEG_INF),
    (NAN, ONE, NAN),
    (NAN, INF, NAN),
    (NAN, NAN, NAN),
    (ONE, TWO, F(3)),
    (fractions.Fraction(1, 2), TWO, F(5, 2)),
]
PRODUCTS = [
    (INF, ZERO, NAN),
    (NEG_INF, ZERO, NAN),
    (INF, -TWO, NEG_INF),
    (NEG_INF, -TWO, INF),
    (INF, NEG_INF, NEG_INF),
    (NEG_INF, NEG_INF, INF),
    (NAN, ZERO, NAN),
    (NAN, INF, NAN),
    (F(1, 3), TWO, F(2, 3)),
    (fractions.Fraction(1, 3), TWO, F(2, 3)),
]
QUOTIENTS = [
    (ZERO, ZERO, NAN),
    (INF, INF, NAN),
    (INF, NEG_INF, NAN),
    (TWO, ZERO, INF),
    (-TWO, ZERO, NEG_INF),
    (INF, ZERO, INF),
    (NEG_INF, ZERO, NEG_INF),
    (INF, -TWO, NEG_INF),
    (NEG_INF, -TWO, INF),
    (NEG_INF, TWO, NEG_INF),
    (INF, F(1, 2), INF),
    (TWO, INF, ZERO),
    (-TWO, NEG_INF, ZERO),
    (ZERO, INF, ZERO),
    (NAN, ONE, NAN),
    (ONE, NAN, NAN),
    (ZERO, NAN, NAN),
    (NAN, ZERO, NAN),
    (ONE, F(3), F(1, 3)),
]


@pytest.mark.parametrize(("x", "y", "expected"), SUMS)
def test_sum(x: Number, y: Number, expected: Number) -> None:
    assert exact_sum(x, y) == exact_sum(y, x) == expected


@pytest.mark.parametrize(("x", "y", "expected"), PRODUCTS)
def test_product(x: Number, y: Number, expected: Number) -> None:
    assert exact_product(x, y) == exact_product(y, x) == expected


@pytest.mark.parametrize(("x", "y", "expected"), QUOTIENTS)
def test_quotient(x: Number, y: Number, expected: Number) -> None:
    assert exact_quotient(x, y) == expected


def test_every_operation_is_exact_then_rounded_once() -> None:
    values: list[Number] = [*free_point(4).values(), INF, NEG_INF, NAN]
    for overflow in ("after", "before", "saturate"):
        machine = Machine(free_point(4), RoundingRule(overflow=overflow))  # type: ignore[arg-type]
        for x, y in product(values, values):
            assert machine.add(x, y) == machine.round(exact_sum(x, y))
            assert machine.multiply(x, y) == machine.round(exact_product(x, y))
            assert machine.divide(x, y) == machine.round(exact_quotient(x, y))


def test_a_saturating_machine_makes_no_infinity() -> None:
    machine = Machine(free_point(3), RoundingRule(overflow="saturate"))
    values = list(free_point(3).values())
    results = {op(x, y) for op in (machine.add, machine.multiply, machine.divide) for x, y in product(values, values)}
    assert not results & {INF, NEG_INF}
    assert not machine.holds(INF)
    assert Machine(free_point(3)).holds(INF)


@pytest.mark.parametrize(("x", "expected"), [(INF, INF), (NEG_INF, ZERO), (NAN, NAN), (-TWO, ZERO), (ZERO, ZERO), (TWO, TWO)])
def test_rectified(x: Number, expected: Number) -> None:
    assert rectified(x) == expected


ORDERED: list[Number] = [NEG_INF, F(-3), ZERO, F(1, 2), INF]


def test_the_order_of_the_extended_line() -> None:
    for (i, x), (j, y) in product(enumerate(ORDERED), enumerate(ORDERED)):
        assert less(x, y) == (i < j)
        assert less(negate(x), negate(y)) == (i > j)
    assert not any(less(x, NAN) or less(NAN, x) for x in [*ORDERED, NAN])
    assert negate(NAN) is NAN


def test_signs() -> None:
    assert [sign(x) for x in ORDERED] == [-1, -1, 0, 1, 1]
    with pytest.raises(ValueError, match="NaN has no sign"):
        sign(NAN)


@pytest.mark.parametrize(
    ("x", "exact", "binary"),
    [
        (F(63, 2), "63/2", "11111.1"),
        (F(-4), "-4", "-100"),
        (F(3, 8), "3/8", "0.011"),
        (F(-1, 4), "-1/4", "-0.01"),
        (ZERO, "0", "0"),
        (F(1, 3), "1/3", "1/3"),
        (INF, "inf", "inf"),
        (NEG_INF, "-inf", "-inf"),
        (NAN, "nan", "nan"),
    ],
)
def test_shown(x: Number, exact: str, binary: str) -> None:
    assert (show(x), show_binary(x)) == (exact, binary)


@pytest.mark.parametrize(("written", "longer"), [(F(2**8192 - 1), F(2**8192)), (-F(1, 2**8191), -F(1, 2**8192))], ids=["above", "below"])
def test_numbers_of_8192_bits_are_written_and_no_longer_ones(written: F, longer: F) -> None:
    assert rational(show(written)) == written
    with pytest.raises(LimitError, match="more than 8,192 bits"):
        show(longer)
