"""What the proof of Lemma 2.3 says on the way (Appendix B.1): numerators, denominators, outputs. Table 5."""

from __future__ import annotations

import numpy as np

from constructions.every_bit_counts.chapter import PAPER_ID, SIMPLE_PROOF, TABLE_5
from constructions.every_bit_counts.statements import Proof
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.claims.outputs import Output, judge_output
from verifier.claims.partial_sums import PartialSum
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
LAST = 8
"""Table 5 has the steps 1–8."""


proof = Proof(chapter, "lemma-2.3", "Appendix B.1, proof of Lemma 2.3", SIMPLE_PROOF, TABLE_5)

proof.says(
    "numerator-after-step-2",
    "After steps 1 and 2 the numerator is −y′, the negative of the first ⌈m/2⌉ bits of y.",
    "Numerator",
    PartialSum("numerator", 1, 2, "first", lambda v, y, z, at: v.equals(-y), "−y′"),
)
proof.says(
    "range-after-step-2",
    "After steps 1 and 2 the numerator is a number within the permissible range.",
    "Numerator",
    PartialSum("numerator", 1, 2, "first", lambda v, y, z, at: v.finite, "a finite value"),
)
proof.says(
    "numerator-step-3",
    "Step 3 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 3, 3, "second", lambda v, y, z, at: v.equals(0), "0"),
)
proof.says(
    "numerator-steps-4-5",
    "Steps 4 and 5 add z′, the first ⌈m/2⌉ bits of z, to the numerator.",
    "Numerator",
    PartialSum("numerator", 4, 5, "first", lambda v, y, z, at: v.equals(z), "z′"),
)
proof.says(
    "numerator-step-6",
    "Step 6 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 6, 6, "second", lambda v, y, z, at: v.equals(0), "0"),
)
proof.says(
    "numerator-step-7",
    "Step 7 adds 2^h − 1 to the numerator.",
    "Numerator",
    PartialSum("numerator", 7, 7, "first", lambda v, y, z, at: v.equals(2**at.h - 1), "2^h − 1"),
)
proof.says(
    "numerator-yes",
    "Where the first halves are equal the numerator is 2^h − 1.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        LAST,
        "first",
        lambda v, y, z, at: v.equals(2**at.h - 1),
        "2^h − 1",
        where=lambda y, z, at: y == z,
        inputs="equal first halves",
    ),
)
proof.says(
    "numerator-no",
    "Where the first half of y is smaller than that of z the numerator is inf.",
    "Numerator",
    PartialSum(
        "numerator",
        1,
        LAST,
        "first",
        lambda v, y, z, at: v.is_infinite(1),
        "inf",
        where=lambda y, z, at: y < z,
        inputs="pairs of first halves with y′ < z′",
    ),
)
proof.says(
    "denominator-after-step-2",
    "After steps 1 and 2 the denominator is 9/2^6.",
    "Denominator, equation (1)",
    PartialSum("denominator", 1, 2, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 1, 2, "first", lambda v, y, z, at: v.equals(2 ** (at.h - 4) - 1, 2 ** (at.h - 1)), "2^-3 − 2^-(h−1)"),
    why="steps 1 and 2 have six tokens of weight 2^-6 and one of each weight 2^-6 … 2^-(h−1); equation (1) is that of Table 6",
)
proof.says(
    "denominator-residue-after-step-3",
    "After step 3 the denominator is ȳ″, the complement of the second half of y: what steps 1 and 2 left is rounded off.",
    "Denominator",
    PartialSum("denominator", 1, 3, "second", lambda v, y, z, at: v.equals(2 ** (at.m - at.h) - 1 - y), "ȳ″"),
    PartialSum(
        "denominator",
        1,
        6,
        "second",
        lambda v, y, z, at: v.equals(2 ** (at.m - at.h) - 1 - y + z),
        "ȳ″ + z″ after step 6",
        where=lambda y, z, at: y <= z,
        inputs="pairs of second halves with y″ ≤ z″",
    ),
    why="where ȳ″ is small the residue stays until the larger terms of step 6 come",
)
proof.says(
    "denominator-steps-4-5",
    "Steps 4 and 5 add the same value to the denominator as steps 1 and 2, 9/2^6.",
    "Denominator",
    PartialSum("denominator", 4, 5, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 4, 5, "first", lambda v, y, z, at: v.equals(2 ** (at.h - 4) - 1, 2 ** (at.h - 1)), "2^-3 − 2^-(h−1)"),
    why="as for steps 1 and 2",
)
proof.says(
    "denominator-step-6",
    "Step 6 adds z″, the second half of z, to the denominator.",
    "Denominator",
    PartialSum("denominator", 6, 6, "second", lambda v, y, z, at: v.equals(z), "z″"),
)
proof.says(
    "denominator-step-7",
    "Step 7 adds 1/2 to the denominator.",
    "Denominator",
    PartialSum("denominator", 7, 7, "second", lambda v, y, z, at: v.equals(1, 2), "1/2"),
)
proof.says(
    "denominator-yes",
    "Where the second halves are equal the denominator is (2^h − 1)/2.",
    "Denominator",
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.equals(2**at.h - 1, 2),
        "(2^h − 1)/2",
        where=lambda y, z, at: y == z,
        inputs="equal second halves",
    ),
)
proof.says(
    "denominator-no",
    "Where the second half of y is smaller than that of z the denominator is strictly greater than 2^(h−1).",
    "Denominator",
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.exceeds(2 ** (at.h - 1)),
        "> 2^(h−1)",
        where=lambda y, z, at: y < z,
        inputs="pairs of second halves with y″ < z″",
    ),
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: np.asarray(v.exceeds(2 ** (at.h - 1)) | v.equals(2 ** (at.h - 1))),
        "≥ 2^(h−1)",
        where=lambda y, z, at: y < z,
        inputs="pairs of second halves with y″ < z″",
    ),
    why="for z″ = y″ + 1 the sum is 2^(h−1), and the 1/2 of step 7 is rounded off",
)
proof.says(
    "denominator-larger",
    "Where the second half of y is smaller than that of z the denominator is larger than (2^h − 1)/2.",
    "Denominator",
    PartialSum(
        "denominator",
        1,
        LAST,
        "second",
        lambda v, y, z, at: v.exceeds(2**at.h - 1, 2),
        "> (2^h − 1)/2",
        where=lambda y, z, at: y < z,
        inputs="pairs of second halves with y″ < z″",
    ),
)


@chapter.claim(
    "lemma-2.3:output-yes",
    statement="On YES inputs the attention's output is 1/2.",
    place="Appendix B.1, proof of Lemma 2.3, Wrapping up",
    checks="the output on every YES input",
    parameters=SIMPLE_PROOF,
    table=TABLE_5,
    errata=(Erratum("1/2", "2", "the numerator 2^h − 1 is twice the denominator (2^h − 1)/2; Section 2.1 has 2"),),
)
def output_yes(question: Question) -> Finding:
    return judge_output(
        question,
        Output(lambda v, at: v.equals(1, 2), None, "1/2"),
        Output(lambda v, at: v.equals(2), None, "2"),
    )


@chapter.claim(
    "lemma-2.3:output-no",
    statement="On NO inputs the attention's output is a value of the format other than 2.",
    place="Appendix B.1, proof of Lemma 2.3, Wrapping up",
    checks="the output on every NO input; the series in between, which is written with ≈, is not judged",
    parameters=SIMPLE_PROOF,
    table=TABLE_5,
)
def output_no(question: Question) -> Finding:
    return judge_output(question, Output(None, lambda v, at: ~v.equals(2), "not 2"))
