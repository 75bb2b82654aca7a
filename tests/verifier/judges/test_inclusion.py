"""Inclusions: a derivative is called one, in the scope and in the counterexample."""

import pytest

from verifier.errors import InputError
from verifier.judges.fields import Inclusion
from verifier.judges.inclusion import interval, judge
from verifier.statements.model import DEFAULT_SEMANTICS, Claim, Question
from verifier.statements.session import Session
from verifier.verdicts import Edition, Verdict


@pytest.mark.parametrize(("order", "name", "verdict"), [(0, "x**2", Verdict.VERIFIED), (1, "x**2'", Verdict.REFUTED)])
def test_x_squared_maps_the_unit_interval_below_3_2_and_its_derivative_does_not(order: int, name: str, verdict: Verdict) -> None:
    question = Question(Claim("artificial/lemma-1", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    found = judge(question, Inclusion("x**2", ["0", "1"], ["-1", "3/2"], order))
    assert (found.verdict, found.scope.statement) == (verdict, f"{name} on all of (0, 1)")
    assert (f"{name}(x)" in (found.counterexample or {})) is (verdict is Verdict.REFUTED)


@pytest.mark.parametrize("ends", [["1"], ["0", "1", "2"], ["1", "1"], ["1", "0"]])
def test_what_is_no_interval_is_refused(ends: list[str]) -> None:
    question = Question(Claim("artificial/lemma-1", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    with pytest.raises(InputError, match="is no interval; two ends, the lower first, were expected"):
        interval(question, ends)
