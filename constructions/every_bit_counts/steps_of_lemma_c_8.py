"""Lemma C.8's proof step by step: what the numerator and the denominator are after each step, and cases 1 to 2.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each
from verifier.claims.model import Erratum, Question
from verifier.claims.values import held, located, prepare

from constructions.every_bit_counts.chapter import PAPER_ID, SOFTMAX, TABLE_8
from constructions.every_bit_counts.fields_of_t3 import Sizes, is_repaired, sizes
from verifier.arithmetic.numbers import Number, show
from verifier.attention.terms import Reading
from verifier.construction.indices import Bit
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.tree import all_sums
from verifier.errors import LimitError
from verifier.verdicts import Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")

MOST_BITS = 18


@dataclass(frozen=True)
class Case:
    """A content of the bits that a sum depends on: y's and z's parts as the tokens hold them (first exponent, mantissa, or second)."""

    y: str
    z: str
    z_exponent: str
    found: Number

    def mantissa(self, string: str, digits: int) -> Fraction:
        """0.(the last ``digits`` bits of the part)."""
        return Fraction(int(getattr(self, string)[-digits:], 2), 2**digits)

    def exponent(self, string: str, digits: int) -> int:
        """The bits in front of the last ``digits``, as a number."""
        return int(getattr(self, string)[:-digits], 2)


def cases_of(reading: Reading, s: Sizes, steps: range, part: Literal["first", "second"]) -> Iterator[Case]:
    """The numerator's (first part) or denominator's (second part) sum of the steps for all contents that the promise allows.

    The first part is y_1 … y_(e+t−2), the second the rest; for the second the first parts of y and z are equal (Case 2), or
    nothing is known of z, which then has the least content that is allowed.

    Raises:
        LimitError: a sum of more than 18 bits.
    """
    program, split = Program(reading, steps), s.e + s.t - 2
    last = steps.stop > 10
    if part == "first" and last:
        sums = {n: all_sums(program.lattice, program.sums[n], {}) for n in program.numerator_sums}
        axes, raw = sums[program.numerator_sums[0]]
        states = program.numerator({program.numerator_sums[0]: raw})
    else:
        axes, states = all_sums(program.lattice, program.sums[program.numerator_sums[0] if part == "first" else DENOMINATOR], {})
    if len(axes) > MOST_BITS:
        raise LimitError(f"{len(axes)} bits of y and z take part; at most {MOST_BITS} are gone through", "a smaller --m")
    places = range(1, split + 1) if part == "first" else range(split + 1, s.m + 1)
    assert part == "first" or all(b.index in places for b in axes), "the ignored terms depend on bits of the first part"
    second = [Bit("z", k) for k in range(split + 1, s.m - s.t + 2)]
    for at in np.ndindex(*states.shape):
        value = dict(zip(axes, at, strict=True))
        y, z = ("".join(str(value.get(Bit(name, k), 0)) for k in places) for name in "yz")
        if any(b.string == "z" for b in axes) and (y > z or (part == "first" and "0" not in z[: s.e])):
            continue
        exponent = "".join(str(value.get(b, 0)) for b in second)
        yield Case(y, z, exponent, program.lattice.decode(int(states[at])))


def step_claim(
    question: Question,
    steps: range,
    part: Literal["first", "second"],
    holds: Callable[[Case, Sizes], bool],
    says: str,
    among: Callable[[Case, Sizes], bool] = lambda case, s: True,
) -> Finding:
    """Whether every sum is as claimed; the statement is judged on the repaired table, whose first factor 2^-2^(e−2) is taken out."""
    prepared = prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    s = sizes(question)
    found = for_each(
        (c for c in cases_of(reading, s, steps, part) if among(c, s)),
        lambda c: holds(c, s),
        lambda c: {"y's bits": c.y, "z's bits": c.z, "e_z^2": c.z_exponent, "found": show(c.found), "claimed": says},
        lambda cases: Scope(f"all {cases:,} contents of the {part} part at {located(reading.instance)}: {says}", cases, "enumeration"),
        f"not {says}",
        witness=witness,
    )
    return found if found.verdict is Verdict.REFUTED else held(reading, found.scope, witness)


def scaled(question: Question, s: Sizes, value: Fraction) -> Fraction:
    """The value times the weight 2^-2^(e−2) of the first part's keys, and W^V where the products are summed."""
    weight = Fraction(1, 2 ** (1 << s.e - 2))
    return value * weight if question.semantics.order == "ax" else value * 2 ** (s.t - 1)


def first_number(case: Case, s: Sizes, string: str) -> Fraction:
    """1.x_e…x_(e+t−2) × 2^(e_x^1)."""
    return (1 + case.mantissa(string, s.t - 1)) * Fraction(2) ** case.exponent(string, s.t - 1)


