"""A judge of bounds up to a constant that hold at initialisation (Lemmas I.3, J.5, K.4): a constant is exhibited, with our proof."""

from __future__ import annotations

from verifier.claims.model import Query, by_edition
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges import combination
from verifier.judges.declaring import judge
from verifier.judges.fields import Combination


@judge
@by_edition
def by_our_proof(query: Query, *, given: list[str], positive: list[tuple[str, str]], at: dict[str, str], why: str) -> Outcome:
    """The formulas of a proof of ours, as the judge ``combination`` has them.

    As printed, what it verifies is open: it is not the paper's proof, and nothing that we hold decides the paper's. why: the reason.
    """
    made = combination.judge(query, Combination(from_={}, positive=positive, given=given, at=at))
    if query.edition is not Edition.PRINTED or made.verdict is not Verdict.VERIFIED:
        return made
    return Outcome(Verdict.OPEN, made.scope, reason=why)
