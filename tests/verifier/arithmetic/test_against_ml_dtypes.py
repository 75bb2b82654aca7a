"""Bit patterns against numpy, ml_dtypes and gfloat, over every code point."""

import math
from itertools import pairwise, product

import ml_dtypes
import numpy as np
import pytest
from gfloat import RoundMode, decode_float, formats, round_float

from verifier.arithmetic.bit_patterns import BFLOAT16, E4M3FN, E5M2, FLOAT16, FLOAT32, BitFormat, Top, ieee
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast")

TYPES = [
    (FLOAT16, np.float16, formats.format_info_binary16),
    (BFLOAT16, ml_dtypes.bfloat16, formats.format_info_bfloat16),
    (ieee(4, 3), ml_dtypes.float8_e4m3, None),
    (E4M3FN, ml_dtypes.float8_e4m3fn, formats.format_info_ocp_e4m3),
    (E5M2, ml_dtypes.float8_e5m2, formats.format_info_ocp_e5m2),
]


TOPS: tuple[Top, ...] = ("ieee", "one-nan", "none")


def numbers(kind: BitFormat) -> list[tuple[int, Fraction]]:
    """Every pattern of a finite number with it, by their patterns."""
    return [(pattern, value) for pattern in range(1 << kind.width) if isinstance(value := kind.value(pattern), Fraction)]


def number(x: float) -> Number:
    if math.isnan(x):
        return NAN
    return (INF if x > 0 else NEG_INF) if math.isinf(x) else Fraction(x)


@pytest.mark.long("bfloat16-bfloat16-bfloat16", "float16-float16-binary16")
@pytest.mark.parametrize(("kind", "dtype", "info"), TYPES, ids=lambda v: getattr(v, "name", None))
def test_every_code_point_is_numpys(kind: BitFormat, dtype: type, info: object) -> None:
    codes = np.arange(1 << kind.width, dtype=f"uint{kind.width}")
    theirs = [number(x) for x in codes.view(dtype).astype(np.float64).tolist()]
    assert [kind.value(p) for p in range(1 << kind.width)] == theirs
    if info is not None:
        every = range(1 << kind.width) if kind.width == 8 else range(0, 1 << 16, 7)
        assert all(number(decode_float(info, p).fval) == theirs[p] for p in every)


@pytest.mark.parametrize(("kind", "dtype", "info"), TYPES, ids=lambda v: getattr(v, "name", None))
def test_rounding_is_numpys_at_and_between_all_neighbours(kind: BitFormat, dtype: type, info: object) -> None:
    step = 1 if kind.width == 8 else 61
    finite = [kind.value(p) for p in range(0, kind.largest + 1, step)]
    ends = [kind.value(kind.largest), 2 * kind.value(kind.largest), kind.value(1) / 2, kind.value(1) / 4]
    tried = [x for x in (*finite, *ends) if not isinstance(x, Special)]
    tried += [(x + y) / 2 for x, y in pairwise(tried)]
    tried += [-x for x in tried if x]
    ours = [kind.nearest(x) for x in tried]
    theirs = np.array([float(x) for x in tried]).astype(dtype).view(f"uint{kind.width}").tolist()
    nan = [kind.is_nan(p) for p in ours]
    assert [None if n else p for n, p in zip(nan, ours, strict=True)] == [None if kind.is_nan(p) else p for p in theirs]


def test_a_pattern_of_float32_is_numpys() -> None:
    codes = np.random.default_rng(0).integers(0, 1 << 32, 20_000, dtype=np.uint32)
    assert [FLOAT32.value(int(p)) for p in codes] == [number(x) for x in codes.view(np.float32).astype(np.float64).tolist()]


def test_the_nearest_of_a_number_is_its_own_pattern() -> None:
    for kind in (ieee(3, 2), ieee(2, 1), BitFormat("plain", 3, 2, "none")):
        for pattern, value in numbers(kind):
            assert kind.value(kind.nearest(value)) == value
            assert value == 0 or kind.nearest(value) == pattern


def test_gfloat_rounds_alike() -> None:
    for k in range(-600, 600):
        x = Fraction(k, 37)
        assert float(E4M3FN.value(E4M3FN.nearest(x))) == round_float(formats.format_info_ocp_e4m3, float(x), RoundMode.TiesToEven)


SMALL = [BitFormat("small", e, m, top) for e, m, top in product((2, 3), (1, 2), TOPS)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("kind", SMALL, ids=str)
def test_the_nearest_pattern_by_the_definition(kind: BitFormat) -> None:
    """Of all numbers with the sign; where two are as near, the even pattern."""
    known = {value: pattern for pattern, value in reversed(numbers(kind)) if pattern < kind.sign_bit}
    largest, smallest = max(known), min(x for x in known if x)
    step = Fraction(2) ** (kind.fields(kind.largest)[1] - kind.offset) / kind.unit
    last = int((largest + step) / smallest * 4)
    for x in (smallest * k / 4 for k in range(last)):
        least = min(abs(x - v) for v in known)
        expected = min((p for v, p in known.items() if abs(x - v) == least), key=lambda p: (p % 2, p))
        if kind.top == "ieee" and x >= largest + step / 2:
            expected = kind.infinity
        if kind.top == "one-nan" and x > largest + step / 2:  # the largest is even
            expected = kind.last
        assert kind.nearest(x) == expected, x
        assert x == 0 or kind.nearest(-x) == kind.sign_bit | expected


def test_special_values_have_their_patterns_or_none() -> None:
    whole, one, none = (BitFormat(top, 3, 2, top) for top in TOPS)
    assert [whole.nearest(x) for x in (INF, NEG_INF, NAN)] == [0b011100, 0b111100, 0b011110]
    assert [one.nearest(x) for x in (INF, NEG_INF, NAN)] == [0b011111, 0b111111, 0b011111]
    for value in (INF, NAN):
        with pytest.raises(ValueError, match="no pattern of"):
            none.nearest(value)
    with pytest.raises(ValueError, match="not a pattern of 6 bits"):
        whole.fields(64)
    assert whole.fields(63) == (1, 7, 3)
    assert [p for p in range(64) if whole.value(p) == 0] == [0, 32]
    assert [len(numbers(kind)) for kind in (whole, one, none)] == [64 - 8, 64 - 2, 64]


@pytest.mark.parametrize(("exponent", "mantissa", "top"), [(0, 1, "none"), (1, 0, "none"), (1, 1, "ieee")])
def test_widths_that_hold_no_numbers(exponent: int, mantissa: int, top: Top) -> None:
    assert BitFormat("smallest", 1, 1, "none").value(3) == 3
    with pytest.raises(ValueError, match="hold no numbers"):
        BitFormat("empty", exponent, mantissa, top)
