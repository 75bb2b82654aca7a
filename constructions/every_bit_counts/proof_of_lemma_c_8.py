"""What Appendix C.2 says on the way to Lemma C.8: ranges, ignored terms, and the output that the MLP looks for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Question
from verifier.claims.values import contradicted, held, located, prepare

from constructions.every_bit_counts.chapter import E_SOFTMAX, M_SOFTMAX, PAPER_ID, SOFTMAX, TABLE_8
from constructions.every_bit_counts.fields_of_t3 import is_repaired, sizes
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import show
from verifier.attention.evaluate import evaluate
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.lattice import NOT_A_NUMBER, States
from verifier.engines.program import Faults, Program
from verifier.verdicts import Finding, Scope

chapter = Chapter(PAPER_ID, "floating")


@chapter.claim(
    "lemma-c.8:keys-are-values",
    statement="The key −(2^(e−1) − 1) of steps 1, 2, 6, 7 and 10 is a number of precision (t, e).",
    place="Appendix C.2, Table 8",
    checks="whether the format holds it: it has e − 1 ones",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("−(2^(e−1) − 1)", "−2^(e−2)", "e − 1 ones need t ≥ e − 1 mantissa digits"),),
)
def keys(question: Question) -> Finding:
    s = sizes(question)
    key = Fraction(1 << s.e - 2) if is_repaired(question) else Fraction(s.q)
    machine = question.semantics.machine(Digits(s.t, s.e))
    return side_by_side("the key and its rounding", f"-{key}", f"-{show(machine.round(key))}", "enumeration", str(s))


@chapter.claim(
    "lemma-c.8:step-10",
    statement="Step 10 adds 1.0 × 2^-e_z^2 to the numerator: its entry times its weight 2^-q, summed, times the value weight 2^q.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="that product in precision (t, e) for every second exponent of e − log ⌈m/2⌉ bits (repaired: of e + 2 − 2 log ⌈m/2⌉ bits)",
    parameters=SOFTMAX,
    errata=(Erratum("entry 2^-e_z^2", "entry 2^(−e_z^2 − t + 1), key −2^(e−2), W^V 2^(2^(e−2) + t − 1)", "2^(−q − e_z^2) rounds to 0"),),
)
def step_10(question: Question) -> Finding:
    s = sizes(question)
    machine = question.semantics.machine(Digits(s.t, s.e))
    two = Fraction(2)
    if is_repaired(question):
        bits, weight, shift, back = s.m - 2 * s.t - s.e + 3, two ** -(1 << s.e - 2), s.t - 1, two ** ((1 << s.e - 2) + s.t - 1)
    else:
        bits, weight, shift, back = s.e - s.l, two**-s.q, 0, two**s.q

    def product(k: int) -> str:
        return show(machine.multiply(machine.multiply(weight, two ** -(k + shift)), back))

    return for_each(
        range(2**bits),
        lambda k: product(k) == show(two**-k),
        lambda k: {"e_z^2": str(k), "found": product(k), "claimed": show(two**-k)},
        lambda cases: Scope(f"all {cases:,} second exponents at {s}", cases, "enumeration"),
        "step 10 adds something else",
    )


@chapter.claim(
    "lemma-c.8:numerator-range",
    statement="t − 1 < 2^(e−1) and t − 1 < 2^(e−2) for the precisions of Lemma C.8.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="both inequalities",
    parameters=SOFTMAX,
    bounded=False,
)
def numerator_range(question: Question) -> Finding:
    s = sizes(question)
    return for_each(
        (2 ** (s.e - 1), 2 ** (s.e - 2)),
        lambda bound: s.t - 1 < bound,
        lambda bound: {"t − 1": str(s.t - 1), "bound": str(bound)},
        lambda cases: Scope(f"{cases} inequalities at {s}", cases, "algebra"),
        "t − 1 is too large",
    )


@chapter.claim(
    "lemma-c.8:mantissa-range",
    statement="Steps 1 and 2 stay in the permissible range: 2^(e_y^1 − i) with i < t, times the weight 2^-q, is a value.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="the smallest such product, at i = t − 1, for every first exponent",
    parameters=SOFTMAX,
    errata=(Erratum("key −(2^(e−1) − 1)", "key −2^(e−2)", "2^-q leaves no room below for the factor 2^-i"),),
)
def mantissa_range(question: Question) -> Finding:
    s = sizes(question)
    weight = Fraction(1, 2 ** (1 << s.e - 2)) if is_repaired(question) else Fraction(1, 2**s.q)
    form = question.semantics.format(Digits(s.t, s.e))
    return for_each(
        range(2 ** (s.e - 1)),
        lambda k: form.contains(weight * Fraction(2) ** (k - s.t + 1)),
        lambda k: {"e_y^1": str(k), "product": show(weight * Fraction(2) ** (k - s.t + 1))},
        lambda cases: Scope(f"all {cases:,} first exponents at {s}", cases, "enumeration"),
        "the product is no value",
    )


@chapter.claim(
    "lemma-c.8:ignored-terms",
    statement="2^(e−1) − 1 − log t − 2^(e−1−log h) − 1 = 2^(e−2) + (1 − 1/h)·2^(e−2) − log t − 1, h = ⌈m/2⌉ (log t left out).",
    place="Appendix C.2, proof of Lemma C.8, Denominator, displayed formula",
    checks="both sides in fractions where log h is an integer",
    parameters=(replace(M_SOFTMAX, typical="15..15"), E_SOFTMAX),
    bounded=False,
    errata=(Erratum("(1 − 1/h)·2^(e−2) − log t − 1", "(1 − 2/h)·2^(e−2) − log t − 2", "2^(e−1)/h = (2/h)·2^(e−2), and −1 − 1 = −2"),),
)
def ignored_terms(question: Question) -> Finding:
    s = sizes(question)
    if s.h & (s.h - 1):
        from verifier.claims.model import declined

        return declined(f"log2 {s.h} is no integer")
    left = 2 ** (s.e - 1) - 1 - Fraction(2 ** (s.e - 1), s.h) - 1
    part = Fraction(2, s.h) if is_repaired(question) else Fraction(1, s.h)
    right = 2 ** (s.e - 2) + (1 - part) * 2 ** (s.e - 2) - (2 if is_repaired(question) else 1)
    return side_by_side("the right side", right, left, where=str(s))


@chapter.claim(
    "lemma-c.8:output-twice",
    statement="The output on YES inputs, 1/(1 − 2^-(t−1)) in the wrap-up, is the value that the MLP looks for, 1/(2 − 2^-(t−1)).",
    place="Appendix C.2, proof of Lemma C.8, Wrap up and last sentence",
    checks="the two numbers side by side",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("1/(1 − 2^-(t−1))", "1/(2 − 2^-(t−1))", "step 4 adds 2^-e_y^2 to the denominator, which the wrap-up leaves out"),),
)
def output_twice(question: Question) -> Finding:
    s = sizes(question)
    small = Fraction(1, 2 ** (s.t - 1))
    claimed = 1 / (2 - small) if is_repaired(question) else 1 / (1 - small)
    return side_by_side("the output on YES inputs", claimed, 1 / (2 - small), where=str(s))


@chapter.claim(
    "lemma-c.8:case-2.1",
    statement="For e_y^2 < e_z^2, 2^(e_y^2 − e_z^2)/(1 + 2^-1) is greater than 1/(1 − 2^-(t−1)).",
    place="Appendix C.2, proof of Lemma C.8, Case 2.1",
    checks="every difference of exponents from 1 to 2^(e−1)",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("≥ …, greater than 1/(1 − 2^-(t−1))", "≤ 1/2, less than 1/(2 − 2^-(t−1))", "the denominator is at least 2^-e_y^2"),),
)
def case_2_1(question: Question) -> Finding:
    s = sizes(question)
    small = Fraction(1, 2 ** (s.t - 1))

    def holds(d: int) -> bool:
        ratio = Fraction(1, 2**d)
        return ratio < 1 / (2 - small) if is_repaired(question) else ratio / Fraction(3, 2) > 1 / (1 - small)

    return for_each(
        range(1, 2 ** (s.e - 1) + 1),
        holds,
        lambda d: {"e_z^2 − e_y^2": str(d), "bound": str(Fraction(1, 2**d) / Fraction(3, 2)), "equality case": str(1 / (1 - small))},
        lambda cases: Scope(f"all {cases:,} differences at {s}", cases, "enumeration"),
        "the inequality is the other way round",
    )


@chapter.claim(
    "lemma-c.8:output",
    statement="The output is 1/(2 − 2^-(t−1)), as the machine rounds it, if and only if y = z.",
    place="Appendix C.2, proof of Lemma C.8, Wrap up, Cases 1 to 2.2 and last sentence",
    checks="the attention's output on every promise pair",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def output(question: Question) -> Finding:
    prepared = prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    wanted = reading.machine.round(1 / (2 - Fraction(1, 2 ** (sizes(question).t - 1))))

    def faults(program: Program, attention: States) -> Faults:
        equal = attention == program.lattice.encode(wanted)
        return Faults(equal, ~equal, np.asarray(attention == NOT_A_NUMBER))

    label = question.claim.name
    census = enumerate_pairs(reading, question.limits.states, lambda done, total: question.advance(label, done, total), faults)
    at = located(reading.instance)
    scope = Scope(f"all {census.cases:,} promise pairs at {at}: {show(wanted)} just for y = z", census.cases, census.method)
    if census.smallest is None:
        return held(reading, scope, witness)
    found = evaluate(reading, *census.smallest).attention
    says = f"{show(wanted)} just for y = z"
    return contradicted(question, reading, scope, witness, census.smallest, found, "the output", says, census.failures)
