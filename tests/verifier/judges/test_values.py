"""Machine values that are compared with rationals: every kind of value on every side of a bound."""

from fractions import Fraction as F

import numpy as np
import pytest

from verifier.arithmetic.formats import FreePoint
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number
from verifier.engines.lattice import Lattice
from verifier.judges.values import Values

NUMBERS: list[Number] = [NEG_INF, F(-1), F(0), F(3, 4), F(1), INF, NAN]


@pytest.mark.parametrize(("numerator", "denominator"), [(0, 1), (3, 4), (-1, 1), (5, 1), (-9, 2)])
def test_inf_exceeds_every_rational_and_nan_and_minus_inf_none(numerator: int, denominator: int) -> None:
    lattice, bound = Lattice(Machine(FreePoint(4))), F(numerator, denominator)
    values = Values(lattice, np.array([lattice.encode(x) for x in NUMBERS]))
    assert list(values.exceeds(numerator, denominator)) == [x is INF or (isinstance(x, F) and x > bound) for x in NUMBERS]
    assert list(values.equals(numerator, denominator)) == [x == bound for x in NUMBERS]
    assert list(values.is_infinite(1)) == [x is INF for x in NUMBERS]
    assert list(values.is_infinite(-1)) == [x is NEG_INF for x in NUMBERS]
    assert list(values.is_nan) == [x is NAN for x in NUMBERS]
