"""Which values a format has, and where each number goes: against the definitions written out, and a search over all values."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import Execution
from tests.oracle_reading import plain
from verifier.arithmetic.enclosure import round_power_of_two
from verifier.arithmetic.formats import Digits, Format, Underflow, dyadic, fixed_grid, floating_point, floor_log2, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import INF, NEG_INF, ZERO, Number, less, negate
from verifier.arithmetic.rationals import Fraction as F
from verifier.running.errors import LimitError

RULES = [RoundingRule(r, t, o) for r, t, o in product(("nearest", "truncate"), ("zero", "even", "away"), ("after", "before", "saturate"))]
UNDERFLOWS: tuple[Underflow, ...] = get_args(Underflow)


KNOBS: list[tuple[Format, dict[str, Any]]] = [
    *((free_point(p), {"p": p}) for p in range(1, 11)),
    *((fixed_grid(p, s), {"p": p, "point": "grid", "scale": s}) for p in range(1, 8) for s in (F(1), F(1, 4), F(3, 7), F(5))),
    *(
        (floating_point(t, e, underflow), {"p": t, "e": e, "underflow": underflow})
        for t, e, underflow in product(range(1, 5), range(1, 5), UNDERFLOWS)
        if t + e <= 6
    ),
]
"""Formats, and how the oracle names them."""


def values_of(knobs: dict[str, Any]) -> list[F]:
    """Every value of a format as the definitions of the paper have it."""
    magnitudes = Execution(**knobs).magnitudes[:-1]
    return sorted({*magnitudes, *(-x for x in magnitudes)})


DEFINED = [(form, values_of(knobs)) for form, knobs in KNOBS if knobs.get("underflow", "nearest") == "nearest"]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("form", "values"), DEFINED, ids=lambda x: str(x) if isinstance(x, Format) else "")
def test_the_values_are_those_of_the_definition(form: Format, values: list[F]) -> None:
    assert (list(form.values()), form.size, form.largest) == (values, len(values), values[-1])
    assert all((v / form.unit).denominator == 1 for v in values)
    magnitudes = [v for v in values if v >= 0]
    for low, high in pairwise(magnitudes):
        if low or form.underflow != "nearest":
            assert form.spacing(low) == form.spacing((low + high) / 2) == high - low
    step = (magnitudes[1] if len(magnitudes) > 1 else F(1)) / 3
    span, known = min(int(form.largest / step) + 9, 2000), set(values)
    assert all(form.contains(x) == (x in known) for x in (*values, *(step * k for k in range(-span, span + 1)), 2 * form.largest + step))


@pytest.mark.parametrize("underflow", UNDERFLOWS)
@pytest.mark.parametrize(("t", "e"), [(1, 1), (1, 4), (2, 3), (3, 2), (2, 5)])
def test_at_0_the_spacing_is_the_least_positive_value_and_powers_reach_down_to_it(t: int, e: int, underflow: Underflow) -> None:
    form = floating_point(t, e, underflow)
    least = min(value for value in form.values() if value > 0)
    assert form.spacing(F(0)) == form.smallest == least
    assert round_power_of_two(Machine(form), F(floor_log2(least))) == least
    assert Digits(t, e).bits == t + e


@pytest.mark.parametrize(("t", "e"), [((1 << 24) + 1, 2), (2, 25), (2, 10**30)])
def test_values_of_more_than_sixteen_million_digits_are_a_limit(t: int, e: int) -> None:
    assert floating_point(1 << 24, 24).binades // 2 == (1 << 23) - 1
    with pytest.raises(LimitError, match="more than 16,777,216 bits"):
        floating_point(t, e)


REFUSED = [
    ("no bits at all", lambda: free_point(0), "at least its sign bit"),
    ("a negative number of bits", lambda: free_point(-3), "at least its sign bit"),
    ("a mantissa without its sign", lambda: floating_point(0, 3), "not t = 0, e = 3"),
    ("an exponent without its sign", lambda: floating_point(3, 0), "not t = 3, e = 0"),
    ("a grid without bits", lambda: fixed_grid(0), "at least its sign bit"),
    ("a scale of zero", lambda: fixed_grid(4, F(0)), "scale of a grid is positive"),
    ("a negative scale", lambda: fixed_grid(4, F(-1, 2)), "scale of a grid is positive"),
]


@pytest.mark.parametrize(("title", "build", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused_formats(title: str, build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


def test_a_dyadic_number_is_odd_times_a_power_of_two() -> None:
    powers = {F(2) ** e: e for e in range(-6, 7)}
    for x in (F(k, n) for k in range(-40, 41) for n in range(1, 41)):
        written = [(int(x / power), e) for power, e in powers.items() if (x / power).denominator == 1 and x / power % 2 == 1]
        assert dyadic(x) == (written[0] if written else None if x else (0, 0)), x


@lru_cache(maxsize=64)
def probes(form: Format) -> list[F]:
    """Every value, every midpoint, points just beside both, and points beyond the largest value; magnitudes only."""
    found = [v for v in form.values() if v >= 0]
    found += [form.largest + form.spacing(form.largest) * k for k in (1, 2)]
    found += [(a + b) / 2 for a, b in pairwise(found)] + [form.largest * 1000 + 7]
    if isinstance(form.precision, int) and form.underflow:
        found.append(form.smallest_normal * (1 - F(1, 2 ** (form.precision + 1))))
    return sorted({max(x + side * form.spacing(F(0)) / 100, ZERO) for x in found for side in (-1, 0, 1)})


ROUNDED = [(form, knobs) for form, knobs in KNOBS if form.precision < 6]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("form", "knobs"), ROUNDED, ids=lambda x: str(x) if isinstance(x, Format) else "")
def test_rounding_is_a_search_for_the_nearest_value(form: Format, knobs: dict[str, Any]) -> None:
    """By the oracle, which looks where a number stands among all values and has none of the machine's formulas."""
    for rule in RULES:
        machine, oracle = Machine(form, rule), Execution(**knobs, rounding=rule.rounding, ties=rule.ties, overflow=rule.overflow)
        for x in probes(form):
            expected = oracle.round(x), oracle.round(-x)
            assert (plain(machine.round(x)), plain(machine.round(-x))) == expected, f"{x} in {form} under {rule}"


