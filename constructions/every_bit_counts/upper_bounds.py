"""Lemmas 2.3 and 2.6 and their witnesses, Tables 5 and 6."""

from __future__ import annotations

from constructions.every_bit_counts.chapter import PAPER_ID, SIMPLE, TABLE_5, TABLE_6, TIGHT
from constructions.every_bit_counts.witnesses import other_witnesses
from verifier.claims.chapter import Chapter
from verifier.claims.model import Question
from verifier.claims.tables import judge_table
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)


def witness_claim(question: Question) -> Finding:
    """A printed table claims to compute EQ: the statement and the printed table are one thing."""
    edition = Edition.REPAIRED if question.edition is Edition.REPAIRED else Edition.PRINTED
    return judge_table(question, edition)


def existence(question: Question, witness: str) -> Finding:
    """ "There exists a transformer": printed and repaired by the table; the statement by any evidence, else open."""
    if question.edition is not Edition.STATEMENT:
        return question.ask(witness, question.edition)
    tried = [question.ask(witness, edition) for edition in (Edition.PRINTED, Edition.REPAIRED)]
    for finding in tried:
        if finding.verdict is Verdict.VERIFIED:
            return finding
    for evidence in other_witnesses(question):
        if evidence.verdict in (Verdict.VERIFIED, Verdict.REFUTED):
            return evidence
    conditional = [f for f in tried if f.verdict is Verdict.CONDITIONAL]
    if conditional:
        return conditional[-1]
    return Finding(
        Verdict.OPEN,
        Scope("no evidence at these parameters"),
        witness=None,
        reason=f"neither the printed nor the repaired table is a witness here ({'; '.join(f.verdict.value for f in tried)})",
    )


@chapter.claim(
    "lemma-2.3:table-5",
    statement="Table 5 with its weights and MLP computes EQ_m on T0 with p = ⌈m/2⌉ + 1 bits, for all y ≤ z, m = 2p − 3.",
    place="Appendix B.1, Table 5",
    checks="the construction file, well-formed and on every promise pair",
    parameters=SIMPLE,
    table=TABLE_5,
)
def table_5(question: Question) -> Finding:
    return witness_claim(question)


@chapter.claim(
    "lemma-2.3",
    statement="Some one-layer transformer (d_v = 1, one head) computes EQ_m on T0 with ⌈m/2⌉ + 1 bits of fixed point (m odd, y ≤ z).",
    place="Section 2.1, Lemma 2.3; proof in Appendix B.1",
    checks="whether Table 5, printed or repaired, or another witness that we hold computes EQ_m on every promise pair",
    parameters=SIMPLE,
    table=TABLE_5,
)
def lemma_2_3(question: Question) -> Finding:
    return existence(question, f"{PAPER_ID}/lemma-2.3:table-5")


@chapter.claim(
    "lemma-2.6:table-6",
    statement="Table 6 with its weights and MLP computes EQ_m on T1 with p = ⌈m/2⌉ bits, for all y ≤ z, m = 2p − 1.",
    place="Appendix B.2, Table 6",
    checks="the construction file, well-formed and on every promise pair",
    parameters=TIGHT,
    table=TABLE_6,
)
def table_6(question: Question) -> Finding:
    return witness_claim(question)


@chapter.claim(
    "lemma-2.6",
    statement="Some one-layer transformer (d_v = 1, one head) computes EQ_m on T1 with ⌈m/2⌉ bits of fixed point (m odd, y ≤ z).",
    place="Section 2.2, Lemma 2.6; proof in Appendix B.2",
    checks="whether Table 6, printed or repaired, or another witness that we hold computes EQ_m on every promise pair",
    parameters=TIGHT,
    table=TABLE_6,
)
def lemma_2_6(question: Question) -> Finding:
    return existence(question, f"{PAPER_ID}/lemma-2.6:table-6")
