"""Every claim's neighbours: the claim with one change, which must be refused, and for the right reason."""

import pytest

from tests.constructions.every_bit_counts.changed_table import changed
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Neighbour
from verifier.claims.papers import catalogue
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.gate.objections import neighbour_fault

NEIGHBOURS = [(claim, neighbour) for claim in catalogue().values() for neighbour in claim.neighbours]
COMPUTES = "verifier.judges.tables:judge"
WITNESSES = [
    claim
    for claim in catalogue().values()
    if isinstance(claim.judge, NamedJudge) and claim.judge.target == COMPUTES and claim.table and not claim.neighbours
]
"""Claims that our own table computes its function, which has no erratum to leave out."""


def named(value: Claim | Neighbour) -> str:
    return value.name if isinstance(value, Claim) else value.why


@pytest.mark.one_in(4)
@pytest.mark.long(
    "lemma-c.5:repairs-needed-one that is not needed",
    "lemma-c.8:key-window-products of the first half fall below the smallest value",
    "lemma-c.8:key-window-the first half's weights then matter",
    "equation-18:no-more-above-the error exceeds 6 %",
    "equation-19:below-1-the combination does not prove a tighter bound",
    "theorem-2.1:one-column-two bits do not decide EQ_3",
    "lemma-c.6-in four dimensions this is the error u with the variance of Section 3.1",
)
@pytest.mark.parametrize(("claim", "neighbour"), NEIGHBOURS, ids=named)
def test_neighbour(claim: Claim, neighbour: Neighbour) -> None:
    assert neighbour_fault(claim, neighbour) is None


@pytest.mark.long("lemma-c.7:three-bits", "lemma-c.7:three-bits-softmax")
@pytest.mark.parametrize("claim", WITNESSES, ids=lambda claim: claim.name)
def test_a_witness_that_answers_no_to_every_pair_is_refused(claim: Claim) -> None:
    asked = changed(claim, "mlp.output.bias", 1, 0)
    found = Session().own(asked, Edition.STATEMENT, next(points(asked, {})), DEFAULT_SEMANTICS)
    assert found.verdict is Verdict.REFUTED
    assert (found.counterexample or {})["y"] == (found.counterexample or {})["z"]
