"""The denominator of Lemma C.8 step by step, Cases 2.1 and 2.2, and where the proof draws the line between its cases."""

from __future__ import annotations

from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Question

from constructions.every_bit_counts.chapter import PAPER_ID, SOFTMAX, TABLE_8
from constructions.every_bit_counts.fields_of_t3 import Sizes, is_repaired, sizes
from constructions.every_bit_counts.steps_of_lemma_c_8 import Case, step_claim
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import Number, show
from verifier.verdicts import Finding, Scope

chapter = Chapter(PAPER_ID, "floating")

STEP_4 = Erratum("0.ȳ…ȳ_m", "1.ȳ…ȳ_m", "step 4 adds 2^-e_y^2, which the proof leaves out")


def complement(c: Case, s: Sizes) -> Fraction:
    """0.ȳ_(m−t+2)…ȳ_m."""
    return 1 - Fraction(1, 2 ** (s.t - 1)) - c.mantissa("y", s.t - 1)


def power(c: Case, s: Sizes, string: str = "y") -> Fraction:
    """2^-e_x^2."""
    return Fraction(1, 2 ** c.exponent(string, s.t - 1))


def equal_exponents(c: Case, s: Sizes) -> bool:
    return c.exponent("y", s.t - 1) == c.exponent("z", s.t - 1)


@chapter.claim(
    "lemma-c.8:denominator-after-step-2",
    statement="Steps 1 and 2 yield t × 1.0 × 2^-(2^(e−1) − 1) in the denominator.",
    place="Appendix C.2, proof of Lemma C.8, Denominator",
    checks="t copies of the weight added one after the other in precision (t, e)",
    parameters=SOFTMAX,
)
def after_step_2(question: Question) -> Finding:
    s = sizes(question)
    machine = question.semantics.machine(Digits(s.t, s.e))
    total: Number = Fraction(0)
    weight = Fraction(1, 2**s.q)
    for _ in range(s.t):
        total = machine.add(total, weight)
    return side_by_side("the denominator after step 2", show(s.t * weight), show(total), "enumeration", str(s))


@chapter.claim(
    "lemma-c.8:smallest-power",
    statement="t × 1.0 × 2^-(2^(e−1) − 1) = 1.0 × 2^(log t − (2^(e−1) − 1)), a number of precision (t, e).",
    place="Appendix C.2, proof of Lemma C.8, Denominator",
    checks="whether log t, and so the exponent, is an integer",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("=", "≤, the logarithm rounded up", "1.0 × 2^k has an integer k; an upper bound is all that is used"),),
)
def smallest_power(question: Question) -> Finding:
    s = sizes(question)
    exponent = (s.t - 1).bit_length()
    holds = s.t <= 2**exponent if is_repaired(question) else s.t == 2**exponent
    return for_each(
        (s.t,),
        lambda t: holds,
        lambda t: {"t": str(t), "next power of two": str(2**exponent)},
        lambda cases: Scope(f"t = {s.t} at {s}", cases, "algebra"),
        "log t is no integer",
    )


@chapter.claim(
    "lemma-c.8:denominator-after-step-4",
    statement="Steps 1 to 4 leave 0.ȳ…ȳ_m × 2^-e_y^2 in the denominator, as the weights of steps 1 and 2 are ignored.",
    place="Appendix C.2, proof of Lemma C.8, Denominator",
    checks="the sum of steps 1 to 4 for every second part of y",
    parameters=SOFTMAX,
    table=TABLE_8,
    errata=(STEP_4,),
)
def after_step_4(question: Question) -> Finding:
    one = 1 if is_repaired(question) else 0
    says = f"{one}.ȳ…ȳ_m × 2^-e_y^2"
    return step_claim(question, range(1, 5), "second", lambda c, s: c.found == (one + complement(c, s)) * power(c, s), says)


@chapter.claim(
    "lemma-c.8:denominator",
    statement="For y = z the denominator is 1.1…1 (t − 2 ones) × 2^-(e_z^2 + 1).",
    place="Appendix C.2, proof of Lemma C.8, Wrap up",
    checks="the whole denominator for every second part y = z",
    parameters=SOFTMAX,
    table=TABLE_8,
    errata=(Erratum("1.1…1 (t − 2 ones) × 2^-(e_z^2 + 1)", "1.1…1 (t − 1 ones) × 2^-e_z^2", "step 4 adds 2^-e_y^2"),),
)
def whole(question: Question) -> Finding:
    one = 1 if is_repaired(question) else 0
    return step_claim(
        question,
        range(1, 12),
        "second",
        lambda c, s: c.found == (one + 1 - Fraction(1, 2 ** (s.t - 1))) * power(c, s),
        f"({one + 1} − 2^-(t−1)) × 2^-e_z^2",
        lambda c, s: c.y == c.z,
    )


