"""Floating point: values against Definition A.10 written out, rounding against a search."""

from functools import lru_cache
from itertools import pairwise, product
from typing import get_args

import pytest

from verifier.arithmetic.enclosure import round_power_of_two
from verifier.arithmetic.formats import Digits, Format, Underflow, floating_point, floor_log2
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import ZERO, Number, infinity, sign
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

SMALL = [(t, e) for t in range(1, 5) for e in range(1, 5) if t + e <= 6]
UNDERFLOWS = ("nearest", "flush", "subnormals")
RULES = [RoundingRule("nearest", ties, over) for ties in ("zero", "even", "away") for over in ("after", "before", "saturate")]
RULES.append(RoundingRule("truncate", "zero", "after"))


def literal(t: int, e: int) -> set[Fraction]:
    """±1.a × 2^±b, |a| = t − 1, |b| = e − 1."""
    significands = [1 + Fraction(a, 2 ** (t - 1)) for a in range(2 ** (t - 1))]
    return {s * x * Fraction(2) ** (w * b) for s, x, w, b in product((1, -1), significands, (1, -1), range(2 ** (e - 1)))}


@pytest.mark.parametrize(("t", "e"), SMALL)
def test_values_are_those_of_the_definition_and_zero(t: int, e: int) -> None:
    form = floating_point(t, e)
    assert list(form.values()) == sorted(literal(t, e) | {ZERO})
    assert len(list(form.values())) == form.size
    assert Digits(t, e).bits == t + e
    assert all(form.contains(x) for x in form.values())
    assert not form.contains(form.largest * 2)
    assert not form.contains(form.smallest / 2)


def probes(form: Format) -> list[Fraction]:
    """Values, midpoints (also those to the continued next binade and to zero), and their neighbours; magnitudes only."""
    found = [x for x in form.values() if x >= 0]
    found += [form.largest + form.spacing(form.largest) * k for k in (1, 2)]
    middles = [(a + b) / 2 for a, b in pairwise(found)] + [form.smallest_normal * (1 - Fraction(1, 2 ** (form.precision + 1)))]
    return sorted({max(x + side * form.unit / 64, ZERO) for x in found + middles for side in (-1, 0, 1)})


@lru_cache(maxsize=64)
def magnitudes(form: Format) -> list[Fraction]:
    """All magnitudes, the one that would follow the largest, and under ``flush`` those of twelve binades below the smallest."""
    found = [v for v in form.values() if v >= 0] + [form.largest + form.spacing(form.largest)]
    if form.underflow == "flush":
        found += [v * form.smallest_normal / 2**k for k in range(1, 12) for v in literal(form.precision, 1) if v > 0]
    return sorted(set(found))


def searched(form: Format, rule: RoundingRule, x: Fraction) -> Number:
    """Rounding as a search over all values and one step beyond, with none of the machine's formulas."""
    size, side = abs(x), sign(x)
    grid = magnitudes(form)
    beyond = grid[-1]
    below = max(v for v in grid if v <= size)
    above = min((v for v in grid if v >= size), default=beyond)
    if rule.rounding == "truncate" or below == above:
        near = below
    elif size - below != above - size:
        near = below if size - below < above - size else above
    else:
        step = above - below
        near = {"zero": below, "away": above, "even": below if (below / step) % 2 == 0 else above}[rule.ties]
    if (size if rule.overflow == "before" else near) > form.largest:
        return side * form.largest if rule.overflow == "saturate" else infinity(side)
    return side * near if near >= form.smallest else ZERO


@pytest.mark.long("flush-4-2")
@pytest.mark.parametrize(("t", "e"), SMALL)
@pytest.mark.parametrize("underflow", UNDERFLOWS)
def test_rounding_is_a_search_for_the_nearest_value(t: int, e: int, underflow: str) -> None:
    form = floating_point(t, e, underflow)  # type: ignore[arg-type]
    for rule in RULES:
        for x in probes(form):
            if x and x <= form.largest + form.spacing(form.largest):
                assert Machine(form, rule).round(x) == searched(form, rule, x), f"{x} in {form} under {rule}"
                assert Machine(form, rule).round(-x) == searched(form, rule, -x)


def test_underflow_settings_differ_where_they_should() -> None:
    size = floating_point(3, 2).smallest_normal * Fraction(3, 4)
    rounded = {u: Machine(floating_point(3, 2, u)).round(size) for u in UNDERFLOWS}  # type: ignore[arg-type]
    assert rounded == {"nearest": Fraction(1, 2), "flush": ZERO, "subnormals": size}


@pytest.mark.parametrize(("t", "e"), [((1 << 24) + 1, 2), (2, 25), (2, 10**30)])
def test_values_of_more_than_sixteen_million_digits_are_a_limit(t: int, e: int) -> None:
    assert floating_point(1 << 24, 24).binades // 2 == (1 << 23) - 1
    with pytest.raises(LimitError, match="more than 16,777,216 bits"):
        floating_point(t, e)


@pytest.mark.parametrize("underflow", get_args(Underflow))
@pytest.mark.parametrize(("t", "e"), [(1, 1), (1, 4), (2, 3), (3, 2), (2, 5)])
def test_at_0_the_spacing_is_the_least_positive_value_and_powers_reach_down_to_it(t: int, e: int, underflow: Underflow) -> None:
    form = floating_point(t, e, underflow)
    least = min(value for value in form.values() if value > 0)
    assert form.spacing(Fraction(0)) == form.smallest == least
    exponent = Fraction(floor_log2(least))
    assert round_power_of_two(Machine(form), exponent) == least
