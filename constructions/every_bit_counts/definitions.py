"""Definition A.7 as far as it can be checked: its values, how many there are, and rounding into them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.arithmetic.formats import Format, FreePoint, free_point_count
from verifier.arithmetic.numbers import less, show
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID)

BITS = (Parameter("p", "bits of precision", "p >= 1", typical="1..8"),)
MOST_BITS = 14


def values_by_definition(p: int) -> set[Fraction]:
    """Definition A.7, literally: ±(a + 2^-|b|·b) over all splits of p − 1 digits into |a| before and |b| after the point."""
    values: set[Fraction] = set()
    for after in range(p):
        before = p - 1 - after
        for a in range(2**before):
            values |= {sign * (a + Fraction(b, 2**after)) for b in range(2**after) for sign in (1, -1)}
    return values


def _within(p: int) -> None:
    if p > MOST_BITS:
        raise LimitError(f"p = {p}: the values are listed for at most {MOST_BITS} bits", "a smaller --p")


@chapter.claim(
    "definition-a.7",
    statement="The numbers of p bits are ±(a + 2^-|b|·b) with 1 + |a| + |b| = p: ±k·2^-f, 0 ≤ k < 2^(p−1), 0 ≤ f ≤ p − 1.",
    place="Appendix A.3, Definition A.7",
    checks="the set by the definition's formula against the format that every verdict uses, value by value",
    parameters=BITS,
    bounded=False,
)
def values(question: Question) -> Finding:
    p = question["p"]
    _within(p)
    literal = sorted(values_by_definition(p))
    used = list(FreePoint(p).values())
    rows = [(literal[k] if k < len(literal) else None, used[k] if k < len(used) else None) for k in range(max(len(literal), len(used)))]
    return for_each(
        rows,
        lambda row: row[0] == row[1],
        lambda row: {"definition": str(row[0]), "format": str(row[1])},
        lambda cases: Scope(f"all {cases:,} values at p = {p}", cases, "enumeration"),
        "the definition's values and the format's values differ",
    )


@chapter.claim(
    "definition-a.7:value-count",
    statement="There are (p + 1)·2^(p−1) − 1 different numbers of p bits (our count; the paper gives none).",
    place="Appendix A.3, Definition A.7",
    checks="the closed form against the size of the set",
    parameters=BITS,
    bounded=False,
)
def value_count(question: Question) -> Finding:
    p = question["p"]
    _within(p)
    return side_by_side("number of values", free_point_count(p), len(values_by_definition(p)), "counting", f"p = {p}")


@chapter.claim(
    "definition-a.7:range",
    statement="The numbers of p bits lie in [−λ(2^(p−1) − 1), λ(2^(p−1) − 1)], here with the scaling factor λ = 1, and reach both ends.",
    place="Appendix A.3, below Definition A.7",
    checks="smallest and largest value of the set",
    parameters=BITS,
    bounded=False,
)
def value_range(question: Question) -> Finding:
    p = question["p"]
    _within(p)
    found = values_by_definition(p)
    bound = 2 ** (p - 1) - 1
    return side_by_side("smallest and largest value", (-bound, bound), (int(min(found)), int(max(found))), "enumeration", f"p = {p}")


@chapter.claim(
    "definition-a.7:monotone-rounding",
    statement="Rounding to p bits keeps order: x ≤ y implies round(x) ≤ round(y).",
    place="Appendix A.3, rounding to the nearest permissible number",
    checks="all neighbours in the list of values, midpoints, and points just beside both, beyond the largest value too",
    parameters=BITS,
)
def monotone_rounding(question: Question) -> Finding:
    p = question["p"]
    _within(p)
    machine = question.semantics.machine(p)
    probes = _probes(machine.form)
    return for_each(
        pairwise(probes),
        lambda pair: not less(machine.round(pair[1]), machine.round(pair[0])),
        lambda pair: {"x": str(pair[0]), "y": str(pair[1]), "rounded": f"{show(machine.round(pair[0]))}, {show(machine.round(pair[1]))}"},
        lambda cases: Scope(f"all {cases:,} neighbouring pairs of {len(probes):,} probe points at p = {p}", cases, "enumeration"),
        "rounding does not keep order",
    )


def _probes(form: Format) -> list[Fraction]:
    """Values, midpoints between them, points just beside both, and some beyond the largest value; ascending."""
    found = list(form.values())
    found += [form.largest + k for k in (1, 2)] + [-form.largest - k for k in (1, 2)]
    found.sort()
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = min((b - a for a, b in pairwise(found)), default=Fraction(1)) / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})


@chapter.claim(
    "section-a.3:p-bits-per-number",
    statement="Sending a number of p bits (sign, digits before the point, digits after it) is sending p bits: it is one of 2^p messages.",
    place="Appendix A.3, on sending numbers from Alice to Bob; used in the proofs of Lemmas 2.2 and 2.5",
    checks="the number of different values against 2^p",
    parameters=BITS,
    bounded=False,
    errata=(
        Erratum(
            "p bits",
            "⌈log2((p + 1)·2^(p−1) − 1)⌉ bits",
            "where the point stands is information too: from p = 2 on there are more than 2^p numbers",
        ),
    ),
)
def p_bits_per_number(question: Question) -> Finding:
    p = question["p"]
    _within(p)
    count = len(values_by_definition(p))
    bits = (count - 1).bit_length() if question.edition is Edition.REPAIRED else p
    return for_each(
        [(count, 2**bits)],
        lambda row: row[0] <= row[1],
        lambda row: {"values": str(row[0]), "messages": str(row[1])},
        lambda cases: Scope(f"the {count:,} finite values at p = {p} against 2^{bits} messages", cases, "counting"),
        f"{count:,} different numbers do not fit {2**bits:,} messages of {bits} bits",
    )
