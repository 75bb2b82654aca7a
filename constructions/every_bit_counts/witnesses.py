"""Evidence for the existence lemmas beyond the printed tables: other witnesses that verify, and impossibility proofs."""

from __future__ import annotations

from collections.abc import Iterator

from constructions.every_bit_counts.existence import never_answers, no_one
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.claims.catalogue import find_claim
from verifier.claims.model import Claim, Question
from verifier.claims.tables import edition_instance
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
        claim = find_claim(f"{question.claim.paper}/{name}")
        if fails_at_once(question, claim):
            continue
        finding = question.asker.ask(claim.id, Edition.STATEMENT, question.parameters, question.semantics)
        if finding.verdict is Verdict.VERIFIED:
            yield finding


def fails_at_once(question: Question, claim: Claim) -> bool:
    """Whether the claim's table errs on (0, 0) or (0, 1) already, so that counting all its failures can be spared."""
    if claim.table is None or claim.outside(question.parameters):
        return False
    instance = edition_instance(claim, Edition.PRINTED, question.parameters)
    if instance.defects:
        return True
    reading = Reading(instance, question.semantics)
    return not all(evaluate(reading, 0, z).correct for z in (0, 1))
