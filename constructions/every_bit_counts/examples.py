"""Examples A.8 and A.9: sums and products worked by hand, in binary."""

from __future__ import annotations

from fractions import Fraction

from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number, show_binary
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)


def binary(text: str) -> Fraction:
    """``10.111`` as a fraction."""
    before, _, after = text.partition(".")
    return Fraction(int(before + after, 2), 2 ** len(after))


def equation(left: str, printed: str, repaired: str, question: Question, found: Number) -> Finding:
    """The left side evaluates to ``found``; is that the printed (or repaired) right side?"""
    claimed = repaired if question.edition is Edition.REPAIRED else printed
    scope = Scope(f"{left} = {claimed}", 1, "enumeration")
    shown = show_binary(found)
    if shown == show_binary(binary(claimed)):
        return Finding(Verdict.VERIFIED, scope, reason=f"{left} is {shown}")
    return Finding(Verdict.REFUTED, scope, reason=f"{left} is {shown}, not {claimed}", counterexample={"found": shown, "claimed": claimed})


def machine(question: Question, bits: int) -> Machine:
    return question.semantics.machine(bits)


@chapter.claim(
    "example-a.8:exact-sum",
    statement="1.1101 + 10.111 is 100.0011 exactly (binary).",
    place="Appendix A.3, Example A.8",
    checks="the sum in exact arithmetic",
    bounded=False,
    errata=(Erratum("100.0011", "100.1011", "1.8125 + 2.875 = 4.6875"),),
)
def exact_sum(question: Question) -> Finding:
    return equation("1.1101 + 10.111", "100.0011", "100.1011", question, binary("1.1101") + binary("10.111"))


@chapter.claim(
    "example-a.8:rounded-sum",
    statement="With p = 5 the sum of 1.1101 and 10.111 is 100.01 (binary).",
    place="Appendix A.3, Example A.8",
    checks="the exact sum rounded into five bits, one of them the sign",
    errata=(Erratum("100.01", "100.1", "the exact sum is 100.1011; five bits have four digits, and 4.5 is the nearest value"),),
)
def rounded_sum(question: Question) -> Finding:
    found = machine(question, 5).round(binary("1.1101") + binary("10.111"))
    return equation("1.1101 + 10.111 in 5 bits", "100.01", "100.1", question, found)


@chapter.claim(
    "example-a.8:exact-product",
    statement="1.101 × 10.11 is 100.01111 exactly (binary).",
    place="Appendix A.3, Example A.8",
    checks="the product in exact arithmetic",
    bounded=False,
)
def exact_product(question: Question) -> Finding:
    return equation("1.101 × 10.11", "100.01111", "100.01111", question, binary("1.101") * binary("10.11"))


@chapter.claim(
    "example-a.8:rounded-product",
    statement="With p = 4 the product of 1.101 and 10.11 is 100.1 (binary).",
    place="Appendix A.3, Example A.8",
    checks="the exact product rounded into four bits, one of them the sign",
    errata=(Erratum("100.1", "100", "four bits have three digits beside the sign; 100.1 has four and would need p = 5"),),
)
def rounded_product(question: Question) -> Finding:
    found = machine(question, 4).round(binary("1.101") * binary("10.11"))
    return equation("1.101 × 10.11 in 4 bits", "100.1", "100", question, found)


def _left(question: Question, bits: int) -> Number:
    m = machine(question, bits)
    return m.add(m.add(binary("10.0"), binary("1.01")), binary("1.11"))


def _right(question: Question, bits: int) -> Number:
    m = machine(question, bits)
    return m.add(binary("10.0"), m.add(binary("1.01"), binary("1.11")))


@chapter.claim(
    "example-a.9:left",
    statement="With p = 3, (10.0 + 1.01) + 1.11 is 100 (binary).",
    place="Appendix A.3, Example A.9",
    checks="left-associative addition in three bits, one of them the sign; the operands are taken as printed",
    errata=(
        Erratum(
            "100 with p = 3",
            "101 with p = 4",
            "three bits hold nothing beyond 11; with three digits 11.01 is a tie that goes to 11, and 11 + 1.11 = 100.11 is nearest 101",
        ),
    ),
)
def left_associative(question: Question) -> Finding:
    if question.edition is Edition.REPAIRED:
        return equation("(10.0 + 1.01) + 1.11 in 4 bits", "100", "101", question, _left(question, 4))
    return equation("(10.0 + 1.01) + 1.11 in 3 bits", "100", "100", question, _left(question, 3))


@chapter.claim(
    "example-a.9:right",
    statement="With p = 3, 10.0 + (1.01 + 1.11) is 101 (binary).",
    place="Appendix A.3, Example A.9",
    checks="right-associative addition in three bits, one of them the sign; the operands are taken as printed",
    errata=(Erratum("p = 3", "p = 4", "three bits hold nothing beyond 11; 101 needs three digits beside the sign"),),
)
def right_associative(question: Question) -> Finding:
    if question.edition is Edition.REPAIRED:
        return equation("10.0 + (1.01 + 1.11) in 4 bits", "101", "101", question, _right(question, 4))
    return equation("10.0 + (1.01 + 1.11) in 3 bits", "101", "101", question, _right(question, 3))


@chapter.claim(
    "example-a.9",
    statement="The two orders of adding 10.0, 1.01 and 1.11 with p = 3 give different numbers.",
    place="Appendix A.3, Example A.9",
    checks="both sums in three bits, one of them the sign",
)
def orders_differ(question: Question) -> Finding:
    left, right = _left(question, 3), _right(question, 3)
    scope = Scope("both orders of 10.0 + 1.01 + 1.11 at p = 3", 1, "enumeration")
    if left != right:
        return Finding(Verdict.VERIFIED, scope, reason=f"{show_binary(left)} and {show_binary(right)}")
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"both orders give {show_binary(left)}",
        counterexample={"left": show_binary(left), "right": show_binary(right)},
    )
