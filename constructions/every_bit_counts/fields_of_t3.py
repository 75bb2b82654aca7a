"""How many bits T3's tokens hold and where they start, against what Appendix C.2 says of them."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.claims.chapter import Chapter
from verifier.claims.findings import side_by_side
from verifier.claims.model import Erratum, Question

from constructions.every_bit_counts.chapter import PAPER_ID, SOFTMAX
from verifier.verdicts import Edition, Finding

chapter = Chapter(PAPER_ID, "floating")


@dataclass(frozen=True)
class Sizes:
    """m, h = ⌈m/2⌉, l = ⌈log2 h⌉, e, t = h + l − e, q = 2^(e−1) − 1."""

    m: int
    e: int

    @property
    def h(self) -> int:
        return (self.m + 1) // 2

    @property
    def l(self) -> int:  # noqa: E743  # the paper's log
        return (self.h - 1).bit_length()

    @property
    def t(self) -> int:
        return self.h + self.l - self.e

    @property
    def q(self) -> int:
        return (1 << self.e - 1) - 1

    def __str__(self) -> str:
        return f"m = {self.m}, t = {self.t}, e = {self.e}"


def sizes(question: Question) -> Sizes:
    return Sizes(question["m"], question["e"])


def is_repaired(question: Question) -> bool:
    return question.edition is Edition.REPAIRED


@chapter.claim(
    "lemma-c.8:bits-held",
    statement="T3's tokens hold all m bits of y and no more: first exponent, mantissa, second exponent, mantissa.",
    place="Appendix C.2, definition of T3",
    checks="(e − 1) + (t − 1) + (e − log ⌈m/2⌉) + (t − 1) against m",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("e − log ⌈m/2⌉ bits of the second exponent", "e + 2 − 2 log ⌈m/2⌉", "that many are left of m"),),
)
def bits_held(question: Question) -> Finding:
    s = sizes(question)
    second = s.m - 2 * s.t - s.e + 3 if is_repaired(question) else s.e - s.l
    return side_by_side("bits of y in T3", s.m, (s.e - 1) + (s.t - 1) + second + (s.t - 1), where=str(s))


@chapter.claim(
    "lemma-c.8:second-exponent",
    statement="e_y^2, by the notation below T3 the bits from y_(t+e+1) on, is the exponent that T3's tokens hold, from y_(t+e−1) on.",
    place="Appendix C.2, T3 and the notation below it",
    checks="the two first indices side by side",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("y_(t+e+1 : t+2e−log)", "y_(t+e−1 : m−t+1)", "the tokens hold these bits"),),
)
def second_exponent(question: Question) -> Finding:
    s = sizes(question)
    first = s.t + s.e + (-1 if is_repaired(question) else 1)
    return side_by_side("first bit of the second exponent", first, s.t + s.e - 1, where=str(s))


@chapter.claim(
    "lemma-c.8:second-exponent-length",
    statement="e_y^2 has e − 1 − log ⌈m/2⌉ bits.",
    place="Appendix C.2, proof of Lemma C.8, Denominator",
    checks="against the length of the range that T3 prints",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("e − 1 − log ⌈m/2⌉", "e − log ⌈m/2⌉", "y_(t+e−1) … y_(t+2e−2−log ⌈m/2⌉)"),),
)
def second_length(question: Question) -> Finding:
    s = sizes(question)
    printed = (s.t + 2 * s.e - 2 - s.l) - (s.t + s.e - 1) + 1
    return side_by_side("bits of e_y^2", s.e - s.l - (0 if is_repaired(question) else 1), printed, where=str(s))


@chapter.claim(
    "lemma-c.8:first-part",
    statement="The numerator compares the first ⌈m/2⌉ + log ⌈m/2⌉ bits of y and z.",
    place="Appendix C.2, proof of Lemma C.8, Overview",
    checks="against the e − 1 + t − 1 bits that T3's first tokens hold",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("⌈m/2⌉ + log ⌈m/2⌉", "⌈m/2⌉ + log ⌈m/2⌉ − 2", "both signs of (t, e) carry none of them"),),
)
def first_part(question: Question) -> Finding:
    s = sizes(question)
    claimed = s.h + s.l - (2 if is_repaired(question) else 0)
    return side_by_side("bits compared in the numerator", claimed, (s.e - 1) + (s.t - 1), where=str(s))
