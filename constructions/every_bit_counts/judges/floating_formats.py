"""Definition A.10: the numbers of precision (t, e), held against the format that every verdict uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from verifier.arithmetic.formats import Digits, Format, floating_point
from verifier.arithmetic.numbers import less, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import at_point, for_each
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Formula, Rational, Reduction, judge

SOME = Condition("size > 0")


def defined(query: Query, value: Formula, besides: Sequence[Rational]) -> list[Fraction]:
    """The values of all quadruples with |a| = t − 1 and |b| = e − 1, and those besides, ascending, each once.

    value: what the quadruple s_a, a, s_b, b represents; besides: values that no quadruple has.
    """
    t, e = query["t"], query["e"]
    query.within(1 << t + e, "quadruples")
    found = {value(s_a=s_a, a=a, s_b=s_b, b=b) for s_a in (0, 1) for a in range(1 << t - 1) for s_b in (0, 1) for b in range(1 << e - 1)}
    return sorted(found | set(besides))


def _every_precision(claim: Claim, fixed: Mapping[str, int], *, value: str, besides: Sequence[str]) -> Reduction | None:
    """Definition A.10 for every (t, e): the quadruples are ±k 2^x with integers 2^(t-1) <= k < 2^t and |x + t - 1| < 2^(e-1)."""
    if besides:
        return None
    said = (f"({value}) == (1 - 2*s_a)*(2**(t - 1) + a)*2**((1 - 2*s_b)*b - (t - 1))", "1 + (t - 1) + 1 + (e - 1) == t + e")
    digits = {"s_a": "0 <= s_a <= 1", "a": "0 <= a <= 2**(t - 1) - 1", "s_b": "0 <= s_b <= 1", "b": "0 <= b <= 2**(e - 1) - 1"}
    because = "k = 2^(t-1) + a takes every integer from 2^(t-1) to 2^t - 1 once, and the exponent every one of absolute value below 2^(e-1)"
    return Reduction(said, because, digits)


@judge(for_every=_every_precision)
def values(query: Query, *, value: Formula, besides: Sequence[Rational] = ()) -> Outcome:
    """The definition's values against those of the format, one by one, zero aside."""
    t, e = query["t"], query["e"]
    used = [x for x in floating_point(t, e).values() if x != 0]
    return for_each(
        zip_longest(defined(query, value, besides), used),
        lambda row: row[0] == row[1],
        lambda row: {"definition": str(row[0]), "format": str(row[1])},
        lambda cases: Scope(f"all {cases:,} non-zero values {query.at}", cases, "enumeration"),
        "the definition's values and the format's values differ",
    )


@judge
def said(query: Query, *, value: Formula, besides: Sequence[Rational] = (), holds: Condition = SOME, some: bool = False) -> Outcome:
    """The condition on the number of values, or on one of them.

    holds: a condition on ``size``, the number of values, or on the value ``x`` at one of them (``some``).
    """
    found = defined(query, value, besides)
    kept = any(holds(size=len(found), x=x) for x in found) if some else holds(size=len(found))
    scope = Scope(f"the {len(found):,} values {query.at}: {holds}{' for one of them' if some else ''}", len(found), "enumeration")
    if kept:
        return Outcome(Verdict.VERIFIED, scope)
    point = at_point(query)
    shown = {"values": str(len(found)), "smallest magnitude": str(min(abs(x) for x in found))}
    return Outcome(Verdict.REFUTED, scope, reason=f"of {len(found):,} values {'none' if some else 'all'}", counterexample=point | shown)


@judge
def monotone_rounding(query: Query) -> Outcome:
    """x ≤ y implies round(x) ≤ round(y): on neighbouring probe points, between which rounding is constant."""
    t, e = query["t"], query["e"]
    query.within(1 << t + e, "values")
    machine, points = query.semantics.machine(Digits(t, e)), probes(floating_point(t, e))
    return for_each(
        pairwise(points),
        lambda pair: not less(machine.round(pair[1]), machine.round(pair[0])),
        lambda pair: {"x": str(pair[0]), "y": str(pair[1]), "rounded": f"{show(machine.round(pair[0]))}, {show(machine.round(pair[1]))}"},
        lambda cases: Scope(
            f"every two reals, by {len(points):,} points between which rounding is constant {query.at}", cases, "enumeration"
        ),
        "rounding does not keep order",
    )


def probes(form: Format) -> list[Fraction]:
    """Values, midpoints, and the points just beside both, two steps beyond each end; ascending."""
    beyond = [form.largest * k for k in (1 + form.unit, 2, 3)]
    found = sorted([*form.values(), *beyond, *(-x for x in beyond)])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = form.unit / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})
