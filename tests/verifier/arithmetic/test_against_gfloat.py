"""Rounding against gfloat and fpy2 at every value, midpoint and neighbour of a midpoint, for all (t, e) with t + e ≤ 10.

Both are in the extra ``oracles``; without them these tests are skipped. gfloat takes doubles, which hold every probe exactly.
"""

import fractions
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from verifier.arithmetic.formats import Format, floating_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.rationals import Fraction

ALL = [(t, e) for t in range(1, 10) for e in range(2, 11 - t)]
MODES = [("nearest", "even"), ("nearest", "away"), ("truncate", "zero")]


def probes(form: Format) -> list[Fraction]:
    """Magnitudes up to the largest value: values, midpoints, and what lies beside both at 2^-8 of their distance."""
    values = [x for x in form.values() if x >= 0]
    found = set(values)
    for a, b in pairwise(values):
        middle, nudge = (a + b) / 2, (b - a) / 256
        found |= {middle - nudge, middle, middle + nudge, a + nudge, b - nudge}
    return sorted(found)


def compare(form: Format, mode: tuple[str, str], oracle: Callable[[Fraction], Fraction]) -> int:
    machine = Machine(form, RoundingRule(mode[0], mode[1]))  # type: ignore[arg-type]
    for x in probes(form):
        assert machine.round(x) == oracle(x), f"{x} in {form}, {mode}"
    return len(probes(form))


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("t", "e"), ALL)
def test_gfloat(t: int, e: int) -> None:
    gfloat = pytest.importorskip("gfloat", reason="the extra 'oracles' is not installed")
    modes = dict(zip(MODES, [gfloat.RoundMode.TiesToEven, gfloat.RoundMode.TiesToAway, gfloat.RoundMode.TowardZero], strict=True))
    info = gfloat.FormatInfo(
        "a10",
        t + e,
        t,
        bias=2 ** (e - 1),
        is_signed=True,
        domain=gfloat.Domain.Finite,
        has_nz=True,
        num_high_nans=0,
        has_subnormals=True,
        is_twos_complement=False,
    )
    form = floating_point(t, e, "subnormals")
    assert Fraction(info.max) == form.largest
    for mode, theirs in modes.items():
        if t > 1 or mode != ("nearest", "even"):  # with one digit gfloat's "even" is an even exponent, ours an even multiple of the spacing
            assert compare(form, mode, lambda x, r=theirs: Fraction(gfloat.round_float(info, float(x), r, sat=True))) > 0  # type: ignore[misc]


@pytest.mark.campaign
@pytest.mark.parametrize(("t", "e"), ALL)
def test_fpy2(t: int, e: int) -> None:
    number: Any = pytest.importorskip("fpy2.number", reason="the extra 'oracles' is not installed")
    form = floating_point(t, e, "subnormals")
    top = number.RealFloat(c=2**t - 1, exp=form.binades // 2 - t + 1)
    modes = dict(zip(MODES, [number.RM.RNE, number.RM.RNA, number.RM.RTZ], strict=True))
    for mode, theirs in modes.items():
        context = number.MPBFloatContext(t, -form.binades // 2, top, theirs)
        assert compare(form, mode, lambda x, c=context: c.round(fractions.Fraction(x)).as_rational()) > 0  # type: ignore[misc]


@pytest.mark.parametrize(("t", "e"), [(3, 3), (4, 4), (2, 5)])
def test_ties_towards_zero_is_truncation_at_midpoints_and_nearest_elsewhere(t: int, e: int) -> None:
    form = floating_point(t, e)
    a4, nearest, cut = (Machine(form, RoundingRule(r, s)) for r, s in (("nearest", "zero"), ("nearest", "away"), ("truncate", "zero")))  # type: ignore[arg-type]
    middles = {(a + b) / 2 for a, b in pairwise(form.values())}
    for x in probes(form):
        assert a4.round(x) == (cut if x in middles else nearest).round(x)
