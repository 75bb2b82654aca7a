"""A claim for all its parameters: what becomes of it by symbols, by its parts and by its typical points, on claims that no paper has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from verifier.claims.for_all import for_all, is_formula
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query, declined
from verifier.claims.parameters import ALL, Parameter
from verifier.claims.points import Point
from verifier.claims.records import Part
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.fields import Formula
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Limits

P, S = Parameter("p", "a number", "p >= -20", "2..4"), Parameter("s", "another", "s >= 1 and s < p", "1..2")
FROM_1 = replace(P, where="p >= 1")
ONE = Scope("one", 1, "counting")
HOLDS, OPEN = Outcome(Verdict.VERIFIED, ONE), Outcome(Verdict.OPEN, ONE)


def claim(name: str, *parameters: Parameter, **fields: Any) -> Claim:
    return Claim(f"toy/{name}", "", "", "", parameters or (P,), bounded=False, **fields)


def formula(holds: str, *parameters: Parameter, **fields: Any) -> Claim:
    judge = NamedJudge("verifier.judges.formula:judge", {"holds": holds, **fields}, Formula)
    return claim("lemma-1", *parameters, judge=judge)


def judged(query: Query) -> Outcome:
    return HOLDS


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (formula("p > 1"), True),
        (replace(formula("p > 1"), bounded=True), False),
        (claim("lemma-1", judge=judged), False),
        (claim("lemma-1"), False),
        (claim("lemma-1", judge=NamedJudge("verifier.judges.inclusion:judge", {}, Formula)), False),
    ],
)
def test_a_formula_is_decided_by_what_it_says(asked: Claim, expected: bool) -> None:
    assert is_formula(asked) is expected


def found(asked: Claim, limits: Limits = Limits(), **values: int) -> Outcome:
    point = {p.name: ALL for p in asked.parameters} | values
    return Session(limits).own(asked, Edition.STATEMENT, point, DEFAULT_SEMANTICS)


def test_what_symbols_prove_is_proved_and_what_they_refute_is_refuted_at_its_point() -> None:
    assert found(formula("p + 21 > 0")).scope.method == "symbolic"
    made = found(formula("k < 9", FROM_1, each={"k": "1 .. p"}))
    assert (made.verdict, made.reason) == (Verdict.REFUTED, "false at p = 9")
    assert made.counterexample == {"p": "9", "k": "9", "left": "9", "right": "9"}
    assert made.replay == ("toy/lemma-1", "--p", "9", "--edition", "statement")
    assert made.scope.statement == "k < 9 at p = 9"


FROM_3 = replace(P, where="p >= 1", typical="1..6", meant="p >= 3")


@pytest.mark.parametrize(
    ("holds", "p", "reason"),
    [
        ("p != 1 and p != 5", "5", "false at p = 5; also false at p = 1, a degenerate case"),
        ("p >= 2", "1", "proved for all parameters that the authors intend; false at p = 1: degenerate case: the authors intend p >= 3"),
    ],
)
def test_a_refutation_by_symbols_leads_with_what_is_meant(holds: str, p: str, reason: str) -> None:
    made = found(formula(holds, FROM_3))
    assert (made.verdict, made.reason) == (Verdict.REFUTED, reason)
    assert (made.counterexample or {})["p"] == p
    assert made.meant is (Verdict.VERIFIED if p == "1" else None)


@pytest.mark.parametrize(
    ("fails", "reason"),
    [
        ((1, 4, 5), "false at p = 4: it is bad; also false at p = 1, a degenerate case"),
        (
            (1,),
            "where it is meant, not proved, and verified at p = 3 to p = 6 (4 points); "
            "false at p = 1: it is bad; degenerate case: the authors intend p >= 3",
        ),
    ],
)
def test_a_refutation_at_typical_points_leads_with_what_is_meant(fails: tuple[int, ...], reason: str) -> None:
    def bad(query: Query) -> Outcome:
        return Outcome(Verdict.REFUTED, ONE, reason="it is bad") if query["p"] in fails else HOLDS

    made = found(claim("lemma-1", FROM_3, judge=bad))
    assert (made.reason, made.meant) == (reason, Verdict.OPEN if fails == (1,) else None)


def test_a_refutation_by_symbols_that_is_too_much_work_at_its_point_stands_by_itself() -> None:
    made = found(formula("k < 9", FROM_1, each={"k": "1 .. p"}), Limits(1000))
    assert (made.verdict, made.scope.method, made.counterexample) == (Verdict.REFUTED, "algebra", {"p": "9", "k": "9"})


@pytest.mark.parametrize(("typical", "reach"), [("2..4", "verified at p = 2 to p = 4 (3 points)"), ("3", "verified at p = 3 (1 point)")])
def test_what_symbols_leave_open_says_how_far_it_was_checked(typical: str, reach: str) -> None:
    made = found(formula("p < 1000", replace(FROM_1, typical=typical)))
    assert made.verdict is Verdict.OPEN
    assert str(made.reason).startswith("not decided by symbols: ")
    assert str(made.reason).endswith(f"; no proof for every parameter; {reach}")


def test_what_symbols_leave_open_is_refuted_by_a_typical_point() -> None:
    made = found(formula("p < 1000", replace(FROM_1, typical="999..1001")))
    assert (made.verdict, made.reason, (made.counterexample or {})["p"]) == (Verdict.REFUTED, "false at p = 1000", "1000")


def test_parameters_with_a_value_keep_it() -> None:
    assert found(formula("s < 3", P, S), p=3).verdict is Verdict.VERIFIED
    assert found(formula("s < 2", P, S), s=1).verdict is Verdict.VERIFIED
    assert found(formula("s < 3", P, S), p=4).counterexample == {"p": "4", "s": "3", "left": "3", "right": "3"}
    made = found(claim("lemma-1", P, S, judge=judged), p=3)
    assert made.reason == "no proof for every parameter; verified at p = 3, s = 1 to p = 3, s = 2 (2 points)"
    assert found(claim("lemma-1", P, S, judge=judged), p=1).reason == "no proof for every parameter; verified at no typical point"


@pytest.mark.parametrize("error", [InputError("no value"), LimitError("too much", "--limit")])
def test_points_that_cannot_be_judged_or_are_not_decided_do_not_count(error: Exception) -> None:
    def by_point(query: Query) -> Outcome:
        if query["p"] == 3:
            raise error
        return OPEN if query["p"] == 5 else HOLDS

    made = found(claim("lemma-1", replace(P, typical="2..5"), judge=by_point))
    assert made.reason == "no proof for every parameter; verified at p = 2 to p = 4 (2 points)"


@dataclass
class Said:
    """Asked of other claims, it finds what is said."""

    says: Callable[[Claim, Mapping[str, int]], Outcome]

    def at(self, point: Point, edition: Edition, semantics: object) -> Outcome:
        return self.says(point.claim, point.values)


def refuted(**point: str) -> Outcome:
    return Outcome(Verdict.REFUTED, ONE, reason="it is 2", counterexample=point, replay=("shown",))


def given(*names: str) -> Outcome:
    return Outcome(Verdict.CONDITIONAL, ONE, assumptions=names)


UNDECIDED = "its parts for all parameters: lemma-1, lemma-2"


@pytest.mark.parametrize("of", ["parts", "steps"])
@pytest.mark.parametrize(
    ("of_parts", "fails", "verdict", "reason", "assumptions"),
    [
        ((HOLDS, HOLDS), (), Verdict.VERIFIED, None, ()),
        ((HOLDS, OPEN), (), Verdict.OPEN, "open: lemma-2", ()),
        ((given("a", "b"), given("b", "c")), (), Verdict.CONDITIONAL, "conditional: lemma-1; conditional: lemma-2", ("a", "b", "c")),
        ((given("a"), OPEN), (), Verdict.OPEN, "conditional: lemma-1; open: lemma-2", ()),
        ((given("a"), OPEN), (3,), Verdict.OPEN, "conditional: lemma-1; open: lemma-2", ()),
        ((HOLDS, refuted(p="9")), (9,), Verdict.REFUTED, "false at p = 9: it is 2", ()),
        ((refuted(p="-9", q="2", left="1/2"), HOLDS), (-9,), Verdict.REFUTED, "false at p = -9: it is 2", ()),
        ((refuted(p="-30"), HOLDS), (-30,), Verdict.OPEN, "refuted: lemma-1", ()),
        ((refuted(p="1/2"), HOLDS), (9,), Verdict.OPEN, "refuted: lemma-1", ()),
        ((refuted(q="9"), HOLDS), (9,), Verdict.OPEN, "refuted: lemma-1", ()),
        ((refuted(p="8"), refuted(p="9")), (9,), Verdict.REFUTED, "false at p = 9: it is 2", ()),
        ((refuted(p="8"), HOLDS), (9,), Verdict.OPEN, "refuted: lemma-1", ()),
        ((refuted(p="9"), HOLDS), (3, 9), Verdict.REFUTED, "false at p = 3: it is 2", ()),
        ((declined("nothing"), HOLDS), (), Verdict.OPEN, "declined: lemma-1", ()),
        ((declined("nothing"), HOLDS), (3,), Verdict.REFUTED, "false at p = 3: it is 2", ()),
    ],
)
def test_a_claim_of_parts_is_their_worst_and_refuted_only_where_it_fails_itself(
    of: str,
    of_parts: tuple[Outcome, Outcome],
    fails: tuple[int, ...],
    verdict: Verdict,
    reason: str | None,
    assumptions: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = {f"toy/lemma-{k}": claim(f"lemma-{k}", role="argument") for k in (1, 2)}
    monkeypatch.setattr("verifier.claims.points.find_claim", parts.__getitem__)
    aside = claim("aside", role="aside")
    whole = claim("theorem-1", parts=tuple(map(Part, parts))) if of == "parts" else claim("theorem-1", steps=(aside, *parts.values()))

    def says(asked: Claim, point: Mapping[str, int]) -> Outcome:
        if asked is whole:
            return refuted(k="1") if point["p"] in fails else HOLDS
        assert point == {"p": ALL}
        return of_parts[list(parts.values()).index(asked)]

    made = for_all(Said(says), Point.of(whole, {"p": ALL}), Edition.STATEMENT, DEFAULT_SEMANTICS)  # type: ignore[arg-type]  # it answers as a claim does
    assert (made.verdict, made.reason, made.assumptions) == (verdict, reason, assumptions)
    if verdict is Verdict.REFUTED:
        point = {"p": str(reason).partition(":")[0].rpartition(" ")[2]}
        assert (made.counterexample, made.replay) == ({**point, "k": "1"}, ("shown",))
        assert made.scope == Scope("one", None, "counting")
    else:
        assert (made.scope.statement, made.parts) == (UNDECIDED, tuple(parts))


@pytest.mark.parametrize("edition", list(Edition))
@pytest.mark.parametrize("fails", [(), (3,)])
def test_an_argument_that_fails_at_a_point_refutes_the_proof_of_a_claim_of_parts(
    edition: Edition, fails: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    part = claim("lemma-1", role="argument")
    monkeypatch.setattr("verifier.claims.points.find_claim", lambda _: part)
    whole = claim("theorem-1", parts=(Part("toy/lemma-1"),), steps=(claim("theorem-1:step", role="argument"),))

    def says(asked: Claim, point: Mapping[str, int]) -> Outcome:
        return refuted(k="1") if asked is whole and point["p"] in fails else HOLDS

    made = for_all(Said(says), Point.of(whole, {"p": ALL}), edition, DEFAULT_SEMANTICS)  # type: ignore[arg-type]  # it answers as a claim does
    failing = bool(fails) and edition is not Edition.STATEMENT
    assert made.verdict is (Verdict.REFUTED if failing else Verdict.VERIFIED)
    assert made.reason == ("false at p = 3: it is 2" if failing else None)


@pytest.mark.parametrize(("s", "reason"), [(1, "declined: lemma-1"), (2, "false at p = 3, s = 2: it is 2")])
def test_typical_points_of_a_claim_of_parts_keep_the_values_given(s: int, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails at (3, 2) alone, where it is shown without more."""
    monkeypatch.setattr("verifier.claims.points.find_claim", lambda name: claim("lemma-1"))
    whole = claim("theorem-1", P, S, parts=(Part("toy/lemma-1"),))

    def says(asked: Claim, point: Mapping[str, int]) -> Outcome:
        if asked is not whole:
            return declined("nothing")
        return Outcome(Verdict.REFUTED, ONE, reason="it is 2") if point == {"p": 3, "s": 2} else HOLDS

    made = for_all(Said(says), Point.of(whole, {"p": ALL, "s": s}), Edition.STATEMENT, DEFAULT_SEMANTICS)  # type: ignore[arg-type]  # it answers as a claim does
    assert (made.reason, made.counterexample) == (reason, None if s == 1 else {"p": "3", "s": "2"})
