"""What is tried for a question of ours: every divisor. The cases of claims are in ``test_counted_cases.py``."""

import pytest

from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict


@pytest.mark.parametrize(("name", "most"), [("lemma-2", 7), ("lemma-12", 7), ("lemma-7", 14), ("lemma-16", 14)])
def test_every_divisor_up_to_the_largest_output_or_gap_is_tried(name: str, most: int) -> None:
    """At p = 3 outputs are up to 7 levels, gaps up to 14."""
    claim = find_claim(f"fixed-point-networks/{name}")
    (asked,) = (
        q.claim for q in claim.questions if isinstance(q.claim.judge, NamedJudge) and q.claim.judge.target.endswith("sharp_criterion")
    )
    found = Session().own(asked, Edition.STATEMENT, asked.complete({"p": 3, "s": 1}), DEFAULT_SEMANTICS)
    assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, most)