def test_probes_meet_every_kind_of_rounding() -> None:
    """The comparison above cannot pass by never meeting a tie or an overflow."""
    form = free_point(5)
    results = {r: [Machine(form, r).round(x) for x in probes(form)] for r in RULES}
    assert len({tuple(v) for v in results.values()}) == 3 * 3 + 3, "ties matter unless one truncates"
    assert all((INF in v) != (r.overflow == "saturate") for r, v in results.items())


@pytest.mark.parametrize(
    ("title", "form", "rule", "x", "expected"),
    [
        ("the sum of Example A.8 with five digits and a sign: 100.1011", free_point(6), RoundingRule(), F(29, 16) + F(23, 8), F(19, 4)),
        ("and with four: a quarter above 100.1", free_point(5), RoundingRule(), F(29, 16) + F(23, 8), F(9, 2)),
        ("the product of Example A.8 with four digits: 100.01111", free_point(5), RoundingRule(), F(13, 8) * F(11, 4), F(9, 2)),
        ("and with three", free_point(4), RoundingRule(), F(13, 8) * F(11, 4), F(4)),
        ("an infinity saturates", free_point(4), RoundingRule(overflow="saturate"), NEG_INF, F(-7)),
    ],
)
def test_worked_examples(title: str, form: Format, rule: RoundingRule, x: Number, expected: Number) -> None:
    assert Machine(form, rule).round(x) == expected


machines = st.builds(
    Machine,
    st.one_of(
        st.builds(free_point, st.integers(1, 24)), st.builds(fixed_grid, st.integers(1, 24), st.fractions(F(1, 99), 99, max_denominator=99))
    ),
    st.sampled_from(RULES),
)
rationals = st.one_of(
    st.fractions(-300, 300),
    st.builds(F, st.integers(-(2**26), 2**26), st.integers(0, 26).map(lambda k: 2**k)),
)


@given(machines, rationals, rationals)
def test_rounding_is_monotone_idempotent_and_symmetric(machine: Machine, x: F, y: F) -> None:
    low, high = machine.round(min(x, y)), machine.round(max(x, y))
    assert low == high or less(low, high)
    assert machine.round(low) == low
    assert machine.round(-max(x, y)) == negate(high)
    assert machine.holds(low)
