"""Every claim's neighbours: the claim with one change, which must be refused, and for the right reason."""

import pytest

from verifier.claims.model import Claim, Neighbour
from verifier.claims.papers import catalogue
from verifier.gate.neighbours import neighbour_fault

NEIGHBOURS = [(claim, neighbour) for claim in catalogue().values() for neighbour in claim.neighbours]


def named(value: Claim | Neighbour) -> str:
    return value.name if isinstance(value, Claim) else value.why


@pytest.mark.one_in(4)
@pytest.mark.long(
    "lemma-c.5:repairs-needed-one that is not needed",
    "lemma-c.8:key-window-products of the first half fall below the smallest value",
    "fact-b.4-the variances add up, not the standard deviations",
    "equation-19:below-1-the combination does not prove a tighter bound",
    "theorem-2.1:one-column-two bits do not decide EQ_3",
    "lemma-c.6-in four dimensions this is the error u with the variance of Section 3.1",
)
@pytest.mark.parametrize(("claim", "neighbour"), NEIGHBOURS, ids=named)
def test_neighbour(claim: Claim, neighbour: Neighbour) -> None:
    assert neighbour_fault(claim, neighbour) is None
