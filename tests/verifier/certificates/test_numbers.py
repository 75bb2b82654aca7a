"""The checker's arithmetic against the program's machine, which shares no code with it: formats, rules, and all operations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.verifier.certificates.oracle import machine_of
from verifier.arithmetic.enclosure import round_exp, round_power_of_two
from verifier.arithmetic.numbers import Special, show
from verifier.arithmetic.rationals import rational
from verifier.certificates import recheck_numbers
from verifier.certificates.recheck_numbers import INF, NAN, Numbers, power_of_e, read_format
from verifier.certificates.recheck_reading import At, Limits, Unknown
from verifier.certificates.statement import arithmetic_record

FORMATS = ["fixed:1", "fixed:2", "fixed:5", "fixed:4:1", "fixed:4:1/8", "fixed:3:1/32", "float:1:2", "float:3:3", "float:4:2"]
TIES, OVERFLOWS = ("even", "zero", "away", "truncate"), ("infinity", "before", "saturate")
CASES = [
    (name, ties, overflow, below)
    for name, ties, overflow in product(FORMATS, TIES, OVERFLOWS)
    for below in (("kept", "flushed", "nearest") if name.startswith("float") else ("kept",))
]
NAMED = ["float16", "bfloat16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1"]


def numbers(name: str, **knobs: str) -> Numbers:
    return Numbers(At(arithmetic_record({"format": name, **knobs})), Limits(work=1 << 60))


def text(ours: Numbers, state: Any) -> str:
    return str(ours.value(state))


def compare(name: str, knobs: dict[str, str], seed: int) -> None:
    ours, machine, rng = numbers(name, **knobs), machine_of(arithmetic_record({"format": name, **knobs})), Random(seed)
    values: list[Any] = [0, INF, -INF, NAN] if ours.overflow == "infinity" else [0]
    for _ in range(8):
        top = rng.randint(-3, 3) * ours.largest + rng.randint(-40, 40)
        units = Fraction(top, rng.choice([1, 2, 3, 4, 8, 16, ours.largest or 1]))
        values.append(ours.settle(units))
        assert text(ours, values[-1]) == show(machine.round(rational(str(units / ours.per_one)))), (units, knobs)
    special = {INF: Special.INF, -INF: Special.NEG_INF, NAN: Special.NAN}
    given = [(x, special[x] if x in special else rational(text(ours, x))) for x in values]
    for (x, one), (y, other) in product(given, repeat=2):
        for operation in ("add", "multiply", "divide", "subtract"):
            found = text(ours, getattr(ours, operation)(x, y))
            assert found == show(getattr(machine, operation)(one, other)), (operation, text(ours, x), text(ours, y), knobs)
    for x, one in given:
        if not isinstance(one, Special):
            assert text(ours, ours.exp(x)) == show(round_exp(machine, one)), (one, knobs)
            whole = one // 1
            if ours.settle(whole * ours.per_one) == whole * ours.per_one:
                assert text(ours, ours.exp(int(whole * ours.per_one), True)) == show(round_power_of_two(machine, whole)), (whole, knobs)


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("name", "ties", "overflow", "below"), CASES)
def test_formats_of_tables(name: str, ties: str, overflow: str, below: str) -> None:
    for seed in range(3):
        compare(name, {"ties": ties, "overflow": overflow, "subnormals": below}, seed)


@pytest.mark.parametrize("name", ["fixed:2", "fixed:5", "fixed:4:1/8"])
@pytest.mark.parametrize("below", ["flushed", "nearest"])
def test_fixed_point_has_no_subnormal_numbers(name: str, below: str) -> None:
    compare(name, {"overflow": "infinity", "subnormals": below}, 1)


@pytest.mark.parametrize("name", NAMED)
def test_formats_of_networks(name: str) -> None:
    overflow = {"e4m3": "nan"}.get(name, "saturate" if name in ("e3m2", "e2m3", "e2m1") else "infinity")
    for below in ("kept", "flushed"):
        compare(name, {"overflow": overflow, "subnormals": below}, 1)


@pytest.mark.parametrize("overflow", ["infinity", "saturate"])
def test_exponentials_without_an_enclosure(overflow: str) -> None:
    """The arguments are 0, NaN and the infinities."""
    ours = numbers("float16", overflow=overflow)
    top = INF if overflow == "infinity" else ours.largest
    assert [ours.exp(x) for x in (0, NAN, INF, -INF)] == [ours.one, NAN, top, 0]
    with pytest.raises(Unknown, match="a score that is no integer"):
        ours.exp(ours.one // 2, True)
    assert [ours.exp(x * ours.one) for x in (12, -18)] == [top, 0] or overflow == "saturate"


PRODUCTS = [(INF, 0, NAN), (INF, -1, -INF), (-INF, Fraction(1, 3), -INF), (-INF, -1, INF), (INF, NAN, NAN)]


@pytest.mark.parametrize(("x", "y", "product_"), PRODUCTS)
def test_products_with_what_is_no_number(x: int, y: int, product_: int) -> None:
    ours = numbers("float16", overflow="infinity")
    assert ours.multiply(x, y) == ours.multiply(y, x) == product_


def test_entries_that_the_format_lacks() -> None:
    for text, exact, state in (("1/3", "exact", Fraction(4, 3)), ("1/3", "rounded", 1), ("3/4", "exact", 3), ("100", "exact", 400)):
        ours = numbers("fixed:3", ties="zero", entries=exact, overflow="saturate")
        assert ours.constant(At(text)) == state
        assert ours.lacking is (exact == "exact" and text != "3/4")
    assert ours.multiply(ours.constant(At("2/3")), ours.one) == 3


def test_every_term_is_added_once_from_left_to_right() -> None:
    """Of numbers of three digits 8 + 1 is 8, and 8 - 8 is 0."""
    ours = numbers("float:3:6", ties="zero", overflow="infinity")
    eight, one = ours.fraction(8), ours.one
    assert [ours.total(terms) for terms in ([], [None], [one], [eight, one, -eight], [eight, None, -eight, one])] == [0, 0, one, 0, one]


def series(x: Fraction, terms: int = 60) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for |x| <= 4, of Taylor's series in fractions: the rest is smaller than the last term."""
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return total - abs(term), total + abs(term)


