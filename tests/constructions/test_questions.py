"""Every question about every statement gets an answer, whatever its judge makes of points outside the statement's domain."""

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim, papers
from verifier.claims.questions import Inquiry

STATEMENTS = [claim for paper in papers() for claim in paper.statements()]


def answered(claim: Claim) -> bool:
    answers = list(Inquiry(claim, read_semantics(DEFAULT_SEMANTICS.label)).answers())
    return len(answers) >= 2 and all(each.answer and each.searched for each in answers)


@pytest.mark.parametrize("name", ["every-bit-counts/lemma-a.6", "one-bit-scaling/claim-i.5"])
def test_a_judge_that_indexes_too_far_outside_the_domain_answers_nothing_there(name: str) -> None:
    assert answered(find_claim(name))


@pytest.mark.campaign
@pytest.mark.parametrize("claim", STATEMENTS, ids=lambda claim: claim.id)
def test_every_statement(claim: Claim) -> None:
    assert answered(claim)
