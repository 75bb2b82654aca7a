"""What the proof of Lemma 2.6 says on the way (Appendix B.2): numerators, denominators, outputs. Table 6."""

from __future__ import annotations

import numpy as np

from constructions.every_bit_counts.chapter import PAPER_ID, TABLE_6, TIGHT_PROOF
from verifier.claims.model import Chapter, Erratum, Question
from verifier.claims.outputs import Output, judge_output
from verifier.claims.partial_sums import PartialSum, judge_partial_sum
from verifier.claims.values import Place, Strings
from verifier.engines.lattice import Truths
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
LAST = 20
"""Table 6 has the steps 1–20."""


def top(strings: Strings, at: Place) -> Strings:
    """The first bit of half-strings of h bits."""
    return strings >> (at.h - 1)


def in_range(at: Place, values: Strings) -> Truths:
    """Where an integer is a value of the format: at most 2^(h−1) − 1 in magnitude."""
    return np.asarray(np.abs(values) < 2 ** (at.h - 1))


def statement(name: str, says: str, place: str, printed: PartialSum, repaired: PartialSum | None = None, why: str | None = None) -> None:
    """Register a statement on a partial sum of Table 6."""
    errata = (Erratum(printed.says, repaired.says, why),) if repaired and why else ()

    @chapter.claim(
        f"lemma-2.6:{name}",
        statement=says,
        place=f"Appendix B.2, proof of Lemma 2.6, {place}",
        checks=f"the {printed.quantity} of steps {printed.first}–{printed.last} on all {printed.inputs}",
        parameters=TIGHT_PROOF,
        table=TABLE_6,
        errata=errata,
    )
    def judge(question: Question) -> Finding:
        return judge_partial_sum(question, printed, repaired)


