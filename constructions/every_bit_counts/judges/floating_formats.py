"""Definition A.10: the numbers of precision (t, e), held against the format that every verdict uses."""

from __future__ import annotations

from itertools import pairwise, zip_longest

from msgspec import Struct

from verifier.arithmetic.formats import Digits, FloatingPoint
from verifier.arithmetic.numbers import less, show
from verifier.arithmetic.rationals import Fraction
from verifier.formulas import exact
from verifier.formulas.definitions import inlined_text
from verifier.statements.findings import for_each
from verifier.statements.model import Question
from verifier.verdicts import Finding, Scope, Verdict


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """``value``: what the quadruple s_a, a, s_b, b represents; ``besides``: values that no quadruple has."""

    value: str
    besides: list[str] = []


class Said(Numbers, frozen=True, forbid_unknown_fields=True):
    """A condition on ``size``, the number of values, or on the value ``x`` at one of them (``some``)."""

    holds: str = "size > 0"
    some: bool = False


def defined(question: Question, given: Numbers) -> list[Fraction]:
    """The values of all quadruples with |a| = t − 1 and |b| = e − 1, and those besides, ascending, each once."""
    t, e = question["t"], question["e"]
    question.within(1 << t + e, "quadruples")
    formula = inlined_text(given.value, question.claim.lets)
    found = {
        exact.rational(formula, {**question.names, "s_a": s_a, "a": a, "s_b": s_b, "b": b})
        for s_a in (0, 1)
        for a in range(1 << t - 1)
        for s_b in (0, 1)
        for b in range(1 << e - 1)
    }
    return sorted(found | {exact.rational(x, question.names) for x in given.besides})


def values(question: Question, given: Numbers) -> Finding:
    """The definition's values against those of the format, one by one, zero aside."""
    t, e = question["t"], question["e"]
    used = [x for x in FloatingPoint(t, e).values() if x != 0]
    return for_each(
        zip_longest(defined(question, given), used),
        lambda row: row[0] == row[1],
        lambda row: {"definition": str(row[0]), "format": str(row[1])},
        lambda cases: Scope(f"all {cases:,} non-zero values {question.at}", cases, "enumeration"),
        "the definition's values and the format's values differ",
    )


def said(question: Question, given: Said) -> Finding:
    """The condition on the number of values, or on one of them."""
    found = defined(question, given)
    known: dict[str, exact.Given] = {**question.names, "size": len(found)}
    asked = inlined_text(given.holds, question.claim.lets)
    holds = any(exact.truth(asked, {**known, "x": x}) for x in found) if given.some else exact.truth(asked, known)
    scope = Scope(
        f"the {len(found):,} values {question.at}: {given.holds}{' for one of them' if given.some else ''}", len(found), "enumeration"
    )
    if holds:
        return Finding(Verdict.VERIFIED, scope)
    point = {k: str(v) for k, v in question.parameters.items()}
    shown = {"values": str(len(found)), "smallest magnitude": str(min(abs(x) for x in found))}
    return Finding(
        Verdict.REFUTED, scope, reason=f"of {len(found):,} values {'none' if given.some else 'all'}", counterexample=point | shown
    )


def monotone_rounding(question: Question) -> Finding:
    """x ≤ y implies round(x) ≤ round(y) on neighbouring probe points, under the question's semantics."""
    form = FloatingPoint(question["t"], question["e"])
    question.within(1 << question["t"] + question["e"], "values")
    machine, points = question.semantics.machine(Digits(form.t, form.e)), probes(form)
    return for_each(
        pairwise(points),
        lambda pair: not less(machine.round(pair[1]), machine.round(pair[0])),
        lambda pair: {"x": str(pair[0]), "y": str(pair[1]), "rounded": f"{show(machine.round(pair[0]))}, {show(machine.round(pair[1]))}"},
        lambda cases: Scope(f"all {cases:,} neighbouring pairs of {len(points):,} probe points {question.at}", cases, "enumeration"),
        "rounding does not keep order",
    )


def probes(form: FloatingPoint) -> list[Fraction]:
    """Values, midpoints, and the points just beside both, two steps beyond each end; ascending."""
    beyond = [form.largest * k for k in (1 + form.unit, 2, 3)]
    found = sorted([*form.values(), *beyond, *(-x for x in beyond)])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = form.unit / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})
