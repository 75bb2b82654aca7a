"""Inequalities that follow from others: which sums are seen, and what leaves them open."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from verifier.judges import combination
from verifier.judges.combination import judge
from verifier.judges.fields import Combination, Reals
from verifier.statements.model import DEFAULT_SEMANTICS, Claim, Question
from verifier.statements.named import NamedJudge
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.verdicts import Edition, Finding, Verdict

TANGENT = {"over": ["x", "0", "1"], "positive": [["exp(x) - 1 - x", "0"], ["most - y", ""]], "pieces": [["0", "1", {"y": "exp(x)"}]]}
"""exp(x) is at least 1 + x, and y = exp(x) at most 3."""


def toy(**lets: str) -> Claim:
    own = {**TANGENT, "positive": [[text, zeros] for text, zeros in TANGENT["positive"]]}
    real = find_claim("piecewise-affine/section-2.7:exp2-worst-case")
    return replace(
        real, id="toy/lemma", lets={"most": "3", **lets}, judge=NamedJudge("verifier.judges.reals:judge", own, Reals), repaired=None
    )


def asked(
    monkeypatch: pytest.MonkeyPatch, formula: str, total: str, given: list[str], names: Mapping[str, str], number: int = 0, **lets: str
) -> Finding:
    lemma = toy(**lets)
    monkeypatch.setattr(combination, "find_claim", lambda name: lemma)

    class Asker:
        def ask(self, claim: str, edition: Edition, parameters: Any, semantics: Any) -> Finding:
            return Session().finding(lemma, edition, {}, semantics)[0]

    question = Question(replace(lemma, id="toy/sum", lets={"c": "2"}), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Asker())
    return judge(question, Combination({"tangent": ("lemma", number, dict(names))}, [(formula, total)], given, {"u": "1/3", "s": "2"}))


U = ["u", "1 - u"]
SHOWN = [
    ("exp(u) - 1 - u", "tangent", U, {"x": "u"}, 0),
    ("c*(exp(u) - 1) - u", "c*tangent + u", U, {"x": "u"}, 0),
    ("exp(u/2) - 1", "tangent + u/2", ["u", "1 - u/2"], {"x": "u/2"}, 0),
    ("4 - z", "tangent + 1", U, {"x": "u", "y": "z"}, 1),
    ("s*(exp(u) - 1)", "s*tangent + s*u", [*U, "s"], {"x": "u"}, 0),
]
OPEN = [
    ("exp(u) - 1 - 2*u", "tangent", U, {"x": "u"}, 0, "not seen to be"),
    ("exp(u) - 1 - 2*u", "tangent - u", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 2", "tangent + u + (1 - 2)", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 1 - u", "tangent", ["u"], {"x": "u"}, 0, "is not given"),
    ("s*(exp(u) - 1 - u)", "s*tangent", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 1 - u", "tangent", U, {"x": "u"}, 2, "which has 2"),
    ("exp(u/2) - 1 - u/2", "tangent", U, {"x": "u/2"}, 0, "1 - u / 2 >= 0 is not given"),
    ("exp(u) - 1 - u", "tangent", [*U, "-u"], {"x": "u"}, 0, "not seen at the point"),
    ("exp(t) - 1 - t", "tangent", ["t", "1 - t"], {"x": "t"}, 0, "no value for t"),
    ("3 - tangent", "tangent", U, {"x": "u", "y": "tangent"}, 1, "is a premise and a name"),
    ("exp(u) - 1 - u", "tangent", U, {}, 0, "nothing stands for x"),
    ("3 - 2*u", "tangent", U, {"x": "u", "y": "2*u"}, 1, "a name was expected"),
]


@pytest.mark.parametrize(("formula", "total", "given", "names", "number"), SHOWN, ids=[each[1] for each in SHOWN])
def test_shown(formula: str, total: str, given: list[str], names: dict[str, str], number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(monkeypatch, formula, total, given, names, number)
    assert found.verdict is Verdict.VERIFIED, found.reason


@pytest.mark.parametrize(("formula", "total", "given", "names", "number", "reason"), OPEN, ids=[each[5] for each in OPEN])
def test_open(
    formula: str, total: str, given: list[str], names: dict[str, str], number: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked(monkeypatch, formula, total, given, names, number)
    assert (found.verdict, reason in (found.reason or "")) == (Verdict.OPEN, True), found.reason


def test_a_premise_that_fails_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(monkeypatch, "exp(u) - 1 - u", "tangent", U, {"x": "u"}, most="2")
    assert (found.verdict, found.reason) == (Verdict.OPEN, "tangent rests on toy/lemma, which is refuted")
