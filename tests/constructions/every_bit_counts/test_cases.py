"""How many cases a claim has and how much work it counts, against counts of its own; what declines at ill-formed tables."""

import pytest

from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.running.limits import INTERPRETED, Limits


def judged(name: str, edition: Edition, point: dict[str, int], limits: Limits = Limits()) -> Outcome:
    claim = find_claim(f"every-bit-counts/{name}")
    return Session(limits).own(claim, edition, claim.complete(point), DEFAULT_SEMANTICS)


P, M = 4, 5
PAIRS, TOKENS, SUMS = 2**M * (2**M + 1) // 2, 4 * P + 2, 3 * M
"""At p = 4: the pairs y <= z, tokens 0 … 4p + 1, and three columns for each of m positions."""


@pytest.mark.parametrize(("less", "verdict"), [(0, Verdict.VERIFIED), (1, Verdict.DECLINED)])
def test_the_limit_is_in_terms_of_all_sums_over_all_pairs(less: int, verdict: Verdict) -> None:
    limits = Limits(INTERPRETED * (PAIRS * TOKENS * SUMS - less))
    found = judged("lemma-2.2:two-numbers", Edition.REPAIRED, {"p": P}, limits)
    assert (found.verdict, found.scope.cases) == (verdict, None if less else PAIRS)