ENDS = [  # x, bits, and the ends of e^x in units of 2^-bits
    ("0", 8, 256, 256),
    ("1/3", 4, 16, 151),
    ("1/3", 12, 5679, 5760),
    ("1", 8, 672, 916),
    ("1", 20, 2850254, 2850578),
    ("5/2", 12, 49422, 52420),
    ("1/1000", 8, 256, 305),
    ("3", 20, 21060095, 21064201),
]


@pytest.mark.parametrize(("x", "bits", "low", "high"), ENDS)
def test_the_ends_of_e_are_no_nearer_than_what_is_cut_adds_up_to(x: str, bits: int, low: int, high: int) -> None:
    assert power_of_e(Fraction(x), bits) == (Fraction(low, 1 << bits), Fraction(high, 1 << bits))


def test_with_few_bits_e_lies_between_its_ends() -> None:
    """In units of 2^-bits they are at most 32 e^x for each bit and eight more apart."""
    for x in (Fraction(top, of) for of in (1, 2, 3, 5, 7, 11, 13) for top in range(1, 3 * of)):
        least, most = series(x)
        for bits in range(1, 24):
            low, high = power_of_e(x, bits)
            assert low <= least < most <= high, (x, bits)
            assert (high - low) * (1 << bits) <= 32 * (bits + 8) * high, (x, bits)
        assert power_of_e(-x, 23) == (1 / high, 1 / low)


@pytest.mark.parametrize("x", ["0", "1", "-1", "1/3", "-20", "20", "700", "-1/1000000"])
def test_e_lies_between_its_ends(x: str) -> None:
    for bits in (64, 128, 512):
        low, high = power_of_e(Fraction(x), bits)
        finer = power_of_e(Fraction(x), 2 * bits)
        assert low <= finer[0] <= finer[1] <= high


PUBLISHED = {  # digits, smallest number, largest number
    "float64": (53, Fraction(5e-324), Fraction(1.7976931348623157e308)),
    "float32": (24, Fraction(1, 1 << 149), Fraction(float(np.finfo(np.float32).max))),
    "float16": (11, Fraction(1, 1 << 24), Fraction(65504)),
    "bfloat16": (8, Fraction(1, 1 << 133), Fraction(255 << 120)),
    "e5m2": (3, Fraction(1, 1 << 16), Fraction(57344)),
    "e4m3": (4, Fraction(1, 1 << 9), Fraction(448)),
    "e3m2": (3, Fraction(1, 16), Fraction(28)),
    "e2m3": (4, Fraction(1, 8), Fraction(15, 2)),
    "e2m1": (2, Fraction(1, 2), Fraction(6)),
}


@pytest.mark.parametrize("name", recheck_numbers.FORMATS)
def test_binary_formats_have_their_published_ends(name: str) -> None:
    digits, step, largest, _ = read_format(At(name))
    assert (digits, Fraction(2) ** step, largest) == PUBLISHED[name]


def test_integers_of_8_bits_are_multiples_of_a_64th_where_no_scale_is_named() -> None:
    assert read_format(At("int8")) == read_format(At("int8:1/64")) == read_format(At("fixed:8:1/64"))


@pytest.mark.parametrize("name", ["fixed:4:3", "fixed:4:2", "fixed:4:1/3", "int8:1/24", "fixed:257", "fixed:0"])
def test_a_scale_is_1_over_a_power_of_2(name: str) -> None:
    with pytest.raises(Unknown, match="with a power of 2 as its scale"):
        read_format(At(name))
    assert read_format(At("fixed:256"))[0] == 255
