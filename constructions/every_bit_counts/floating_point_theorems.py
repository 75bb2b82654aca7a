"""Theorems C.1 and C.2 put together from their lemmas, and what they say against their own lemmas and proofs."""

from __future__ import annotations

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Part, Question

from constructions.every_bit_counts.chapter import LINEAR, M_SOFTMAX, PAPER_ID, SOFTMAX, TABLE_8
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")

P = (Parameter("p", "bits of precision", "p > 0", typical="1..8"),)


def half_bits(m: int) -> int:
    """⌈m/2⌉ + ⌈log2 ⌈m/2⌉⌉."""
    h = (m + 1) // 2
    return h + (h - 1).bit_length()


chapter.composite(
    "theorem-c.1",
    statement="For p = m = t + e, n > 2p: on T2 a linear transformer of precision (t, e) computes EQ_m, and none of p − 1 bits.",
    place="Appendix C, Theorem C.1",
    parameters=LINEAR,
    parts=(Part("lemma-c.3"), Part("lemma-c.4"), Part("lemma-c.5")),
)

chapter.composite(
    "theorem-c.2",
    statement="On T3 a transformer of the precision of Lemma C.8 computes EQ_m, and none of the precision that Lemma C.7 excludes.",
    place="Appendix C, Theorem C.2 (its m, its bits and its kind of attention are claims of their own)",
    parameters=SOFTMAX,
    parts=(Part("lemma-c.6"), Part("lemma-c.7"), Part("lemma-c.8")),
)


@chapter.claim(
    "theorem-c.1:every-p",
    statement="For every p > 0 there are positive t and e > 1 with t + e = p, on which T2 is built.",
    place="Appendix C, Theorem C.1, and Appendix C.1 on the tuple (t, e)",
    checks="the pairs (t, e) listed",
    parameters=P,
    bounded=False,
    errata=(Erratum("every p > 0", "every p ≥ 3", "t ≥ 1 and e ≥ 2"),),
)
def every_p(question: Question) -> Finding:
    p = question["p"]
    pairs = [(p - e, e) for e in range(2, p)]
    if question.edition is Edition.REPAIRED and p < 3:
        from verifier.claims.model import declined

        return declined(f"p = {p} is outside the repaired domain, p ≥ 3")
    scope = Scope(f"the {len(pairs)} pairs (t, e) at p = {p}", max(len(pairs), 1), "enumeration")
    if pairs:
        return Finding(Verdict.VERIFIED, scope)
    return Finding(Verdict.REFUTED, scope, reason=f"no t ≥ 1, e ≥ 2 with t + e = {p}", counterexample={"p": str(p)})


@chapter.claim(
    "theorem-c.1:every-n",
    statement="T2 has room for its tokens 0, …, 4t − 5 whenever n > 2p, p = t + e.",
    place="Appendix C, Theorem C.1, and the definition of T2",
    checks="n = 2p + 1 and more, up to 2p + 8, against the last token that holds a bit of z",
    parameters=LINEAR,
    bounded=False,
    errata=(Erratum("n > 2p", "n > 2p and n ≥ 4t − 5", "z_(e+t−1) stands at token 4t − 5"),),
)
def every_n(question: Question) -> Finding:
    t, e = question["t"], question["e"]
    start = 2 * (t + e) + 1
    start = max(start, 4 * t - 5) if question.edition is Edition.REPAIRED else start
    return for_each(
        range(start, start + 8),
        lambda n: 4 * t - 5 <= n,
        lambda n: {"t": str(t), "e": str(e), "n": str(n), "last token of z": str(4 * t - 5)},
        lambda cases: Scope(f"n = {start} … {start + 7} at t = {t}, e = {e}", cases, "enumeration"),
        "the last token of z lies beyond n",
    )


@chapter.claim(
    "theorem-c.2:attention",
    statement="Theorem C.2, on softmax transformers by its title, speaks of the attention that Lemma C.8 constructs.",
    place="Appendix C, Theorem C.2, against Lemma C.8",
    checks="the two kinds of attention side by side",
    bounded=False,
    errata=(Erratum("linear Transformer (three times)", "Transformer", "Table 8 divides by a denominator, and the section is on softmax"),),
)
def attention(question: Question) -> Finding:
    claimed = "softmax" if question.edition is Edition.REPAIRED else "linear"
    return side_by_side("the attention of Theorem C.2 and of Lemma C.8", claimed, TABLE_8.source.file.attention, "enumeration")


