"""Equations (1) and (2), the ratio of Section 2.1, and numbers that the paper states in two places."""

from __future__ import annotations

from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question, declined

from constructions.every_bit_counts.chapter import PAPER_ID, TABLE_5, TABLE_6
from verifier.errors import LimitError
from verifier.problems import bits_of
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID)

HALF = (Parameter("h", "⌈m/2⌉", "h >= 1", typical="1..12"),)
BITS = (Parameter("p", "bits of precision", "p > 0", typical="1..10"),)


def left_side(h: int) -> Fraction:
    """2^-(h−1) + 7/2^6 + Σ_{j=6}^{h−1} 2^-j, the sum empty for h ≤ 6."""
    return Fraction(1, 2 ** (h - 1)) + Fraction(7, 64) + sum((Fraction(1, 2**j) for j in range(6, h)), Fraction(0))


def identity(question: Question, number: int) -> Finding:
    h = question["h"]
    return side_by_side(f"the left side of equation ({number})", Fraction(9, 64), left_side(h), where=f"h = {h}")


EQUATION_DOMAIN = Erratum("every h", "h ≥ 6", "for h < 6 the sum is empty and 2^-(h−1) is more than 2^-5")


@chapter.claim(
    "equation-1",
    statement="2^-(h−1) + 7/2^6 + Σ_{j=6}^{h−1} 2^-j = 9/2^6, for every h; for the table's sum see lemma-2.3:denominator-after-step-2.",
    place="Appendix B.1, equation (1)",
    checks="both sides in fractions",
    parameters=HALF,
    bounded=False,
    errata=(EQUATION_DOMAIN,),
)
def equation_1(question: Question) -> Finding:
    return _with_domain(question, 1)


@chapter.claim(
    "equation-2",
    statement="2^-(h−1) + 7/2^6 + Σ_{j=6}^{h−1} 2^-j = 9/2^6, for every h; for the table's sum see lemma-2.6:denominator-after-step-8.",
    place="Appendix B.2, equation (2)",
    checks="both sides in fractions",
    parameters=HALF,
    bounded=False,
    errata=(EQUATION_DOMAIN,),
)
def equation_2(question: Question) -> Finding:
    return _with_domain(question, 2)


def _with_domain(question: Question, number: int) -> Finding:
    if question.edition is Edition.REPAIRED and question["h"] < 6:
        return declined(f"h = {question['h']} is outside the repaired domain, h ≥ 6")
    return identity(question, number)


@chapter.claim(
    "section-2.1:ratio",
    statement="(2^h − 1)/(2^(h−1) − 1 + 2^-1) = 2.",
    place="Section 2.1, overview of Lemma 2.3",
    checks="the quotient in fractions",
    parameters=HALF,
    bounded=False,
)
def ratio(question: Question) -> Finding:
    h = question["h"]
    quotient = Fraction(2**h - 1) / (2 ** (h - 1) - 1 + Fraction(1, 2))
    return side_by_side("the ratio of numerator and denominator", Fraction(2), quotient, where=f"h = {h}")


@chapter.claim(
    "section-2.1:lengths",
    statement="For m = 2p − 3, ⌈m/2⌉ − 1 = p − 2 and ⌈m/2⌉ + 1 = p.",
    place="Section 2.1, note below Theorem 2.1",
    checks="both numbers",
    parameters=BITS,
    bounded=False,
)
def lengths(question: Question) -> Finding:
    p = question["p"]
    h = -((3 - 2 * p) // 2)
    return side_by_side("⌈m/2⌉ − 1 and ⌈m/2⌉ + 1", (p - 2, p), (h - 1, h + 1), where=f"p = {p}")


@chapter.claim(
    "section-2.1:upper-bound-bits",
    statement="Lemma 2.3 computes EQ_m, m = 2p − 3, with p + 1 bits (the text above it; the lemma itself says ⌈m/2⌉ + 1).",
    place="Section 2.1, above Lemma 2.2",
    checks="the two numbers side by side",
    parameters=BITS,
    bounded=False,
    errata=(Erratum("p + 1", "p", "⌈m/2⌉ + 1 = p for m = 2p − 3"),),
)
def upper_bound_bits(question: Question) -> Finding:
    p = question["p"]
    claimed = p if question.edition is Edition.REPAIRED else p + 1
    return side_by_side("bits of Lemma 2.3", claimed, -((3 - 2 * p) // 2) + 1, where=f"p = {p}")


@chapter.claim(
    "section-b.1:length",
    statement="In the proofs for T0 the length is m = 2p − 1 (Appendix B.1; Theorem 2.1 says 2p − 3).",
    place="Appendix B.1, below the input representation",
    checks="the two numbers side by side",
    parameters=BITS,
    bounded=False,
    errata=(Erratum("2p − 1", "2p − 3", "Theorem 2.1, which is proved there"),),
)
def length_in_b_1(question: Question) -> Finding:
    p = question["p"]
    claimed = 2 * p - 3 if question.edition is Edition.REPAIRED else 2 * p - 1
    return side_by_side("m in Appendix B.1 and in Theorem 2.1", claimed, 2 * p - 3, where=f"p = {p}")


@chapter.claim(
    "section-2:query-dimension",
    statement="The constructions of the upper bounds have query dimension d_q = 3.",
    place="Section 2, Upper Bounds",
    checks="the columns of W^Q in Tables 5 and 6",
    bounded=False,
    errata=(Erratum("d_q = 3", "d_q = 1", "W^Q and W^K have one column; 3 is the embedding dimension d"),),
)
def query_dimension(question: Question) -> Finding:
    claimed = 1 if question.edition is Edition.REPAIRED else 3
    found = {len(row) for table in (TABLE_5, TABLE_6) for row in table.source.file.weights.query.matrix}
    return side_by_side("columns of W^Q", {claimed}, found, "enumeration")


@chapter.claim(
    "lemma-2.6:promise-on-first-bits",
    statement="y_1 = 1 together with z_2 = 0 is impossible under the promise y ≤ z.",
    place="Appendix B.2, proof of Lemma 2.6, Numerator",
    checks="all pairs y ≤ z of length m = 2p − 1",
    parameters=(Parameter("p", "bits of precision, with m = 2p − 1", "p >= 2", typical="2..5"),),
    bounded=False,
    errata=(Erratum("z_2 = 0", "z_1 = 0", "the first bits are compared"),),
)
def promise_on_first_bits(question: Question) -> Finding:
    m = 2 * question["p"] - 1
    if m > 11:
        raise LimitError(f"all pairs of length {m}; at most 11 were expected", "a smaller --p")
    index = 1 if question.edition is Edition.REPAIRED else 2
    pairs = ((y, z) for y in range(2**m) for z in range(y, 2**m))
    return for_each(
        pairs,
        lambda pair: not (pair[0] >> (m - 1) & 1 and not pair[1] >> (m - index) & 1),
        lambda pair: {"y": bits_of(pair[0], m), "z": bits_of(pair[1], m)},
        lambda cases: Scope(f"all {cases:,} pairs y <= z at m = {m}", cases, "enumeration"),
        f"y_1 = 1 and z_{index} = 0 does occur",
    )
