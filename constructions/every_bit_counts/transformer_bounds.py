"""The lower-bound half for fixed point: Lemmas 2.2 and 2.5, and the protocol that their proofs make of a transformer."""

from __future__ import annotations

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Parameter, Question, Table

from constructions.every_bit_counts.chapter import P_SIMPLE, P_TIGHT, PAPER_ID, TABLE_5, TABLE_6
from constructions.every_bit_counts.existence import NO_ONE, no_one
from constructions.every_bit_counts.lower_bounds import diagonal
from constructions.every_bit_counts.two_bits import BITS
from verifier.construction.instantiate import instantiate
from verifier.semantics import Semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

BITS_PER_NUMBER = "p-bits-per-number"
"""A number of q bits is one of 2^q messages. Counting refutes it for the free binary point (section-a.3:p-bits-per-number)."""

ONE_NUMERATOR_SUM = "one-numerator-sum"
"""Alice's part of the numerator is one number. Under ((A X) W^V) it is one number for each column that W^V uses."""


def transformer_bound(question: Question, m: int, smaller: str) -> Finding:
    """No transformer with ⌈m/2⌉ − 1 bits: the fooling set needs m bits, and two numbers of that many bits carry fewer.

    Counting the numbers proves the second step for few bits only; beyond, the printed argument takes each number for its
    number of bits. That Alice's part of the numerator is one number is an assumption where A X is formed first; there the
    statement is refuted by a transformer of two bits, the claim ``smaller``, from two bits on.
    """
    from lowerbounds.alphabets import exclusion

    bits = (m + 1) // 2 - 1
    if question.edition is Edition.STATEMENT and bits >= BITS:
        witness = question.ask(f"{PAPER_ID}/{smaller}")
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(question, witness, m, bits, smaller)
    if bits == 1 and no_one(question.semantics, bits):
        return Finding(Verdict.VERIFIED, Scope(f"every transformer of 1 bit, at m = {m}", 1, NO_ONE), "no 1-bit number is 1")
    fooling = diagonal(m, f"the fooling set of EQ_{m}")
    if fooling.verdict is not Verdict.VERIFIED:
        return fooling
    count = exclusion(question.semantics, bits, m)
    assumptions = []
    if not count.proves:
        assumptions.append(BITS_PER_NUMBER)
    if bits and question.semantics.order == "ax" and question.edition is not Edition.REPAIRED:
        assumptions.append(ONE_NUMERATOR_SUM)
    scope = Scope(f"fooling set of {2**m:,} members, every pair; two numbers of {bits} bits at m = {m}", count.messages, "counting")
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    return Finding(verdict, scope, "fooling set and message count", tuple(assumptions), reason=str(count))


