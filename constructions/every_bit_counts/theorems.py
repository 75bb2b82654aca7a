"""Theorems 1.1, 2.1 and 2.4, put together from their lemmas, and the ranges of p and n that they state."""

from __future__ import annotations

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Overview, Parameter, Part, Question, declined

from constructions.every_bit_counts.chapter import N_TIGHT, P_TIGHT, PAPER_ID, READINGS, TABLE_6, TIGHT
from verifier.construction.instantiate import instantiate
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

P_ALL = Parameter("p", "bits of precision", "p > 0", typical="1..8")
N_ALL = Parameter("n", "tokens before the last one", "n > 4*p", default="4*p + 1")

chapter.composite(
    "theorem-1.1",
    statement="For p > 0 and n > 4p, on some input representation, EQ on 2p − 1 bits takes p bits and not p − 1 (informally Theorem 2.4).",
    place="Section 1.1, Theorem 1.1",
    parameters=(P_TIGHT, N_TIGHT),
    parts=(Part("theorem-2.4"),),
)

chapter.composite(
    "theorem-2.1",
    statement="For p > 0, n > 4p, m = 2p − 3: on T0 a transformer with d_v = 1, one head, p bits computes EQ_m, and none of p − 2 bits.",
    place="Section 2.1, Theorem 2.1",
    parameters=(P_ALL, N_ALL),
    parts=(Part("theorem-2.1:length"), Part("lemma-2.2"), Part("lemma-2.3")),
    errata=(Erratum("every p > 0", "every p ≥ 2", "at p = 1 the length m = 2p − 3 is −1"),),
)


@chapter.claim(
    "theorem-2.1:length",
    statement="For every p > 0, m = 2p − 3 is the length of a string.",
    place="Section 2.1, Theorem 2.1",
    checks="m ≥ 1",
    parameters=(P_ALL,),
    bounded=False,
    errata=(Erratum("every p > 0", "every p ≥ 2", "at p = 1 the length m = 2p − 3 is −1"),),
)
def length(question: Question) -> Finding:
    p = question["p"]
    m = 2 * p - 3
    if m >= 1:
        return Finding(Verdict.VERIFIED, Scope(f"m = {m} at p = {p}", 1, "algebra"))
    if question.edition is Edition.REPAIRED:
        return declined(f"p = {p} is outside the repaired domain, p ≥ 2")
    return Finding(
        Verdict.REFUTED,
        Scope(f"m = {m} at p = {p}", 1, "algebra"),
        reason=f"m = 2p − 3 = {m} is no length of a string",
        counterexample={"p": str(p), "m": str(m)},
    )


chapter.composite(
    "theorem-2.4",
    statement="For p > 0, n > 4p, m = 2p − 1: on T1 a transformer with d_v = 1, one head, p bits computes EQ_m, and none of p − 1 bits.",
    place="Section 2.2, Theorem 2.4",
    parameters=TIGHT,
    parts=(Part("lemma-2.5"), Part("lemma-2.6")),
    errata=(Erratum("n > 4p", "n > 4p + 1", "see theorem-2.4:every-n; the verdicts above are for the n of their parameters"),),
    overview=Overview(f"{PAPER_ID}/theorem-2.4:both-halves", READINGS),
)


@chapter.claim(
    "theorem-2.4:every-n",
    statement="T1 is defined for every n > 4p: its tokens −1, 0, …, n − 2 have room for all bits of y and z, m = 2p − 1.",
    place="Section 2.2, Theorem 2.4 and the definition of T1",
    checks="n = 4p + 1 to 4p + 8: every clause of T1 names tokens between −1 and n − 2 only",
    parameters=(P_TIGHT,),
    bounded=False,
    errata=(Erratum("n > 4p", "n > 4p + 1", "z_m stands at token 2m + 2 = 4p, which must be at most n − 2"),),
)
def every_n(question: Question) -> Finding:
    p = question["p"]
    start = 4 * p + (2 if question.edition is Edition.REPAIRED else 1)
    lengths = range(start, 4 * p + 9)
    scope = Scope(f"n = {lengths[0]} … {lengths[-1]} at p = {p}", len(lengths), "enumeration")
    for n in lengths:
        defects = [
            d for d in instantiate(TABLE_6.source.file, {"p": p, "n": n}).defects if d.place.startswith("input") and d.kind != "bit-range"
        ]
        if defects:
            return Finding(
                Verdict.REFUTED,
                scope,
                reason=f"at n = {n}, {defects[0]}",
                counterexample={"p": str(p), "n": str(n), "defect": str(defects[0])},
            )
    return Finding(Verdict.VERIFIED, scope, witness="the input representation T1")
