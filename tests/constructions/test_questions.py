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


def test_the_only_point_of_a_statement_without_parameters_is_searched() -> None:
    found = Inquiry(find_claim("one-bit-scaling/lemma-b.15"), read_semantics(DEFAULT_SEMANTICS.label)).first()
    assert (found.answer, found.searched) == ("none of the points searched", "its one point")


@pytest.mark.campaign
@pytest.mark.parametrize("claim", STATEMENTS, ids=lambda claim: claim.id)
def test_every_statement(claim: Claim) -> None:
    assert answered(claim)