def _outdone(question: Question, witness: Finding, m: int, bits: int, smaller: str) -> Finding:
    """A transformer with fewer bits than the bound allows."""
    scope = Scope(f"transformers of {bits} bits for EQ_{m}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method)
    return Finding(
        Verdict.REFUTED,
        scope,
        witness.witness,
        reason=f"{BITS} bits suffice: (A X) W^V has a partial sum for each column that W^V uses, and Alice knows more than two numbers",
        counterexample={"p": str(question["p"]), "m": str(m), "bits": str(BITS), "transformer": smaller},
        replay=(f"{PAPER_ID}/{smaller}", "--p", str(question["p"]), *_semantics_words(question.semantics)),
    )


def _semantics_words(semantics: Semantics) -> tuple[str, ...]:
    return () if semantics.label == "a4" else ("--semantics", semantics.label)


BOUND_CHECKS = (
    "whether a transformer of two bits is a counterexample; the fooling set of EQ_m pair by pair; how many messages two numbers of "
    "⌈m/2⌉ − 1 bits can be"
)

ONE_COLUMN = Erratum(
    "any one-layer transformer with d_v = 1",
    "any with d_v = 1 whose numerator is one running sum (one nonzero row of W^V, or V = X W^V formed first)",
    "Section A.4 forms (A X) W^V, with one partial sum for each column that W^V uses; two numbers do not carry them",
)


@chapter.claim(
    "lemma-2.2",
    statement="No one-layer transformer with d_v = 1 and one head computes EQ_m on T0 with ⌈m/2⌉ − 1 or fewer bits, m = 2p − 3.",
    place="Section 2.1, Lemma 2.2; proof in Appendix B.1",
    checks=BOUND_CHECKS,
    parameters=(P_SIMPLE,),
    errata=(ONE_COLUMN,),
)
def lemma_2_2(question: Question) -> Finding:
    return transformer_bound(question, 2 * question["p"] - 3, "lemma-2.2:two-bits")


@chapter.claim(
    "lemma-2.5",
    statement="A one-layer transformer with d_v = 1 and one head that computes EQ_m on T1 needs at least ⌈m/2⌉ bits, m = 2p − 1.",
    place="Section 2.2, Lemma 2.5; proof in Appendix B.2",
    checks=BOUND_CHECKS,
    parameters=(P_TIGHT,),
    errata=(ONE_COLUMN,),
)
def lemma_2_5(question: Question) -> Finding:
    return transformer_bound(question, 2 * question["p"] - 1, "lemma-2.5:two-bits")


def alice_holds(question: Question, table: Table, first: int, last: int) -> Finding:
    """Alice's tokens first … last exist, read only y, and the others do not read y."""
    instance = instantiate(table.source.file, {"p": question["p"]})
    indices = {t.index for t in instance.tokens} | set(range(instance.tokens[0].index, instance.tokens[-1].index + 1))
    strings = {t.index: {bit.string for bit in t.reads} for t in instance.tokens}

    def holds(i: int) -> bool:
        if first <= i <= last:
            return i in indices and "z" not in strings.get(i, set())
        return "y" not in strings.get(i, set())

    everywhere = sorted(indices | set(range(first, last + 1)))
    return for_each(
        everywhere,
        holds,
        lambda i: {"p": str(question["p"]), "token": str(i)},
        lambda cases: Scope(f"all {cases:,} tokens at p = {question['p']}, Alice's are {first} … {last}", cases, "enumeration"),
        "a token of Alice's does not exist or reads z, or one of Bob's reads y",
    )


@chapter.claim(
    "lemma-2.2:alice-tokens",
    statement="On T0 Alice holds the tokens −1, 0, 1, …, m, which depend on y only.",
    place="Appendix B.1, proof of Lemma 2.2",
    checks="that these tokens exist in T0 and read y only, and that no other reads y",
    parameters=(P_SIMPLE,),
    bounded=False,
    errata=(Erratum("{−1, 0, 1, …, m}", "{1, …, m}", "T0 counts its tokens from 1; −1 and 0 are tokens of T1"),),
)
def alice_2_2(question: Question) -> Finding:
    return alice_holds(question, TABLE_5, 1 if question.edition is Edition.REPAIRED else -1, 2 * question["p"] - 3)


@chapter.claim(
    "lemma-2.5:alice-tokens",
    statement="On T1 Alice holds the tokens −1, 0, 1, …, m, which depend on y only.",
    place="Appendix B.2, proof of Lemma 2.5",
    checks="that these tokens exist in T1 and read y only, and that no other reads y",
    parameters=(P_TIGHT,),
    bounded=False,
)
def alice_2_5(question: Question) -> Finding:
    return alice_holds(question, TABLE_6, -1, 2 * question["p"] - 1)


@chapter.claim(
    "lemma-2.2:protocol-cost",
    statement="The protocol made of a transformer with p bits costs 2p bits: Alice sends two numbers.",
    place="Appendix B.1, proof of Lemma 2.2",
    checks="how many pairs (numerator of either sign, denominator ≥ 0) there are, against 2^(2p)",
    parameters=(Parameter("p", "bits of precision of the transformer", "p >= 1", typical="1..10"),),
    errata=(Erratum("2p", "⌈log2 of the number of pairs⌉", "with a free binary point there are more than 2^p numbers of p bits"),),
)
def protocol_cost(question: Question) -> Finding:
    p = question["p"]
    messages = message_pairs(question.semantics, p)
    needed = (messages - 1).bit_length()
    claimed = needed if question.edition is Edition.REPAIRED else 2 * p
    where = f"p = {p}, {messages:,} pairs of numbers"
    if needed <= claimed:
        scope = Scope(f"{where}, {claimed} bits", messages, "counting")
        return Finding(Verdict.VERIFIED, scope, reason=f"{messages:,} pairs fit {claimed} bits")
    return side_by_side("bits that tell all pairs apart", claimed, needed, "counting", where)


def message_pairs(semantics: Semantics, bits: int) -> int:
    """How many pairs of a numerator and a denominator of ``bits`` bits there are."""
    from lowerbounds.alphabets import exclusion

    return exclusion(semantics, bits, 1).messages
