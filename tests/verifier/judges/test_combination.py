"""Inequalities that follow from others: which sums are seen, and what leaves them open."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.parameters import Parameter
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges import combination
from verifier.judges.combination import judge
from verifier.judges.fields import Combination, Reals
from verifier.running.errors import InputError

TANGENT: dict[str, Any] = {
    "over": ["x", "0", "1"],
    "positive": [["exp(x) - 1 - x", "0"], ["most - y", ""], ["t", ""]],
    "pieces": [["0", "1/2", {"y": "exp(x)", "t": "1"}], ["1/2", "1", {"y": "2", "t": "2"}]],
}
"""exp(x) is at least 1 + x; y, which is exp(x) up to 1/2 and then 2, is at most 3; t, 1 up to 1/2 and then 2, is above 0."""


def toy(**lets: str) -> Claim:
    own = {**TANGENT, "positive": [[text, zeros] for text, zeros in TANGENT["positive"]]}
    real = find_claim("piecewise-affine/section-2.7:exp2-worst-case")
    return replace(
        real, id="toy/lemma", lets={"most": "3", **lets}, judge=NamedJudge("verifier.judges.reals:judge", own, Reals), repaired=None
    )


AT = {"u": "1/3", "s": "2"}


def asked(
    monkeypatch: pytest.MonkeyPatch,
    positive: list[tuple[str, str]],
    given: list[str],
    premises: Mapping[str, tuple[int, Mapping[str, str]]],
    at: Mapping[str, str] = AT,
    names: Sequence[str] = ("lemma",),
    **lets: str,
) -> Outcome:
    lemma = toy(**lets)
    monkeypatch.setattr(combination, "find_claim", {"toy/lemma": lemma}.__getitem__)

    class Asker:
        def ask(self, claim: str, edition: Edition, parameters: Any, semantics: Any) -> Outcome:
            return Session().outcome(lemma, edition, {}, semantics)[0]

    query = Query(replace(lemma, id="toy/sum", lets={"c": "2"}), Edition.STATEMENT, {"n": 3}, DEFAULT_SEMANTICS, Asker())
    taken = {key: (name, number, dict(values)) for name, (key, (number, values)) in zip(cycle(names), premises.items(), strict=False)}
    return judge(query, Combination(taken, positive, given, dict(at)))


U = ["u", "1 - u"]
SHOWN = [
    ("exp(u) - 1 - u", "tangent", U, {"x": "u"}, 0),
    ("c*(exp(u) - 1) - u", "c*tangent + u", U, {"x": "u"}, 0),
    ("exp(u/2) - 1", "tangent + u/2", ["u", "1 - u/2"], {"x": "u/2"}, 0),
    ("4 - z", "tangent + 1", U, {"x": "u", "y": "z"}, 1),
    ("s*(exp(u) - 1)", "s*tangent + s*u", [*U, "s"], {"x": "u"}, 0),
    ("exp(u) - 1 - u", "tangent + 0*u", U, {"x": "u"}, 0),
    ("exp(u) - 1 - u/2", "tangent + 1/2*u", U, {"x": "u"}, 0),
    ("(exp(u) - 1 - u)/(1 + 1)", "tangent/(1 + 1)", U, {"x": "u"}, 0),
    ("log(exp(u))", "u", U, {"x": "u"}, 0),
    ("exp(2*u) - 1 - 2*u", "(exp(u) - 1)**2 + 2*tangent", U, {"x": "u"}, 0),
]
OPEN = [
    ("exp(u) - 1 - 2*u", "tangent", U, {"x": "u"}, 0, "not seen to be"),
    ("exp(u) - 1 - 2*u", "tangent - u", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 2", "tangent + u + (1 - 2)", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 1 - u", "tangent", ["u"], {"x": "u"}, 0, "is not given"),
    ("s*(exp(u) - 1 - u)", "s*tangent", U, {"x": "u"}, 0, "may be negative"),
    ("exp(u) - 1 - u", "tangent", U, {"x": "u"}, 3, "which has 3"),
    ("exp(u/2) - 1 - u/2", "tangent", U, {"x": "u/2"}, 0, "1 - u / 2 >= 0 is not given"),
    ("exp(u) - 1 - u", "tangent", [*U, "-u"], {"x": "u"}, 0, "not seen at the point"),
    ("exp(t) - 1 - t", "tangent", ["t", "1 - t"], {"x": "t"}, 0, "no value for t"),
    ("3 - tangent", "tangent", U, {"x": "u", "y": "tangent"}, 1, "is a premise and a name"),
    ("exp(u) - 1 - u", "tangent", U, {}, 0, "nothing stands for x"),
    ("4 - z", "tangent + 1", U, {"y": "z"}, 1, "nothing stands for x"),
    ("4 - z", "tangent + 1", U, {"x": "u"}, 1, "nothing stands for y"),
    ("(1 + u - exp(u))/2", "tangent/(0 - 2)", U, {"x": "u"}, 0, "tangent/(0 - 2) may be negative"),
    ("(u - 1)/2", "(u - 1)/2", U, {"x": "u"}, 0, "(u - 1)/2 may be negative"),
    ("(u - 1)**3", "(u - 1)**3", U, {"x": "u"}, 0, "(u - 1)**3 may be negative"),
    ("3 - 2*u", "tangent", U, {"x": "u", "y": "2*u"}, 1, "a name was expected"),
]


@pytest.mark.parametrize(("formula", "total", "given", "names", "number"), SHOWN, ids=[each[1] for each in SHOWN])
def test_shown(formula: str, total: str, given: list[str], names: dict[str, str], number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(monkeypatch, [(formula, total)], given, {"tangent": (number, names)})
    assert found.verdict is Verdict.VERIFIED, found.reason


@pytest.mark.parametrize(("formula", "total", "given", "names", "number", "reason"), OPEN, ids=[each[5] for each in OPEN])
def test_open(
    formula: str, total: str, given: list[str], names: dict[str, str], number: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = asked(monkeypatch, [(formula, total)], given, {"tangent": (number, names)})
    assert (found.verdict, reason in (found.reason or "")) == (Verdict.OPEN, True), found.reason


def test_a_premise_that_fails_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(monkeypatch, [("exp(u) - 1 - u", "tangent")], U, {"tangent": (0, {"x": "u"})}, most="1")
    assert (found.verdict, found.reason) == (Verdict.OPEN, "tangent rests on toy/lemma, which is refuted")


def test_a_real_that_a_let_is_named_like_is_not_the_let(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(monkeypatch, [("exp(u) - 1 - u", "tangent")], U, {"tangent": (0, {"x": "u"})}, names=["toy/lemma"], x="5")
    assert found.verdict is Verdict.VERIFIED, found.reason


@pytest.mark.parametrize(
    ("at", "given", "said"),
    [
        ({"u": "0"}, [], ""),
        ({"u": "1"}, ["2 - z", "z - 2"], ""),
        ({"u": "1"}, ["1 - z"], "1 - z >= 0 is given, and not seen at the point"),
        ({"u": "2/5"}, ["z - 2"], "z - 2 >= 0 is given, and not seen at the point"),
        ({"u": "2"}, [], "at the point u is not seen to lie on a piece of lemma"),
    ],
)
def test_a_name_has_the_value_of_its_piece_at_the_point(
    at: dict[str, str], given: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    premises = {"tangent": (0, {"x": "u"}), "most": (1, {"x": "u", "y": "z"})}
    found = asked(monkeypatch, [("3 - z", "most"), ("exp(u) - 1 - u", "tangent")], [*U, *given], premises, at)
    assert (found.verdict is Verdict.OPEN, found.reason or "") == (bool(said), said)


def test_what_is_shown_and_false_at_the_point_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "_same", lambda left, right: True)
    with pytest.raises(AssertionError, match="u - 1 is shown, and false"):
        asked(monkeypatch, [("u - 1", "1")], [], {})


def test_a_name_is_what_one_premise_has_by_pieces_at_one_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps at u and at v have the same values on the same pieces, and are two numbers."""
    given, at = [*U, "v", "1 - v"], {"u": "1/3", "v": "2/3"}
    premises = {"first": (2, {"x": "u", "t": "a"}), "second": (2, {"x": "v", "t": "a"})}
    found = asked(monkeypatch, [("2*a", "first + second")], given, premises, at)
    assert found.reason == "a is the t of lemma at u, and the t of lemma at v"
    premises["second"] = (2, {"x": "v", "t": "b"})
    found = asked(monkeypatch, [("a + b", "first + second"), ("n*a + u", "n*first + u")], [*given, "n"], premises, {**at, "n": "3"})
    assert found.verdict is Verdict.VERIFIED, found.reason
    assert found.scope.statement == (
        "every real a, b, u with u >= 0 and 1 - u >= 0 and v >= 0 and 1 - v >= 0 and n >= 0, a the t of lemma at u, "
        "b the t of lemma at v: a + b >= 0 and n*a + u >= 0 at n = 3"
    )
    assert found.witness == "sums of what is not negative, by lemma"


def test_premises_are_claims_of_the_judge_of_reals_without_parameters() -> None:
    real = toy()
    assert combination._reals(real).over == ("x", "0", "1")
    others = [
        replace(real, judge=lambda query: Outcome(Verdict.VERIFIED, Scope(""))),
        replace(real, judge=NamedJudge("verifier.judges.combination:judge", TANGENT, Combination)),
        replace(real, parameters=(Parameter("n", "a size", "n >= 1", "1..3"),)),
    ]
    for other in others:
        with pytest.raises(InputError, match="not a claim of the judge reals without parameters"):
            combination._reals(other)
