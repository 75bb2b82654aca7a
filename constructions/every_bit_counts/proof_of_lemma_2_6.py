"""What the proof of Lemma 2.6 says of numerators on the way (Appendix B.2). Table 6."""

from __future__ import annotations

import numpy as np
from verifier.claims.chapter import Chapter
from verifier.claims.partial_sums import PartialSum
from verifier.claims.values import Place, Strings

from constructions.every_bit_counts.chapter import PAPER_ID, TABLE_6, TIGHT_PROOF
from constructions.every_bit_counts.statements import Proof
from verifier.engines.lattice import Truths

chapter = Chapter(PAPER_ID)
LAST = 20
"""Table 6 has the steps 1–20."""


def top(strings: Strings, at: Place) -> Strings:
    """The first bit of half-strings of h bits."""
    return strings >> (at.h - 1)


def in_range(at: Place, values: Strings) -> Truths:
    """Where an integer is a value of the format: at most 2^(h−1) − 1 in magnitude."""
    return np.asarray(np.abs(values) < 2 ** (at.h - 1))


proof = Proof(chapter, "lemma-2.6", "Appendix B.2, proof of Lemma 2.6", TIGHT_PROOF, TABLE_6)

proof.says(
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
proof.says(
    "range-after-step-2",
    "After steps 1 and 2 the numerator is a number within the permissible range.",
    "Numerator",
    PartialSum("numerator", 1, 2, "first", lambda v, y, z, at: v.finite, "a finite value"),
)
proof.says(
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
proof.says(
    "range-after-step-8",
    "After steps 3 to 8 the numerator, y′ − (2^(h−1) − 1), is within the permissible range.",
    "Numerator",
    PartialSum("numerator", 1, 8, "first", lambda v, y, z, at: v.finite, "a finite value"),
    PartialSum("columns", 1, 8, "first", lambda v, y, z, at: ~v.exceeds(2), "column sums of A X of at most 2 in magnitude"),
    why="for y′ = 2^h − 1 the number is 2^(h−1), one more than the largest value; the column sums of A X, in units of 2^-(h−2), fit",
)
proof.says(
    "numerator-step-9",
    "Step 9 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 9, 9, "second", lambda v, y, z, at: v.equals(0), "0"),
)
proof.says(
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
proof.says(
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
proof.says(
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
proof.says(
    "numerator-step-18",
    "Step 18 adds 0 to the numerator.",
    "Numerator",
    PartialSum("numerator", 18, 18, "second", lambda v, y, z, at: v.equals(0), "0"),
)
proof.says(
    "numerator-step-19",
    "Step 19 adds 1 to the numerator.",
    "Numerator",
    PartialSum("numerator", 19, 19, "first", lambda v, y, z, at: v.equals(1), "1"),
    PartialSum("numerator", 19, 19, "first", lambda v, y, z, at: v.equals(1, 2), "1/2"),
    why="key −(h−1) and value weight 2^(h−2) make 1/2; the lemma does not need 1 (the quotient still rounds to 2^-(h−1))",
)
proof.says(
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
proof.says(
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
proof.says(
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