statement(
    "numerator-after-step-2",
    "After steps 1 and 2 the numerator is y_1·2^(h−1) − (2^(h−1) − 1).",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        2,
        "first",
        lambda v, y, z, at: v.equals(top(y, at) * 2 ** (at.h - 1) - 2 ** (at.h - 1) + 1),
        "y_1·2^(h−1) − (2^(h−1) − 1)",
    ),
)
statement(
    "range-after-step-2",
    "After steps 1 and 2 the numerator is a number within the permissible range.",
    "Numerator",
    PartialSum("numerator", 1, 2, "first", lambda v, y, z, at: v.finite, "a finite value"),
)
statement(
    "numerator-after-step-8",
    "After steps 3 to 8 the numerator is y′ − (2^(h−1) − 1), wherever that number is a value of the format.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        8,
        "first",
        lambda v, y, z, at: v.equals(y - 2 ** (at.h - 1) + 1),
        "y′ − (2^(h−1) − 1)",
        where=lambda y, z, at: in_range(at, y - 2 ** (at.h - 1) + 1),
        inputs="pairs of first halves where it is representable",
    ),
)
statement(
    "range-after-step-8",
    "After steps 3 to 8 the numerator, y′ − (2^(h−1) − 1), is within the permissible range.",
    "Numerator",
    PartialSum("numerator", 1, 8, "first", lambda v, y, z, at: v.finite, "a finite value"),
    PartialSum("columns", 1, 8, "first", lambda v, y, z, at: ~v.exceeds(2), "column sums of A X of at most 2 in magnitude"),
    why="for y′ = 2^h − 1 the number is 2^(h−1), one more than the largest value; the column sums of A X, in units of 2^-(h−2), fit",
)
statement(
    "numerator-step-9",
    "Step 9 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 9, 9, "second", lambda v, y, z, at: v.equals(0), "0"),
)
statement(
    "range-after-step-10",
    "Where y_1 = z_1 the numerator is within the permissible range after step 10.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        10,
        "first",
        lambda v, y, z, at: v.finite,
        "a finite value",
        where=lambda y, z, at: top(y, at) == top(z, at),
        inputs="pairs of first halves with y_1 = z_1",
    ),
)
statement(
    "overflow-after-step-10",
    "Where y_1 = 0 and z_1 = 1 the numerator is −inf after step 10.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        10,
        "first",
        lambda v, y, z, at: v.is_infinite(-1),
        "−inf",
        where=lambda y, z, at: top(y, at) < top(z, at),
        inputs="pairs of first halves with y_1 = 0, z_1 = 1",
    ),
)
statement(
    "numerator-steps-11-17",
    "Steps 11 to 17 add (2^(h−1) − 1) − z_2 … z_h to the numerator.",
    "Numerator",
    PartialSum(
        "numerator",
        11,
        17,
        "first",
        lambda v, y, z, at: v.equals(2 ** (at.h - 1) - 1 - (z & (2 ** (at.h - 1) - 1))),
        "(2^(h−1) − 1) − z_2 … z_h",
    ),
)
statement(
    "numerator-step-18",
    "Step 18 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 18, 18, "second", lambda v, y, z, at: v.equals(0), "0"),
)
statement(
    "numerator-step-19",
    "Step 19 adds 1 to the numerator.",
    "Numerator",
    PartialSum("numerator", 19, 19, "first", lambda v, y, z, at: v.equals(1), "1"),
    PartialSum("numerator", 19, 19, "first", lambda v, y, z, at: v.equals(1, 2), "1/2"),
    why="key −(h−1) and value weight 2^(h−2) make 1/2; the lemma does not need 1 (the quotient still rounds to 2^-(h−1))",
)
statement(
    "numerator-yes",
    "Where the first halves are equal the numerator is 1.",
    "Numerator",
    PartialSum(
        "numerator", 1, LAST, "first", lambda v, y, z, at: v.equals(1), "1", where=lambda y, z, at: y == z, inputs="equal first halves"
    ),
    PartialSum(
        "numerator",
        1,
        LAST,
        "first",
        lambda v, y, z, at: v.equals(1, 2),
        "1/2",
        where=lambda y, z, at: y == z,
        inputs="equal first halves",
    ),
    why="step 19 adds 1/2",
)
statement(
    "numerator-no",
    "Where the first half of y is smaller than that of z the numerator is negative.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        LAST,
        "first",
        lambda v, y, z, at: np.asarray(~(v.exceeds(0) | v.equals(0) | v.is_nan)),
        "negative",
        where=lambda y, z, at: y < z,
        inputs="pairs of first halves with y′ < z′",
    ),
)
statement(
    "numerator-steps-10-18",
    "Steps 10 to 18 add (2^(h−1) − 1) − z′ to the numerator, wherever that number is a value of the format.",
    "and the overview in Section 2.2",
    PartialSum(
        "numerator",
        10,
        18,
        "first",
        lambda v, y, z, at: v.equals(2 ** (at.h - 1) - 1 - z),
        "(2^(h−1) − 1) − z′",
        where=lambda y, z, at: in_range(at, 2 ** (at.h - 1) - 1 - z),
        inputs="pairs of first halves where it is representable",
    ),
)
statement(
    "denominator-step-1",
    "Step 1 adds 2^-(h−1) to the denominator.",
    "Denominator",
    PartialSum("denominator", 1, 1, "second", lambda v, y, z, at: v.equals(1, 2 ** (at.h - 1)), "2^-(h−1)"),
    PartialSum("denominator", 1, 1, "second", lambda v, y, z, at: v.equals(1, 2 ** (at.h - 2)), "2^-(h−2)"),
    why="the repaired key of step 1 is −(h−2)",
)
statement(
    "denominator-after-step-8",
    "After steps 1 to 8 the denominator is 9/2^6.",
    "Denominator, equation (2)",
    PartialSum("denominator", 1, 8, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 1, 8, "first", lambda v, y, z, at: v.equals(11, 64), "11/2^6"),
    why="step 8 has the weights 2^-5 … 2^-(h−2), not 2^-6 … 2^-(h−1)",
)
statement(
    "denominator-residue-after-step-9",
    "After step 9 the denominator is ȳ″, the complement of the second half of y: what steps 1 to 8 left is rounded off.",
    "Denominator",
    PartialSum("denominator", 1, 9, "second", lambda v, y, z, at: v.equals(2 ** (at.h - 1) - 1 - y), "ȳ″"),
    PartialSum(
        "denominator",
        1,
        18,
        "second",
        lambda v, y, z, at: np.where(y == z, v.equals(2 ** (at.h - 1) - 1), v.is_infinite(1)),
        "ȳ″ + z″ after step 18 where the halves are equal, inf where y″ < z″",
        where=lambda y, z, at: y <= z,
        inputs="pairs of second halves with y″ ≤ z″",
    ),
    why="where ȳ″ is small the residue stays until the larger terms of step 18 come",
)
statement(
    "denominator-steps-10-17",
    "Steps 10 to 17 add the same value to the denominator as steps 1 to 8, 9/2^6.",
    "Denominator",
    PartialSum("denominator", 10, 17, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 10, 17, "first", lambda v, y, z, at: v.equals(11, 64), "11/2^6"),
    why="as for steps 1 to 8",
)
statement(
    "denominator-step-18",
    "Step 18 adds the second half of z with its last bit complemented to the denominator (as printed).",
    "Denominator",
    PartialSum("denominator", 18, 18, "second", lambda v, y, z, at: v.equals(z ^ 1), "z″ with its last bit complemented"),
    PartialSum("denominator", 18, 18, "second", lambda v, y, z, at: v.equals(z), "z″"),
    why="the bar over the last bit does not belong there",
)
statement(
    "denominator-yes",
    "Where the second halves are equal the denominator is 2^(h−1) − 1.",
    "Denominator",
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.equals(2 ** (at.h - 1) - 1),
        "2^(h−1) − 1",
        where=lambda y, z, at: y == z,
        inputs="equal second halves",
    ),
)
statement(
    "denominator-no",
    "Where the second halves differ the denominator is inf.",
    "Denominator",
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.is_infinite(1),
        "inf",
        where=lambda y, z, at: y != z,
        inputs="pairs of different second halves",
    ),
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.is_infinite(1),
        "inf",
        where=lambda y, z, at: y < z,
        inputs="pairs of second halves with y″ < z″",
    ),
    why="the promise y ≤ z leaves the second halves free where the first halves differ: y″ > z″ makes the sum smaller",
)


@chapter.claim(
    "lemma-2.6:output-yes",
    statement="On YES inputs the attention's output is 2^-(h−1).",
    place="Appendix B.2, proof of Lemma 2.6, Wrapping up",
    checks="the output on every YES input",
    parameters=TIGHT_PROOF,
    table=TABLE_6,
)
def output_yes(question: Question) -> Finding:
    return judge_output(question, Output(lambda v, at: v.equals(1, 2 ** (at.h - 1)), None, "2^-(h−1)"))


@chapter.claim(
    "lemma-2.6:output-no",
    statement="On NO inputs the attention's output is negative or 0.",
    place="Appendix B.2, proof of Lemma 2.6, Wrapping up",
    checks="the output on every NO input",
    parameters=TIGHT_PROOF,
    table=TABLE_6,
    errata=(Erratum("negative or 0", "negative, 0 or NaN", "the numerator can be −inf where the denominator is inf"),),
)
def output_no(question: Question) -> Finding:
    return judge_output(
        question,
        Output(None, lambda v, at: ~(v.exceeds(0) | v.is_nan), "negative or 0"),
        Output(None, lambda v, at: ~v.exceeds(0), "negative, 0 or NaN"),
    )
