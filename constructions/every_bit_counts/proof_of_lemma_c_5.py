"""What the proof of Lemma C.5 says on the way: partial sums, ranges, the last bits, cancellation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question, declined
from verifier.claims.tables import ill_formed
from verifier.claims.values import held, located, prepare

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, TABLE_7
from verifier.arithmetic.numbers import Number, show
from verifier.attention.terms import Reading
from verifier.construction.indices import Bit
from verifier.construction.instantiate import instantiate
from verifier.engines.program import Program
from verifier.engines.tree import all_sums
from verifier.problems import bits_of
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")

Formula = Callable[[str, int, int], Fraction]
"""The claimed value of a string of bits, with t and e."""

FLIP = ("t2-last-bit", "t2-flipped-bit")
"""The errata that put the last bit of y in unflipped."""

LINEAR_WEIGHTS = ("query-factor", *(f"step-{k}-key-{b}" for k in (1, 3, 4, 6, 7) for b in (0, 1)), "step-2-key", "step-8-key")
"""The errata that write 2^key for the key."""

T_ONLY = (Parameter("t", "mantissa digits with their sign", "t >= 3", typical="3..6"),)


def exponent(x: str, e: int) -> int:
    """x_(2:e+1) − q."""
    return int(x[1 : e + 1], 2) - (1 << e - 1) + 1


def signed(x: str, e: int, mantissa: str) -> Fraction:
    """(−1)^x_1 × 1.mantissa × 2^(x_(2:e+1) − q)."""
    value = (1 + Fraction(int(mantissa, 2), 2 ** len(mantissa))) * Fraction(2) ** exponent(x, e)
    return -value if x[0] == "1" else value


def prepare_without(question: Question, without: tuple[str, ...]) -> Finding | tuple[Reading, str]:
    """The table with its errata and promises but those named; without ``FLIP`` it is what the proof's statements are about."""
    source = TABLE_7.source
    outside = source.outside_errata(question.parameters)
    if outside:
        return declined(outside)
    instance = instantiate(source.repaired(without), dict(question.parameters))
    witness = f"table-7.toml with its errata but {', '.join(without)}"
    return ill_formed(instance, witness) if instance.defects else (Reading(instance, question.semantics), witness)


