"""What the proof of Lemma 2.6 says of denominators and outputs (Appendix B.2). Table 6."""

from __future__ import annotations

import numpy as np
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.claims.outputs import Output, judge_output
from verifier.claims.partial_sums import PartialSum

from constructions.every_bit_counts.chapter import PAPER_ID, TABLE_6, TIGHT_PROOF
from constructions.every_bit_counts.statements import Proof
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
LAST = 20
"""Table 6 has the steps 1–20."""

proof = Proof(chapter, "lemma-2.6", "Appendix B.2, proof of Lemma 2.6", TIGHT_PROOF, TABLE_6)

proof.says(
    "denominator-step-1",
    "Step 1 adds 2^-(h−1) to the denominator.",
    "Denominator",
    PartialSum("denominator", 1, 1, "second", lambda v, y, z, at: v.equals(1, 2 ** (at.h - 1)), "2^-(h−1)"),
    PartialSum("denominator", 1, 1, "second", lambda v, y, z, at: v.equals(1, 2 ** (at.h - 2)), "2^-(h−2)"),
    why="the repaired key of step 1 is −(h−2)",
)
proof.says(
    "denominator-after-step-8",
    "After steps 1 to 8 the denominator is 9/2^6.",
    "Denominator, equation (2)",
    PartialSum("denominator", 1, 8, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 1, 8, "first", lambda v, y, z, at: v.equals(11, 64), "11/2^6"),
    why="step 8 has the weights 2^-5 … 2^-(h−2), not 2^-6 … 2^-(h−1)",
)
proof.says(
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
proof.says(
    "denominator-steps-10-17",
    "Steps 10 to 17 add the same value to the denominator as steps 1 to 8, 9/2^6.",
    "Denominator",
    PartialSum("denominator", 10, 17, "first", lambda v, y, z, at: v.equals(9, 64), "9/2^6"),
    PartialSum("denominator", 10, 17, "first", lambda v, y, z, at: v.equals(11, 64), "11/2^6"),
    why="as for steps 1 to 8",
)
proof.says(
    "denominator-step-18",
    "Step 18 adds the second half of z with its last bit complemented to the denominator (as printed).",
    "Denominator",
    PartialSum("denominator", 18, 18, "second", lambda v, y, z, at: v.equals(z ^ 1), "z″ with its last bit complemented"),
    PartialSum("denominator", 18, 18, "second", lambda v, y, z, at: v.equals(z), "z″"),
    why="the bar over the last bit does not belong there",
)
proof.says(
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
proof.says(
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
