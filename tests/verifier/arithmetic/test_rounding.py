"""Rounding against a search over all values: nearest, each tie rule, each overflow rule, truncation."""

from bisect import bisect_right
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.formats import Format, fixed_grid, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import INF, NEG_INF, Number, Special, less, negate
from verifier.arithmetic.rationals import Fraction as F

RULES = [RoundingRule(r, t, o) for r, t, o in product(("nearest", "truncate"), ("zero", "even", "away"), ("after", "before", "saturate"))]
FORMATS: list[Format] = [free_point(p) for p in range(1, 8)] + [fixed_grid(p, s) for p in (1, 2, 4, 6) for s in (F(1), F(1, 4), F(5, 3))]


def extended(form: Format) -> list[F]:
    """All magnitudes ascending, with the one that would follow the largest."""
    following = form.largest + form.spacing(form.largest)
    return [*(v for v in form.values() if v >= 0), following]


def searched(magnitudes: list[F], rule: RoundingRule, x: F) -> Number:
    """The rounded value, found by looking where |x| stands among all magnitudes."""
    size, side, largest = abs(x), (1 if x > 0 else -1), magnitudes[-2]
    low = max(bisect_right(magnitudes, size) - 1, 0)
    candidates = magnitudes[low : low + 2]
    if rule.rounding == "truncate":
        best = candidates[0]
    else:
        distance = min(abs(v - size) for v in candidates)
        nearest = [v for v in candidates if abs(v - size) == distance]
        best = nearest[0] if len(nearest) == 1 else _tie(nearest[0], nearest[1], rule.ties)
    if best <= largest and not (rule.overflow == "before" and size > largest):
        return side * best
    return side * largest if rule.overflow == "saturate" else INF if side > 0 else NEG_INF


def _tie(inner: F, outer: F, ties: str) -> F:
    if ties == "even":
        return inner if (inner / (outer - inner)).numerator % 2 == 0 else outer
    return inner if ties == "zero" else outer


def probes(form: Format) -> list[F]:
    """Every value, every midpoint, points just beside both, and points beyond the largest value."""
    values = extended(form)
    values += [2 * values[-1], 2 * values[-1] + 1]
    close = form.spacing(F(0)) / 1000
    points = set(values) | {(a + b) / 2 for a, b in pairwise(values)}
    points |= {x + d for x in list(points) for d in (close, -close)}
    return sorted(points | {-x for x in points} | {form.largest * 1000 + 7})


@pytest.mark.long("5 digits from 1/32, 5 binades", "6 digits from 1/64, 6 binades")
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_every_value_midpoint_and_neighbour(form: Format) -> None:
    magnitudes, points = extended(form), probes(form)
    for rule in RULES:
        machine = Machine(form, rule)
        for x in points:
            assert machine.round(x) == searched(magnitudes, rule, x), f"{x} under {rule}"


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
        ("a tie goes towards zero", free_point(4), RoundingRule(), F(9, 2), F(4)),
        ("a negative tie goes towards zero", free_point(4), RoundingRule(), F(-9, 2), F(-4)),
        ("half a unit becomes 0", free_point(4), RoundingRule(), F(1, 16), F(0)),
        ("just above half a unit becomes a unit", free_point(4), RoundingRule(), F(1001, 16000), F(1, 8)),
        ("the tie beyond the largest stays", free_point(4), RoundingRule(), F(15, 2), F(7)),
        ("just above it overflows", free_point(4), RoundingRule(), F(15001, 2000), INF),
        ("decided before rounding it overflows at once", free_point(4), RoundingRule(overflow="before"), F(7001, 1000), INF),
        ("saturation has no infinity", free_point(4), RoundingRule(overflow="saturate"), F(-99), F(-7)),
        ("truncation never overflows below the next value", free_point(4), RoundingRule("truncate"), F(7999, 1000), F(7)),
        ("an infinity saturates", free_point(4), RoundingRule(overflow="saturate"), NEG_INF, F(-7)),
        ("with one bit everything is 0 or infinite", free_point(1), RoundingRule(), F(2, 3), INF),
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


def at_most(x: Number, y: Number) -> bool:
    return x == y or less(x, y)


@given(machines, rationals, rationals)
def test_monotone(machine: Machine, x: F, y: F) -> None:
    assert at_most(machine.round(min(x, y)), machine.round(max(x, y)))


@given(machines, rationals)
def test_idempotent_symmetric_and_in_the_format(machine: Machine, x: F) -> None:
    rounded = machine.round(x)
    assert machine.round(rounded) == rounded
    assert machine.round(-x) == negate(rounded)
    assert machine.holds(rounded)


@given(machines, rationals)
def test_no_value_is_nearer(machine: Machine, x: F) -> None:
    rounded = machine.round(x)
    if isinstance(rounded, Special) or machine.rule.rounding == "truncate" or abs(x) > machine.form.largest:
        return
    step = machine.form.spacing(abs(rounded))
    for other in (rounded + step, rounded - step, rounded + step / 2, rounded - step / 2):
        if machine.form.contains(other):
            assert abs(rounded - x) <= abs(other - x)