def after_steps(
    question: Question,
    string: str,
    steps: range,
    holds: Callable[[Number, str], bool],
    says: str,
    without: tuple[str, ...] = FLIP,
    among: Callable[[str], bool] = lambda x: True,
) -> Finding:
    """The sum of the given steps, for every promised value of the one string that it depends on.

    ``without``: the errata left out where the statement, not the table, is in question; ``among``: which values count.
    """
    prepared = prepare_without(question, without) if question.edition is Edition.STATEMENT else prepare(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    program, problem = Program(reading, steps), reading.instance.problem
    name = program.numerator_sums[0]
    bits = [Bit(string, k) for k in range(1, problem.length + 1)]
    axes, states = all_sums(program.lattice, program.sums[name], {})
    assert set(axes) <= set(bits), f"the sum depends on more than {string}"
    cube = states.transpose([axes.index(b) for b in bits if b in axes]).reshape([2 if b in axes else 1 for b in bits])
    values = np.broadcast_to(cube, (2,) * len(bits)).reshape(-1)
    at = located(reading.instance)
    label = f"steps {steps.start}–{steps.stop - 1}" if len(steps) > 1 else f"step {steps.start}"
    found = for_each(
        [int(x) for x in problem.occurring(string) if among(bits_of(int(x), problem.length))],
        lambda x: holds(program.lattice.decode(values[x]), bits_of(x, problem.length)),
        lambda x: {string: bits_of(x, problem.length), "found": show(program.lattice.decode(values[x])), "claimed": says},
        lambda cases: Scope(f"all {cases:,} promised {string} at {at}: the sum of {label} is {says}", cases, "enumeration"),
        f"the sum of {label} is something else",
        witness=witness,
    )
    return found if found.verdict is Verdict.REFUTED else held(reading, found.scope, witness)


def formula_after(question: Question, steps: range, printed: Formula, repaired: Formula, says: tuple[str, str]) -> Finding:
    is_repaired = question.edition is Edition.REPAIRED
    formula, words = (repaired, says[1]) if is_repaired else (printed, says[0])
    t, e = question["t"], question["e"]
    return after_steps(question, "y", steps, lambda value, y: value == formula(y, t, e), words)


def flipped(x: str) -> str:
    """The string with its last bit flipped."""
    return x[:-1] + ("1" if x[-1] == "0" else "0")


UNFLIPPED = Erratum("ȳ_(e+t)", "y_(e+t)", "the last bit goes in unflipped in the repaired T2")


@chapter.claim(
    "lemma-c.5:after-step-1",
    statement="Step 1 creates (−1)^y_1 × 1.1y_(e+3) × 2^(y_(2:e+1) − q).",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the sum of step 1 for every promised y",
    parameters=LINEAR,
    table=TABLE_7,
)
def after_step_1(question: Question) -> Finding:
    def value(y: str, t: int, e: int) -> Fraction:
        return signed(y, e, "1" + y[e + 2])

    return formula_after(question, range(1, 2), value, value, ("±1.1y_(e+3)·2^(y_(2:e+1)−q)",) * 2)


@chapter.claim(
    "lemma-c.5:after-step-3",
    statement="After steps 1 to 3 the sum is (−1)^y_1 × 1.1y_(e+2)…y_(e+t−1)ȳ_(e+t) × 2^(y_(2:e+1) − q).",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the sum of steps 1 to 3 for every promised y",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("1.1y_(e+2)…", "1.1y_(e+3)…", "y_(e+2) enters at step 4; with it there would be t digits behind the point"), UNFLIPPED),
)
def after_step_3(question: Question) -> Finding:
    return formula_after(
        question,
        range(1, 4),
        lambda y, t, e: signed(y, e, "1" + flipped(y)[e + 1 :]),
        lambda y, t, e: signed(y, e, "1" + y[e + 2 :]),
        ("±1.1y_(e+2)…ȳ_(e+t)·2^(y_(2:e+1)−q)", "±1.1y_(e+3)…y_(e+t)·2^(y_(2:e+1)−q)"),
    )


@chapter.claim(
    "lemma-c.5:after-step-4",
    statement="After steps 1 to 4 the sum is (−1)^y_1 × 1.y_(e+2)…y_(e+t−1)ȳ_(e+t) × 2^(y_(2:e+1) − q).",
    place="Appendix C.1, proof of Lemma C.5, Overview (the Wrap up prints y_(e+1) for y_(e+2))",
    checks="the sum of steps 1 to 4 for every promised y",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(UNFLIPPED,),
)
def after_step_4(question: Question) -> Finding:
    return formula_after(
        question,
        range(1, 5),
        lambda y, t, e: signed(y, e, flipped(y)[e + 1 :]),
        lambda y, t, e: signed(y, e, y[e + 1 :]),
        ("±1.y_(e+2)…ȳ_(e+t)·2^(y_(2:e+1)−q)", "±1.y_(e+2)…y_(e+t)·2^(y_(2:e+1)−q)"),
    )


@chapter.claim(
    "lemma-c.5:first-digit",
    statement="The first digit behind the point after step 4 is y_(e+1) (Wrap up) as well as y_(e+2) (Overview).",
    place="Appendix C.1, proof of Lemma C.5, Overview and Wrap up",
    checks="the two indices side by side",
    parameters=LINEAR,
    bounded=False,
    errata=(Erratum("y_(e+1)", "y_(e+2)", "y_(e+1) is the exponent's last bit"),),
)
def first_digit(question: Question) -> Finding:
    e = question["e"]
    claimed = e + (2 if question.edition is Edition.REPAIRED else 1)
    return side_by_side("index of the first digit", claimed, e + 2, where=f"e = {e}")


@chapter.claim(
    "lemma-c.5:steps-6-8-positive",
    statement="The number that steps 6 to 8 create is positive.",
    place="Appendix C.1, proof of Lemma C.5, Wrap up",
    checks="the sum of steps 6 to 8 alone for every promised z; negative for z_1 = 0 and positive for z_1 = 1 in the repaired edition",
    parameters=LINEAR,
    table=TABLE_7,
    errata=(Erratum("positive", "of the sign −(−1)^z_1", "it is what is taken away from y's number, whose sign is (−1)^y_1"),),
)
def positive(question: Question) -> Finding:
    if question.edition is not Edition.REPAIRED:
        return after_steps(question, "z", range(6, 9), lambda value, z: isinstance(value, Fraction) and value > 0, "positive")

    def holds(value: Number, z: str) -> bool:
        return isinstance(value, Fraction) and (value > 0) == (z[0] == "1") and value != 0

    return after_steps(question, "z", range(6, 9), holds, "not 0, of the sign −(−1)^z_1")
