"""Claims for every value of their parameters: formulas by symbols, their limits and parts; nothing is proved that points refute."""

from verifier.semantics import read_semantics
from verifier.statements.papers import find_claim
from verifier.statements.points import points
from verifier.statements.session import Session
from verifier.verdicts import Edition, Finding, Verdict

A4 = read_semantics("a4")


def for_all(name: str, edition: Edition = Edition.STATEMENT) -> Finding:
    claim = find_claim(name)
    (point,) = points(claim, {claim.parameters[0].name: "all"})
    return Session().finding(claim, edition, point, A4)[0]


def test_a_sum_without_terms_is_not_proved_away() -> None:
    stated, repaired = for_all("equation-1"), for_all("equation-1", Edition.REPAIRED)
    assert (stated.verdict, stated.counterexample) == (Verdict.REFUTED, {"h": "1", "left": "71/64", "right": "9/64"})
    assert stated.replay == ("every-bit-counts/equation-1", "--h", "1", "--edition", "statement")
    assert (repaired.verdict, repaired.scope.method) == (Verdict.VERIFIED, "symbolic")
    assert "from h = 6 on" in (repaired.reason or "")


def test_parts_are_asked_for_every_parameter_too() -> None:
    assert for_all("section-2.1").verdict is Verdict.VERIFIED


def test_definitions_may_stand_in_any_order() -> None:
    assert for_all("theorem-c.2:bits").counterexample == {"p": "1", "left": "1", "right": "3"}


def test_what_a_limit_stops_is_open_and_says_how_far_it_was_checked() -> None:
    found = for_all("section-a.3:p-bits-per-number", Edition.REPAIRED)
    assert found.verdict is Verdict.OPEN
    assert "at most 14 bits" in (found.reason or "")
    assert "verified at p = 1 to p = 8 (8 points)" in (found.reason or "")
