"""Claims that hold, with one thing changed: each is refused, for the right reason."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from constructions.every_bit_counts import equations, examples, lower_bounds, mlps, transformer_bounds
from constructions.every_bit_counts.chapter import TABLE_5, TABLE_6
from verifier.statements.papers import find_claim
from verifier.statements.model import Claim, Limits, Question, Table
from verifier.statements.session import Session
from verifier.construction.schema import CONSTRUCTION, ConstructionFile, shaped
from verifier.semantics import NAMED
from verifier.verdicts import Edition, Finding, Verdict


def ask(claim: Claim, edition: Edition = Edition.PRINTED, **parameters: int) -> Finding:
    assert claim.judge is not None
    question = Question(claim, edition, claim.complete(parameters), NAMED["a4"], Session(), Limits())
    return claim.judge(question)


def changed(table: Table, change: Any) -> ConstructionFile:
    """The table's file with ``change`` applied to its raw content."""
    raw = copy.deepcopy(dict(table.source.raw))
    change(raw)
    return shaped(raw, ConstructionFile, CONSTRUCTION, "neighbour")


def use(monkeypatch: pytest.MonkeyPatch, file: ConstructionFile) -> None:
    monkeypatch.setattr(mlps, "edition_file", lambda claim, edition, given: (file, None))


def test_an_mlp_with_a_bias_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def repaired(raw: dict[str, Any]) -> None:
        raw["mlp"]["hidden"][0]["bias"], raw["mlp"]["hidden"][1]["bias"] = 2, -2
        raw["mlp"]["output"]["weights"] = ["-2**(h - 1)", "-2**(h - 1)"]

    def neighbour(raw: dict[str, Any]) -> None:
        repaired(raw)
        raw["mlp"]["hidden"][0]["bias"] = 3

    claim = find_claim("lemma-2.3:mlp")
    use(monkeypatch, changed(TABLE_5, repaired))
    assert ask(claim, p=8).verdict is Verdict.VERIFIED
    use(monkeypatch, changed(TABLE_5, neighbour))
    found = ask(claim, p=8)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert (found.counterexample["input"], found.counterexample["expected"]) == ("2", "1")


def test_an_mlp_that_accepts_infinity(monkeypatch: pytest.MonkeyPatch) -> None:
    def neighbour(raw: dict[str, Any]) -> None:
        raw["mlp"]["output"]["weights"] = ["-2**(h - 1)", 0]
        raw["mlp"]["hidden"][1]["weights"] = [0]
        raw["mlp"]["hidden"] = raw["mlp"]["hidden"][:1]
        raw["mlp"]["output"]["weights"] = ["-2**(h - 1)"]

    use(monkeypatch, changed(TABLE_5, neighbour))
    found = ask(find_claim("lemma-2.3:mlp-infinite"), p=8)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert (found.counterexample["input"], found.counterexample["output"]) == ("inf", "1")


def test_an_mlp_of_lemma_2_6_with_a_weight_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def neighbour(raw: dict[str, Any]) -> None:
        raw["mlp"]["output"]["weights"][0] = "-2**(h - 2)"

    use(monkeypatch, changed(TABLE_6, neighbour))
    found = ask(find_claim("lemma-2.6:mlp"), p=8)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert (found.counterexample["input"], found.counterexample["output"]) == ("0", "1/2")


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [("1.101 × 10.11", "100.01110", Fraction(143, 32)), ("1.1101 + 10.111", "100.1010", Fraction(75, 16))],
)
def test_an_example_with_its_last_bit_changed(left: str, right: str, found: Fraction) -> None:
    claim = find_claim("example-a.8:exact-product")
    question = Question(claim, Edition.PRINTED, {}, NAMED["a4"], Session())
    made = examples.equation(left, right, right, question, found)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert made.counterexample["claimed"] == right


@pytest.mark.parametrize(("first", "last", "token"), [(-1, 10, "10"), (-2, 9, "-2"), (-1, 8, "9")])
def test_alice_with_one_token_more_or_less(first: int, last: int, token: str) -> None:
    question = Question(find_claim("lemma-2.5:alice-tokens"), Edition.PRINTED, {"p": 5}, NAMED["a4"], Session())
    assert transformer_bounds.alice_holds(question, TABLE_6, -1, 9).verdict is Verdict.VERIFIED
    found = transformer_bounds.alice_holds(question, TABLE_6, first, last)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"p": "5", "token": token}


def test_a_fooling_set_counted_one_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    straight = lower_bounds.largest_fooling_set
    monkeypatch.setattr(lower_bounds, "largest_fooling_set", lambda f: straight(f) + 1)
    found = ask(find_claim("lemma-a.6"), k=2)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"function": "00 00"}


def test_equation_with_a_term_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    straight = equations.left_side
    monkeypatch.setattr(equations, "left_side", lambda h: straight(h) - Fraction(1, 64))
    for name in ("equation-1", "equation-2"):
        found = ask(find_claim(name), h=8)
        assert found.verdict is Verdict.REFUTED
        assert found.counterexample == {"claimed": "9/64", "found": "1/8"}


def test_a_theorem_is_as_bad_as_its_worst_part() -> None:
    claim = find_claim("theorem-2.1")
    session = Session()
    good = session.finding(claim, Edition.REPAIRED, {"p": 8}, NAMED["a4"])[0]
    assert good.verdict is Verdict.CONDITIONAL
    assert session.finding(claim, Edition.PRINTED, {"p": 8}, NAMED["a4"])[0].verdict is Verdict.REFUTED
    nothing = replace(claim, parts=())
    with pytest.raises(ValueError, match="empty"):
        session.finding(replace(nothing, id="every-bit-counts/theorem-of-nothing"), Edition.PRINTED, {"p": 8}, NAMED["a4"])
