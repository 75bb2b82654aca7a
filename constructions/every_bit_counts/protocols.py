"""The reduction of Lemmas 2.2 and 2.5, run on a transformer: do the two numbers that Alice sends determine what Bob must answer?"""

from __future__ import annotations

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.every_bit_counts.chapter import PAPER_ID
from constructions.every_bit_counts.existence import N_ROOM
from constructions.every_bit_counts.transformer_bounds import ONE_COLUMN
from constructions.every_bit_counts.two_bits import two_bit_construction
from verifier.arithmetic.numbers import Number, show
from verifier.attention.evaluate import decide, numerator_of
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.errors import LimitError
from verifier.problems import bits_of
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

LARGEST = 4
Answer = int | None


@chapter.claim(
    "lemma-2.5:two-numbers",
    statement="Alice's tokens enter the answer through two numbers: L1, her part of the denominator, and L2, of the numerator.",
    place="Appendix B.1, proof of Lemma 2.2, steps 3 and 4; B.2 for Lemma 2.5",
    checks="the two-bit transformer on T1, every promise pair: whether two y with one message get different answers at one z",
    parameters=(Parameter("p", "the p of Theorem 2.4, m = 2p − 1", "p >= 2", typical="2..3"), N_ROOM),
    errata=(ONE_COLUMN,),
)
def two_numbers(question: Question) -> Finding:
    from lowerbounds.protocol import Protocol

    p, m = question["p"], 2 * question["p"] - 1
    if p > LARGEST:
        raise LimitError(f"p = {p}: the protocol is run on every pair up to p = {LARGEST}", "a smaller --p")
    reading = Reading(instantiate(two_bit_construction("T1", m, question["n"]), {}), question.semantics)
    protocol = Protocol(reading, m)
    every_sum = question.edition is Edition.REPAIRED
    known: dict[tuple[tuple[Number, ...], int], tuple[int, Answer]] = {}
    cases = 0
    for y in range(1 << m):
        *sums, denominator = message = protocol.message(y)
        sent = message if every_sum else (numerator_of(reading, tuple(sums)), denominator)
        for z in range(y, 1 << m):
            cases += 1
            answer = decide(reading, protocol.attention(message, z)).answer
            other, before = known.setdefault((sent, z), (y, answer))
            if before != answer:
                return _undetermined(p, m, (other, y, z), sent, (before, answer), reading.sums)
    what = f"{len(sent)} numbers: {'every partial sum' if every_sum else 'L2 and L1'}"
    scope = Scope(f"all {cases:,} pairs y <= z at p = {p}, m = {m}, for the two-bit transformer", cases, "enumeration")
    return Finding(Verdict.VERIFIED, scope, witness=what, failures=0)


def _undetermined(
    p: int, m: int, strings: tuple[int, int, int], sent: tuple[Number, ...], answers: tuple[Answer, Answer], sums: int
) -> Finding:
    first, second, z = (bits_of(x, m) for x in strings)
    return Finding(
        Verdict.REFUTED,
        Scope(f"pairs y <= z at p = {p}, m = {m}, for the two-bit transformer", 1, "enumeration"),
        reason=f"two y have the same L1 and L2 and need different answers at one z: A X has {sums} partial sums that W^V uses",
        counterexample={
            "p": str(p),
            "y": first,
            "other y": second,
            "z": z,
            "L1": show(sent[-1]),
            "L2": show(sent[0]),
            "answers": f"{answers[0]} and {answers[1]}",
        },
    )
