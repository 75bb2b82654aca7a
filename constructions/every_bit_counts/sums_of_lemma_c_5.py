"""Cases 1 to 3 of Lemma C.5's proof: the sum after step 6, and the final sum where only the last bits differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each
from verifier.claims.model import Erratum, Question
from verifier.claims.values import located, prepare

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, TABLE_7
from constructions.every_bit_counts.proof_of_lemma_c_5 import exponent, flipped, prepare_without, signed
from constructions.every_bit_counts.wrap_up_of_lemma_c_5 import AS_THE_PROOF_ADDS, is_repaired, side
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import Number, show
from verifier.attention.evaluate import evaluate
from verifier.construction.instantiate import instantiate
from verifier.errors import LimitError
from verifier.problems import Problem, bits_of
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID, "floating")

LONGEST = 10


@dataclass(frozen=True)
class Sum:
    """What step 6 makes of the printed number of y: contents, the sum, and the mantissa that the proof prints for it."""

    y: str
    z_last: str
    found: Number
    claimed: Fraction


def sums_after_step_6(question: Question, pairs: tuple[tuple[str, str], ...]) -> Iterator[Sum]:
    """±1.y_(e+2)…y_(m−1)ȳ_m + ±1.0…0z_m for every promised y that ends in the first of a pair, z in the second.

    Raises:
        LimitError: strings of more than 10 bits.
    """
    t, e = question["t"], question["e"]
    m = t + e
    if m > LONGEST:
        raise LimitError(f"strings of {m} bits; at most {LONGEST} were expected", "a smaller --t or --e")
    machine = question.semantics.machine(Digits(t, e))
    scale = Fraction(2) if is_repaired(question) else Fraction(1, 2)
    problem = instantiate(TABLE_7.source.file, {"t": t, "e": e}).problem
    last = 2**e - (2 if is_repaired(question) else 1)
    for y in (bits_of(int(x), m) for x in problem.occurring("y")):
        for _, z_last in (p for p in pairs if p[0] == y[-1] and int(y[1 : e + 1], 2) < last):
            found = machine.add(signed(y, e, flipped(y)[e + 1 :]), signed(y, e, "0" * (t - 2) + z_last))
            more = Fraction(int(y[-1] < z_last), 2 ** (t - 1))
            power = Fraction(2) ** exponent(y, e)
            claimed = side(y) * (1 + Fraction(int("0" + y[e + 1 : -1], 2), 2 ** (t - 1)) + more) * power * scale
            yield Sum(y, z_last, found, claimed)


UP = (
    Erratum("× 2^(y_(2:e+1) − q − 1)", "× 2^(y_(2:e+1) − q + 1)", "two numbers from 1 on add up to at least 2"),
    Erratum("every y_(2:e+1)", "y_(2:e+1) < 2^e − 2", "at 2^e − 2 the sum's exponent is q + 1, which no number of precision (t, e) has"),
)


def after_step_6(question: Question, pairs: tuple[tuple[str, str], ...]) -> Finding:
    return for_each(
        sums_after_step_6(question, pairs),
        lambda s: s.found == s.claimed,
        lambda s: {"y": s.y, "z_m": s.z_last, "found": show(s.found), "claimed": show(s.claimed)},
        lambda cases: Scope(f"all {cases:,} such sums at t = {question['t']}, e = {question['e']}", cases, "enumeration"),
        "the sum after step 6 is something else",
    )


@chapter.claim(
    "lemma-c.5:case-1-after-step-6",
    statement="For y_m = z_m the sum after step 6 is (−1)^y_1 × 1.0y_(e+2)…y_(e+t−1) × 2^(y_(2:e+1) − q − 1) (read as in Case 2).",
    place="Appendix C.1, proof of Lemma C.5, Case 1",
    checks="step 6's printed number added to the one claimed after step 4, for every promised y",
    parameters=LINEAR,
    errata=UP,
)
def case_1_after_step_6(question: Question) -> Finding:
    return after_step_6(question, (("0", "0"), ("1", "1")))


@chapter.claim(
    "lemma-c.5:case-2-after-step-6",
    statement="For y_m ≠ z_m it is that, or with 2^-(t−1) more in the mantissa just when y_m = 0 and z_m = 1.",
    place="Appendix C.1, proof of Lemma C.5, Cases 2 and 3",
    checks="step 6's printed number added to the one claimed after step 4, for every promised y and both y_m z_m = 01, 10",
    parameters=LINEAR,
    errata=UP,
)
def case_2_after_step_6(question: Question) -> Finding:
    return after_step_6(question, (("0", "1"), ("1", "0")))


def last_bit_pairs(problem: Problem) -> Iterator[tuple[int, int]]:
    """The promised pairs that differ in their last bit only.

    Raises:
        LimitError: strings of more than 10 bits.
    """
    if problem.length > LONGEST:
        raise LimitError(f"strings of {problem.length} bits, one by one; at most {LONGEST} were expected", "a smaller --t or --e")
    return ((int(y), int(y) ^ 1) for y in problem.occurring("y") if problem.promised(int(y), int(y) ^ 1))


@chapter.claim(
    "lemma-c.5:case-3-bits",
    statement="If y and z differ only at the last bit, then y_m = 0 and z_m = 1.",
    place="Appendix C.1, proof of Lemma C.5, Case 3",
    checks="every promise pair of this kind",
    parameters=LINEAR,
    bounded=False,
)
def case_3_bits(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    problem = instantiate(TABLE_7.source.file, {"t": t, "e": e}).problem
    return for_each(
        last_bit_pairs(problem),
        lambda p: (p[0] & 1, p[1] & 1) == (0, 1),
        lambda p: {"y": bits_of(p[0], t + e), "z": bits_of(p[1], t + e)},
        lambda cases: Scope(f"all {cases:,} promise pairs that differ at the last bit only at t = {t}, e = {e}", cases, "enumeration"),
        "another last bit",
    )


def case_3(question: Question, holds: Callable[[Number, str], bool], says: str) -> Finding:
    """The final sum where only the last bit differs: with steps 1 to 6 as the proof has them, or all repaired."""
    prepared = prepare_without(question, AS_THE_PROOF_ADDS) if question.edition is Edition.STATEMENT else prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    m = reading.instance.m
    runs = ((y, z, evaluate(reading, y, z).attention) for y, z in last_bit_pairs(reading.instance.problem))
    return for_each(
        runs,
        lambda r: holds(r[2], bits_of(r[0], m)),
        lambda r: {"y": bits_of(r[0], m), "z": bits_of(r[1], m), "found": show(r[2]), "claimed": says},
        lambda cases: Scope(f"all {cases:,} such pairs at {located(reading.instance)}: the sum is {says}", cases, "enumeration"),
        "the final sum is something else",
        reading.attention_assumptions,
        witness,
    )


@chapter.claim(
    "lemma-c.5:case-3",
    statement="If only the last bits differ, the final sum is (−1)^y_1 × (1 + 2^-(t−1)) × 2^(y_(2:e+1) − q − 1).",
    place="Appendix C.1, proof of Lemma C.5, Case 3",
    checks="the attention's output on every such promise pair, T2's flip and step 6 as the proof has them, the rest repaired",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("(1 + 2^-(t−1)) × 2^-1", "−2^-(t−1)", "y − z is the last bit"),),
)
def case_3_sum(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    mantissa = -Fraction(1, 2 ** (t - 1)) if is_repaired(question) else (1 + Fraction(1, 2 ** (t - 1))) / 2
    says = "∓2^(−t+1)·2^(y_(2:e+1)−q)" if is_repaired(question) else "±(1 + 2^(−t+1))·2^(y_(2:e+1)−q−1)"
    return case_3(question, lambda found, y: found == side(y) * mantissa * Fraction(2) ** exponent(y, e), says)


@chapter.claim(
    "lemma-c.5:case-3-not-zero",
    statement="If only the last bits differ, the final sum is not zero.",
    place="Appendix C.1, proof of Lemma C.5, Case 3",
    checks="as for the sum itself",
    parameters=LINEAR,
    table=TABLE_7,
)
def case_3_not_zero(question: Question) -> Finding:
    return case_3(question, lambda found, _: isinstance(found, Fraction) and found != 0, "a number, not zero")
