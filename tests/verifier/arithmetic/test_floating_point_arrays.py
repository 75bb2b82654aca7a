"""Codes of floating-point values: every operation is the scalar machine's, on every value, under every rule."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from tests.verifier.arithmetic.test_fixed_point_arrays import CONSTANTS, RULES, decoded, encoded, specials
from verifier.arithmetic.arrays import INFINITE, Codes
from verifier.arithmetic.formats import Format, Underflow, fixed_grid, floating_point
from verifier.arithmetic.machine import Machine, RoundingRule, rectified
from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

UNDERFLOWS: tuple[Underflow, ...] = ("nearest", "flush", "subnormals")
SMALL = [floating_point(t, e, underflow) for (t, e), underflow in product([(1, 1), (1, 3), (2, 2), (3, 2)], UNDERFLOWS)]
LARGE = [floating_point(t, e, underflow) for (t, e), underflow in product([(12, 5), (28, 4)], UNDERFLOWS)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("form", SMALL, ids=str)
def test_every_pair(form: Format, rule: RoundingRule) -> None:
    machine = Machine(form, rule)
    codes, values = Codes(machine), [*form.values(), *specials(rule)]
    states, rng = encoded(codes, values), Random(f"{form} {rule}")
    assert decoded(codes, states) == values
    assert states[: len(list(form.values()))].tolist() == list(range(-codes.largest, codes.largest + 1))
    assert decoded(codes, codes.rectify(states)) == [rectified(x) for x in values]
    chosen = rng.sample(values, min(8, len(values)))
    rows, columns, pairs = states[:, None], encoded(codes, chosen), [*product(values, chosen)]
    assert decoded(codes, codes.add(rows, columns)) == [machine.add(x, y) for x, y in pairs]
    assert decoded(codes, codes.divide(rows, columns)) == [machine.divide(x, y) for x, y in pairs]
    for constant in [*chosen[:3], *CONSTANTS, Fraction(-5, 8)]:
        assert decoded(codes, codes.add_constant(states, constant)) == [machine.add(x, constant) for x in values], constant
        assert decoded(codes, codes.multiply_constant(states, constant)) == [machine.multiply(x, constant) for x in values], constant


@pytest.mark.parametrize("form", LARGE, ids=str)
def test_random_pairs_of_large_formats(form: Format) -> None:
    rng = Random(str(form))
    for rule in rng.sample(RULES, 3):
        machine = Machine(form, rule)
        codes = Codes(machine)
        places = [rng.choice((-1, 1)) * rng.randrange(rng.choice((codes.largest, 2 << form.precision)) + 1) for _ in range(60)]
        near = [p + rng.choice((-2, -1, 1, 2)) * (1 << rng.randrange(form.precision)) for p in places]
        a, b = (np.clip(np.array(each, dtype=np.int64), -codes.largest, codes.largest) for each in (places, near))
        x, y = decoded(codes, a), decoded(codes, b)
        assert encoded(codes, x).tolist() == a.tolist()
        assert decoded(codes, codes.add(a, -b)) == [machine.add(u, -v) for u, v in zip(x, y, strict=True)]
        assert decoded(codes, codes.divide(a, b)) == [machine.divide(u, v) for u, v in zip(x, y, strict=True)]
        edges = (Fraction(2**k - 1, 2 ** (k - 1)) for k in (59 - form.precision, 60 - form.precision, 58, 62, 64))
        for constant in (Fraction(7, 8), Fraction(2**31 - 1), Fraction(1, 3), *edges):
            assert decoded(codes, codes.multiply_constant(a, constant)) == [machine.multiply(u, constant) for u in x]


@pytest.mark.parametrize("rule", [RULES[0], RULES[-1]], ids=str)
def test_a_quotient_of_subnormal_values_is_rounded_once(rule: RoundingRule) -> None:
    """A dividend of one digit by divisors of six: the quotient has more digits than both."""
    machine = Machine(floating_point(6, 4, "subnormals"), rule)
    codes = Codes(machine)
    a, b = np.arange(1, 9)[:, None], np.arange(1, 100)
    assert decoded(codes, codes.divide(a, b)) == [machine.divide(x, y) for x, y in product(decoded(codes, a), decoded(codes, b))]


def test_only_values_of_the_format_are_encoded() -> None:
    codes = Codes(Machine(floating_point(3, 2)))
    for x in (Fraction(9, 8), Fraction(8), Fraction(1, 3)):
        with pytest.raises(ValueError, match="is not a value of"):
            codes.encode(x)
    with pytest.raises(TypeError, match="not a binary format"):
        Codes(Machine(fixed_grid(3, Fraction(1, 3))))
    assert codes.encode(ZERO) == 0
    assert codes.finite(np.array([-INFINITE, -codes.largest, codes.largest, INFINITE])).tolist() == [False, True, True, False]


@pytest.mark.parametrize(("t", "e", "accepted"), [(28, 1, True), (29, 1, False), (1, 20, True), (1, 21, False)])
def test_widths(t: int, e: int, accepted: bool) -> None:
    if accepted:
        codes = Codes(Machine(floating_point(t, e)))
        assert codes.largest == (2**e - 1) * 2 ** (t - 1)
    else:
        with pytest.raises(LimitError, match=f"t = {t}, e = {e}; the vectorised machine takes t <= 28, e <= 20"):
            Codes(Machine(floating_point(t, e)))


def test_wide_exponents_keep_a_sticky_bit() -> None:
    machine = Machine(floating_point(5, 9))
    codes = Codes(machine)
    for large, small in product([Fraction(2) ** 200, Fraction(31, 16), Fraction(1)], [Fraction(2) ** -k for k in range(0, 250, 7)]):
        for x, y in ((large, small), (large, -small), (-large, small)):
            assert codes.decode(codes.add(codes.encode(x), codes.encode(y))[()]) == machine.add(x, y)
