"""Parameters far beyond what can be gone through: declined by a named limit, where an overflow would be a fault of the program."""

import re

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim, Query
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

A4 = read_semantics("a4")
TOO_LARGE = [
    ("every-bit-counts/theorem-2.1:tell-apart", {"q": 1, "m": 10**6}),
    ("every-bit-counts/lemma-2.2:two-numbers", {"p": 64}),
    ("every-bit-counts/lemma-2.2:protocol-cost", {"p": 10**6}),
    ("every-bit-counts/lemma-c.3:fooling-set", {"t": 10**6, "e": 2}),
    ("every-bit-counts/definition-a.10:monotone-rounding", {"t": 2, "e": 64}),
    ("fixed-point-networks/lemma-20:gaps", {"p": 64, "s": 1}),
    ("fixed-point-networks/lemma-20:phi", {"p": 64, "s": 1, "d": 1}),
    ("fixed-point-networks/equation-14:inputs", {"p": 64, "s": 1, "d": 1}),
    ("fixed-point-networks/lemma-10", {"p": 64, "s": 1}),
    ("fixed-point-networks/lemma-8:condition-on-s", {"p": 100}),
    ("one-bit-scaling/section-5.2:slope", {"d": 10**18}),
    ("parameter-space-symmetry/section-5:lower-error", {"n": 10**18, "m": 2, "b": 2}),
]


@pytest.mark.long("lemma-2.2:two-numbers")
@pytest.mark.parametrize(("claim", "at"), TOO_LARGE, ids=[claim.partition("/")[2] for claim, _ in TOO_LARGE])
def test_declined_by_a_limit_that_has_a_name(claim: str, at: dict[str, int]) -> None:
    found = Session().ask(claim, Edition.STATEMENT, at, A4)
    assert found.verdict is Verdict.DECLINED
    assert re.search("lifts the limit|; choose ", found.reason or "")


@pytest.mark.parametrize("error", [OverflowError("too many digits in integer"), ValueError("Exceeds the limit (4300 digits)")])
def test_an_overflow_of_a_judge_is_a_fault(error: Exception) -> None:
    def judge(query: Query) -> Outcome:
        raise error

    claim = Claim("artificial/lemma-1", "one", "here", "nothing", judge=judge, bounded=False)
    with pytest.raises(type(error)):
        Session().outcome(claim, Edition.STATEMENT, {}, A4)
