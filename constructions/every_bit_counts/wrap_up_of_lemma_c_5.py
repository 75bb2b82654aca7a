"""The wrap-up of Lemma C.5's proof line by line: steps 6 to 8, signs and exponents that differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, TABLE_7
from constructions.every_bit_counts.proof_of_lemma_c_5 import FLIP, after_steps, exponent, flipped, signed
from verifier.arithmetic.numbers import Number, show
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.claims.values import held, located, prepare
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.lattice import NOT_A_NUMBER, States, Truths
from verifier.engines.program import Faults, Program
from verifier.problems import Problem, bits_of, conjunction
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")

AS_THE_PROOF_ADDS = (*FLIP, "step-6-value-0", "step-6-value-1")
"""The errata left out so that y's last bit goes in flipped and step 6 adds ±1.0…0z_m, as the proof has it."""


def is_repaired(question: Question) -> bool:
    return question.edition is Edition.REPAIRED


def side(x: str) -> int:
    """(−1)^x_1."""
    return -1 if x[0] == "1" else 1


def room_below(t: int, e: int) -> Callable[[str], bool]:
    """z_(2:e+1) ≥ t − 1: what the repaired promise asks of y, and so of every z with y_1 = z_1; the other z meet no y to cancel."""
    return lambda z: int(z[1 : e + 1], 2) >= t - 1


ROOM = Erratum("every z", "every z with z_(2:e+1) ≥ t − 1", "below that 2^-(t−1) of the number is less than 2^-q and rounds to zero")


@chapter.claim(
    "lemma-c.5:step-6",
    statement="Step 6 is (−1)^z_1 × 1.0…0z̄_(e+t) × 2^(z_(2:e+1) − q).",
    place="Appendix C.1, proof of Lemma C.5, Wrap up, against Table 7, step 6",
    checks="the sum of step 6 alone for every promised z, with the values that Table 7 prints for it (repaired: with the repaired ones)",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("(−1)^z_1 × 1.0…0z̄_(e+t)", "−(−1)^z_1 × 0.0…0z_(e+t)", "step 6 is to take away z's last bit and nothing else"), ROOM),
)
def step_6(question: Question) -> Finding:
    t, e = question["t"], question["e"]

    def repaired(value: Number, z: str) -> bool:
        return value == -side(z) * int(z[-1]) * Fraction(2) ** (exponent(z, e) - t + 1)

    def printed(value: Number, z: str) -> bool:
        return value == signed(z, e, "0" * (t - 2) + flipped(z)[-1])

    if is_repaired(question):
        return after_steps(question, "z", range(6, 7), repaired, "∓0.0…0z_(e+t)·2^(z_(2:e+1)−q)", among=room_below(t, e))
    return after_steps(question, "z", range(6, 7), printed, "±1.0…0z̄_(e+t)·2^(z_(2:e+1)−q)", AS_THE_PROOF_ADDS)


@chapter.claim(
    "lemma-c.5:steps-7-8",
    statement="Steps 7 and 8 create (−1)^z_1 × 1.z̄_(e+1)…z̄_(e+t−1) × 2^(z_(2:e+1) − q).",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the sum of steps 7 and 8 alone for every promised z",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("(−1)^z_1 × 1.z̄_(e+1)…", "−(−1)^z_1 × 1.z_(e+2)…", "they subtract, unflipped; z_(e+1) is the exponent's"), ROOM),
)
def steps_7_8(question: Question) -> Finding:
    t, e = question["t"], question["e"]

    def repaired(value: Number, z: str) -> bool:
        return value == -signed(z, e, z[e + 1 : -1])

    def printed(value: Number, z: str) -> bool:
        return value == signed(z, e, "".join("10"[int(b)] for b in z[e:-1]))

    if is_repaired(question):
        return after_steps(question, "z", range(7, 9), repaired, "∓1.z_(e+2)…z_(e+t−1)·2^(z_(2:e+1)−q)", among=room_below(t, e))
    return after_steps(question, "z", range(7, 9), printed, "±1.z̄_(e+1)…z̄_(e+t−1)·2^(z_(2:e+1)−q)")


def restricted(reading: Reading, conditions: str) -> Reading:
    """The reading on fewer pairs: conditions added to the promise."""
    problem = reading.instance.problem
    fewer = Problem(problem.function, conjunction(problem.promise, conditions), problem.length)
    return Reading(replace(reading.instance, problem=fewer), reading.semantics)


Conditions = Callable[[Problem], list[str]]
"""Additions to a promise that exclude one another, each kept by some pair."""


def on_unequal_pairs(question: Question, conditions: Conditions, fails: Callable[[Program, States], Truths], says: str) -> Finding:
    """The attention's output on every promise pair y ≠ z that keeps one of the conditions."""
    prepared = prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared

    def faults(program: Program, attention: States) -> Faults:
        invalid = np.asarray(attention == NOT_A_NUMBER)
        wrong = fails(program, attention) | invalid
        return Faults(wrong, wrong, invalid)

    censuses = [
        enumerate_pairs(restricted(reading, text), question.limits.states, criterion=faults)
        for text in conditions(reading.instance.problem)
    ]
    cases, failures = sum(c.cases for c in censuses), sum(c.failures for c in censuses)
    scope = Scope(f"all {cases:,} such promise pairs at {located(reading.instance)}: the sum is {says}", max(cases, 1), "enumeration")
    if not cases:
        return Finding(Verdict.DECLINED, Scope("nothing was checked"), reason="no promise pair is of this kind")
    smallest = min((c.smallest for c in censuses if c.smallest is not None), default=None)
    if smallest is None:
        return held(reading, scope, witness)
    y, z = (bits_of(x, reading.instance.m) for x in smallest)
    found = show(evaluate(reading, *smallest).attention)
    return Finding(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"the sum is {found}; {says} was claimed; fails on {failures:,} of them",
        counterexample={"y": y, "z": z, "found": found, "claimed": says},
        failures=failures,
    )


@chapter.claim(
    "lemma-c.5:opposite-signs",
    statement="y_1 ≠ z_1 only with y_1 = 0 and z_1 = 1, and then the entire sum is strictly positive.",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the attention's output on every promise pair with y_1 = 0, z_1 = 1 (y ≤ z excludes the other way round)",
    parameters=LINEAR,
    table=TABLE_7,
)
def opposite_signs(question: Question) -> Finding:
    def fails(program: Program, attention: States) -> Truths:
        return np.asarray(attention <= program.lattice.encode(Fraction(0)))

    return on_unequal_pairs(question, lambda problem: ["y[1] == 0 and z[1] == 1"], fails, "positive")


@chapter.claim(
    "lemma-c.5:different-exponents",
    statement="For y_1 = z_1 and y_(2:e+1) < z_(2:e+1) the sum is never zero.",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the attention's output on every promise pair of one sign and different exponents",
    parameters=LINEAR,
    table=TABLE_7,
)
def different_exponents(question: Question) -> Finding:
    e = question["e"]

    def conditions(problem: Problem) -> list[str]:
        used = sorted({int(bits_of(int(y), problem.length)[1 : e + 1], 2) for y in problem.occurring("y")})
        return [f"y[1] == {s} and z[1] == {s} and y[2:{e + 1}] == {k} and z[2:{e + 1}] > {k}" for s in (0, 1) for k in used[:-1]]

    def fails(program: Program, attention: States) -> Truths:
        return np.asarray(attention == program.lattice.encode(Fraction(0)))

    return on_unequal_pairs(question, conditions, fails, "not zero")