@chapter.claim(
    "lemma-c.8:case-2.1-denominator",
    statement="For e_y^2 < e_z^2 the denominator is less than 1.1 × 2^-e_y^2.",
    place="Appendix C.2, proof of Lemma C.8, Case 2.1",
    checks="the whole denominator for every such pair of second parts",
    parameters=SOFTMAX,
    table=TABLE_8,
    errata=(
        Erratum("less than 1.1 × 2^-e_y^2", "at least 1.0 × 2^-e_y^2", "with the 1 of step 4; the output is at most 2^(e_y^2 − e_z^2)"),
    ),
)
def case_2_1_denominator(question: Question) -> Finding:
    def holds(c: Case, s: Sizes) -> bool:
        return isinstance(c.found, Fraction) and (
            c.found >= power(c, s) if is_repaired(question) else c.found < Fraction(3, 2) * power(c, s)
        )

    says = "at least 2^-e_y^2" if is_repaired(question) else "less than 1.1 × 2^-e_y^2"
    return step_claim(question, range(1, 12), "second", holds, says, lambda c, s: c.exponent("y", s.t - 1) < c.exponent("z", s.t - 1))


@chapter.claim(
    "lemma-c.8:case-2.2-denominator",
    statement="For e_y^2 = e_z^2 and y < z the denominator is greater than 1.1…1 (t − 1 ones) × 2^-e_y^2.",
    place="Appendix C.2, proof of Lemma C.8, Case 2.2",
    checks="the whole denominator for every such pair of second parts",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def case_2_2_denominator(question: Question) -> Finding:
    def holds(c: Case, s: Sizes) -> bool:
        return isinstance(c.found, Fraction) and c.found > (2 - Fraction(1, 2 ** (s.t - 1))) * power(c, s)

    says = "greater than 1.1…1 × 2^-e_y^2"
    return step_claim(question, range(1, 12), "second", holds, says, lambda c, s: c.y != c.z and equal_exponents(c, s))


@chapter.claim(
    "lemma-c.8:case-2.2-place",
    statement="The first place i_0 where y and z differ in Case 2.2, at least t + 2e − 1 − log ⌈m/2⌉, is at most t.",
    place="Appendix C.2, proof of Lemma C.8, Case 2.2",
    checks="the least i_0 that the case admits against t",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("i_0 ≤ t", "i_0 − (m − t + 1) ≤ t − 1", "i_0 counts the bits of the string, not the digits behind the point"),),
)
def place(question: Question) -> Finding:
    s = sizes(question)
    places = range(s.m - s.t + 2, s.m + 1) if is_repaired(question) else (s.t + 2 * s.e - 1 - s.l,)
    start = s.m - s.t + 1 if is_repaired(question) else 0
    return for_each(
        places,
        lambda i: i - start <= s.t - (1 if is_repaired(question) else 0),
        lambda i: {"i_0": str(i), "t": str(s.t)},
        lambda cases: Scope(f"{cases} places at {s}", cases, "enumeration"),
        "i_0 is greater than t",
    )


@chapter.claim(
    "lemma-c.8:case-split",
    statement="Cases 1 and 2 part at ⌈m/2⌉ bits, the number that the numerator compares.",
    place="Appendix C.2, proof of Lemma C.8, Cases 1 and 2",
    checks="against the e − 1 + t − 1 bits of T3's first tokens",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("⌈m/2⌉", "e + t − 2", "the numerator compares y_1 … y_(e+t−2)"),),
)
def case_split(question: Question) -> Finding:
    s = sizes(question)
    claimed = s.e + s.t - 2 if is_repaired(question) else s.h
    return side_by_side("bits that decide between the cases", claimed, s.e + s.t - 2, where=str(s))


@chapter.claim(
    "lemma-c.8:last-digit",
    statement="The numerator's mantissa ends at y_(e+t−1) (Overview, Case 1.2) as well as at y_(e+t−2) (Numerator).",
    place="Appendix C.2, proof of Lemma C.8, Overview, Numerator and Case 1.2",
    checks="the two indices side by side, and against the bits e … e + t − 2 of T3",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("y_(e+t−1)", "y_(e+t−2)", "tokens 1 … t − 1 hold y_e … y_(e+t−2)"),),
)
def last_digit(question: Question) -> Finding:
    s = sizes(question)
    claimed = s.e + s.t - (2 if is_repaired(question) else 1)
    return side_by_side("index of the last digit", claimed, s.e + s.t - 2, where=str(s))
