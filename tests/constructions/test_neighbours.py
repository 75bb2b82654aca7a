"""Every claim's neighbours: the claim with one change, which must be refused, and for the right reason."""

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims import rules
from verifier.claims.model import Claim, Neighbour
from verifier.claims.papers import catalogue
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Verdict

A4 = read_semantics("a4")

NEIGHBOURS = [(claim, neighbour) for claim in catalogue().values() for neighbour in claim.neighbours]

CHANGED = ("fields", "lets", "parts", "where", "parameters", "table")
"""What a neighbour may change of a claim."""


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
    changed = neighbour.claim
    point = changed.complete(neighbour.at) if neighbour.at else next(points(changed, {}))
    if neighbour.verdict is Verdict.REFUTED:
        original = claim.of_edition(neighbour.edition)
        assert any(getattr(original, part) != getattr(changed, part) for part in CHANGED), "nothing is changed"
    session = Session()
    made = session.own(changed, neighbour.edition, point, A4)
    found = rules.on_assumptions(made, session.deciding(made, changed, point, A4))
    said = f"{found.reason} {found.counterexample}"
    assert found.verdict is neighbour.verdict, f"{neighbour.why}: {found.verdict.value}, {said}"
    assert neighbour.because is None or neighbour.because in said, f"{neighbour.because!r} was expected in {said}"
