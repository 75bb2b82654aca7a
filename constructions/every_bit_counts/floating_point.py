"""Definition A.10 as far as it can be checked, and what a number of precision (t, e) can be as a message."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question

from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.arithmetic.formats import Digits, FloatingPoint, floating_point_count
from verifier.arithmetic.numbers import less, show
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")

DIGITS = (
    Parameter("t", "mantissa digits with their sign", "t >= 1", typical="1..3"),
    Parameter("e", "exponent digits with their sign", "e >= 1", typical="1..3"),
)
MOST_BITS = 12

ZERO_IS_ADDED = Erratum("1·a × 2^±b", "zero is one more value", "the constructions add 0 and test for 0, which no mantissa 1·a gives")


def values_by_definition(t: int, e: int) -> set[Fraction]:
    """Definition A.10, literally: (−1)^s_a × 1·a × 2^((−1)^s_b b) over all quadruples with |a| = t − 1, |b| = e − 1."""
    return {
        side * (1 + Fraction(a, 2 ** (t - 1))) * Fraction(2) ** (way * b)
        for side in (1, -1)
        for a in range(2 ** (t - 1))
        for way in (1, -1)
        for b in range(2 ** (e - 1))
    }


def digits_of(question: Question) -> tuple[int, int]:
    """t and e, few enough to list the values.

    Raises:
        LimitError: t + e > 12.
    """
    t, e = question["t"], question["e"]
    if t + e > MOST_BITS:
        raise LimitError(f"t + e = {t + e}: the values are listed for at most {MOST_BITS} bits", "a smaller --t or --e")
    return t, e


@chapter.claim(
    "definition-a.10",
    statement="The numbers of precision (t, e) are ±1.a·2^±b with t − 1 digits a and e − 1 digits b, which takes t + e bits.",
    place="Appendix A.3, Definition A.10",
    checks="the set by the definition's formula against the format that every verdict uses, value by value, zero aside",
    parameters=DIGITS,
    bounded=False,
)
def values(question: Question) -> Finding:
    t, e = digits_of(question)
    literal = sorted(values_by_definition(t, e))
    used = [x for x in FloatingPoint(t, e).values() if x != 0]
    rows = [(literal[k] if k < len(literal) else None, used[k] if k < len(used) else None) for k in range(max(len(literal), len(used)))]
    return for_each(
        rows,
        lambda row: row[0] == row[1],
        lambda row: {"definition": str(row[0]), "format": str(row[1])},
        lambda cases: Scope(f"all {cases:,} non-zero values at t = {t}, e = {e}", cases, "enumeration"),
        "the definition's values and the format's values differ",
    )


@chapter.claim(
    "definition-a.10:zero",
    statement="Zero is a number of precision (t, e), as Tables 7 and 8 and the MLP of Lemma C.5 use it.",
    place="Appendix A.3, Definition A.10; used in Appendix C",
    checks="whether a quadruple of the definition has the value 0",
    parameters=DIGITS,
    bounded=False,
    errata=(ZERO_IS_ADDED,),
)
def zero(question: Question) -> Finding:
    t, e = digits_of(question)
    found = values_by_definition(t, e) | ({Fraction(0)} if question.edition is Edition.REPAIRED else set())
    scope = Scope(f"all {len(found):,} values at t = {t}, e = {e}", len(found), "enumeration")
    if Fraction(0) in found:
        return Finding(Verdict.VERIFIED, scope, witness="the format of the default semantics")
    least = min(abs(x) for x in found)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"the value nearest 0 is ±{least}",
        counterexample={"t": str(t), "e": str(e), "smallest magnitude": str(least)},
    )


@chapter.claim(
    "definition-a.10:value-count",
    statement="There are 2^t·(2^e − 1) different non-zero numbers of precision (t, e) (our count; the paper gives none).",
    place="Appendix A.3, Definition A.10",
    checks="the closed form against the size of the set",
    parameters=DIGITS,
    bounded=False,
)
def value_count(question: Question) -> Finding:
    t, e = digits_of(question)
    found = len(values_by_definition(t, e))
    return side_by_side("number of values", floating_point_count(Digits(t, e)) - 1, found, "counting", f"t = {t}, e = {e}")


@chapter.claim(
    "definition-a.10:monotone-rounding",
    statement="Rounding to precision (t, e) keeps order: x ≤ y implies round(x) ≤ round(y).",
    place="Appendix A.3, below Definition A.10",
    checks="all values, midpoints, the points just beside both, and points beyond the largest and below the smallest value",
    parameters=DIGITS,
)
def monotone_rounding(question: Question) -> Finding:
    t, e = digits_of(question)
    machine = question.semantics.machine(Digits(t, e))
    points = probes(FloatingPoint(t, e))
    return for_each(
        pairwise(points),
        lambda pair: not less(machine.round(pair[1]), machine.round(pair[0])),
        lambda pair: {"x": str(pair[0]), "y": str(pair[1]), "rounded": f"{show(machine.round(pair[0]))}, {show(machine.round(pair[1]))}"},
        lambda cases: Scope(f"all {cases:,} neighbouring pairs of {len(points):,} probe points at t = {t}, e = {e}", cases, "enumeration"),
        "rounding does not keep order",
    )


def probes(form: FloatingPoint) -> list[Fraction]:
    """Values, midpoints, and the points just beside both, two steps beyond each end; ascending."""
    beyond = [form.largest * k for k in (1 + form.unit, 2, 3)]
    found = sorted([*form.values(), *beyond, *(-x for x in beyond)])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = form.unit / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})


@chapter.claim(
    "definition-a.10:p-bits-per-number",
    statement="A sum in precision (t, e) is one of at most 2^(t+e) messages: its value, zero or an infinity.",
    place="Appendix A.3, on sending numbers from Alice to Bob; used in the proofs of Lemmas C.4 and C.7",
    checks="the number of values, with zero and ±inf, against 2^(t+e)",
    parameters=DIGITS,
    bounded=False,
    errata=(Erratum("every t", "t ≥ 2", "with one mantissa digit, zero and ±inf no longer fit into the codes that ±0 leaves free"),),
)
def bits_per_number(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    if question.edition is Edition.REPAIRED and t < 2:
        from verifier.claims.model import declined

        return declined(f"t = {t} is outside the repaired domain, t ≥ 2")
    count = floating_point_count(Digits(t, e)) + 2
    scope = Scope(f"{count:,} messages (values, 0, ±inf) at t = {t}, e = {e} against 2^{t + e}", count, "counting")
    if count <= 2 ** (t + e):
        return Finding(Verdict.VERIFIED, scope)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"{count:,} different messages do not fit {2 ** (t + e):,}",
        counterexample={"t": str(t), "e": str(e), "messages": str(count), "codes": str(2 ** (t + e))},
    )