@chapter.claim(
    "theorem-c.2:length",
    statement="The length of Theorem C.2, m = p, is that of its section and proof, m = 2p − 1.",
    place="Appendix C, Theorem C.2; Appendix C.2, above Lemma C.6 and proof of Theorem C.2",
    checks="the two numbers side by side",
    parameters=P,
    bounded=False,
    errata=(Erratum("m = p", "m = 2p − 1", "the section's choice, which its proof uses"),),
)
def length(question: Question) -> Finding:
    p = question["p"]
    claimed = 2 * p - 1 if question.edition is Edition.REPAIRED else p
    return side_by_side("m in Theorem C.2 and in its proof", claimed, 2 * p - 1, where=f"p = {p}")


@chapter.claim(
    "theorem-c.2:bits",
    statement="The precision that Theorem C.2 promises, p bits, is the one that its proof reaches, p + log p + 2.",
    place="Appendix C, Theorem C.2, against its proof at the end of Appendix C.2",
    checks="the two numbers side by side, the logarithm rounded up",
    parameters=P,
    bounded=False,
    errata=(Erratum("p bits", "p + log p + 2 bits", "what the proof says; the text above the theorem speaks of a logarithmic gap"),),
)
def bits(question: Question) -> Finding:
    p = question["p"]
    reached = p + (p - 1).bit_length() + 2
    return side_by_side("bits of Theorem C.2", reached if question.edition is Edition.REPAIRED else p, reached, where=f"p = {p}")


@chapter.claim(
    "theorem-c.2:bits-of-lemma",
    statement="Lemma C.8, t + e = ⌈m/2⌉ + log ⌈m/2⌉, is cited by the proof of Theorem C.2 with its own number, ⌈m/2⌉ + log ⌈m/2⌉ + 2.",
    place="Appendix C.2, Lemma C.8 and proof of Theorem C.2",
    checks="the two numbers side by side",
    parameters=(M_SOFTMAX,),
    bounded=False,
    errata=(Erratum("⌈m/2⌉ + log ⌈m/2⌉ + 2", "⌈m/2⌉ + log ⌈m/2⌉", "the lemma counts the two sign digits in t and e already"),),
)
def bits_of_lemma(question: Question) -> Finding:
    m = question["m"]
    claimed = half_bits(m) + (0 if question.edition is Edition.REPAIRED else 2)
    return side_by_side("t + e in the proof of Theorem C.2 and in Lemma C.8", claimed, half_bits(m), where=f"m = {m}")


@chapter.claim(
    "section-c.2:bits",
    statement="The opening of Appendix C.2, t + e − 1 = ⌈m/2⌉ + log ⌈m/2⌉, states the precision of Lemma C.8.",
    place="Appendix C.2, first sentence, against Lemma C.8",
    checks="t + e of both side by side",
    parameters=(M_SOFTMAX,),
    bounded=False,
    errata=(Erratum("t + e − 1", "t + e", "Lemma C.8"),),
)
def bits_of_section(question: Question) -> Finding:
    m = question["m"]
    claimed = half_bits(m) + (0 if question.edition is Edition.REPAIRED else 1)
    return side_by_side("t + e at the opening and in Lemma C.8", claimed, half_bits(m), where=f"m = {m}")


@chapter.claim(
    "theorem-c.2:parts",
    statement="At m = p, Lemma C.8 needs more than the p − 1 bits that part 1 of Theorem C.2 rules out (softmax by its title).",
    place="Appendix C, Theorem C.2, part 1, against Lemma C.8",
    checks="⌈p/2⌉ + ⌈log ⌈p/2⌉⌉ against p − 1, for odd p",
    parameters=(Parameter("p", "bits of precision, odd", "p >= 3 and p == 2*floor(p/2) + 1", typical="9..9"),),
    bounded=False,
    errata=(Erratum("m = p", "m = 2p − 1", "the section's choice"),),
)
def parts(question: Question) -> Finding:
    p = question["p"]
    used = half_bits(2 * p - 1 if question.edition is Edition.REPAIRED else p)
    scope = Scope(f"{used} bits of Lemma C.8 against the {p - 1} bits ruled out at p = {p}", 1, "algebra")
    if used > p - 1:
        return Finding(Verdict.VERIFIED, scope)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"Lemma C.8 takes {used} bits, part 1 says that {p - 1} do not suffice",
        counterexample={"p": str(p), "lemma C.8": str(used), "ruled out": str(p - 1)},
    )
