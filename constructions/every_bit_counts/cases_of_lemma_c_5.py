"""The cases of Lemma C.5's proof: ranges, weights under linear attention, rounding, cancellation, the last bits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question, declined
from verifier.claims.tables import table_finding
from verifier.claims.values import located

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, TABLE_7
from constructions.every_bit_counts.proof_of_lemma_c_5 import FLIP, LINEAR_WEIGHTS, prepare_without
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import show
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.engines.enumerate import enumerate_pairs
from verifier.errors import LimitError
from verifier.problems import Problem, bits_of
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID, "floating")

T_ONLY = (Parameter("t", "mantissa digits with their sign", "t >= 3", typical="3..6"),)
LONGEST = 8


@chapter.claim(
    "lemma-c.5:linear-weights",
    statement="With the printed W^Q = ln 2·(1, 0, 0) and keys, the weights of Definition A.3 let Table 7, else repaired, compute EQ_m.",
    place="Appendix C.1, Construction of the Weights, against Definition A.3",
    checks="the table with every erratum but those on the weights: ⟨Q, K⟩ is ln 2·(y_(2:e+1) − q), not 2^(y_(2:e+1) − q)",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("keys k with the factor ln 2", "keys 2^k without it", "linear attention does not exponentiate"),),
)
def linear_weights(question: Question) -> Finding:
    source = TABLE_7.source
    outside = source.outside_errata(question.parameters)
    if outside:
        return declined(outside)
    repaired = question.edition is Edition.REPAIRED
    instance = instantiate(source.repaired(() if repaired else LINEAR_WEIGHTS), dict(question.parameters))
    reading = Reading(instance, question.semantics)
    census = enumerate_pairs(reading, question.limits.states)
    finding = table_finding(reading, census, f"table-7.toml with {'all' if repaired else 'its other'} errata", ())
    return finding if finding.replay is None else replace(finding, replay=None)


@chapter.claim(
    "lemma-c.5:no-zero-on-the-way",
    statement="As y_(2:e+1) > 0, no partial sum of steps 1 to 4 is rounded to zero.",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="every partial sum over the tokens 0 … 2t − 5 for every promised y, without the promise that the repair adds against underflow",
    parameters=LINEAR,
    table=TABLE_7,
)
def no_zero(question: Question) -> Finding:
    flip = () if question.edition is Edition.REPAIRED else FLIP
    prepared = prepare_without(question, (*flip, "no-underflow"))
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    problem, t = reading.instance.problem, question["t"]
    if problem.length > LONGEST:
        raise LimitError(f"strings of {problem.length} bits are evaluated one by one up to {LONGEST}", "a smaller --t or --e")
    runs = ((y, evaluate(reading, y, y)) for y in map(int, problem.occurring("y")))
    partial = ((y, step) for y, run in runs for step in run.steps if step.token.index <= 2 * t - 5)
    return for_each(
        partial,
        lambda each: each[1].sums[0] != 0,
        lambda each: {"y": bits_of(each[0], problem.length), "token": str(each[1].token.index)},
        lambda cases: Scope(f"all {cases:,} partial sums of y's tokens at {located(reading.instance)}", cases, "enumeration"),
        "a partial sum is zero",
        witness=witness,
    )


@chapter.claim(
    "lemma-c.5:exponent-range",
    statement="y_(2:e+1) − q lies between −(2^(e−1) − 1) and 2^(e−1) − 1, and so is an exponent of precision (t, e).",
    place="Appendix C.1, proof of Lemma C.5, Overview",
    checks="all contents of y_2 … y_(e+1) that the promise allows",
    parameters=LINEAR,
    bounded=False,
    errata=(Erratum("y_(2:e+1) > 0", "0 < y_(2:e+1) < 2^e − 1", "2^e − 1 − q = q + 1"),),
)
def exponent_range(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    q = 2 ** (e - 1) - 1
    last = 2**e - (1 if question.edition is Edition.REPAIRED else 0)
    return for_each(
        range(1, last),
        lambda k: -q <= k - q <= q,
        lambda k: {"y_(2:e+1)": bits_of(k, e), "exponent": str(k - q), "largest": str(q)},
        lambda cases: Scope(f"all {cases:,} exponents at t = {t}, e = {e}", cases, "enumeration"),
        "an exponent is too large",
    )


@chapter.claim(
    "lemma-c.5:rounding-at-step-6",
    statement="1.0…01 + 1.0…0 rounds to 1.0…0 × 2^-1 (in units of 2^(y_(2:e+1) − q)).",
    place="Appendix C.1, proof of Lemma C.5, Case 1",
    checks="the sum in precision (t, e)",
    parameters=LINEAR,
    errata=(Erratum("2^-1", "2^1", "the sum of two numbers from 1 on is at least 2"),),
)
def rounding_at_step_6(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    machine = question.semantics.machine(Digits(t, e))
    found = machine.add(Fraction(1), 1 + Fraction(1, 2 ** (t - 1)))
    claimed = Fraction(2) if question.edition is Edition.REPAIRED else Fraction(1, 2)
    return side_by_side("the rounded sum", show(claimed), show(found), "enumeration", f"t = {t}, e = {e}")


@chapter.claim(
    "lemma-c.5:cancellation",
    statement="For y = z the numbers before the point that steps 6 to 8 print cancel what is left of y: the sum is 0 (Case 1).",
    place="Appendix C.1, proof of Lemma C.5, Case 1, with the rows of Table 7",
    checks="the ones before the point, signs and numbers of tokens of steps 6, 7 and 8, added to the 1 of y's number",
    parameters=T_ONLY,
    bounded=False,
    table=None,
    errata=(Erratum("step 6: 1 and 1 + 2^-(t−1)", "step 6: 0 and −2^-(t−1)", "with the 1 in front, 1 is left over"),),
)
def cancellation(question: Question) -> Finding:
    t = question["t"]
    step_6 = 0 if question.edition is Edition.REPAIRED else 1
    step_7, step_8 = -len(range(2 * t + 1, 4 * t - 4, 2)), len(range(2 * t + 2, 4 * t - 5, 2))
    return side_by_side("the ones left over", 0, 1 + step_6 + step_7 + step_8, "counting", f"t = {t}")


@chapter.claim(
    "lemma-c.5:case-2",
    statement="If y < z first differ at j < m and y_(m−1)y_m ≠ 10, then 0y_(j+1)…y_(m−1) + 1 < 1z_(j+1)…z_(m−1).",
    place="Appendix C.1, proof of Lemma C.5, Case 2",
    checks="all pairs y < z of the promise with one sign and exponent that first differ before the last bit, y_m = 0, z_m = 1",
    parameters=LINEAR,
    bounded=False,
    errata=(
        Erratum(
            "y_(m−1)y_m ≠ 10",
            "and not y_(m−1)y_m = 00 with z_(m−1)z_m = 11",
            "there both sides are equal and y ≠ z sums to 0; no promise on y and z apart repairs it without losing a bit of the bound",
        ),
    ),
)
def case_2(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    m = t + e
    if m > 10:
        raise LimitError(f"all pairs of strings of {m} bits; at most 10 were expected", "a smaller --t or --e")
    problem = Problem("EQ", f"y <= z and y[2:{e + 1}] > 0 and y[{m - 1}:{m}] != 2", m)
    repaired = question.edition is Edition.REPAIRED
    low = 2 ** (t - 1)
    ys = [int(y) for y in problem.occurring("y") if y & 1 == 0]
    pairs = [(y, z) for y in ys for z in range(y + 2, (y // low + 1) * low) if z & 1 and z >> 1 != y >> 1]
    pairs = [p for p in pairs if not (repaired and p[0] & 3 == 0 and p[1] & 3 == 3)]
    if not pairs:
        return declined(f"no such pairs at t = {t}, e = {e}")
    return for_each(
        pairs,
        lambda p: (p[0] >> 1) + 1 < p[1] >> 1,
        lambda p: {"y": bits_of(p[0], m), "z": bits_of(p[1], m)},
        lambda cases: Scope(f"all {cases:,} such pairs at t = {t}, e = {e}", cases, "enumeration"),
        "both sides are equal, the sum vanishes although y ≠ z",
    )
