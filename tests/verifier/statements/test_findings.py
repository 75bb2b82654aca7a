"""From trials to findings: what is counted, and against which limit."""

import pytest

from verifier.errors import LimitError
from verifier.statements.findings import Trial, decide
from verifier.statements.model import DEFAULT_SEMANTICS, Claim, Limits, Question
from verifier.statements.session import Session
from verifier.verdicts import Edition, Verdict

FIVE_CASES = Question(Claim("a/b", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session(), Limits(5000))


def test_a_search_over_nothing_is_declined_and_never_verified() -> None:
    assert decide(FIVE_CASES, "nothing", []).verdict is Verdict.DECLINED
    assert decide(FIVE_CASES, "one case", [None]).verdict is Verdict.VERIFIED
    assert decide(FIVE_CASES, "two cases", [None, {"x": 1}]).counterexample == {"x": "1"}


@pytest.mark.parametrize("trials", [[6], [None] * 6, [3, 3]], ids=str)
def test_cases_count_one_by_one_or_many_at_once(trials: list[Trial]) -> None:
    with pytest.raises(LimitError, match="6 cases"):
        decide(FIVE_CASES, "cases", trials)
    assert decide(FIVE_CASES, "cases", trials, at_once=2).scope.cases == 6


def test_a_counterexample_before_the_limit_is_found() -> None:
    assert decide(FIVE_CASES, "cases", [5, {"x": 2}, 100]).verdict is Verdict.REFUTED