@chapter.claim(
    "lemma-c.8:numerator-after-step-2",
    statement="Steps 1 and 2 give 1.y_e…y_(e+t−2) × 2^(e_y^1) in the numerator.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="the sum of steps 1 and 2 for every first part of y, the keys' common weight taken out",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def after_step_2(question: Question) -> Finding:
    return step_claim(
        question,
        range(1, 3),
        "first",
        lambda c, s: c.found == scaled(question, s, first_number(c, s, "y")),
        "1.y_e…y_(e+t−2) × 2^(e_y^1)",
    )


@chapter.claim(
    "lemma-c.8:numerator-after-step-6",
    statement="After step 6 the numerator is negative for e_y^1 < e_z^1, and 0.y_e…y_(e+t−2) × 2^(e_y^1) for e_y^1 = e_z^1.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="the sum of steps 1 to 6 for every first part of y and first exponent of z",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def after_step_6(question: Question) -> Finding:
    def holds(c: Case, s: Sizes) -> bool:
        k = c.exponent("y", s.t - 1)
        if k < c.exponent("z", s.t - 1):
            return isinstance(c.found, Fraction) and c.found < 0
        return c.found == scaled(question, s, c.mantissa("y", s.t - 1) * Fraction(2) ** k)

    def among(c: Case, s: Sizes) -> bool:
        return c.exponent("y", s.t - 1) <= c.exponent("z", s.t - 1)

    return step_claim(question, range(1, 7), "first", holds, "negative, or 0.y_e…y_(e+t−2) × 2^(e_y^1)", among)


@chapter.claim(
    "lemma-c.8:numerator-after-step-7",
    statement="After step 7 the numerator is 0 where y and z agree up to place e + t − 2, and negative otherwise (Cases 1.1, 1.2).",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="the sum of steps 1 to 7 for every pair of first parts that keeps the promise",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def after_step_7(question: Question) -> Finding:
    def holds(c: Case, s: Sizes) -> bool:
        return c.found == 0 if c.y == c.z else isinstance(c.found, Fraction) and c.found < 0

    return step_claim(question, range(1, 8), "first", holds, "0 just for equal first parts, else negative")


@chapter.claim(
    "lemma-c.8:numerator-exponent",
    statement="Where the first parts differ in the mantissa only, the numerator after step 7 has a positive exponent.",
    place="Appendix C.2, proof of Lemma C.8, Numerator",
    checks="the sum of steps 1 to 7 for every such pair: at most −2 in units of the keys' weight (repaired: at most −2^(e_z^1 − t + 1))",
    parameters=SOFTMAX,
    table=TABLE_8,
    errata=(
        Erratum("a positive exponent", "an exponent of at least e_z^1 − t + 1", "the mantissas may differ by 2^-(t−1), and e_z^1 may be 0"),
    ),
)
def numerator_exponent(question: Question) -> Finding:
    def holds(c: Case, s: Sizes) -> bool:
        power = Fraction(2) ** (c.exponent("z", s.t - 1) - s.t + 1) if is_repaired(question) else Fraction(2)
        return isinstance(c.found, Fraction) and c.found <= -scaled(question, s, power)

    def among(c: Case, s: Sizes) -> bool:
        return c.y != c.z and c.exponent("y", s.t - 1) == c.exponent("z", s.t - 1)

    return step_claim(
        question,
        range(1, 8),
        "first",
        holds,
        "a positive exponent" if not is_repaired(question) else "an exponent from e_z^1 − t + 1 on",
        among,
    )


@chapter.claim(
    "lemma-c.8:numerator",
    statement="The numerator is 1.0 × 2^-e_z^2 where the first parts are equal (Case 2), and negative otherwise (Cases 1.1 and 1.2).",
    place="Appendix C.2, proof of Lemma C.8, Numerator, and Cases 1.1, 1.2 and 2",
    checks="the whole numerator for every pair of first parts and second exponent of z",
    parameters=SOFTMAX,
    table=TABLE_8,
    errata=(Erratum("negative otherwise", "not 2^-e_z^2 otherwise", "at e_z^1 = 0 less than step 10's number is taken away"),),
)
def numerator(question: Question) -> Finding:
    repaired = is_repaired(question)

    def holds(c: Case, s: Sizes) -> bool:
        if c.y == c.z or repaired:
            return (c.found == Fraction(1, 2 ** int(c.z_exponent, 2))) == (c.y == c.z)
        return c.found != 0 and (c.found < 0 if isinstance(c.found, Fraction) else show(c.found) == "-inf")

    says = f"2^-e_z^2 for equal first parts, else {'another number' if repaired else 'negative'}"
    return step_claim(question, range(1, 12), "first", holds, says)
