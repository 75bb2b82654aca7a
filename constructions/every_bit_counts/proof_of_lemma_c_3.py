"""The fooling set in the proof of Lemma C.3: whether it is one, its size by two expressions, and the bits that it forces."""

from __future__ import annotations

from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Question

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, TABLE_7
from constructions.every_bit_counts.floating_point_bounds import fooling, printed_members, problem_of, small
from verifier.problems import bits_of
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID, "floating")


@chapter.claim(
    "lemma-c.3:fooling-set",
    statement="The (x, x) with x_(m−1)x_m ≠ 10 and x_2…x_e ≠ 0…0 are a fooling set for EQ_m under the promise of Appendix C.1.",
    place="Appendix C.1, proof of Lemma C.3",
    checks="every pair of members",
    parameters=LINEAR,
    bounded=False,
)
def printed_set(question: Question) -> Finding:
    t, e, at = small(question)
    return fooling(problem_of(TABLE_7, dict(question.parameters)), printed_members(t, e), f"the printed set at {at}")


def first_size(t: int, e: int) -> Fraction:
    """(2² − 1)(2^(e−1) − 1)·2^(m−e−1)."""
    return Fraction(3 * (2 ** (e - 1) - 1)) * Fraction(2) ** (t - 1)


def second_size(t: int, e: int) -> Fraction:
    """3·2^(m−2)·(1 − 2^−e)."""
    return 3 * Fraction(2) ** (t + e - 2) * (1 - Fraction(1, 2**e))


SIZE = Erratum(
    "1 − 2^-e",
    "1 − 2^-(e−1)",
    "F asks e − 1 bits x_2 … x_e not to be all zero; 1 − 2^-e belongs to the e bits x_2 … x_(e+1) of the promise",
)


@chapter.claim(
    "lemma-c.3:two-sizes",
    statement="(2² − 1)(2^(e−1) − 1)·2^(m−e−1) = 3·2^(m−2)·(1 − 2^-e).",
    place="Appendix C.1, proof of Lemma C.3",
    checks="both sides in fractions",
    parameters=LINEAR,
    bounded=False,
    errata=(SIZE,),
)
def two_sizes(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    right = second_size(t, e) if question.edition is not Edition.REPAIRED else 3 * Fraction(2) ** (t + e - 2) * (1 - Fraction(2, 2**e))
    return side_by_side("the size of F by its two expressions", right, first_size(t, e), where=f"t = {t}, e = {e}")


@chapter.claim(
    "lemma-c.3:first-size",
    statement="The printed fooling set F has (2² − 1)(2^(e−1) − 1)·2^(m−e−1) members.",
    place="Appendix C.1, proof of Lemma C.3",
    checks="the expression against the members counted",
    parameters=LINEAR,
    bounded=False,
)
def count_first(question: Question) -> Finding:
    t, e, at = small(question)
    return side_by_side("the size of F", first_size(t, e), Fraction(len(printed_members(t, e))), "counting", at)


@chapter.claim(
    "lemma-c.3:second-size",
    statement="The printed fooling set F has 3·2^(m−2)·(1 − 2^-e) members.",
    place="Appendix C.1, proof of Lemma C.3",
    checks="the expression against the members counted",
    parameters=LINEAR,
    bounded=False,
    errata=(SIZE,),
)
def count_second(question: Question) -> Finding:
    t, e, at = small(question)
    claimed = second_size(t, e) if question.edition is not Edition.REPAIRED else first_size(t, e)
    return side_by_side("the size of F", claimed, Fraction(len(printed_members(t, e))), "counting", at)


@chapter.claim(
    "lemma-c.3:bits",
    statement="The printed fooling set F forces ⌈log2 |F|⌉ = m bits for e > 1.",
    place="Appendix C.1, proof of Lemma C.3",
    checks="⌈log2⌉ of the members counted",
    parameters=LINEAR,
    bounded=False,
    errata=(Erratum("x_2 … x_e", "x_2 … x_(e+1)", "with e − 1 bits kept from zero F has at most 3·2^(m−3) members at e = 2: m − 1 bits"),),
)
def forced_bits(question: Question) -> Finding:
    t, e, at = small(question)
    problem = problem_of(TABLE_7, dict(question.parameters))
    repaired = [x for x in range(1 << t + e) if problem.promised(x, x)]
    members = printed_members(t, e) if question.edition is not Edition.REPAIRED else repaired
    return side_by_side("bits that F forces", t + e, (len(members) - 1).bit_length() if members else 0, "counting", at)


@chapter.claim(
    "lemma-c.3:first-halves",
    statement="Two different members x, x' of F differ in their first ⌈m/2⌉ bits.",
    place="Appendix C.1, proof of Lemma C.3",
    checks="all pairs of members",
    parameters=LINEAR,
    bounded=False,
    errata=(Erratum("the first ⌈m/2⌉ bits", "all m bits", "x and x' may have one first half; x ≠ x' is all that is needed"),),
)
def first_halves(question: Question) -> Finding:
    t, e, at = small(question)
    m = t + e
    shift = 0 if question.edition is Edition.REPAIRED else m // 2
    members = printed_members(t, e)
    pairs = [(x, w) for k, x in enumerate(members) for w in members[k + 1 :]]
    return for_each(
        pairs or [(0, 1 << m)],
        lambda pair: pair[0] >> shift != pair[1] >> shift,
        lambda pair: {"x": bits_of(pair[0], m), "x'": bits_of(pair[1], m)},
        lambda cases: Scope(f"all {cases:,} pairs of different members at {at}", cases, "enumeration"),
        "two members have one first half",
    )
