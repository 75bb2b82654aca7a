"""Our fractions are the standard library's in all but speed, and stay exact wherever they go."""

from __future__ import annotations

import fractions
import math

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


def test_python_gets_standard_fractions() -> None:
    run = bitreferee.trace("lemma-2.6:table-6", p=8, y="0" * 15, z="0" * 15)
    assert type(run.rows()[0]["weight"]) is fractions.Fraction
