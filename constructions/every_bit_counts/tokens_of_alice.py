"""Alice's tokens in the proofs of Lemmas C.4 and C.7: whether the set S holds all of y and nothing of z."""

from __future__ import annotations

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each
from verifier.claims.model import Question, Table

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, SOFTMAX, TABLE_7, TABLE_8
from verifier.construction.instance import Token
from verifier.construction.instantiate import instantiate
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID, "floating")


def held_apart(question: Question, table: Table, count: int, name: str) -> Finding:
    """Tokens 0 … count − 1 read bits of y only, all other tokens bits of z only; the input representation as printed or repaired."""
    source, given = table.source, dict(question.parameters)
    instance = instantiate(source.repaired() if question.edition is Edition.REPAIRED else source.file, given)

    def holds(token: Token) -> bool:
        return {bit.string for bit in token.reads} <= {"y" if token.index < count else "z"}

    return for_each(
        instance.tokens,
        holds,
        lambda token: {"token": str(token.index), "reads": ", ".join(map(str, token.reads))},
        lambda cases: Scope(f"all {cases:,} tokens of {name} against S = {{0, …, {count - 1}}}", cases, "enumeration"),
        "a token stands on the wrong side",
    )


@chapter.claim(
    "lemma-c.4:alice-tokens",
    statement="The tokens S = {0, …, 2t − 1} hold bits of y only, and no other token holds one.",
    place="Appendix C.1, proof of Lemma C.4",
    checks="the bits that each token of T2 reads",
    parameters=LINEAR,
    bounded=False,
    table=TABLE_7,
)
def linear(question: Question) -> Finding:
    return held_apart(question, TABLE_7, 2 * question["t"], "T2")


@chapter.claim(
    "lemma-c.7:alice-tokens",
    statement="The tokens S = {0, …, m − 1} hold bits of y only, and no other token holds one.",
    place="Appendix C.2, proof of Lemma C.7",
    checks="the bits that each token of T3 reads",
    parameters=SOFTMAX,
    bounded=False,
    table=TABLE_8,
)
def softmax(question: Question) -> Finding:
    return held_apart(question, TABLE_8, question["m"], "T3")
