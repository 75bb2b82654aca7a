"""From trials to findings: what is counted, and against which limit."""

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, Trial, decide, for_each, judged, refuted, side_by_side
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query, declined
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Scope, Verdict
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Limits

FIVE_CASES = Query(Claim("a/b", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session(), Limits(5000))


def test_a_search_over_nothing_is_declined_and_never_verified() -> None:
    assert decide(FIVE_CASES, Over("nothing"), []).verdict is Verdict.DECLINED
    assert decide(FIVE_CASES, Over("one case"), [True]).verdict is Verdict.VERIFIED
    assert decide(FIVE_CASES, Over("two cases"), [True, {"x": 1}]).counterexample == {"x": "1"}


@pytest.mark.parametrize("trials", [[6], [True] * 6, [3, 3]], ids=str)
def test_cases_count_one_by_one_or_many_at_once(trials: list[Trial]) -> None:
    with pytest.raises(LimitError, match="6 cases"):
        decide(FIVE_CASES, Over("cases"), trials)
    assert decide(FIVE_CASES, Over("cases", at_once=2), trials).scope.cases == 6


def test_a_counterexample_before_the_limit_is_found() -> None:
    assert decide(FIVE_CASES, Over("cases"), [5, {"x": 2}, 100]).verdict is Verdict.REFUTED


def test_every_trial_is_looked_at_also_the_last() -> None:
    assert decide(FIVE_CASES, Over("cases"), [True, True, {"x": 3}]).counterexample == {"x": "3"}
    assert decide(FIVE_CASES, Over("cases"), [2, True, True]).scope.cases == 4


@pytest.mark.parametrize(("failing", "shown"), [({4}, "4"), ({2, 3}, "2"), ({1}, "1"), (set(), None)])
def test_every_item_is_looked_at_and_counted(failing: set[int], shown: str | None) -> None:
    found = for_each(range(1, 5), lambda k: k not in failing, lambda k: {"k": str(k)}, lambda cases: Scope("", cases), "no")
    assert (found.counterexample, found.failures, found.scope.cases) == ({"k": shown} if shown else None, len(failing), 4)


def test_values_are_shown_as_exact_strings_sequences_in_parentheses() -> None:
    assert refuted("all", {"x": [1, (Fraction(2, 3), "a")]}).counterexample == {"x": "(1, (2/3, a))"}


def test_two_values_side_by_side() -> None:
    assert side_by_side("the sum", 3, Fraction(3)).verdict is Verdict.VERIFIED
    found = side_by_side("the sum", 3, 4)
    assert (found.verdict, found.counterexample) == (Verdict.REFUTED, {"claimed": "3", "found": "4"})


def cases(*trials: Trial, method: str = "enumeration", returned: object = None) -> Cases:
    yield Over("numbers", method)
    yield from trials
    return returned


def test_a_judge_gives_its_cases_after_what_they_are() -> None:
    found = judged(FIVE_CASES, cases(True, True, 2, method="algebra"))
    assert (found.verdict, found.scope) == (Verdict.VERIFIED, Scope("numbers", 4, "algebra"))
    assert judged(FIVE_CASES, cases(True, {"x": 2}, True)).counterexample == {"x": "2"}
    with pytest.raises(LimitError, match="6 cases"):
        judged(FIVE_CASES, cases(*[True] * 6))


def test_what_the_cases_return_is_the_witness_of_what_is_verified_or_the_outcome() -> None:
    assert judged(FIVE_CASES, cases(True, returned="found by hand")).witness == "found by hand"
    assert judged(FIVE_CASES, cases({"x": 1}, returned="found by hand")).witness is None
    assert judged(FIVE_CASES, cases(True, returned=declined("no case counts"))).reason == "no case counts"
    assert judged(FIVE_CASES, cases({"x": 1}, returned=declined("not reached"))).verdict is Verdict.REFUTED


def test_an_outcome_before_any_case_is_the_judges() -> None:
    def none_here() -> Cases:
        if FIVE_CASES.claim.id:
            return declined("nothing to go through")
        yield Over("numbers")

    assert judged(FIVE_CASES, none_here()).reason == "nothing to go through"


def test_a_case_that_fails_without_showing_what_is_refused() -> None:
    for trial in (False, None, 0):  # None may be a forgotten return
        with pytest.raises(InputError, match=f"the judge yields {trial}; True, a number of cases or a counterexample was expected"):
            judged(FIVE_CASES, cases(True, trial))
