"""The operations of the machine on special values, and each operation as exact result, rounded once."""

import fractions
from itertools import product

import numpy as np
import pytest

from verifier.arithmetic.floats import to_float, to_number
from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine, RoundingRule, exact_product, exact_quotient, exact_sum, rectified
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, less, negate, show, show_binary, sign
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.running.errors import LimitError

ONE, ZERO, TWO = F(1), F(0), F(2)
SIMPLE: list[Number] = [NEG_INF, -TWO, F(-1), ZERO, F(1, 2), ONE, TWO, INF, NAN]


def test_against_float64() -> None:
    """Special values, zero and powers of two, whose sums, products and quotients float64 holds; the sign of its zeros is none of ours."""
    with np.errstate(all="ignore"):
        for x, y in product(SIMPLE, repeat=2):
            a, b = np.float64(to_float(x)), np.float64(to_float(y))
            theirs = [to_number(float(z)) for z in (a + b, a * b, a / b)]
            assert [exact_sum(x, y), exact_product(x, y), exact_quotient(x, y)] == theirs, f"{show(x)}, {show(y)}"


def test_fractions_of_the_standard_library_are_numbers_too() -> None:
    assert exact_sum(fractions.Fraction(1, 2), TWO) == exact_sum(TWO, fractions.Fraction(1, 2)) == F(5, 2)
    assert exact_product(fractions.Fraction(1, 3), TWO) == exact_product(TWO, fractions.Fraction(1, 3)) == F(2, 3)
    assert exact_quotient(ONE, F(3)) == F(1, 3)


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
