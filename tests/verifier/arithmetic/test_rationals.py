"""Our fractions are the standard library's in all but speed, and stay exact wherever they go."""

from __future__ import annotations

import fractions
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitreferee
from verifier.arithmetic.rationals import Fraction
from verifier.proofs.rational_numbers import sympy

NUMBERS = st.fractions(max_denominator=10**6)


@given(NUMBERS, NUMBERS)
def test_operations_are_those_of_the_standard_library(x: fractions.Fraction, y: fractions.Fraction) -> None:
    a, b = Fraction(x), Fraction(y)
    assert (a + b, a - b, a * b, -a, abs(a)) == (x + y, x - y, x * y, -x, abs(x))
    assert (a < b, a <= b, a == b, hash(a)) == (x < y, x <= y, x == y, hash(x))
    assert (math.floor(a), math.ceil(a), round(a), str(a), repr(a)) == (math.floor(x), math.ceil(x), round(x), str(x), repr(x))
    if y:
        assert (a / b, a // b, a % b, divmod(a, b)) == (x / y, x // y, x % y, divmod(x, y))


def test_sympy_takes_them_exactly() -> None:
    third = Fraction(1, 3)
    assert sympy.sympify(third) == sympy.Rational(1, 3)
    assert sympy.Integer(2) * third == third * sympy.Integer(2) == sympy.Rational(2, 3)


@pytest.mark.parametrize("number", [fractions.Fraction(1, 8), Fraction(1, 8), "1/8"])
def test_from_python_any_fraction_is_taken_and_a_standard_one_comes_back(number: fractions.Fraction) -> None:
    four = bitreferee.Format.fixed(4)
    for found in (
        four.round(number),
        four.add(number, 1),
        four.multiply(number, 1),
        four.divide(number, 2),
        four.largest,
        four.spacing(number),
    ):
        assert type(found) is fractions.Fraction
    assert all(type(x) is fractions.Fraction for x in four.values())
    run = bitreferee.trace("lemma-2.6:table-6", "0" * 15, "0" * 15, p=8)
    assert type(run.attention) is type(run.steps and run.rows()[0]["weight"]) is fractions.Fraction
