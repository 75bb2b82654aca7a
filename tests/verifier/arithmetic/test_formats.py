"""Which values a format has: the records against Definition A.7 enumerated literally."""

from itertools import pairwise

import pytest

from verifier.arithmetic.formats import Format, dyadic, fixed_grid, floating_point, free_point
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational


def definition_a7(bits: int) -> list[F]:
    """±(a + 2^−|b|·b) with 1 + |a| + |b| = bits, every digit string written out."""
    values = set()
    for places in range(bits):
        for a in range(2 ** (bits - 1 - places)):
            for b in range(2**places):
                values |= {a + F(b, 2**places), -(a + F(b, 2**places))}
    return sorted(values)


FORMATS: list[Format] = [free_point(p) for p in range(1, 9)] + [
    fixed_grid(p, s) for p in range(1, 7) for s in (F(1), F(1, 8), F(3, 7), F(5))
]
LISTED = [
    (1, ["0"]),
    (2, ["-1", "-1/2", "0", "1/2", "1"]),
    (3, ["-3", "-2", "-3/2", "-1", "-3/4", "-1/2", "-1/4", "0", "1/4", "1/2", "3/4", "1", "3/2", "2", "3"]),
]
REFUSED = [
    ("no bits at all", lambda: free_point(0), "at least its sign bit"),
    ("a negative number of bits", lambda: free_point(-3), "at least its sign bit"),
    ("a mantissa without its sign", lambda: floating_point(0, 3), "not t = 0, e = 3"),
    ("an exponent without its sign", lambda: floating_point(3, 0), "not t = 3, e = 0"),
    ("a grid without bits", lambda: fixed_grid(0), "at least its sign bit"),
    ("a scale of zero", lambda: fixed_grid(4, F(0)), "scale of a grid is positive"),
    ("a negative scale", lambda: fixed_grid(4, F(-1, 2)), "scale of a grid is positive"),
]


@pytest.mark.parametrize(("bits", "values"), LISTED)
def test_small_formats_written_out(bits: int, values: list[str]) -> None:
    assert list(free_point(bits).values()) == [rational(v) for v in values]


@pytest.mark.parametrize("bits", range(1, 11))
def test_free_point_is_definition_a7(bits: int) -> None:
    expected = definition_a7(bits)
    k_times_power = {side * k * F(1, 2**f) for k in range(2 ** (bits - 1)) for f in range(bits) for side in (1, -1)}
    assert list(free_point(bits).values()) == expected == sorted(k_times_power)
    assert free_point(bits).largest == expected[-1]


@pytest.mark.parametrize("bits", range(1, 8))
@pytest.mark.parametrize("scale", [F(1), F(1, 4), F(2, 3)])
def test_grid_is_the_scaled_integers(bits: int, scale: F) -> None:
    assert fixed_grid(bits, scale).size == len(list(fixed_grid(bits, scale).values()))
    assert list(fixed_grid(bits, scale).values()) == sorted(scale * k for k in range(-(2 ** (bits - 1)) + 1, 2 ** (bits - 1)))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_spacing_is_the_distance_of_neighbours(form: Format) -> None:
    magnitudes = [v for v in form.values() if v >= 0]
    for low, high in pairwise(magnitudes):
        assert form.spacing(low) == form.spacing((low + high) / 2) == high - low


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_contains_exactly_its_values(form: Format) -> None:
    values = set(form.values())
    assert all(form.contains(v) for v in values)
    step = form.spacing(F(0)) / 3
    span = min(int(form.largest / step) + 9, 2000)
    for x in (step * k for k in range(-span, span + 1)):
        assert form.contains(x) == (x in values)
    assert not form.contains(form.largest + form.spacing(form.largest))


@pytest.mark.parametrize("form", [free_point(7), fixed_grid(6, F(3, 8))], ids=str)
def test_every_value_is_a_multiple_of_the_unit(form: Format) -> None:
    assert all((v / form.unit).denominator == 1 for v in form.values())
    assert form.unit in set(form.values())


def test_a_dyadic_number_is_odd_times_a_power_of_two() -> None:
    powers = {F(2) ** e: e for e in range(-6, 7)}
    for x in (F(k, n) for k in range(-40, 41) for n in range(1, 41)):
        written = [(int(x / power), e) for power, e in powers.items() if (x / power).denominator == 1 and x / power % 2 == 1]
        assert dyadic(x) == (written[0] if written else None if x else (0, 0)), x


@pytest.mark.parametrize(("title", "build", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused_formats(title: str, build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]
