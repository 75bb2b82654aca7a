"""The formats of networks: every code point, rounding against ml_dtypes, and the second rounding of arrays on all pairs of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from verifier.arithmetic.bit_patterns import number_format
from verifier.arithmetic.floats import carrier, to_float, to_number
from verifier.arithmetic.machine import exact_product, exact_quotient, exact_sum
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, negate
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Arithmetic, arithmetic
from verifier.transformers.contexts import Rounded


def _pairs(name: str) -> tuple[Any, Any]:
    values = np.array([*(to_float(x) for x in number_format(name).form.values()), np.inf, -np.inf, np.nan])
    return np.repeat(values, len(values)), np.tile(values, len(values))


def compare(how: Arithmetic, every: int) -> None:
    """+ − × ÷ √ of arrays against the definition, for one in so many pairs of values."""
    rounded, form = carrier(how).rounded, how.machine()
    x, y = (values[::every] for values in _pairs(how.format))
    kept = y != 0
    with np.errstate(all="ignore"):
        arrays = [rounded(x + y), rounded(x - y), rounded(x * y), rounded(np.where(kept, x / y, 0)), rounded(np.sqrt(x))]
    scalar = Rounded(how)
    for k, (a, b) in enumerate(zip(map(to_number, x.tolist()), map(to_number, y.tolist()), strict=True)):
        expected = [exact_sum(a, b), exact_sum(a, negate(b)), exact_product(a, b), exact_quotient(a, b) if kept[k] else Fraction(0)]
        found = [to_number(float(array[k])) for array in arrays]
        assert found == [*(form.round(z) for z in expected), scalar.root(a)], (a, b)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("knobs", ["", "+overflow=saturate", "+subnormals=flushed"])
@pytest.mark.parametrize("name", ["e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "int8:1/64"])
def test_operations_of_arrays_on_some_pairs(name: str, knobs: str) -> None:
    compare(arithmetic(name + knobs), 97 if name in ("e5m2", "e4m3", "int8:1/64") else 11)


@pytest.mark.campaign
@pytest.mark.parametrize("knobs", ["", "+overflow=saturate", "+subnormals=flushed"])
@pytest.mark.parametrize("name", ["e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "int8:1/64"])
def test_operations_of_arrays_on_all_pairs(name: str, knobs: str) -> None:
    compare(arithmetic(name + knobs), 1)


def test_overflow_has_two_modes_in_e4m3() -> None:
    assert number_format("e4m3").round(Fraction(464)) == 448  # a tie goes to the even significand
    assert number_format("e4m3").round(Fraction(465)) is NAN
    assert number_format("e4m3", "saturate").round(Fraction(-465)) == -448
    assert number_format("e5m2").round(Fraction(10**6)) is INF
    assert number_format("float32", "nan").round(Fraction(-(10**39))) is NAN
    assert number_format("float16").round(Fraction(-65520)) is NEG_INF


def test_an_arithmetic_is_written_as_it_is_read() -> None:
    how = Arithmetic("float16", sums="split:4", accumulate="float32")
    assert arithmetic(str(how)) == how
