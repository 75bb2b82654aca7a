"""Evidence for the existence lemmas beyond the printed tables: other witnesses that verify, and impossibility proofs."""

from __future__ import annotations

from collections.abc import Iterator

from constructions.every_bit_counts.existence import never_answers, no_one
from verifier.claims.model import Question
from verifier.verdicts import Edition, Finding, Verdict

OTHER_WITNESSES = {
    "lemma-2.3": ("lemma-2.3:denominator-first", "lemma-2.2:two-bits"),
    "lemma-2.6": ("lemma-2.6:denominator-first", "lemma-2.5:two-bits"),
}
"""Claims whose witnesses also prove an existence lemma, those with the fewest value columns first."""


def other_witnesses(question: Question) -> Iterator[Finding]:
    """Verified witnesses, or a proof that there is none, at the question's point. A witness that fails proves nothing and is left out."""
    if question.claim.name == "lemma-2.6" and no_one(question.semantics, question["p"]):
        yield never_answers(question, 2 * question["p"] - 1)
    for name in OTHER_WITNESSES[question.claim.name]:
        finding = question.asker.ask(f"{question.claim.paper}/{name}", Edition.STATEMENT, question.parameters, question.semantics)
        if finding.verdict is Verdict.VERIFIED:
            yield finding
